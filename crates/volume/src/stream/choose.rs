//! The choice of the brick size that makes the smallest file, by a sample.
//!
//! The sample is boxes of 16³ voxels on a grid in the volume, put together to a small volume. Bricks of 4³
//! and 8³ are whole in them; flat ones are parts of one box. A superblock of 8³ has bricks of several boxes,
//! so that its common fields take more bits than in the file; rank tables and patterns are those of all
//! boxes.

use super::{ByteOrder, pieces::fill, voxel_stream::ReadSeek};
use crate::{
    AnyView, BrickSize, Dims, Header, Region, ShapeError, Stage, Task, VolumeWriteError, VoxelStreamError,
    file::{chunk_dims, encode_parts},
    untyped::VoxelBuffer,
};
use brickwork_base::parallel;
use std::{
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
};

/// Voxels along each axis of a box, where the volume has as many.
const SIDE: usize = 16;

/// Boxes along an axis of the sample before those along the next: then superblocks of all sizes are full.
const BOXES: usize = 4;

/// A sample has at most one voxel in so many. It is encoded with three sizes, in a tenth of the time that the
/// volume takes.
const SHARE: usize = 32;

/// Minimum and maximum number of voxels of a sample. Smaller volumes are their own sample.
const LEAST: usize = 1 << 15;
const MOST: usize = 1 << 20;

/// Maximum number of bytes of a sample of several boxes.
const MOST_BYTES: usize = 8 << 20;

/// Bytes of a row from which on the parts that are sampled are read one by one, and not all rows of a box at
/// a time.
const WIDE_ROW_BYTES: usize = 1 << 16;

/// The sizes of a sample by the size of bricks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrickChoice {
    /// The size that makes the smallest file.
    pub size: BrickSize,
    /// Bits per voxel of the sample by size, without rank tables, in the order of [`BrickSize::ALL`].
    pub bits_per_voxel: [f64; 3],
}

/// Encodes boxes of voxels from the first frame with every size of bricks. `source` has the raw voxels of
/// `header`, channels fastest, then x, y, z and frames; afterwards its position is as before. Memory: the
/// sample, 8 MiB or one box at most, and two to four times as much for each size. Reports the start and
/// the end of the encodings.
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
    header.raw_bytes()?;
    let start = source.stream_position()?;
    let grid = SampleGrid::new(header);
    let boxes = grid.boxes(source, order, header, task);
    source.seek(SeekFrom::Start(start))?;
    let sample = grid.join(&boxes?, header);
    smallest(&sample, &grid, header, task).map_err(|error| match error {
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
    let header = Header { voxel_type: view.voxel_type(), ..header.clone() };
    let grid = SampleGrid::new(&header);
    let mut boxes = Vec::new();
    for region in grid.regions() {
        let (part, mut voxels) = (view.part(&region)?, VoxelBuffer::default());
        part.copy_slices(0..part.dims().z, &mut voxels, task)?;
        boxes.push(voxels);
    }
    let sample = grid.join(&boxes, &header);
    drop(boxes);
    smallest(&sample, &grid, &header, task)
}

/// Returns the size of bricks that makes the fewest bytes of the sample.
fn smallest(
    sample: &VoxelBuffer,
    grid: &SampleGrid,
    header: &Header,
    task: &Task<'_>,
) -> Result<BrickChoice, VolumeWriteError> {
    let dims = grid.sample_dims();
    let view = AnyView::new(sample.bytes(), header.voxel_type, dims, header.channels)?;
    let [all, sampled] = [header.dims.voxel_count()?, dims.voxel_count()?].map(|count| count as u128);
    // Size of the whole file for each size of bricks, times the voxels of the sample.
    let encode = |brick: &BrickSize| {
        let sample = Header::new(header.voxel_type, dims).with(|sample| {
            (sample.brick, sample.channels) = (*brick, header.channels);
        });
        let (_, index) = encode_parts(&view, &sample, &task.without_progress())?;
        let chunks = index.mip_levels.iter().flat_map(|level| &level.chunks).map(|chunk| &chunk.part);
        let bytes = chunks.chain(&index.patterns).map(|part| u128::from(part.byte_count)).sum::<u128>();
        let chunks = header.dims.covered_by(chunk_dims(*brick, header.dims));
        let entries = chunks.voxel_count()? * header.channels * header.voxel_type.word_count();
        let entry_bytes = 8 + header.voxel_type.word_bits() / 4;
        Ok::<_, VolumeWriteError>(bytes * all + entries as u128 * u128::from(entry_bytes) * sampled)
    };
    let total = BrickSize::ALL.len() as u64;
    task.report(Stage::Analyzing, 0, total);
    let sizes = parallel::try_map(task, BrickSize::ALL, encode)?;
    task.report(Stage::Analyzing, total, total);
    let mut best = 0;
    for i in 1..sizes.len() {
        if sizes[i] < sizes[best] {
            best = i;
        }
    }
    let bits_per_voxel = std::array::from_fn(|i| 8.0 * sizes[i] as f64 / (all * sampled) as f64);
    Ok(BrickChoice { size: BrickSize::ALL[best], bits_per_voxel })
}

/// The boxes of a volume that are its sample, and their places in it.
struct SampleGrid {
    /// Dims of every box.
    side: Dims,
    /// Ranges of the boxes in the volume along x, y and z.
    ranges: [Vec<Range<usize>>; 3],
    /// Boxes along x, y and z in the sample.
    in_sample: [usize; 3],
}

impl SampleGrid {
    /// Returns the boxes of a volume.
    fn new(header: &Header) -> Self {
        let sides = [header.dims.x, header.dims.y, header.dims.z];
        let most_voxels = MOST_BYTES / (header.channels * header.voxel_type.byte_count());
        let voxel_count =
            |sides: [usize; 3]| sides.iter().fold(1, |count: usize, &n| count.saturating_mul(n));
        let all = voxel_count(sides);
        let is_whole = all <= LEAST.min(most_voxels);
        let side = sides.map(|side| if is_whole { side } else { side.min(SIDE) });
        let most = (all / SHARE).clamp(LEAST, MOST).min(most_voxels) / voxel_count(side);
        // Boxes that are narrower than the others are the whole volume along this axis.
        let cells: [usize; 3] =
            std::array::from_fn(|axis| if is_whole { 1 } else { (sides[axis] / SIDE).max(1) });
        let can_repeat = |axis: &usize| !is_whole && sides[*axis] >= SIDE;
        let (mut in_volume, mut in_sample) = ([1; 3], [1; 3]);
        // Twice as many along the axis with the longest steps, as long as each has its own cell.
        while 2 * voxel_count(in_volume) <= most {
            let longest = (0..3)
                .filter(|&axis| 2 * in_volume[axis] <= cells[axis])
                .rev()
                .max_by_key(|&axis| cells[axis] / in_volume[axis]);
            let Some(axis) = longest else { break };
            in_volume[axis] *= 2;
            let next = (0..3).filter(can_repeat).find(|&axis| in_sample[axis] < BOXES);
            if let Some(axis) = next.or_else(|| (0..3).find(can_repeat)) {
                in_sample[axis] *= 2;
            }
        }
        let ranges = std::array::from_fn(|axis| match cells[axis] {
            // The middle of less than two cells.
            1 => {
                let start = (sides[axis] - side[axis]) / 2;
                std::iter::once(start..start + side[axis]).collect()
            }
            cells => spread(cells, side[axis], in_volume[axis]),
        });
        let [x, y, z] = side;
        Self { side: Dims::new(x, y, z), ranges, in_sample }
    }

    /// Returns the dims of the sample.
    fn sample_dims(&self) -> Dims {
        let [x, y, z] = self.in_sample;
        Dims::new(x * self.side.x, y * self.side.y, z * self.side.z)
    }

    /// Returns the boxes: columns run fastest, then rows and layers.
    fn regions(&self) -> Vec<Region> {
        let [columns, rows, layers] = &self.ranges;
        let mut regions = Vec::new();
        for z in layers {
            for y in rows {
                regions.extend(columns.iter().map(|x| Region { x: x.clone(), y: y.clone(), z: z.clone() }));
            }
        }
        regions
    }

    /// Returns the voxels of the sample from those of the boxes, in the order of [`regions`](Self::regions).
    fn join(&self, boxes: &[VoxelBuffer], header: &Header) -> VoxelBuffer {
        let voxel_bytes = header.channels * header.voxel_type.byte_count();
        let (side, dims) = (self.side, self.sample_dims());
        let row_bytes = side.x * voxel_bytes;
        let mut sample = VoxelBuffer::zeroed(dims.x * dims.y * dims.z * voxel_bytes);
        let [columns, rows, _] = self.in_sample;
        for (i, voxels) in boxes.iter().enumerate() {
            let (x, y, z) = (i % columns, i / columns % rows, i / columns / rows);
            for (row, from) in voxels.bytes().chunks_exact(row_bytes).enumerate() {
                let place = dims.index(x * side.x, y * side.y + row % side.y, z * side.z + row / side.y)
                    * voxel_bytes;
                sample.bytes_mut()[place..place + row_bytes].copy_from_slice(from);
            }
        }
        sample
    }

    /// Reads the voxels of the boxes, as they are in memory.
    fn boxes(
        &self,
        source: &mut dyn ReadSeek,
        order: ByteOrder,
        header: &Header,
        task: &Task<'_>,
    ) -> Result<Vec<VoxelBuffer>, VoxelStreamError> {
        let Dims { x: width, y: height, .. } = header.dims;
        let total = header.raw_bytes()?;
        let voxel_bytes = header.channels * header.voxel_type.byte_count();
        let swap = if order == ByteOrder::NATIVE { 1 } else { header.voxel_type.byte_count() };
        let [columns, rows, layers] = &self.ranges;
        let mut boxes: Vec<VoxelBuffer> = Vec::new();
        let mut done = 0;
        for z in layers {
            let first = boxes.len();
            boxes.resize_with(first + columns.len() * rows.len(), VoxelBuffer::default);
            for z in z.clone() {
                for (i, y) in rows.iter().enumerate() {
                    let row_bytes = width * voxel_bytes;
                    let from = ((z as u64 * height as u64) + y.start as u64) * row_bytes as u64;
                    task.check()?;
                    let boxes = &mut boxes[first + i * columns.len()..];
                    if row_bytes > WIDE_ROW_BYTES {
                        // Only the sampled parts of wide rows are read.
                        for row in 0..y.len() as u64 {
                            for (x, voxels) in columns.iter().zip(boxes.iter_mut()) {
                                let from = from + row * row_bytes as u64 + (x.start * voxel_bytes) as u64;
                                skip(source, from - done)?;
                                let mut part = vec![0; x.len() * voxel_bytes];
                                fill(source, swap, &mut part, from, total)?;
                                done = from + part.len() as u64;
                                voxels.extend(&part);
                            }
                        }
                        continue;
                    }
                    skip(source, from - done)?;
                    let mut band = vec![0; y.len() * row_bytes];
                    fill(source, swap, &mut band, from, total)?;
                    done = from + band.len() as u64;
                    for row in band.chunks_exact(row_bytes) {
                        for (x, voxels) in columns.iter().zip(boxes.iter_mut()) {
                            voxels.extend(&row[x.start * voxel_bytes..x.end * voxel_bytes]);
                        }
                    }
                }
            }
        }
        Ok(boxes)
    }
}

/// Returns `count` ranges of `side`, spread over as many `cells`.
fn spread(cells: usize, side: usize, count: usize) -> Vec<Range<usize>> {
    (0..count)
        .map(|i| {
            let cell = (2 * i + 1) * cells / (2 * count);
            cell * side..(cell + 1) * side
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
        assert_eq!(spread(1, 30, 1), std::slice::from_ref(&(0..30)));
        assert_eq!(spread(2, 16, 2), [0..16, 16..32]);
        assert_eq!(spread(10, 16, 2), [32..48, 112..128]);
    }

    /// A box of every part of the volume, and a thirty-second of its voxels.
    #[test]
    fn samples_are_small_and_even() {
        let grid = |x, y, z| {
            let grid = SampleGrid::new(&Header::new(VoxelType::U16, Dims::new(x, y, z)));
            let count = |sides: [usize; 3]| sides.iter().product::<usize>();
            let in_volume = grid.ranges.each_ref().map(Vec::len);
            assert_eq!(count(in_volume), count(grid.in_sample));
            (grid.side, in_volume, grid.sample_dims())
        };
        // A small volume is whole.
        assert_eq!(grid(33, 31, 8), (Dims::new(33, 31, 8), [1; 3], Dims::new(33, 31, 8)));
        assert_eq!(grid(31, 31, 31), (Dims::cube(31), [1; 3], Dims::cube(31)));
        assert_eq!(grid(64, 64, 64), (Dims::cube(16), [2, 2, 2], Dims::new(64, 32, 16)));
        assert_eq!(grid(128, 128, 128), (Dims::cube(16), [4, 2, 2], Dims::new(64, 64, 16)));
        assert_eq!(grid(512, 512, 361), (Dims::cube(16), [8, 8, 4], Dims::new(256, 64, 64)));
        assert_eq!(grid(512, 512, 1), (Dims::new(16, 16, 1), [16, 8, 1], Dims::new(512, 64, 1)));
        assert_eq!(grid(9, 4000, 4000), (Dims::new(9, 16, 16), [1, 16, 16], Dims::new(9, 1024, 64)));
        assert_eq!(grid(1, 1, 1 << 20), (Dims::new(1, 1, 16), [1, 1, 2048], Dims::new(1, 1, 1 << 15)));
    }

    /// Content in one octant decides, and the middle of an axis that is shorter than two boxes.
    #[test]
    fn samples_have_no_blind_parts() {
        let header = |channels| {
            Header::new(VoxelType::F32, Dims::new(512, 512, 25)).with(|header| header.channels = channels)
        };
        let bytes = |channels| {
            let (header, grid) = (header(channels), SampleGrid::new(&header(channels)));
            assert_eq!(grid.ranges[2], std::slice::from_ref(&(4..20)));
            grid.sample_dims().byte_count(channels * header.voxel_type.byte_count()).expect("bytes")
        };
        // Many channels leave fewer boxes.
        assert_eq!([1, 64, 255].map(bytes), [8 << 16, 8 << 20, 2 * 16 * 16 * 16 * 255 * 4]);
        let octant = |x: usize, y: usize, z: usize| {
            if x.max(y).max(z) < 32 { (x * 7919 + y * 104_729 + z * 1_299_709) as u16 } else { 0 }
        };
        let choice = choice(Dims::cube(64), ByteOrder::Little, octant);
        assert!(choice.bits_per_voxel.iter().all(|&bits| bits > 1.0), "{choice:?}");
        let empty = Header::new(VoxelType::U8, Dims::new(0, 4, 4));
        let source = Cursor::new(Vec::<u8>::new());
        let error = choose_brick(source, ByteOrder::Little, &empty, &Task::new()).unwrap_err();
        assert!(matches!(error, VoxelStreamError::Shape(_)), "{error:?}");
    }

    /// A sample has every voxel of its boxes, each box in its own bricks.
    #[test]
    fn boxes_are_joined() {
        let dims = Dims::new(70, 40, 130);
        let voxels: Vec<u32> = (0..dims.voxel_count().expect("voxels") as u32).collect();
        let header = Header::new(VoxelType::U32, dims);
        let grid = SampleGrid::new(&header);
        let source = &mut Cursor::new(bytemuck::cast_slice::<u32, u8>(&voxels));
        let boxes = grid.boxes(source, ByteOrder::NATIVE, &header, &Task::new()).expect("voxels");
        let sample = grid.join(&boxes, &header);
        let sample: &[u32] = bytemuck::cast_slice(sample.bytes());
        let [columns, rows, _] = grid.in_sample;
        for (i, &voxel) in sample.iter().enumerate() {
            let (x, y, z) = grid.sample_dims().position(i);
            let number = x / 16 + columns * (y / 16 + rows * (z / 16));
            let corner = grid.regions()[number].clone();
            let place = dims.index(corner.x.start + x % 16, corner.y.start + y % 16, corner.z.start + z % 16);
            assert_eq!(voxel as usize, place);
        }
    }
}
