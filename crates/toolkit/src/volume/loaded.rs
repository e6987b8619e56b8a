//! A volume in memory, ready for rendering.

use super::{
    VolumeError,
    label_check::{check_labels, check_labels_of_file},
    physical_voxels,
};
use brickwork_base::Task;
use brickwork_volume::{
    AnyVoxels, ByteOrder, Dims, Header, ReadAt, Region, ResidentOptions, ResidentVolume, Selection,
    VolumeFile, VoxelKind, VoxelStream, read_channels,
    render::{
        Display, DisplayBricks, MAX_SIDE, NarrowVoxels, RawBricks, RenderError, ResidentBricks, Survey, Up,
        WideLabel,
    },
};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// One frame and channel of a volume in memory, ready for rendering: either compressed, or as voxels.
pub struct LoadedVolume {
    header: Header,
    up: Up,
    bricks: Arc<dyn DisplayBricks>,
    resident: Option<Arc<ResidentVolume>>,
    renumbered: Vec<(u32, WideLabel)>,
    wide_range: Option<[f64; 2]>,
    survey: OnceLock<Survey>,
}

impl fmt::Debug for LoadedVolume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedVolume").field("header", &self.header).finish_non_exhaustive()
    }
}

impl LoadedVolume {
    /// Loads the part of a `.bwv` file that the options name. `header` is that of the part: its spacing and
    /// directions are used, and its kind decides how the voxels are taken. 64-bit numbers become 32-bit
    /// numbers ([`NarrowVoxels`]), which are compressed again if `compress` is set. Reports the stages
    /// reading and preparing.
    ///
    /// If the header has slopes or intercepts that differ from slice to slice, intensities become physical
    /// values, as by [`rescale_stream`](brickwork_volume::rescale_stream), and are compressed again if
    /// `compress` is set. Remove them from the header, to render stored numbers.
    ///
    /// # Errors
    /// [`VolumeError`] if a side is too long, the voxels cannot be read or have more than 2³² − 1 labels, a
    /// label is negative or no integer, memory runs out, or the call is cancelled.
    pub fn from_file<S: ReadAt>(
        file: &VolumeFile<S>,
        header: Header,
        options: &ResidentOptions,
        compress: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        check_sides(header.dims)?;
        if header.kind == VoxelKind::Labels {
            check_labels_of_file(file, options, task)?;
        }
        if header.is_rescaled_by_slice() {
            let frames = Some(options.frame..options.frame.saturating_add(1));
            let (mip_level, channel) = (options.mip_level, Some(options.channel));
            let mut voxels = AnyVoxels::new(file.header().voxel_type);
            let selection = Selection { mip_level, frames, channel };
            file.read_any(&selection, &Region::all(header.dims), &mut voxels, task)?;
            return Self::of_voxels(voxels, header, options, compress, task);
        }
        if file.header().voxel_type.is_rendered() {
            let volume = ResidentVolume::from_file(file, options, task)?.with_kind(header.kind);
            let up = Up::suited_to(&header);
            return Self::of_resident(header, up, volume, task);
        }
        let narrow = NarrowVoxels::from_file(file, options, header.kind, task)?;
        Self::of_narrow(narrow, header, options, compress, task)
    }

    /// Loads a frame and channel of raw voxels, as [`from_file`](Self::from_file) does. `whole` is the header
    /// of the stream. Only the frame, the channel, the size of pages and the encoder count of the options.
    ///
    /// # Errors
    /// The errors of [`from_file`](Self::from_file).
    pub fn from_stream(
        (voxels, order): (VoxelStream, ByteOrder),
        whole: &Header,
        header: Header,
        options: &ResidentOptions,
        compress: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let channels = vec![(options.channel, header)];
        Ok(Self::channels_from_stream((voxels, order), whole, channels, options, compress, task)?
            .swap_remove(0))
    }

    /// Loads channels of raw voxels, which are read once, as [`from_stream`](Self::from_stream) loads one.
    /// `channels` have an index and a header each; others are not kept in memory.
    ///
    /// # Errors
    /// The errors of [`from_file`](Self::from_file).
    pub(super) fn channels_from_stream(
        (voxels, order): (VoxelStream, ByteOrder),
        whole: &Header,
        channels: Vec<(usize, Header)>,
        options: &ResidentOptions,
        compress: bool,
        task: &Task<'_>,
    ) -> Result<Vec<Self>, VolumeError> {
        for (_, header) in &channels {
            check_sides(header.dims)?;
        }
        let (indices, headers): (Vec<usize>, Vec<Header>) = channels.into_iter().unzip();
        let read = read_channels(voxels, order, whole, options.frame, &indices, task)?;
        let load = |(voxels, header): (AnyVoxels, Header)| {
            if header.kind == VoxelKind::Labels {
                check_labels(&voxels, header.dims, task)?;
            }
            Self::of_voxels(voxels, header, options, compress, task)
        };
        read.into_iter().zip(headers).map(load).collect()
    }

    /// Prepares the voxels of a channel.
    fn of_voxels(
        mut voxels: AnyVoxels,
        mut header: Header,
        options: &ResidentOptions,
        compress: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        if header.is_rescaled_by_slice() {
            (voxels, header) = physical_voxels(voxels, header, task)?;
        }
        let narrow = NarrowVoxels::from_any(voxels, 1, 0, header.kind, task)?;
        Self::of_narrow(narrow, header, options, compress, task)
    }

    fn of_narrow(
        narrow: NarrowVoxels,
        header: Header,
        options: &ResidentOptions,
        compress: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let renumbered: Vec<(u32, WideLabel)> = narrow.renumbered().collect();
        let wide_range = narrow.wide_range();
        let (voxels, dims, kind) = (narrow.into_voxels(), header.dims, header.kind);
        let up = Up::suited_to(&header);
        let loaded = if compress {
            // There is one channel. Frame and channel of the options are those of the file.
            let options = options.clone().with(|o| (o.mip_level, o.frame, o.channel) = (0, 0, 0));
            let volume = ResidentVolume::from_any(&voxels, dims, 1, kind, &options, task)?;
            drop(voxels);
            Self::of_resident(header, up, volume, task)?
        } else {
            let bricks = Arc::new(RawBricks::new(Arc::new(voxels), dims, 1, 0, kind, task)?);
            Self::new(header, up, bricks, None)
        };
        Ok(Self { renumbered, wide_range, ..loaded })
    }

    /// Prepares a compressed volume. `header` contains its spacing and directions.
    ///
    /// # Errors
    /// As [`ResidentBricks::new`].
    pub fn of_resident(
        header: Header,
        up: Up,
        volume: ResidentVolume,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let volume = Arc::new(volume);
        let bricks = Arc::new(ResidentBricks::new(Arc::clone(&volume), task)?);
        Ok(Self::new(header, up, bricks, Some(volume)))
    }

    /// Returns a volume whose voxels are not in memory. `header` is that of the part, and `survey` that of a
    /// smaller mip level. Slices and renderings on the CPU show what `bricks` knows of the voxels.
    pub fn of_bricks(header: Header, bricks: Arc<dyn DisplayBricks>, survey: Survey) -> Self {
        let up = Up::suited_to(&header);
        Self { survey: OnceLock::from(survey), ..Self::new(header, up, bricks, None) }
    }

    fn new(
        header: Header,
        up: Up,
        bricks: Arc<dyn DisplayBricks>,
        resident: Option<Arc<ResidentVolume>>,
    ) -> Self {
        let (renumbered, wide_range, survey) = (Vec::new(), None, OnceLock::new());
        Self { header, up, bricks, resident, renumbered, wide_range, survey }
    }

    /// Returns the header of the frame and channel. Its type is that of the file or of the physical values,
    /// even if 64-bit numbers or half floats became 32-bit numbers.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.bricks.dims()
    }

    /// Returns the axis that points up in renderings, unless the user chooses another one.
    pub const fn up(&self) -> Up {
        self.up
    }

    /// Returns the map from display values to numbers.
    pub fn display(&self) -> Display {
        self.bricks.display()
    }

    /// Returns the bricks of display values.
    pub const fn bricks(&self) -> &Arc<dyn DisplayBricks> {
        &self.bricks
    }

    /// Returns the compressed volume, or `None` if the voxels are not compressed.
    pub const fn resident(&self) -> Option<&Arc<ResidentVolume>> {
        self.resident.as_ref()
    }

    /// Returns 64-bit labels whose number changed, in the order of their values, as pairs of new number and
    /// label.
    pub fn renumbered(&self) -> &[(u32, WideLabel)] {
        &self.renumbered
    }

    /// Returns the smallest and the largest finite intensity, if these had 64 bits and were rounded.
    pub const fn wide_range(&self) -> Option<[f64; 2]> {
        self.wide_range
    }

    /// Returns the values' frequencies, which are counted when they are first needed.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn survey(&self, task: &Task<'_>) -> Result<&Survey, RenderError> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let survey = Survey::new(&*self.bricks, task)?;
        let survey = match self.header.padding() {
            Some(range) => survey.without(range),
            None => survey,
        };
        Ok(self.survey.get_or_init(|| survey))
    }
}

fn check_sides(dims: Dims) -> Result<(), RenderError> {
    let is_small = dims.x.max(dims.y).max(dims.z) <= MAX_SIDE as usize;
    if is_small { Ok(()) } else { Err(RenderError::TooLarge(dims)) }
}
