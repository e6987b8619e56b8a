//! A decoder of `.bwv` files, written from docs/volume-format.md alone and meant to be read beside it. It
//! trusts its input.

mod paper;
pub mod zarr_chunk;

use std::{cell::Cell, cmp::Reverse, sync::LazyLock};

thread_local! {
    /// Numbers of label bricks that this thread has decoded, by M.
    pub static LABEL_BRICKS: Cell<[usize; 17]> = const { Cell::new([0; 17]) };
}

/// Contents of a file.
pub struct Volume {
    /// Dims of mip level 0.
    pub dims: [usize; 3],
    /// Bits of all numbers, by mip level: channels fastest, then x, y, z and frames.
    pub levels: Vec<Vec<u64>>,
}

/// Form of the bricks of a file or a Zarr chunk.
#[derive(Clone, Copy)]
struct Form {
    /// Voxels of a brick along each axis.
    side: [usize; 3],
    /// Bytes of a value in the index and in chunks without superblocks.
    value_bytes: usize,
}

impl Form {
    fn is_flat(self) -> bool {
        self.side == [16, 16, 1]
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number * 256 + u64::from(byte))
}

fn width(n: u64) -> usize {
    (0..).find(|&bits| n < 1u64 << bits).expect("fewer than 64 bits")
}

/// Section 1: CRC-32C, bit by bit.
pub fn crc(bytes: &[u8]) -> u64 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
        }
    }
    u64::from(!crc)
}

/// Section 2.
pub fn decode(file: &[u8]) -> Volume {
    assert_eq!(file[..8], [0x89, 0x42, 0x57, 0x56, 0x0D, 0x0A, 0x1A, 0x0A]);
    assert_eq!(number(&file[8..10]), 1);
    let profile = file[10];
    let type_code = file[11];
    let side = [[4, 4, 4], [8, 8, 8], [16, 16, 1]][usize::from(file[12]) - 2];
    let (channels, level_count) = (usize::from(file[13]), usize::from(file[14]));
    let dims = [16, 24, 32].map(|at| number(&file[at..at + 8]) as usize);
    let frames = number(&file[40..48]) as usize;
    let metadata = number(&file[176..180]) as usize;
    let header_end = 184 + metadata;
    let covered = [&file[..180], &file[184..header_end]].concat();
    assert_eq!(number(&file[180..184]), crc(&covered));

    let footer = &file[file.len() - 32..];
    assert_eq!(&footer[24..], b"BWV end\n");
    assert_eq!(number(&footer[20..24]), crc(&[&file[180..184], &footer[..20]].concat()));
    let index_start = number(&footer[..8]) as usize;
    let index = &file[index_start..file.len() - 32];
    assert_eq!(number(&footer[8..16]) as usize, index.len());
    assert_eq!(number(&footer[16..20]), crc(index));

    // Section 1: components, and the dims of the mip levels.
    let planes = if matches!(type_code, 7..=9) { 2 } else { 1 };
    let components = channels * planes;
    let mut level_dims = vec![dims];
    for level in 1..level_count {
        level_dims.push(level_dims[level - 1].map(|voxels| voxels.div_ceil(2)));
    }
    assert!(level_count == 1 || level_dims[level_count - 2] != [1; 3]);
    let counts: Vec<usize> = level_dims.iter().map(|dims| dims.iter().product()).collect();
    let mut ordinals: Vec<Vec<u64>> = counts.iter().map(|count| vec![0; count * frames * channels]).collect();
    // The arguments are a mip level, a frame, a component, a position and the value.
    let put = |level: usize, frame: usize, component: usize, [x, y, z]: [usize; 3], value: u64| {
        let [width, height, _] = level_dims[level];
        let voxel = frame * counts[level] + x + width * (y + height * z);
        let shift = if planes == 2 && component.is_multiple_of(2) { 32 } else { 0 };
        ordinals[level][voxel * channels + component / planes] += value << shift;
    };
    if profile == 0 {
        let value_bytes = [1, 1, 2, 2, 4, 4, 4, 4, 4, 4, 2][usize::from(type_code)];
        let form = Form { side, value_bytes };
        decode_slabs(file, index, form, &level_dims, frames, components, put);
    } else {
        let voxel_bytes = [1, 1, 2, 2, 4, 4, 4, 4, 4, 4, 2][usize::from(type_code)];
        paper::decode(file, index, profile == 2, voxel_bytes, &level_dims, [frames, components], put);
    }
    for ordinal in ordinals.iter_mut().flatten() {
        *ordinal = from_ordinal(type_code, *ordinal);
    }
    Volume { dims, levels: ordinals }
}

/// Returns the bytes of a part, whose checksum the index states.
fn part(file: &[u8], start: usize, length: usize, checksum: u64) -> &[u8] {
    let bytes = &file[start..start + length];
    assert_eq!(crc(bytes), checksum);
    bytes
}

/// Section 2.3.
fn decode_slabs(
    file: &[u8],
    index: &[u8],
    form: Form,
    level_dims: &[[usize; 3]],
    frames: usize,
    components: usize,
    mut put: impl FnMut(usize, usize, usize, [usize; 3], u64),
) {
    let side = form.side;
    let mut at = 0;
    let mut next = |bytes: usize| {
        at += bytes;
        number(&index[at - bytes..at])
    };
    let (rank_tables, pattern_tables) = (next(4), next(4));
    let mut table = || part(file, next(8) as usize, next(4) as usize, next(4));
    let tables: Vec<Vec<u64>> = (0..rank_tables).map(|_| rank_table(table())).collect();
    let patterns: Vec<Vec<&[u8]>> = (0..pattern_tables).map(|_| pattern_table(table())).collect();
    let mut slabs = Vec::new();
    for (level, dims) in level_dims.iter().enumerate() {
        let chunk = chunk_sides(side, *dims);
        let groups = [0, 1, 2].map(|axis| dims[axis].div_ceil(chunk[axis] * side[axis] * 4));
        for frame in 0..frames {
            for gz in 0..groups[2] {
                let start = next(8) as usize;
                let own: Vec<usize> = (0..2 * components).map(|_| next(4) as usize).collect();
                let (ranks, patterns) = own.split_at(components);
                let own: Vec<_> = ranks.iter().copied().zip(patterns.iter().copied()).collect();
                slabs.push((level, frame, groups, gz, start, own));
            }
        }
    }
    for (level, frame, groups, gz, mut start, own) in slabs {
        for (component, (table, pattern_table)) in own.into_iter().enumerate() {
            let patterns = pattern_table.checked_sub(1).map_or(&[][..], |number| &patterns[number]);
            for gy in 0..groups[1] {
                for gx in 0..groups[0] {
                    let (length, checksum) = (next(4) as usize, next(4));
                    let (min, max) = (next(form.value_bytes), next(form.value_bytes));
                    let bytes = part(file, start, length, checksum);
                    start += length;
                    assert_eq!(length % 4, 0);
                    let chunk = chunk_sides(side, level_dims[level]);
                    let at = [gx, gy, gz];
                    let corner = [0, 1, 2].map(|axis| at[axis] * chunk[axis] * side[axis] * 4);
                    let (mut least, mut most) = (u64::MAX, 0);
                    let put = |place, value: u64| {
                        (least, most) = (least.min(value), most.max(value));
                        let value = if table == 0 { value } else { tables[table - 1][value as usize] };
                        put(level, frame, component, place, value);
                    };
                    decode_chunk(bytes, patterns, min, corner, level_dims[level], form, put);
                    assert_eq!([min, max], [least, most]);
                }
            }
        }
    }
    assert_eq!(at, index.len());
}

/// Section 1: returns the bits of a number.
fn from_ordinal(type_code: u8, ordinal: u64) -> u64 {
    match type_code {
        0 | 2 | 4 | 7 => ordinal,
        1 => ordinal ^ 0x80,
        3 => ordinal ^ 0x8000,
        5 => ordinal ^ 0x8000_0000,
        6 if ordinal & 0x8000_0000 == 0 => !ordinal & 0xffff_ffff,
        6 => ordinal ^ 0x8000_0000,
        8 => ordinal ^ 1 << 63,
        9 if ordinal & 1 << 63 == 0 => !ordinal,
        9 => ordinal ^ 1 << 63,
        10 if ordinal & 0x8000 == 0 => !ordinal & 0xffff,
        10 => ordinal ^ 0x8000,
        _ => panic!("no such type"),
    }
}

/// Section 2.4.
fn rank_table(bytes: &[u8]) -> Vec<u64> {
    let (count, form) = (number(&bytes[..3]) as usize, i32::from(bytes[3]));
    let first = number(&bytes[4..8]) as u32;
    let mut numbers = vec![if form == 0 { i64::from(first) } else { i64::from(first as i32) }];
    let mut at = 8;
    while numbers.len() < count {
        let (steps, end) = fields(bytes, at, [4; 3]);
        at = end;
        for step in steps {
            if numbers.len() < count {
                numbers.push(numbers[numbers.len() - 1] + step as i64 + 1);
            }
        }
    }
    assert!(bytes.len() - at < 4 && bytes[at..].iter().all(|&byte| byte == 0));
    let ordinal = |number: i64| {
        if form == 0 {
            return number as u64;
        }
        let power: f64 = format!("1e{}", form - 1).parse().expect("a power of ten");
        let bits = ((number as f64 / power) as f32).to_bits();
        u64::from(if bits >> 31 == 1 { !bits } else { bits ^ 0x8000_0000 })
    };
    numbers.into_iter().map(ordinal).collect()
}

/// Section 2.5.
fn pattern_table(bytes: &[u8]) -> Vec<&[u8]> {
    let count = usize::from(bytes[0]) + 1;
    let mut at = 1 + count;
    let mut patterns = Vec::new();
    for &length in &bytes[1..1 + count] {
        assert!(length > 0);
        patterns.push(&bytes[at..at + usize::from(length)]);
        at += usize::from(length);
    }
    assert!(bytes.len() - at < 4 && bytes[at..].iter().all(|&byte| byte == 0));
    patterns
}

/// Section 2.3: returns the superblocks of a chunk along each axis.
fn chunk_sides(side: [usize; 3], dims: [usize; 3]) -> [usize; 3] {
    let all = [0, 1, 2].map(|axis| dims[axis].div_ceil(4 * side[axis]));
    let mut sides = [1; 3];
    for _ in 0..3 {
        let axes = (0..3).filter(|&axis| sides[axis] < all[axis]);
        if let Some(axis) = axes.min_by_key(|&axis| sides[axis]) {
            sides[axis] *= 2;
        }
    }
    sides
}

/// Section 3. Calls `put` with each voxel's position and value.
fn decode_chunk(
    bytes: &[u8],
    patterns: &[&[u8]],
    min: u64,
    corner: [usize; 3],
    dims: [usize; 3],
    form: Form,
    mut put: impl FnMut([usize; 3], u64),
) {
    let Form { side, value_bytes, .. } = form;
    let sides = chunk_sides(side, dims);
    let own = [0, 1, 2].map(|axis| (dims[axis] - corner[axis]).min(4 * sides[axis] * side[axis]));
    let voxels = places(own).map(|voxel| [0, 1, 2].map(|axis| corner[axis] + voxel[axis]));
    if bytes.is_empty() {
        voxels.for_each(|voxel| put(voxel, min));
        return;
    }
    if bytes.len() == (own.iter().product::<usize>() * value_bytes).next_multiple_of(4) {
        voxels.zip(bytes.chunks(value_bytes)).for_each(|(voxel, bytes)| put(voxel, number(bytes)));
        return;
    }
    let inside = |place: &[usize; 3]| (0..3).all(|axis| place[axis] < dims[axis]);
    let corners: Vec<[usize; 3]> = places(sides)
        .map(|i| [0, 1, 2].map(|axis| corner[axis] + i[axis] * side[axis] * 4))
        .filter(inside)
        .collect();
    let width = usize::from(bytes[0]);
    let mut start = 1 + width * corners.len();
    for (i, corner) in corners.iter().enumerate() {
        let end = start + number(&bytes[1 + width * i..][..width]) as usize;
        // These are the numbers of voxels and bricks that the superblock has.
        let voxels = [0, 1, 2].map(|axis| (dims[axis] - corner[axis]).min(4 * side[axis]));
        let bricks = [0, 1, 2].map(|axis| voxels[axis].div_ceil(side[axis]));
        let boxes: Vec<[usize; 3]> = places(bricks)
            .map(|brick| [0, 1, 2].map(|axis| (voxels[axis] - brick[axis] * side[axis]).min(side[axis])))
            .collect();
        let values = superblock(&bytes[start..end], patterns, bricks, &boxes, form);
        for ((brick, own), values) in places(bricks).zip(boxes).zip(values) {
            for (voxel, value) in places(own).zip(values) {
                put([0, 1, 2].map(|axis| corner[axis] + brick[axis] * side[axis] + voxel[axis]), value);
            }
        }
        start = end;
    }
    assert!(bytes.len() - start < 4 && bytes[start..].iter().all(|&byte| byte == 0));
}

/// Returns x, y and z of the `i`-th voxel of a box, x fastest.
fn place([width, height, _]: [usize; 3], i: usize) -> [usize; 3] {
    [i % width, i / width % height, i / width / height]
}

/// Returns the positions of a whole box.
fn places(dims: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..dims.iter().product()).map(move |i| place(dims, i))
}

/// Section 4: returns the number at `at`, whether its top bit is set, and the position after it.
fn take_number(bytes: &[u8], at: usize) -> (u64, bool, usize) {
    let count = usize::from(bytes[at] & 0x7f);
    assert!(count <= 4);
    (number(&bytes[at + 1..at + 1 + count]), bytes[at] >= 0x80, at + 1 + count)
}

/// Section 4: returns the fields of a box, and the position after them.
fn fields(bytes: &[u8], at: usize, dims: [usize; 3]) -> (Vec<u64>, usize) {
    let (m, _, at) = take_number(bytes, at);
    let (r, _, at) = take_number(bytes, at);
    if r == 0 {
        return (vec![m; dims.iter().product()], at);
    }
    let (values, end) = brick(&bytes[at..], r, dims, None);
    (values.into_iter().map(|value| value + m).collect(), at + end)
}

/// Section 4: returns the values of each brick.
fn superblock(
    bytes: &[u8],
    patterns: &[&[u8]],
    bricks: [usize; 3],
    boxes: &[[usize; 3]],
    form: Form,
) -> Vec<Vec<u64>> {
    let (value, constant, end) = take_number(bytes, 0);
    if constant {
        assert_eq!(end, bytes.len());
        return boxes.iter().map(|own| vec![value; own.iter().product()]).collect();
    }
    let (minima, at) = fields(bytes, 0, bricks);
    let (ranges, at) = fields(bytes, at, bricks);
    let (lengths, mut at) = fields(bytes, at, bricks);
    let mut bricks = Vec::new();
    for (i, own) in boxes.iter().enumerate() {
        if ranges[i] == 0 {
            assert_eq!(lengths[i], 0);
            bricks.push(vec![minima[i]; own.iter().product()]);
            continue;
        }
        let stored = lengths[i].max(1) as usize;
        let mut own_bytes = &bytes[at..at + stored];
        if lengths[i] == 0 {
            own_bytes = patterns[usize::from(own_bytes[0])];
        }
        let (values, end) = brick(own_bytes, ranges[i], *own, Some(form));
        assert_eq!(end, own_bytes.len());
        bricks.push(values.into_iter().map(|value| value + minima[i]).collect());
        at += stored;
    }
    assert_eq!(at, bytes.len());
    bricks
}

/// Reader of single bits.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> u64 {
        let mut value = 0;
        for i in 0..count {
            value |= u64::from(self.bytes[self.at / 8] >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        value
    }
}

/// Returns k and t of a Rice level.
fn split(level: u64) -> (usize, u64) {
    if level == 0 { (0, 0) } else { ((level as usize - 1) / 2, (level - 1) % 2) }
}

/// Section 5: returns the values of a brick of range `r`, and the position after its bytes. Fields have no
/// form.
fn brick(bytes: &[u8], r: u64, dims: [usize; 3], form: Option<Form>) -> (Vec<u64>, usize) {
    let voxels = dims.iter().product();
    let mut bits = Bits { bytes, at: 0 };
    // Section 5.1.
    let predictor = bits.take(4) as usize;
    let mut palette = None;
    let mut m = r;
    if r > 1 && bits.take(1) == 1 {
        let p = bits.take(4);
        let mut values = vec![0];
        for _ in 0..p {
            values.push(bits.take(width(r)));
        }
        values.push(r);
        m = p + 1;
        palette = Some(values);
    }
    let look_up = |value: u64| palette.as_ref().map_or(value, |palette| palette[value as usize]);
    let base_bits = width(2 * width(m) as u64 - 1);
    let b = bits.take(base_bits);
    let delta_bits = base_bits.min(2);
    let d = bits.take(delta_bits) as usize;
    if let Some(Form { side: [8, 8, 8], .. }) = form
        && m <= 16
        && b == (1 << base_bits) - 1
        && d == (1 << delta_bits) - 1
    {
        let values = label_values(&mut bits, predictor, m, dims);
        return (values.into_iter().map(look_up).collect(), bits.at / 8);
    }
    let levels: Vec<u64> = (0..usize::div_ceil(voxels, 8)).map(|_| b + bits.take(d)).collect();
    let wide = m >= 1 << 24;
    // Section 5.2.
    let first_k = split(levels[0]).0;
    let upper = if width(m) > first_k { bits.take(width(m) - first_k) } else { 0 };
    // Section 5.3.
    let (k, t) = split(b);
    let largest = if wide { u64::from(u32::MAX) } else { m };
    let cap = (largest >> k).saturating_sub(t).min(63);
    let mut quotients = vec![0; voxels];
    for run in 0..voxels.div_ceil(64) {
        let run = 64 * run..voxels.min(64 * run + 64);
        let active: Vec<usize> = run.filter(|&i| i > 0 && levels[i / 8] > 0).collect();
        let mut ones = vec![0; voxels];
        let mut alive = active.clone();
        if cap > 0 {
            alive.retain(|_| bits.take(1) == 1);
            alive.iter().for_each(|&i| ones[i] += 1);
        } else {
            alive.clear();
        }
        for &i in &active {
            if split(levels[i / 8]).1 == 1 && ones[i] == 0 {
                quotients[i] = bits.take(1);
            }
        }
        let mut plane = 1;
        while plane < cap && !alive.is_empty() {
            alive.retain(|_| bits.take(1) == 1);
            alive.iter().for_each(|&i| ones[i] += 1);
            plane += 1;
        }
        for &i in &active {
            if ones[i] > 0 {
                quotients[i] = ones[i] + split(levels[i / 8]).1;
            }
        }
    }
    // Section 5.4.
    while !bits.at.is_multiple_of(8) {
        assert_eq!(bits.take(1), 0);
    }
    let mut codes = vec![0; voxels];
    let mut lower = 0;
    for i in 0..voxels {
        let k = split(levels[i / 8]).0;
        let remainder = bits.take(k);
        if i == 0 {
            lower = remainder;
        }
        codes[i] = (quotients[i] << k) + remainder;
    }
    while !bits.at.is_multiple_of(8) {
        assert_eq!(bits.take(1), 0);
    }
    // Section 5.1: the order of codes.
    let mut order = morton_order(dims);
    if predictor == 15 {
        order.sort_by_key(|&i| place(dims, i).iter().filter(|&&at| at > 0).count());
    }
    let in_order = codes.clone();
    for (code, place) in in_order.into_iter().zip(order) {
        codes[place] = code;
    }
    let mut values = vec![0u64; voxels];
    values[0] = (upper << first_k) + lower;
    // Section 5.5.
    let is_flat = form.is_some_and(Form::is_flat);
    for i in 1..voxels {
        values[i] = undo([predictor, i], codes[i], &values, dims, m, [wide, is_flat]);
    }
    (values.into_iter().map(look_up).collect(), bits.at / 8)
}

/// Section 5.1: returns the positions of a brick's values, x fastest, in Morton order.
fn morton_order(dims: [usize; 3]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..dims.iter().product()).collect();
    order.sort_by_key(|&i| {
        (0..12).map(|bit| (place(dims, i)[bit % 3] >> (bit / 3) & 1) << bit).sum::<usize>()
    });
    order
}

/// Section 5.6: returns the values of a label brick, without the dictionary. Takes the bits after d.
fn label_values(bits: &mut Bits<'_>, predictor: usize, m: u64, dims: [usize; 3]) -> Vec<u64> {
    let mut counts = LABEL_BRICKS.get();
    counts[m as usize] += 1;
    LABEL_BRICKS.set(counts);

    let voxels: usize = dims.iter().product();
    let mut values = vec![0; voxels];
    values[0] = bits.take(width(m));
    // The runs and groups that are marked.
    let runs = 0..voxels.div_ceil(64);
    let runs: Vec<usize> = runs.filter(|_| voxels <= 64 || bits.take(1) == 1).collect();
    let mut groups = Vec::new();
    for run in runs {
        let before = groups.len();
        groups.extend((8 * run..8 * run + 8).filter(|_| bits.take(1) == 1));
        assert!(groups.len() > before, "a marked run has a code above 0");
    }
    let (several, singles): (Vec<usize>, Vec<usize>) = groups.into_iter().partition(|_| bits.take(1) == 1);
    let (masks, pairs): (Vec<usize>, Vec<usize>) = several.into_iter().partition(|_| bits.take(1) == 1);
    // The codes in Morton order; groups that do not exist have none.
    let mut codes = vec![0; voxels];
    for group in singles {
        codes[8 * group + bits.take(3) as usize] = 1;
    }
    for group in pairs {
        let number = bits.take(5) as usize;
        let (i, j) = (1..8)
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .find(|&(i, j)| j * (j - 1) / 2 + i == number)
            .expect("the number of a pair");
        codes[8 * group + i] = 1;
        codes[8 * group + j] = 1;
    }
    for group in masks {
        let mask = bits.take(8);
        assert!(mask.count_ones() > 2, "neither a single nor a pair");
        for i in 0..8 {
            if mask >> i & 1 == 1 {
                codes[8 * group + i] = 1;
            }
        }
    }
    assert_eq!(codes[0], 0, "the first value's code");
    for j in 2..=m {
        for code in codes.iter_mut().filter(|code| **code == j - 1) {
            *code += bits.take(1);
        }
    }
    while !bits.at.is_multiple_of(8) {
        assert_eq!(bits.take(1), 0);
    }
    let mut by_place = vec![0; voxels];
    for (code, place) in codes.into_iter().zip(morton_order(dims)) {
        by_place[place] = code;
    }
    for i in 1..voxels {
        let p = predicted_label([predictor, i], &values, dims, m);
        values[i] = match by_place[i] {
            0 => p,
            c if c <= p => c - 1,
            c => c,
        };
    }
    values
}

/// Section 5.6: returns the prediction at position `i`, which is not 0.
fn predicted_label([predictor, i]: [usize; 2], values: &[u64], dims: [usize; 3], m: u64) -> u64 {
    let [x, y, z] = place(dims, i);
    let at = |dx: usize, dy: usize, dz: usize| {
        let exists = dx <= x && dy <= y && dz <= z;
        exists.then(|| values[(x - dx) + dims[0] * ((y - dy) + dims[1] * (z - dz))])
    };
    // W, N, U, NW, UW, UN and UNW.
    let neighbours =
        [at(1, 0, 0), at(0, 1, 0), at(0, 0, 1), at(1, 1, 0), at(1, 0, 1), at(0, 1, 1), at(1, 1, 1)];
    let class = usize::from(x > 0) + 2 * usize::from(y > 0) + 4 * usize::from(z > 0);
    let weights = weights(predictor, class);
    let votes = |candidate: u64| {
        let mut votes = if candidate == m { weights[7] } else { 0 };
        for (neighbour, weight) in neighbours.iter().zip(weights) {
            if *neighbour == Some(candidate) {
                votes += weight;
            }
        }
        votes
    };
    let candidates = neighbours[..3].iter().copied().flatten();
    candidates.max_by_key(|&candidate| (votes(candidate), Reverse(candidate))).expect("W, N or U")
}

/// Section 5.5: returns the value of code `c` at position `i`.
fn undo(
    [predictor, i]: [usize; 2],
    c: u64,
    values: &[u64],
    dims: [usize; 3],
    m: u64,
    [wide, is_flat]: [bool; 2],
) -> u64 {
    let [x, y, z] = place(dims, i);
    let at = |dx: usize, dy: usize, dz: usize| {
        if dx > x || dy > y || dz > z {
            return 0;
        }
        values[(x - dx) + dims[0] * ((y - dy) + dims[1] * (z - dz))] as i64
    };
    let neighbours =
        [at(1, 0, 0), at(0, 1, 0), at(0, 0, 1), at(1, 1, 0), at(1, 0, 1), at(0, 1, 1), at(1, 1, 1)];
    let class = usize::from(x > 0) + 2 * usize::from(y > 0) + 4 * usize::from(z > 0);
    let (c, m) = (c as i64, m as i64);
    if wide {
        let mut axes = match predictor {
            0 => return c as u64,
            3 => 1,
            4 => 2,
            5 => 4,
            6 => 3,
            7 => 5,
            8 => 6,
            _ => 7,
        } & class;
        if axes == 0 {
            axes = if x > 0 {
                1
            } else if y > 0 {
                2
            } else {
                4
            };
        }
        let [w, n, u, nw, uw, un, unw] = neighbours;
        let p = match axes {
            1 => w,
            2 => n,
            4 => u,
            3 => w + n - nw,
            5 => w + u - uw,
            6 => n + u - un,
            _ => w + n + u - nw - uw - un + unw,
        };
        let value = if c % 2 == 0 { p + c / 2 } else { p - (c + 1) / 2 };
        return value as u64 & 0xffff_ffff;
    }
    if predictor == 0 {
        return c as u64;
    }
    if predictor == 1 {
        return (m - c) as u64;
    }
    let mut sum = 0;
    if is_flat {
        let [w, n, nw, mut ww, mut nn] = [at(1, 0, 0), at(0, 1, 0), at(1, 1, 0), at(2, 0, 0), at(0, 2, 0)];
        if x == 1 {
            ww = w;
        }
        if y == 1 {
            nn = n;
        }
        for (neighbour, weight) in [w, n, nw, ww, nn, m].into_iter().zip(flat_weights(predictor, class)) {
            sum += neighbour * weight;
        }
        return unfold(c, (sum + 8).div_euclid(16).clamp(0, m), m) as u64;
    }
    for (neighbour, weight) in neighbours.into_iter().chain([m]).zip(weights(predictor, class)) {
        sum += neighbour * weight;
    }
    let p = (sum + 8).div_euclid(16).clamp(0, m);
    unfold(c, p, m) as u64
}

/// Section 5.5: returns the value of code `c` around the prediction `p`.
fn unfold(c: i64, p: i64, m: i64) -> i64 {
    let e = p.min(m - p);
    if c > 2 * e {
        if 2 * p > m { p - (c - e) } else { p + (c - e) }
    } else if c % 2 == 0 {
        p + c / 2
    } else {
        p - (c + 1) / 2
    }
}

/// Returns a table of section 5.5, the one with `classes` classes, read from the text itself.
fn table(classes: usize) -> Vec<Vec<Vec<i64>>> {
    let text = include_str!("../../../../../docs/volume-format.md");
    let rows = text.lines().filter(|line| line.matches('|').count() == classes + 2);
    let cells = rows.map(|row| row.split('|').skip(2).take(classes));
    let numbers = |cell: &str| cell.split(',').map(|n| n.trim().parse().ok()).collect();
    let rows: Vec<_> = cells.filter_map(|cells| cells.map(numbers).collect()).collect();
    assert_eq!(rows.len(), 16);
    rows
}

/// Returns the weights of W, N, NW, WW, NN and M in flat bricks.
fn flat_weights(predictor: usize, class: usize) -> [i64; 6] {
    static TABLE: LazyLock<Vec<Vec<Vec<i64>>>> = LazyLock::new(|| table(3));
    match (class, &TABLE[predictor][class - 1][..]) {
        (1, &[w, m]) => [w, 0, 0, 0, 0, m],
        (2, &[n, m]) => [0, n, 0, 0, 0, m],
        (_, weights) => weights.try_into().expect("six weights"),
    }
}

/// Returns the weights of W, N, U, NW, UW, UN, UNW and M.
fn weights(predictor: usize, class: usize) -> [i64; 8] {
    static TABLE: LazyLock<Vec<Vec<Vec<i64>>>> = LazyLock::new(|| table(7));
    let (column, places): (usize, &[usize]) = match class {
        1 => (0, &[0, 7]),
        2 => (1, &[1, 7]),
        4 => (2, &[2, 7]),
        3 => (3, &[0, 1, 3, 7]),
        5 => (4, &[0, 2, 4, 7]),
        6 => (5, &[1, 2, 5, 7]),
        _ => (6, &[0, 1, 2, 3, 4, 5, 6, 7]),
    };
    let mut weights = [0; 8];
    assert_eq!(TABLE[predictor][column].len(), places.len());
    for (&place, &weight) in places.iter().zip(&TABLE[predictor][column]) {
        weights[place] = weight;
    }
    weights
}
