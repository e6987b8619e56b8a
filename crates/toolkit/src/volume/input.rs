//! Volumes of any format that are opened once.

use super::{BwvBytes, VolumeError};
use brickwork_base::Task;
use brickwork_formats::{
    BrickPolicy, Note, OpenError, OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions, VolumePipe,
    VolumeWriteOptions, is_zarr, open, open_zarr_levels, write_volume,
};
use brickwork_volume::{
    BrickEffort, BrickSize, Dims, Header, Profile, ReadAt, VolumeFile, VolumeReadError,
    render::{Camera, MAX_SIDE, RenderError},
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An open volume of any format. Its header has been read, its voxels have not.
#[derive(Debug)]
pub struct VolumeInput {
    content: Content,
    /// Smaller mip levels of a stream, such as those of an OME-Zarr group.
    smaller: Vec<OpenedVolume>,
    format: VolumeFormat,
    files: Vec<PathBuf>,
    notes: Vec<Note>,
    max_memory: Option<u64>,
    /// Path and options of a Zarr array or group, of which one channel can be opened.
    zarr: Option<(PathBuf, VolumeOpenOptions)>,
}

/// Source of the voxels.
#[derive(Debug)]
pub(super) enum Content {
    /// Any part can be read, any number of times.
    Bwv(Arc<VolumeFile<BwvBytes>>),
    /// All voxels can be read once, from the first on.
    Stream(Box<OpenedVolume>),
}

impl VolumeInput {
    /// Opens a file, a folder of slices, or with the feature `zarr` a Zarr array or an OME-Zarr group. A
    /// `.bwv` file is opened once: a file that later replaces it at the same path is not read. The mip level
    /// and the channel of the options are ignored, because [`select`](Self::select) chooses them.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(
        path: impl AsRef<Path>,
        options: &VolumeOpenOptions,
        task: &Task<'_>,
    ) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let options = &options.clone().with(|o| (o.mip_level, o.channel) = (0, None));
        if is_zarr(path, options) {
            let (first, smaller) = open_zarr_levels(path, options, task)?;
            let zarr = Some((path.to_owned(), options.clone()));
            return Ok(Self { smaller, zarr, ..Self::of_stream(first, options) });
        }
        if !is_bwv(options, || VolumeFormat::detect(path).ok()) {
            return Ok(Self::of_stream(open(path, options, task)?, options));
        }
        let file = VolumeFile::new(BwvBytes::new(File::open(path)?))?;
        let opened = Self::of_file(file, VolumeFormat::Bwv, vec![path.to_owned()]);
        Ok(Self { max_memory: options.max_memory, ..opened })
    }

    /// Opens a volume from a pipe, as [`open`](Self::open) does. A `.bwv` file is kept in memory.
    ///
    /// # Errors
    /// As [`VolumePipe::open`].
    pub fn from_pipe(
        pipe: VolumePipe,
        options: &VolumeOpenOptions,
        task: &Task<'_>,
    ) -> Result<Self, OpenError> {
        let options = &options.clone().with(|o| (o.mip_level, o.channel) = (0, None));
        if !is_bwv(options, || Some(pipe.format())) {
            let (first, smaller) = pipe.open_levels(options, task)?;
            return Ok(Self { smaller, ..Self::of_stream(first, options) });
        }
        let bytes = BwvBytes::from_pipe(pipe.into_bytes(), options.max_memory, task)?;
        let opened = Self::of_file(VolumeFile::new(bytes)?, VolumeFormat::Bwv, Vec::new());
        Ok(Self { max_memory: options.max_memory, ..opened })
    }

    /// Opens a `.bwv` file by a source of its bytes, of which only the selected parts are read.
    ///
    /// # Errors
    /// [`VolumeReadError`] if it is none, or cannot be read.
    pub fn from_bwv(source: impl ReadAt + 'static) -> Result<Self, VolumeReadError> {
        Ok(Self::of_file(VolumeFile::new(BwvBytes::new(source))?, VolumeFormat::Bwv, Vec::new()))
    }

    fn of_file(file: VolumeFile<BwvBytes>, format: VolumeFormat, files: Vec<PathBuf>) -> Self {
        let content = Content::Bwv(Arc::new(file));
        let (smaller, notes) = (Vec::new(), Vec::new());
        Self { content, smaller, format, files, notes, max_memory: None, zarr: None }
    }

    fn of_stream(mut volume: OpenedVolume, options: &VolumeOpenOptions) -> Self {
        let (files, notes) = (std::mem::take(&mut volume.files), std::mem::take(&mut volume.notes));
        let (format, max_memory) = (volume.format, options.max_memory);
        let content = Content::Stream(Box::new(volume));
        Self { content, smaller: Vec::new(), format, files, notes, max_memory, zarr: None }
    }

    /// Returns the format of the opened volume.
    pub const fn format(&self) -> VolumeFormat {
        self.format
    }

    /// Returns the files of which the volume consists; none for a pipe.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns notes about the reading, for example about parts of the file that were left out.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the header of the whole volume.
    pub fn header(&self) -> &Header {
        match &self.content {
            Content::Bwv(file) => file.header(),
            Content::Stream(volume) => &volume.header,
        }
    }

    /// Compresses the volume in memory, so that its frames and channels can be loaded any number of times. A
    /// `.bwv` file is not changed. Reports the bytes read.
    ///
    /// # Errors
    /// [`VolumeError`] if the voxels cannot be read, memory runs out, or the call is cancelled.
    pub fn compressed(self, task: &Task<'_>) -> Result<CompressedInput, VolumeError> {
        let Self { content, format, files, .. } = self;
        let file = match content {
            Content::Bwv(file) => file,
            Content::Stream(mut volume) => {
                volume.header.profile = Profile::Bricks;
                volume.header.mip_levels = 1;
                // Renderings use bricks of 4³.
                let options = VolumeWriteOptions::default().with(|o| {
                    o.brick = BrickPolicy::Fixed(BrickSize::Four);
                    o.effort = BrickEffort::Fast;
                });
                let mut bytes = Vec::new();
                write_volume(*volume, VolumeFormat::Bwv, &options, &mut bytes, task)?;
                Arc::new(VolumeFile::new(BwvBytes::new(bytes))?)
            }
        };
        Ok(CompressedInput { file, format, files })
    }

    /// Returns the mip level whose voxels have the size of the pixels in an image of `width`×`height`
    /// pixels, or are smaller; 0 if the volume has only one. Levels of other formats than `.bwv` may have any
    /// dims.
    ///
    /// # Errors
    /// As [`Camera::mip_level`].
    pub fn mip_level_for(&self, camera: &Camera, width: u32, height: u32) -> Result<usize, RenderError> {
        match &self.content {
            Content::Bwv(file) => camera.mip_level(file.header(), width, height),
            Content::Stream(_) if self.smaller.is_empty() => Ok(0),
            Content::Stream(volume) => {
                let all = volume.header.clone().with(|header| header.mip_levels = header.most_mip_levels());
                let halvings = camera.mip_level(&all, width, height)?;
                let smaller = self.smaller.iter().map(|level| level.header.dims);
                let levels: Vec<Dims> = std::iter::once(volume.header.dims).chain(smaller).collect();
                Ok(level_of(&levels, halvings))
            }
        }
    }

    /// Returns the memory limit of the options.
    pub(super) const fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }

    pub(super) const fn is_bwv(&self) -> bool {
        matches!(self.content, Content::Bwv(_))
    }

    pub(super) const fn content(&self) -> &Content {
        &self.content
    }

    pub(super) fn into_content(self) -> Content {
        self.content
    }

    /// Returns the contents of channels. That of a `.bwv` file has all channels; of Zarr, each has only its
    /// own, and chunks of others are not read. Another stream is returned alone, with all channels.
    pub(super) fn into_channels(
        self,
        channels: &[usize],
        task: &Task<'_>,
    ) -> Result<Vec<Content>, VolumeError> {
        match (self.content, self.zarr) {
            (Content::Bwv(file), _) => Ok(channels.iter().map(|_| Content::Bwv(Arc::clone(&file))).collect()),
            (Content::Stream(volume), Some((path, options))) if volume.header.channels > 1 => {
                let of = |&channel: &usize| {
                    let options = options.clone().with(|o| o.channel = Some(channel));
                    Ok(Content::Stream(Box::new(open(&path, &options, task)?)))
                };
                channels.iter().map(of).collect()
            }
            (content, _) => Ok(vec![content]),
        }
    }

    /// Returns the number of mip levels that can be selected.
    pub(super) fn mip_level_count(&self) -> usize {
        match &self.content {
            Content::Bwv(file) => file.header().mip_levels,
            Content::Stream(_) => 1 + self.smaller.len(),
        }
    }

    /// Returns the input with the stream of a mip level that it has, and the level to read from its content.
    pub(super) fn at_level(mut self, mip_level: usize) -> (Self, usize) {
        match &self.content {
            Content::Stream(_) if mip_level > 0 => {
                self.content = Content::Stream(Box::new(self.smaller.swap_remove(mip_level - 1)));
                self.smaller.clear();
                if let Some((_, options)) = &mut self.zarr {
                    options.mip_level = mip_level;
                }
                (self, 0)
            }
            _ => (self, mip_level),
        }
    }
}

/// An open compressed volume: a `.bwv` file on disk or in memory. Clones share it.
#[derive(Clone, Debug)]
pub struct CompressedInput {
    file: Arc<VolumeFile<BwvBytes>>,
    format: VolumeFormat,
    files: Vec<PathBuf>,
}

impl CompressedInput {
    /// Returns the header of the whole volume.
    pub fn header(&self) -> &Header {
        self.file.header()
    }

    /// Returns the volume as an open one.
    pub(super) fn input(&self) -> VolumeInput {
        let content = Content::Bwv(Arc::clone(&self.file));
        let (format, files) = (self.format, self.files.clone());
        let (smaller, notes) = (Vec::new(), Vec::new());
        VolumeInput { content, smaller, format, files, notes, max_memory: None, zarr: None }
    }
}

/// Returns the last of levels with the given dims that is at most as coarse as so many halvings of the first,
/// or a later one that can be rendered.
fn level_of(levels: &[Dims], halvings: usize) -> usize {
    // Some writers round sides down when they halve them: 21 voxels to 10.
    const ROUNDING: f64 = 0.25;
    let Dims { x, y, z } = levels[0];
    let is_fine = |level: &Dims| {
        let factors = [(x, level.x), (y, level.y), (z, level.z)].map(|(all, side)| all as f64 / side as f64);
        factors.into_iter().all(|factor| factor.log2() <= halvings as f64 + ROUNDING)
    };
    let fits = |level: &Dims| level.x.max(level.y).max(level.z) <= MAX_SIDE as usize;
    let chosen = levels.iter().rposition(is_fine).unwrap_or(0);
    let later = levels[chosen..].iter().position(fits);
    later.map_or(levels.len() - 1, |later| chosen + later)
}

/// True if the options and the detected format indicate a `.bwv` file.
fn is_bwv(options: &VolumeOpenOptions, detect: impl FnOnce() -> Option<VolumeFormat>) -> bool {
    let is_described = options.raw != RawLayout::default();
    !is_described && options.format.or_else(detect) == Some(VolumeFormat::Bwv)
}
