//! From a file, or from voxels, to a [`ResidentVolume`].

use super::{
    Coding, ResidentOptions, ResidentVolume,
    pages::Pages,
    superblock::{PackedSuperblock, Record},
};
use crate::{
    AnyVoxels, BrickSize, Cancelled, Dims, Profile, ReadAt, Region, Selection, ShapeError, Stage, Task,
    VolumeFile, VolumeReadError, Voxel, VoxelKind, VoxelType,
    brick::{self, BrickBox, BrickEncoder, MAX_VOXELS},
    file::{Position, brick_corner, chunk_dims},
    simd::{self, Bits, SimdKernel},
    superblock::{BRICKS, SIDE, SuperblockBox},
    untyped::UntypedView,
    with_voxel_type,
};
use brickwork_base::parallel;
use std::ops::Range;

/// Number of voxels along each side of a superblock of 4³ bricks, the size encoded here.
pub(crate) const SUPERBLOCK: usize = 4 * SIDE;

/// Voxels of a file, for each thread, that are decoded before they are encoded again: some chunks, and in a
/// browser less than a quarter of a second between reports.
const READ_AT_ONCE: usize = 1 << 20;

/// Superblocks that are encoded between two reports, at most: a million voxels.
const ENCODED_AT_ONCE: usize = 256;

/// Reports on voxels of fewer superblocks.
const REPORTS: usize = 16;

/// A volume while it is laid out.
pub(crate) struct Builder<'a> {
    volume: ResidentVolume,
    pages: Pages,
    task: &'a Task<'a>,
    /// Superblocks laid out and all, of all words.
    done: u64,
    all: u64,
}

impl<'a> Builder<'a> {
    /// Creates a builder without superblocks, for word `word` of the voxels.
    pub(super) fn new(
        (dims, voxel_type, kind): (Dims, VoxelType, VoxelKind),
        word: usize,
        coding: Coding,
        options: &ResidentOptions,
        task: &'a Task<'a>,
    ) -> Result<Self, VolumeReadError> {
        let superblocks = dims.covered_by(coding.brick_size().dims().times(SIDE));
        let mut records = Vec::new();
        let count = superblocks.voxel_count()?;
        let bytes = (count as u64).saturating_mul(size_of::<Record>() as u64);
        records.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(bytes))?;
        records.resize(count, Record::constant(0));
        let volume = ResidentVolume {
            dims,
            voxel_type,
            kind,
            coding,
            superblocks,
            records,
            pages: Vec::new(),
            tables: Vec::new(),
            table_of_layer: vec![0; superblocks.z],
            lower: None,
        };
        let all_of = |words: usize| words as u64 * count as u64;
        let (done, all) = (all_of(word), all_of(voxel_type.word_count()));
        Ok(Self { volume, pages: Pages::new(options.page_bytes), task, done, all })
    }

    /// Returns the voxels along each side of a superblock.
    fn superblock(&self) -> Dims {
        self.volume.coding.brick_size().dims().times(SIDE)
    }

    /// Puts a superblock, whose first voxel is `corner`, where it belongs.
    pub fn put(
        &mut self,
        corner: (usize, usize, usize),
        superblock: &PackedSuperblock,
    ) -> Result<(), VolumeReadError> {
        let side = self.superblock();
        let (x, y, z) = (corner.0 / side.x, corner.1 / side.y, corner.2 / side.z);
        let record = self.pages.push(superblock)?;
        self.volume.records[self.volume.superblocks.index(x, y, z)] = record;
        self.done += 1;
        Ok(())
    }

    /// Reports how many superblocks are laid out, and checks for cancellation.
    pub fn report(&self) -> Result<(), Cancelled> {
        self.task.report(Stage::Preparing, self.done, self.all);
        self.task.check()
    }

    /// Returns the task of the call.
    pub const fn task(&self) -> &'a Task<'a> {
        self.task
    }

    /// Gives the superblocks of these slices a table of ordinals, number `number` of its file. They store
    /// ranks in it.
    pub fn put_table(&mut self, slices: Range<usize>, number: usize, ordinals: &[u32]) {
        let side = self.superblock().z;
        let tables = &mut self.volume.tables;
        let place = tables.iter().position(|(known, _)| *known == number).unwrap_or_else(|| {
            tables.push((number, ordinals.into()));
            tables.len() - 1
        });
        let layers = slices.start / side..slices.end.div_ceil(side);
        self.volume.table_of_layer[layers].fill(place as u32 + 1);
    }

    pub(super) fn finish(mut self) -> ResidentVolume {
        self.pages.finish();
        self.volume.pages = self.pages.pages;
        self.volume
    }
}

impl ResidentVolume {
    /// Lays out a mip level of one frame and channel of a file. Bricks of 4³ are kept. Files with other
    /// bricks, and of the profile guthe2016, are decoded and encoded again, unless the options
    /// [keep](ResidentOptions::with_kept_bricks) their bricks. Reports the superblocks laid out, of 64 bricks
    /// each.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the file does not have the requested part, memory runs out, or a part of the
    /// file is damaged.
    pub fn from_file<S: ReadAt>(
        file: &VolumeFile<S>,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        let &ResidentOptions { mip_level, frame, channel, .. } = options;
        let frames = Some(frame..frame.saturating_add(1));
        let selection = Selection { mip_level, frames, channel: Some(channel) };
        file.check(&selection)?;
        Self::of_words(file.header().voxel_type, |word| {
            Self::word_of_file(file, options, &selection, word, task)
        })
    }

    /// Returns the upper words of 64-bit numbers with the lower ones, or all words of others.
    fn of_words(
        voxel_type: VoxelType,
        mut of_word: impl FnMut(usize) -> Result<Self, VolumeReadError>,
    ) -> Result<Self, VolumeReadError> {
        let mut volume = of_word(0)?;
        if voxel_type.word_count() > 1 {
            volume.lower = Some(Box::new(of_word(1)?));
        }
        Ok(volume)
    }

    fn word_of_file<S: ReadAt>(
        file: &VolumeFile<S>,
        options: &ResidentOptions,
        selection: &Selection,
        word: usize,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        let header = file.header();
        let dims = header.mip_level_dims(options.mip_level);
        let own = match header.profile {
            Profile::Bricks => Coding::Bricks(header.brick),
            Profile::Guthe2016 { .. } => Coding::Guthe2016,
        };
        let coding = if options.keeps_bricks() { own } else { Coding::default() };
        let shape = (dims, header.voxel_type, header.kind);
        let mut builder = Builder::new(shape, word, coding, options, task)?;
        if coding == own {
            file.lay_out(options, word, &mut builder)?;
            return Ok(builder.finish());
        }
        let mut voxels = AnyVoxels::new(header.voxel_type);
        // Whole chunks, first along x, then along y, as many as are read at once.
        let chunk = chunk_dims(header.brick, dims);
        let depth = file.slab_depth_of(options.mip_level).next_multiple_of(SUPERBLOCK);
        let [width, height] = [chunk.x, chunk.y].map(|side| side.next_multiple_of(SUPERBLOCK));
        let mut left = READ_AT_ONCE * parallel::thread_count(task) / (width * height * depth);
        let mut most = |side: usize, all: usize| {
            let count = left.clamp(1, all.div_ceil(side));
            left /= count;
            side * count
        };
        let (width, height) = (most(width, dims.x), most(height, dims.y));
        for z in (0..dims.z).step_by(depth) {
            for y in (0..dims.y).step_by(height) {
                for x in (0..dims.x).step_by(width) {
                    let end = [dims.x.min(x + width), dims.y.min(y + height), dims.z.min(z + depth)];
                    let region = Region { x: x..end[0], y: y..end[1], z: z..end[2] };
                    file.read_any(selection, &region, &mut voxels, &task.without_progress())?;
                    let part = UntypedView::new(voxels.bytes(), header.voxel_type, region.dims(), 1)?;
                    builder.put_voxels(part, word, (x, y, z), options)?;
                }
            }
        }
        Ok(builder.finish())
    }

    /// Works like [`from_voxels`](Self::from_voxels) for any type: `dims` voxels with `channels` numbers
    /// each.
    ///
    /// # Errors
    /// The errors of [`from_voxels`](Self::from_voxels), and an error if the number of voxels is wrong.
    pub fn from_any(
        voxels: &AnyVoxels,
        dims: Dims,
        channels: usize,
        kind: VoxelKind,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        let view = UntypedView::new(voxels.bytes(), voxels.voxel_type(), dims, channels)?;
        Self::from_view(view, kind, options, task)
    }

    /// Lays out voxels in memory: their first channel, or that of the options. The size of pages and the
    /// [encoder](ResidentOptions::with_effort) also count, but no other option.
    ///
    /// # Errors
    /// [`VolumeReadError`] if there is no such channel, or memory runs out.
    pub fn from_voxels<T: Voxel>(
        voxels: crate::VolumeView<T>,
        kind: VoxelKind,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        Self::from_view(voxels.untyped(), kind, options, task)
    }

    fn from_view(
        view: UntypedView,
        kind: VoxelKind,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        let (voxel_type, channel, channels) = (view.voxel_type(), options.channel, view.channels());
        if channel >= channels {
            return Err(ShapeError::Selected { what: "channel", index: channel, count: channels }.into());
        }
        Self::of_words(voxel_type, |word| {
            let shape = (view.dims(), voxel_type, kind);
            let mut builder = Builder::new(shape, word, Coding::default(), options, task)?;
            builder.put_voxels(view, channel * voxel_type.word_count() + word, (0, 0, 0), options)?;
            Ok(builder.finish())
        })
    }
}

impl Builder<'_> {
    /// Encodes a component of voxels, the first of which is `first` of the volume: a corner of a superblock.
    fn put_voxels(
        &mut self,
        voxels: UntypedView,
        component: usize,
        first: Position,
        options: &ResidentOptions,
    ) -> Result<(), VolumeReadError> {
        let superblocks = voxels.dims().covered_by(Dims::cube(SUPERBLOCK));
        let corner = |i: usize| {
            let (x, y, z) = superblocks.position(i);
            (SUPERBLOCK * x, SUPERBLOCK * y, SUPERBLOCK * z)
        };
        let task = self.task;
        let encode = |i: usize| {
            task.check()?;
            Ok::<_, Cancelled>(encode_voxels(voxels, component, corner(i), options))
        };
        let count = superblocks.x * superblocks.y * superblocks.z;
        let at_once = (count / REPORTS).clamp(1, ENCODED_AT_ONCE);
        for start in (0..count).step_by(at_once) {
            let batch = start..count.min(start + at_once);
            let encoded = parallel::try_map(task, batch.clone(), encode)?;
            for (i, superblock) in batch.zip(&encoded) {
                let (x, y, z) = corner(i);
                self.put((x + first.0, y + first.1, z + first.2), superblock)?;
            }
            self.report()?;
        }
        Ok(())
    }
}

/// Encodes the superblock of bricks of 4³ whose first voxel is `corner`.
pub(crate) fn encode_voxels(
    voxels: UntypedView,
    component: usize,
    corner: Position,
    options: &ResidentOptions,
) -> PackedSuperblock {
    let part = SuperblockBox::at(BrickSize::Four, corner, voxels.dims()).expect("a superblock of the volume");
    match options.full {
        None => simd::dispatch(EncodeFast { voxels, component, corner, part }),
        Some(encode) => encode_superblock(part, encode, |i, part, values| {
            // Voxels past the edge repeat it.
            let corner = brick_corner(corner, part.size, i);
            voxels.copy_box(component, part.size.dims(), corner, values);
        }),
    }
}

/// Encodes a superblock of voxels by the fast encoder.
struct EncodeFast<'a> {
    voxels: UntypedView<'a>,
    component: usize,
    corner: Position,
    part: SuperblockBox,
}

impl SimdKernel for EncodeFast<'_> {
    type Output = PackedSuperblock;

    #[inline(always)]
    fn run<B: Bits>(self, _: B) -> PackedSuperblock {
        with_voxel_type!(self.voxels.voxel_type(), T => self.encode::<T>())
    }
}

impl EncodeFast<'_> {
    #[inline(always)]
    fn encode<T: Voxel>(self) -> PackedSuperblock {
        let Self { voxels, component, corner, part } = self;
        let mut values = [0; 64];
        encode_bricks(part, |i, part, bytes| {
            let corner = brick_corner(corner, BrickSize::Four, i);
            if part.is_whole() {
                voxels.copy_four::<T>(component, corner, &mut values);
            } else {
                voxels.copy_typed_box::<T>(component, Dims::cube(4), corner, &mut values);
            }
            let (least, range) = subtract_least(&mut values);
            match (range, part.is_whole()) {
                (0, _) => {}
                (_, true) => brick::fast::whole(&values, range, bytes),
                (_, false) => brick::fast::four(&values, range, part, bytes),
            }
            (least, range)
        })
    }
}

/// Encodes a superblock by `encode`, which knows its bricks. `fill` puts its voxels into the slice brick by
/// brick, those outside the volume within the bounds of the others.
pub(crate) fn encode_superblock(
    part: SuperblockBox,
    encode: BrickEncoder,
    fill: impl Fn(usize, BrickBox, &mut [u32]),
) -> PackedSuperblock {
    let mut values = [0; MAX_VOXELS];
    let values = &mut values[..part.size().voxel_count()];
    encode_bricks(part, |i, part, bytes| {
        fill(i, part, values);
        let (least, range) = subtract_least(values);
        if range > 0 {
            encode(values, range, part, bytes);
        }
        (least, range)
    })
}

/// Lays out the bricks of a superblock. `encode` appends the bytes of a brick, none if its range is 0, and
/// returns its minimum and its range.
#[inline(always)]
fn encode_bricks(
    part: SuperblockBox,
    mut encode: impl FnMut(usize, BrickBox, &mut Vec<u8>) -> (u32, u32),
) -> PackedSuperblock {
    let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
    let (mut bytes, mut ends) = (Vec::with_capacity(BRICKS * 128), [0; BRICKS]);
    for i in 0..BRICKS {
        if let Some(part) = part.brick(i) {
            (minima[i], ranges[i]) = encode(i, part, &mut bytes);
        }
        ends[i] = bytes.len();
    }
    let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
    let bricks: [&[u8]; BRICKS] = std::array::from_fn(|i| &bytes[start(i)..ends[i]]);
    PackedSuperblock::new(&minima, &ranges, &bricks, part.bricks_inside())
}

/// Subtracts the smallest value from all, and returns it and the distance to the largest.
#[inline(always)]
fn subtract_least(values: &mut [u32]) -> (u32, u32) {
    let least = values.iter().fold(u32::MAX, |least, &value| least.min(value));
    let range = values.iter().fold(0, |largest, &value| largest.max(value)) - least;
    values.iter_mut().for_each(|value| *value -= least);
    (least, range)
}
