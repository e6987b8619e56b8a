//! Options for opening a volume.

use crate::{AxisOrder, RawLayout, SeriesChoice, VolumeFormat};

/// Options for opening a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VolumeOpenOptions {
    /// Format. Default: none, which means the format that [`VolumeFormat::detect`] finds, or raw voxels if a
    /// layout is given and the path does not decide.
    pub format: Option<VolumeFormat>,
    /// Description of raw voxels. Default: no description.
    pub raw: RawLayout,
    /// Maximum number of bytes of memory for parts that must be held as a whole: a slice of TIFF, PNG or
    /// DICOM, or a file from a pipe that cannot be streamed. Default: no limit.
    pub max_memory: Option<u64>,
    /// Choice of one of several DICOM series or stacks, or one of several patterns of names in a folder of
    /// slices. Default: none; several are an error that lists them.
    pub series: Option<SeriesChoice>,
    /// Name of the array to read from a VTI file. Default: none, which means the one that `Scalars` names, or
    /// the first.
    pub array: Option<String>,
    /// True to join the slices on both sides of each gap and add a note that names the gaps. Default: false;
    /// a missing slice is an error.
    pub allow_gaps: bool,
    /// The only channel to read. Default: none, which means all.
    pub channel: Option<usize>,
    /// Axes of an array that does not name them: of NumPy, or of Zarr. Default: none, which means z, y and x,
    /// before them t, and after them c. The last of four axes is c if it has at most 4 numbers.
    pub axes: Option<AxisOrder>,
    /// Mip level of a `.bwv` file or of an OME-Zarr group. It is ignored where several levels are opened at
    /// once. Default: 0, the volume itself.
    pub mip_level: usize,
}

impl VolumeOpenOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}
