//! Options for opening a volume.

use crate::{RawLayout, SeriesChoice, VolumeFormat};

/// Options for opening a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeOpenOptions {
    pub(crate) format: Option<VolumeFormat>,
    pub(crate) raw: RawLayout,
    pub(crate) max_memory: Option<u64>,
    pub(crate) series: Option<SeriesChoice>,
    pub(crate) allow_gaps: bool,
    pub(crate) mip_level: usize,
}

impl VolumeOpenOptions {
    /// Returns the defaults: any format, no description of raw voxels, no limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the format. Default: the format that [`VolumeFormat::detect`] finds, or raw voxels if a layout is
    /// given and the path does not decide.
    #[must_use]
    pub fn with_format(self, format: VolumeFormat) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Describes raw voxels. Default: no description.
    #[must_use]
    pub fn with_raw(self, raw: RawLayout) -> Self {
        Self { raw, ..self }
    }

    /// Limits the bytes of memory for parts that must be held as a whole: a slice of TIFF, PNG or DICOM, or a
    /// file from a pipe that cannot be streamed. Default: no limit.
    #[must_use]
    pub fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory: Some(max_memory), ..self }
    }

    /// Chooses one of several DICOM series or stacks, or one of several patterns of names in a folder of
    /// slices. Default: none; several are an error that lists them.
    #[must_use]
    pub fn with_series(self, series: Option<SeriesChoice>) -> Self {
        Self { series, ..self }
    }

    /// Joins the slices on both sides of each gap and adds a note that names the gaps. Default: false; a
    /// missing slice is an error.
    #[must_use]
    pub fn with_gaps_allowed(self, allow_gaps: bool) -> Self {
        Self { allow_gaps, ..self }
    }

    /// Selects a mip level of a `.bwv` file or of an OME-Zarr group. Default: 0, the volume itself.
    #[must_use]
    pub fn with_mip_level(self, mip_level: usize) -> Self {
        Self { mip_level, ..self }
    }

    /// Returns the format, if it is given.
    pub const fn format(&self) -> Option<VolumeFormat> {
        self.format
    }

    /// Returns the description of raw voxels.
    pub const fn raw(&self) -> &RawLayout {
        &self.raw
    }

    /// Returns the limit of memory, if there is one.
    pub const fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }

    /// Returns the choice of one of several series.
    pub const fn series(&self) -> Option<&SeriesChoice> {
        self.series.as_ref()
    }

    /// Returns the mip level.
    pub const fn mip_level(&self) -> usize {
        self.mip_level
    }

    /// True if the slices on both sides of a gap are joined.
    pub const fn gaps_allowed(&self) -> bool {
        self.allow_gaps
    }
}
