//! The choice of the brick size that makes the smallest file, by a sample.

use super::{ByteOrder, pieces::fill, voxel_stream::ReadSeek};
use crate::{
    AnyView, BrickSize, BwvOptions, Dims, Header, Profile, Region, ShapeError, Stage, Task, VolumeWriteError,
    VoxelStreamError, encode_any, untyped::VoxelBuffer,
};
use std::{
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
};

/// Voxels along each axis of a sampled box, where the volume has as many; in fewer slices it is wider.
const SIDE: usize = 64;

/// Layers of boxes, and boxes along x and y in each.
const LAYERS: usize = 2;
const COLUMNS: usize = 2;

/// Bytes of a row from which on the parts that are sampled are read one by one, and not all rows of a box at
/// a time: up to 512 of them.
const WIDE_ROW_BYTES: usize = 1 << 16;

/// The sizes of a sample's files by the size of bricks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrickChoice {
    /// The size that makes the smallest file.
    pub size: BrickSize,
    /// Bits per voxel of the sample by size, in the order of [`BrickSize::ALL`].
    pub bits_per_voxel: [f64; 3],
}

/// Encodes boxes of voxels from the first frame with every size of bricks. `source` has the raw voxels of
/// `header`, channels fastest, then x, y, z and frames; afterwards its position is as before. Memory: the
/// sample, eight boxes of 2¹⁸ voxels at most. Reports the encodings done.
///
/// # Errors
/// [`VoxelStreamError`] from `source`, or if it has fewer voxels than the sample needs; how many there are is
/// then not known for certain, because some are skipped.
pub fn choose_brick(
    mut source: impl Read + Seek,
    order: ByteOrder,
    header: &Header,
    task: &Task<'_>,
) -> Result<BrickChoice, VoxelStreamError> {
    choose(&mut source, order, header, task)
}

fn choose(
    source: &mut dyn ReadSeek,
    order: ByteOrder,
    header: &Header,
    task: &Task<'_>,
) -> Result<BrickChoice, VoxelStreamError> {
    let start = source.stream_position()?;
    let samples = samples(source, order, header, task);
    source.seek(SeekFrom::Start(start))?;
    smallest(&samples?, header, task).map_err(|error| match error {
        VolumeWriteError::Cancelled(cancelled) => VoxelStreamError::Cancelled(cancelled),
        VolumeWriteError::Shape(error) => VoxelStreamError::Shape(error),
        error => VoxelStreamError::Io(io::Error::other(error)),
    })
}

/// Works like [`choose_brick`] for voxels in memory, of any strides. The choice depends only on the voxels,
/// whose type is that of `view`.
///
/// # Errors
/// [`VolumeWriteError::Shape`] if the dims or channels are not those of `header`,
/// [`VolumeWriteError::Memory`] and [`VolumeWriteError::Cancelled`].
pub fn choose_brick_any(
    view: &AnyView<'_>,
    header: &Header,
    task: &Task<'_>,
) -> Result<BrickChoice, VolumeWriteError> {
    let expected = header.dims.number_count(header.channels)?;
    let actual = view.dims().number_count(view.channels())?;
    if (view.dims(), view.channels()) != (header.dims, header.channels) {
        return Err(ShapeError::Length { dims: header.dims, expected, actual }.into());
    }
    let mut samples = Vec::new();
    for region in sampled(header.dims) {
        let part = view.part(&region)?;
        let mut voxels = VoxelBuffer::default();
        part.copy_slices(0..part.dims().z, &mut voxels, task)?;
        samples.push((part.dims(), voxels));
    }
    smallest(&samples, &Header { voxel_type: view.voxel_type(), ..header.clone() }, task)
}

/// Returns the size of bricks with the smallest files of the samples.
fn smallest(
    samples: &[(Dims, VoxelBuffer)],
    header: &Header,
    task: &Task<'_>,
) -> Result<BrickChoice, VolumeWriteError> {
    let mut sizes = [0; 3];
    let mut voxel_count = 0;
    let total = (samples.len() * BrickSize::ALL.len()) as u64;
    let mut done = 0;
    for (dims, voxels) in samples {
        voxel_count += dims.voxel_count()?;
        let view = AnyView::new(voxels.bytes(), header.voxel_type, *dims, header.channels)?;
        for (brick, size) in BrickSize::ALL.iter().copied().zip(&mut sizes) {
            let mut sink = Vec::new();
            let header = Header {
                profile: Profile::Bricks,
                brick,
                kind: header.kind,
                channels: header.channels,
                ..Header::new(header.voxel_type, *dims)
            };
            encode_any(&view, &header, &BwvOptions::default(), &mut sink, &task.without_progress())?;
            *size += sink.len();
            done += 1;
            task.report(Stage::Analyzing, done, total);
        }
    }
    let mut best = 0;
    for i in 1..sizes.len() {
        if sizes[i] < sizes[best] {
            best = i;
        }
    }
    let bits_per_voxel = sizes.map(|size| 8.0 * size as f64 / voxel_count.max(1) as f64);
    Ok(BrickChoice { size: BrickSize::ALL[best], bits_per_voxel })
}

/// Returns the sampled ranges of columns, rows and layers.
fn sampled_ranges(dims: Dims) -> [Vec<Range<usize>>; 3] {
    let Dims { x: width, y: height, z: depth } = dims;
    // As many voxels in a thin volume.
    let side = (1..=8).map(|i| i * SIDE).find(|side| side * side * depth >= SIDE.pow(3)).unwrap_or(8 * SIDE);
    [spread(width, side, COLUMNS), spread(height, side, COLUMNS), spread(depth, SIDE, LAYERS)]
}

/// Returns the sampled boxes: columns run fastest, then rows and layers.
fn sampled(dims: Dims) -> Vec<Region> {
    let [columns, rows, layers] = sampled_ranges(dims);
    let mut regions = Vec::new();
    for z in &layers {
        for y in &rows {
            regions.extend(columns.iter().map(|x| Region { x: x.clone(), y: y.clone(), z: z.clone() }));
        }
    }
    regions
}

/// Returns the voxels of the sampled boxes, as they are in memory.
fn samples(
    source: &mut dyn ReadSeek,
    order: ByteOrder,
    header: &Header,
    task: &Task<'_>,
) -> Result<Vec<(Dims, VoxelBuffer)>, VoxelStreamError> {
    let Dims { x: width, y: height, .. } = header.dims;
    let total = header.raw_bytes()?;
    let voxel_bytes = header.channels * header.voxel_type.byte_count();
    let swap = if order == ByteOrder::NATIVE { 1 } else { header.voxel_type.byte_count() };
    let [columns, rows, layers] = sampled_ranges(header.dims);
    let mut samples = Vec::new();
    let mut done = 0;
    for z in layers {
        let first = samples.len();
        for y in &rows {
            for x in &columns {
                samples.push((Dims::new(x.len(), y.len(), z.len()), VoxelBuffer::default()));
            }
        }
        for z in z {
            for (i, y) in rows.iter().enumerate() {
                let row_bytes = width * voxel_bytes;
                let from = ((z as u64 * height as u64) + y.start as u64) * row_bytes as u64;
                task.check()?;
                let samples = &mut samples[first + i * columns.len()..];
                if row_bytes > WIDE_ROW_BYTES {
                    // Only the sampled parts of wide rows are read.
                    for row in 0..y.len() as u64 {
                        for (x, (_, sample)) in columns.iter().zip(samples.iter_mut()) {
                            let from = from + row * row_bytes as u64 + (x.start * voxel_bytes) as u64;
                            skip(source, from - done)?;
                            let mut part = vec![0; x.len() * voxel_bytes];
                            fill(source, swap, &mut part, from, total)?;
                            done = from + part.len() as u64;
                            sample.extend(&part);
                        }
                    }
                    continue;
                }
                skip(source, from - done)?;
                let mut band = vec![0; y.len() * row_bytes];
                fill(source, swap, &mut band, from, total)?;
                done = from + band.len() as u64;
                for row in band.chunks_exact(row_bytes) {
                    for (x, (_, sample)) in columns.iter().zip(samples.iter_mut()) {
                        sample.extend(&row[x.start * voxel_bytes..x.end * voxel_bytes]);
                    }
                }
            }
        }
    }
    Ok(samples)
}

/// Returns up to `count` ranges of `side`, spread over 0..`all`. They start at multiples, like bricks and
/// chunks.
fn spread(all: usize, side: usize, count: usize) -> Vec<Range<usize>> {
    let cells = all.div_ceil(side);
    let count = count.min(cells);
    (0..count)
        .map(|i| {
            let cell = (2 * i + 1) * cells / (2 * count);
            cell * side..all.min((cell + 1) * side)
        })
        .collect()
}

/// Moves on by `count` bytes, by reading where that is the only way.
fn skip(source: &mut dyn ReadSeek, count: u64) -> io::Result<()> {
    let by_seeking = i64::try_from(count).is_ok_and(|by| source.seek(SeekFrom::Current(by)).is_ok());
    if !by_seeking {
        io::copy(&mut source.take(count), &mut io::sink())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Strides, VoxelType};
    use std::io::Cursor;

    fn choice(dims: Dims, order: ByteOrder, voxel: impl Fn(usize, usize, usize) -> u16) -> BrickChoice {
        let bytes: Vec<u8> = (0..dims.voxel_count().expect("voxels"))
            .flat_map(|i| {
                let (x, y, z) = dims.position(i);
                let value = voxel(x, y, z);
                if order == ByteOrder::Big { value.to_be_bytes() } else { value.to_le_bytes() }
            })
            .collect();
        let mut source = Cursor::new([vec![7; 5], bytes].concat());
        source.set_position(5);
        let header = Header::new(VoxelType::U16, dims);
        let choice = choose_brick(&mut source, order, &header, &Task::new()).expect("a sample");
        assert_eq!(source.position(), 5);
        // From memory, with z running fastest.
        let stored: Vec<u16> = (0..dims.x * dims.y * dims.z)
            .map(|i| voxel(i / dims.z / dims.y, i / dims.z % dims.y, i % dims.z))
            .collect();
        let (x, y) = ((dims.y * dims.z) as isize, dims.z as isize);
        let strides = Strides { first: 0, channel: 1, x, y, z: 1, frame: 0 };
        let bytes = bytemuck::cast_slice(&stored);
        let view = AnyView::with_strides(bytes, VoxelType::U16, dims, 1, strides).expect("voxels");
        assert_eq!(choose_brick_any(&view, &header, &Task::new()).expect("a sample"), choice);
        choice
    }

    #[test]
    fn slices_take_flat_bricks_and_smooth_volumes_large_ones() {
        // Slices that have nothing to do with each other, and noise that is the same in all.
        let noise = |i: usize| {
            let i = (i as u32 ^ i as u32 >> 16).wrapping_mul(0x85eb_ca6b);
            ((i ^ i >> 13).wrapping_mul(0xc2b2_ae35) >> 26) as u16
        };
        let apart = |x: usize, y: usize, z: usize| {
            (x * (z * 37 % 11) + y * (z * 53 % 7) + 900 * (z * 29 % 17)) as u16 + noise(x + 977 * y) % 4
        };
        assert_eq!(choice(Dims::new(200, 150, 40), ByteOrder::Little, apart).size, BrickSize::Flat);
        let slice = |x: usize, y: usize, _: usize| apart(x, y, 4);
        assert_eq!(choice(Dims::new(300, 200, 1), ByteOrder::Big, slice).size, BrickSize::Flat);
        let alike = |x: usize, y: usize, _: usize| noise(x + 977 * y);
        let alike = choice(Dims::new(130, 70, 129), ByteOrder::Little, alike);
        assert_eq!(alike.size, BrickSize::Eight);
        assert!(alike.bits_per_voxel[1] < alike.bits_per_voxel[0]);
        // Cubes of one value each.
        let cubes = |x: usize, y: usize, z: usize| noise(x / 4 + 31 * (y / 4) + 997 * (z / 4));
        assert_eq!(choice(Dims::new(64, 64, 64), ByteOrder::Big, cubes).size, BrickSize::Four);
    }

    #[test]
    fn ranges_are_spread() {
        assert_eq!(spread(30, 64, 2), std::slice::from_ref(&(0..30)));
        assert_eq!(spread(70, 64, 2), [0..64, 64..70]);
        assert_eq!(spread(640, 64, 2), [128..192, 448..512]);
    }
}
