//! A mip level, frame and channel of an open volume, and its voxels in memory.

use super::{CompressedInput, LoadedVolume, VolumeError, VolumeInput, input::Content, slice::numbers};
use brickwork_base::Task;
use brickwork_formats::{OpenedVolume, VolumeFormat};
use brickwork_volume::{
    BrickEffort, Header, Region, ResidentOptions, Selection, ShapeError, Spacing, VoxelKind, render::Up,
};
use std::path::PathBuf;

/// Selection of a part of a volume. Default: mip level 0, frame 0 and channel 0, with the volume's kind of
/// voxels and spacing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PartOptions {
    /// Mip level. Default: 0, the volume itself.
    pub mip_level: usize,
    /// Frame. Default: 0.
    pub frame: usize,
    /// Channel. Default: `None`, which means 0, or in images the channels that the file shows together.
    pub channel: Option<usize>,
    /// Kind of the voxels. Default: `None`, which means the volume's kind.
    pub kind: Option<VoxelKind>,
    /// Distance between voxels. Default: `None`, which means the volume's distance.
    pub spacing: Option<Spacing>,
}

impl PartOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Options of loading voxels. By default, 64-bit numbers, and voxels of formats other than `.bwv`, are not
/// compressed.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// True to compress in memory 64-bit numbers, and voxels of formats other than `.bwv`. GPUs need it.
    /// Default: false.
    pub compress: bool,
    /// True to load stored numbers, even if their slopes or intercepts differ from slice to slice. Default:
    /// false, which means physical values for these volumes. Others always keep their stored numbers.
    pub stored_values: bool,
    /// GPU memory in bytes, for which pages are sized and bricks are encoded as small as possible. Default:
    /// `None`, for a GPU that holds the whole volume, whose bricks are encoded fast.
    pub gpu_memory: Option<u64>,
}

impl LoadOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn resident(&self, [mip_level, frame, channel]: [usize; 3]) -> ResidentOptions {
        let options = ResidentOptions::default();
        // A few hundred pages at the same time.
        let most = self.gpu_memory.map_or(u64::MAX, |memory| memory / 256);
        let page_bytes = options.page_bytes.min(usize::try_from(most).unwrap_or(usize::MAX));
        // Smaller bricks are worth their time if memory is limited.
        let effort = if self.gpu_memory.is_some() { BrickEffort::Full } else { BrickEffort::Fast };
        options.with_effort(effort).with(|o| {
            o.page_bytes = page_bytes;
            (o.mip_level, o.frame, o.channel) = (mip_level, frame, channel);
        })
    }
}

fn selection(mip_level: usize, frame: usize, channel: usize) -> Selection {
    Selection { mip_level, frames: Some(frame..frame + 1), channel: Some(channel) }
}

/// A mip level, frame and channel of an open volume, before its voxels are read.
#[derive(Debug)]
pub struct VolumePart {
    input: VolumeInput,
    options: PartOptions,
    header: Header,
    has_spacing: bool,
}

impl VolumeInput {
    /// Selects a mip level, frame and channel.
    ///
    /// # Errors
    /// [`ShapeError::Selected`] if the volume lacks one of them.
    pub fn select(self, options: &PartOptions) -> Result<VolumePart, ShapeError> {
        VolumePart::new(self, options)
    }
}

impl CompressedInput {
    /// Selects a mip level, frame and channel.
    ///
    /// # Errors
    /// [`ShapeError::Selected`] if the volume lacks one of them.
    pub fn select(&self, options: &PartOptions) -> Result<VolumePart, ShapeError> {
        VolumePart::new(self.input(), options)
    }
}

impl VolumePart {
    fn new(input: VolumeInput, options: &PartOptions) -> Result<Self, ShapeError> {
        let (header, &PartOptions { mip_level, frame, channel, .. }) = (input.header(), options);
        let channel = channel.unwrap_or(0);
        for (what, index, count) in [
            ("level", mip_level, input.mip_level_count()),
            ("frame", frame, header.frames),
            ("channel", channel, header.channels),
        ] {
            if index >= count {
                return Err(ShapeError::Selected { what, index, count });
            }
        }
        // A volume without any geometry has a spacing of 1, but not its smaller levels.
        let has_spacing = header.spacing != Spacing::default() || options.spacing.is_some();
        let (input, mip_level) = input.at_level(mip_level);
        let header = input.header();
        let selection = selection(mip_level, frame, channel);
        let region = Region::all(header.mip_level_dims(mip_level));
        let header = header.of_part(&selection, &region).with(|header| {
            header.kind = options.kind.unwrap_or(header.kind);
            header.spacing = options.spacing.unwrap_or(header.spacing);
        });
        Ok(Self { input, options: options.clone(), header, has_spacing })
    }

    /// Returns the header of the part: one frame and one channel, with the selected kind and spacing.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the mip level.
    pub const fn mip_level(&self) -> usize {
        self.options.mip_level
    }

    /// Returns the frame.
    pub const fn frame(&self) -> usize {
        self.options.frame
    }

    /// Returns the channel.
    pub fn channel(&self) -> usize {
        self.options.channel.unwrap_or(0)
    }

    /// True if the options name the channel.
    pub(super) const fn is_of_one_channel(&self) -> bool {
        self.options.channel.is_some()
    }

    /// Returns the format of the opened volume.
    pub const fn format(&self) -> VolumeFormat {
        self.input.format()
    }

    /// Returns the files of which the volume consists; none for a pipe.
    pub fn files(&self) -> &[PathBuf] {
        self.input.files()
    }

    /// Treats the voxels as this kind.
    #[must_use]
    pub fn with_kind(mut self, kind: VoxelKind) -> Self {
        self.header.kind = kind;
        self
    }

    /// Returns the axis that points up in renderings, unless the user chooses another one.
    pub fn up(&self) -> Up {
        Up::suited_to(&self.header)
    }

    /// True if the file or the options state a spacing.
    pub(super) const fn has_spacing(&self) -> bool {
        self.has_spacing
    }

    /// Returns the header of the whole volume.
    pub fn whole_header(&self) -> &Header {
        self.input.header()
    }

    /// Returns the header of all channels, with the kind of the part.
    pub(super) fn shown_header(&self) -> Header {
        self.whole_header().clone().with(|header| header.kind = self.header.kind)
    }

    /// Returns the memory limit of the options with which the volume was opened.
    pub const fn max_memory(&self) -> Option<u64> {
        self.input.max_memory()
    }

    /// Reads the numbers of a region of the part. 64-bit numbers are rounded to f64.
    pub fn read_numbers(self, region: &Region, task: &Task<'_>) -> Result<Vec<f64>, VolumeError> {
        let channel = self.channel();
        Ok(self.read_channels(&[channel], region, task)?.swap_remove(0))
    }

    /// Reads the numbers of a region of several channels, each as [`read_numbers`](Self::read_numbers) does.
    pub(super) fn read_channels(
        self,
        channels: &[usize],
        region: &Region,
        task: &Task<'_>,
    ) -> Result<Vec<Vec<f64>>, VolumeError> {
        let PartOptions { mip_level, frame, .. } = self.options;
        let mut all = Vec::new();
        for (content, &channel) in self.input.into_channels(channels, task)?.into_iter().zip(channels) {
            match content {
                Content::Bwv(file) => {
                    let selection = selection(mip_level, frame, channel);
                    all.push(numbers::of_file(&file, &selection, region, task)?);
                }
                Content::Stream(volume) => {
                    let chosen = if volume.header.channels == 1 { &[0][..] } else { channels };
                    all.extend(numbers::of_stream(*volume, frame, chosen, region, task)?);
                }
            }
        }
        Ok(all)
    }

    /// Checks that the part has physical values: that its voxels are not means of intensities with different
    /// slopes or intercepts.
    pub fn check_physical_values(&self) -> Result<(), VolumeError> {
        // A level of a stream is a separate volume.
        let mip_level = if self.input.is_bwv() { self.options.mip_level } else { 0 };
        if self.header.kind == VoxelKind::Intensity && self.whole_header().has_mixed_level(mip_level) {
            return Err(VolumeError::MixedLevel(mip_level));
        }
        Ok(())
    }

    /// Reads the voxels into memory. 64-bit numbers become 32-bit numbers, and intensities with different
    /// slopes or intercepts physical values, as in [`LoadedVolume::from_file`]. Reports the stages reading
    /// and preparing.
    ///
    /// # Errors
    /// [`VolumeError`] if a side is too long, the mip level has no physical values, the voxels cannot be read
    /// or have more than 2³² − 1 labels, memory runs out, or the call is cancelled.
    pub fn load(self, options: &LoadOptions, task: &Task<'_>) -> Result<LoadedVolume, VolumeError> {
        let channel = self.channel();
        Ok(self.load_channels(&[channel], options, task)?.swap_remove(0))
    }

    /// Reads several channels into memory, each as [`load`](Self::load) does. These channels of a frame are
    /// in memory together before they are compressed, unless the format is `.bwv` or Zarr.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    pub fn load_channels(
        self,
        channels: &[usize],
        options: &LoadOptions,
        task: &Task<'_>,
    ) -> Result<Vec<LoadedVolume>, VolumeError> {
        let (PartOptions { mip_level, frame, .. }, compress) = (self.options.clone(), options.compress);
        if !options.stored_values {
            self.check_physical_values()?;
        }
        let headers = channels.iter().map(|&channel| (channel, self.loaded_header(channel, options)));
        let mut headers = headers.collect::<Vec<_>>().into_iter();
        let mut loaded = Vec::new();
        for content in self.input.into_channels(channels, task)? {
            match content {
                Content::Bwv(file) => {
                    let Some((channel, header)) = headers.next() else { break };
                    let resident = options.resident([mip_level, frame, channel]);
                    loaded.push(LoadedVolume::from_file(&file, header, &resident, compress, task)?);
                }
                Content::Stream(volume) => {
                    let OpenedVolume { header: whole, order, voxels, .. } = *volume;
                    let of_content = match whole.channels {
                        1 => headers.next().map(|(_, header)| (0, header)).into_iter().collect(),
                        _ => headers.by_ref().collect(),
                    };
                    let (voxels, resident) = ((voxels, order), options.resident([0, frame, 0]));
                    loaded.extend(LoadedVolume::channels_from_stream(
                        voxels, &whole, of_content, &resident, compress, task,
                    )?);
                }
            }
        }
        Ok(loaded)
    }

    /// Returns the header of a channel in memory.
    fn loaded_header(&self, channel: usize, options: &LoadOptions) -> Header {
        // A level of a stream is a separate volume.
        let mip_level = if self.input.is_bwv() { self.options.mip_level } else { 0 };
        let selection = selection(mip_level, self.options.frame, channel);
        let header = self.whole_header().of_part(&selection, &Region::all(self.header.dims));
        let header = header.with(|header| {
            (header.kind, header.spacing) = (self.header.kind, self.header.spacing);
        });
        let is_stored = options.stored_values && header.is_rescaled_by_slice();
        if is_stored { header.without_rescaling() } else { header }
    }
}
