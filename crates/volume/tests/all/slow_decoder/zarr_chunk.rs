//! A decoder of Zarr chunks, written from docs/zarr-codec.md and docs/volume-format.md alone. It trusts its
//! input.

use super::{Form, chunk_sides, crc, decode_chunk, from_ordinal, number, pattern_table, rank_table};

/// Reader of the index.
struct Index<'a> {
    bytes: &'a [u8],
}

impl<'a> Index<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    /// Section 1.
    fn varint(&mut self) -> usize {
        let mut value = 0;
        for group in 0.. {
            let byte = self.take(1)[0];
            value += usize::from(byte % 128) << (7 * group);
            if byte < 128 {
                break;
            }
        }
        value
    }
}

/// Returns the bits of all numbers: channels fastest, then x, y and z. The type's code is that of `.bwv`
/// files.
pub fn decode(chunk: &[u8], type_code: u8, dims: [usize; 3]) -> Vec<u64> {
    let number_bytes = [1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2][usize::from(type_code)];
    // Section 2.
    assert_eq!(chunk[0], 1);
    let end = chunk[chunk.len() - 1];
    assert_eq!(end % 16, 1);
    let tail = &chunk[..chunk.len() - 1];
    let (tail, size) = tail.split_at(tail.len() - usize::from(end / 16));
    let (tail, checksum) = tail.split_at(tail.len() - 4);
    let (parts, index) = tail.split_at(tail.len() - number(size) as usize);
    assert_eq!(number(checksum), crc(index));

    // Section 3.
    let mut index = Index { bytes: index };
    let head = index.take(1)[0];
    assert_eq!(head / 64, 0);
    let side = [[4, 4, 4], [8, 8, 8], [16, 16, 1]][usize::from(head % 4)];
    let channels = usize::from(head / 4 % 4) + 1;
    let (mut extent, mut fill) = (dims, 0);
    if head / 16 % 2 == 1 {
        extent = [0; 3].map(|_| index.varint());
        fill = number(index.take(number_bytes));
    }
    let mut numbers = vec![fill; dims.iter().product::<usize>() * channels];
    let position = |[x, y, z]: [usize; 3]| (x + dims[0] * (y + dims[1] * z)) * channels;
    let each_voxel = || {
        let [x, y, z] = extent;
        (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
    };
    if head / 32 == 1 {
        let voxel = index.take(number_bytes * channels);
        for place in each_voxel() {
            for (channel, bytes) in voxel.chunks(number_bytes).enumerate() {
                numbers[position(place) + channel] = number(bytes);
            }
        }
        assert_eq!((parts.len(), index.bytes.len()), (1, 0));
        return numbers;
    }
    let (rank_tables, pattern_tables) = (index.varint(), index.varint());
    let mut at = 1;
    let mut part = |size: usize, checksum: &[u8]| {
        at += size;
        let bytes = &parts[at - size..at];
        assert_eq!(crc(bytes), number(checksum));
        bytes
    };
    let mut tables = Vec::new();
    for _ in 0..rank_tables + pattern_tables {
        tables.push(part(index.varint(), index.take(4)));
    }
    let (ranks, patterns) = tables.split_at(rank_tables);
    let ranks: Vec<Vec<u64>> = ranks.iter().map(|bytes| rank_table(bytes)).collect();
    let patterns: Vec<Vec<&[u8]>> = patterns.iter().map(|bytes| pattern_table(bytes)).collect();
    let (planes, value_bytes) = if number_bytes == 8 { (2, 4) } else { (1, number_bytes) };
    let components = channels * planes;
    let form = Form { side, value_bytes };
    let inner = chunk_sides(side, extent);
    let inner = [0, 1, 2].map(|axis| inner[axis] * side[axis] * 4);
    let counts = [0, 1, 2].map(|axis| extent[axis].div_ceil(inner[axis]));
    let slabs: Vec<Vec<usize>> =
        (0..counts[2]).map(|_| (0..2 * components).map(|_| index.varint()).collect()).collect();
    for place in each_voxel() {
        numbers[position(place)..position(place) + channels].fill(0);
    }
    for (gz, slab) in slabs.iter().enumerate() {
        for component in 0..components {
            let ranks = slab[component].checked_sub(1).map(|table| &ranks[table]);
            let patterns = slab[components + component].checked_sub(1).map_or(&[][..], |i| &patterns[i]);
            for (gy, gx) in (0..counts[1]).flat_map(|gy| (0..counts[0]).map(move |gx| (gy, gx))) {
                let corner = [gx * inner[0], gy * inner[1], gz * inner[2]];
                let size = index.varint();
                let (bytes, value): (&[u8], u64) = if size == 0 {
                    (&[], number(index.take(value_bytes)))
                } else {
                    (part(size, index.take(4)), 0)
                };
                decode_chunk(bytes, patterns, value, corner, extent, form, |place, value| {
                    let value = ranks.map_or(value, |ranks| ranks[value as usize]);
                    let shift = if planes == 2 && component % 2 == 0 { 32 } else { 0 };
                    numbers[position(place) + component / planes] += value << shift;
                });
            }
        }
    }
    assert_eq!((at, index.bytes.len()), (parts.len(), 0));
    for place in each_voxel() {
        for number in &mut numbers[position(place)..position(place) + channels] {
            *number = from_ordinal(type_code, *number);
        }
    }
    numbers
}
