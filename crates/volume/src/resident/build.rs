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
    superblock::{BRICKS, SIDE, SuperblockBox},
    untyped::UntypedView,
};
use brickwork_base::parallel;
use std::ops::Range;

/// Number of voxels along each side of a superblock of 4³ bricks, the size encoded here.
pub(crate) const SUPERBLOCK: usize = 4 * SIDE;

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
        let mut slab = AnyVoxels::new(header.voxel_type);
        let depth = file.slab_depth_of(options.mip_level).next_multiple_of(SUPERBLOCK);
        for start in (0..dims.z).step_by(depth) {
            let region = Region { z: start..dims.z.min(start + depth), ..Region::all(dims) };
            file.read_any(selection, &region, &mut slab, &task.without_progress())?;
            let slab = UntypedView::new(slab.bytes(), header.voxel_type, region.dims(), 1)?;
            builder.put_voxels(slab, word, start)?;
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

    /// Lays out voxels in memory: their first channel, or that of the options; no other option but the size
    /// of pages counts.
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
            builder.put_voxels(view, channel * voxel_type.word_count() + word, 0)?;
            Ok(builder.finish())
        })
    }
}

impl Builder<'_> {
    /// Encodes a component of the slices from `first` on, a multiple of [`SUPERBLOCK`].
    fn put_voxels(
        &mut self,
        slices: UntypedView,
        component: usize,
        first: usize,
    ) -> Result<(), VolumeReadError> {
        let part = slices.dims();
        let superblocks = part.covered_by(Dims::cube(SUPERBLOCK));
        let corner = |i: usize| {
            let (x, y, z) = superblocks.position(i);
            (SUPERBLOCK * x, SUPERBLOCK * y, SUPERBLOCK * z)
        };
        let task = self.task;
        let encode = |i: usize| {
            task.check()?;
            Ok::<_, Cancelled>(encode_voxels(slices, component, corner(i)))
        };
        // A row of superblocks at a time.
        for row in 0..superblocks.y * superblocks.z {
            let row = row * superblocks.x..(row + 1) * superblocks.x;
            let encoded = parallel::try_map(task, row.clone(), encode)?;
            for (i, superblock) in row.zip(&encoded) {
                let (x, y, z) = corner(i);
                self.put((x, y, z + first), superblock)?;
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
    corner: (usize, usize, usize),
) -> PackedSuperblock {
    let part = SuperblockBox::at(BrickSize::Four, corner, voxels.dims()).expect("a superblock of the volume");
    encode_superblock(part, brick::encode::four, |i, part, values| {
        let (x, y, z) = Dims::cube(SIDE).position(i);
        // Voxels past the edge repeat it.
        voxels.copy_box(
            component,
            part.size.dims(),
            (corner.0 + 4 * x, corner.1 + 4 * y, corner.2 + 4 * z),
            values,
        );
    })
}

/// Encodes a superblock by `encode`, which knows its bricks. `fill` puts its voxels into the slice brick by
/// brick, those outside the volume within the bounds of the others.
pub(crate) fn encode_superblock(
    part: SuperblockBox,
    encode: BrickEncoder,
    fill: impl Fn(usize, BrickBox, &mut [u32]),
) -> PackedSuperblock {
    let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
    let (mut bytes, mut ends) = (Vec::new(), [0; BRICKS]);
    let mut values = [0; MAX_VOXELS];
    let values = &mut values[..part.size().voxel_count()];
    for i in 0..BRICKS {
        if let Some(part) = part.brick(i) {
            fill(i, part, values);
            let least = values.iter().fold(u32::MAX, |least, &value| least.min(value));
            let range = values.iter().fold(0, |largest, &value| largest.max(value)) - least;
            if range > 0 {
                values.iter_mut().for_each(|value| *value -= least);
                encode(values, range, part, &mut bytes);
            }
            (minima[i], ranges[i]) = (least, range);
        }
        ends[i] = bytes.len();
    }
    let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
    let bricks: [&[u8]; BRICKS] = std::array::from_fn(|i| &bytes[start(i)..ends[i]]);
    PackedSuperblock::new(&minima, &ranges, &bricks, part.bricks_inside())
}
