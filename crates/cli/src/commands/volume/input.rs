//! The volume that a command line names, of any format, or raw voxels with options that describe them.

use super::{
    failure::{failure, open_failure, read_failure},
    values::{dims, voxel_type},
};
use crate::{
    failure::Failure,
    input::{FileId, Input},
    report::note,
};
use brickwork_formats::{
    AxisOrder, Note, OpenError, OpenedVolume, RawLayout, SeriesChoice, VolumeFormat, VolumeOpenOptions,
    VolumePipe, open, open_zarr_levels,
};
use brickwork_toolkit::{
    report::path_text,
    volume::{BwvBytes, VolumeInput},
};
use brickwork_volume::{
    BwvError, ByteOrder, Dims, ErrorKind, Header, Task, VolumeFile, VolumeReadError, VoxelType,
};
use std::{
    fs::File,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

/// Description of raw voxels, which their file lacks.
#[derive(Default, clap::Args)]
pub struct RawArgs {
    /// Dimensions of raw input: voxels along x, y and z
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Raw input")]
    dims: Option<Dims>,

    /// Voxel type of raw input
    #[arg(long = "type", value_name = "TYPE", value_parser = voxel_type, help_heading = "Raw input")]
    voxel_type: Option<VoxelType>,

    /// Channels of raw input: 1 to 255 interleaved numbers per voxel [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    channels: Option<usize>,

    /// Frames of raw input: volumes one after another in time [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    frames: Option<usize>,

    /// Raw input is big-endian: the most significant byte of each number is first
    #[arg(long, help_heading = "Raw input")]
    big_endian: bool,

    /// Bytes before the voxels of raw input, such as a header [default: 0]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "0",
        hide_default_value = true,
        help_heading = "Raw input"
    )]
    offset: u64,

    /// Axes of an array that does not name them (NumPy, Zarr), the slowest first, such as czyx [default: yx,
    /// zyx, tzyxc by their number; four are zyxc if the last has at most 4 numbers, else tzyx]
    #[arg(long, value_name = "AXES", help_heading = "Arrays")]
    axes: Option<AxisOrder>,

    /// DICOM series, or kind of file names in a folder of slices, if there are several: its index in the list
    /// that is printed without this option, its UID, its description, or the name, such as slice#.png
    #[arg(long, value_name = "INDEX|UID|NAME", help_heading = "Folders")]
    series: Option<String>,

    /// Array of a .vti file, by its name [default: the one that the file names, else the first]
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    array: Option<String>,

    /// Join the slices on both sides of missing ones, with a note that names the gaps
    #[arg(long, help_heading = "Folders")]
    allow_gaps: bool,
}

impl RawArgs {
    /// Opens a part of `input`. A slice of it takes at most `max_memory` bytes, or the whole input if it
    /// comes from a pipe and must be kept in memory.
    ///
    /// # Errors
    /// [`Failure`] with the input's name; also if options describe raw voxels, but `input` describes itself.
    pub fn open(
        &self,
        input: &Input,
        max_memory: Option<u64>,
        part: &InputPartArgs,
    ) -> Result<OpenedVolume, Failure> {
        let options = self.options(self.layout(), max_memory).with(|o| {
            o.mip_level = part.level;
            o.channel = part.channel;
        });
        Source::of(input)?.open(&options)
    }

    /// Opens `input`, of which a part is loaded later. The arguments are those of [`open`](Self::open).
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_input(&self, input: &Input, max_memory: Option<u64>) -> Result<VolumeInput, Failure> {
        let options = self.options(self.layout(), max_memory);
        let opened = match Source::of(input)? {
            Source::Stdin(pipe) => VolumeInput::from_pipe(pipe, &options, &Task::new()),
            Source::Path(path) => VolumeInput::open(path, &options, &Task::new()),
        };
        opened.map_err(|error| open_failure(&error, input.name()))
    }

    /// True if any of the options is given.
    pub fn is_any(&self) -> bool {
        self.layout() != RawLayout::default()
    }

    /// Opens two volumes. If only one consists of raw voxels, it gets the dims and type of the other, unless
    /// the options state them.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_both(
        &self,
        a: &Input,
        b: &Input,
        max_memory: Option<u64>,
    ) -> Result<[OpenedVolume; 2], Failure> {
        let (a, b) = (Source::of(a)?, Source::of(b)?);
        // The array is that of the only VTI file, if there is one.
        let is_one_vti = a.is_vti() != b.is_vti();
        let open = |source: Source, layout| {
            let mut options = self.options(layout, max_memory);
            options.array.take_if(|_| is_one_vti && !source.is_vti());
            source.open(&options)
        };
        match (a.is_raw(), b.is_raw()) {
            (true, false) => {
                let b = open(b, RawLayout::default())?;
                Ok([open(a, self.layout().like(&b.header))?, b])
            }
            (false, true) => {
                let a = open(a, RawLayout::default())?;
                let b = open(b, self.layout().like(&a.header))?;
                Ok([a, b])
            }
            (true, true) | (false, false) => Ok([open(a, self.layout())?, open(b, self.layout())?]),
        }
    }

    fn options(&self, raw: RawLayout, max_memory: Option<u64>) -> VolumeOpenOptions {
        let mut options = VolumeOpenOptions::default();
        options.raw = raw;
        options.max_memory = max_memory;
        options.series = self.series.as_deref().map(SeriesChoice::of);
        options.allow_gaps = self.allow_gaps;
        options.axes = self.axes;
        options.array.clone_from(&self.array);
        options
    }

    fn layout(&self) -> RawLayout {
        let mut layout = RawLayout::default();
        (layout.dims, layout.voxel_type) = (self.dims, self.voxel_type);
        (layout.channels, layout.frames) = (self.channels, self.frames);
        layout.order = if self.big_endian { ByteOrder::Big } else { ByteOrder::Little };
        layout.offset = self.offset;
        layout
    }
}

/// Part of the input.
#[derive(clap::Args)]
pub struct InputPartArgs {
    /// Mip level of a .bwv file or an OME-Zarr group: 0 is the volume itself, 1 the next smaller one, …
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    level: usize,

    /// The only channel to read, counted from 0 [default: all]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    channel: Option<usize>,
}

/// Memory limit for reading.
#[derive(clap::Args)]
pub struct MemoryArgs {
    /// Memory limit, such as 512MiB or 4G, for a slice of TIFF, PNG or DICOM, for chunks of Zarr, and for a
    /// file on standard input that must be in memory as a whole [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = crate::values::memory_size, help_heading = "Machine")]
    pub max_memory: Option<u64>,
}

/// Source of a volume: a path, or standard input, whose first bytes have been read.
enum Source {
    Path(PathBuf),
    Stdin(VolumePipe),
}

impl Source {
    fn of(input: &Input) -> Result<Self, Failure> {
        match input {
            Input::Stdin => Ok(Self::Stdin(stdin()?)),
            Input::File(path) => Ok(Self::Path(path.clone())),
        }
    }

    /// True if the source is read as raw voxels.
    fn is_raw(&self) -> bool {
        self.format() == VolumeFormat::Raw
    }

    fn is_vti(&self) -> bool {
        self.format() == VolumeFormat::Vti
    }

    fn format(&self) -> VolumeFormat {
        match self {
            Self::Stdin(pipe) => pipe.format(),
            // If the source cannot be examined, opening it fails.
            Self::Path(path) => VolumeFormat::detect(path).unwrap_or(VolumeFormat::Bwv),
        }
    }

    fn open(self, options: &VolumeOpenOptions) -> Result<OpenedVolume, Failure> {
        match self {
            Self::Stdin(pipe) => {
                pipe.open(options, &Task::new()).map_err(|error| open_failure(&error, Input::Stdin.name()))
            }
            Self::Path(path) => {
                open(&path, options, &Task::new()).map_err(|error| open_failure(&error, path_text(&path)))
            }
        }
    }

    /// Opens the volume, and its smaller mip levels if it is an OME-Zarr group.
    fn open_levels(self, options: &VolumeOpenOptions) -> Result<(OpenedVolume, Vec<OpenedVolume>), Failure> {
        match self {
            Self::Stdin(pipe) => pipe
                .open_levels(options, &Task::new())
                .map_err(|error| open_failure(&error, Input::Stdin.name())),
            Self::Path(path) if brickwork_formats::is_zarr(&path, options) => {
                open_zarr_levels(&path, options, &Task::new())
                    .map_err(|error| open_failure(&error, path_text(&path)))
            }
            source => Ok((source.open(options)?, Vec::new())),
        }
    }
}

/// Returns standard input as a volume.
fn stdin() -> Result<VolumePipe, Failure> {
    let named = |failure: Failure| failure.of(Input::Stdin.name());
    if io::stdin().is_terminal() {
        return Err(named(
            Failure::usage("is a terminal").hint("redirect a file into it: brickwork … - < FILE"),
        ));
    }
    VolumePipe::new(io::stdin()).map_err(|error| named(Failure::io(&error)))
}

/// Opens a volume of a format that describes its voxels.
///
/// # Errors
/// [`Failure`] with the input's name.
#[cfg(feature = "gpu")]
pub fn open_described(input: &Input) -> Result<OpenedVolume, Failure> {
    Source::of(input)?.open(&VolumeOpenOptions::default())
}

/// Opens a `.bwv` file.
///
/// # Errors
/// [`Failure`] with the input's name.
pub fn open_bwv(input: &Input) -> Result<VolumeFile<BwvBytes>, Failure> {
    let path = match input {
        Input::Stdin => return bwv_of_pipe(stdin()?).map_err(|failure| failure.of(input.name())),
        Input::File(path) => path,
    };
    if is_zarr(path) {
        return Err(other_format(path, VolumeFormat::Zarr));
    }
    let opened = File::open(path).map_err(Into::into).and_then(|file| VolumeFile::new(BwvBytes::new(file)));
    opened.map_err(|error| match (&error, VolumeFormat::detect(path)) {
        (VolumeReadError::Format(BwvError::NotAVolume), Ok(format))
            if !matches!(format, VolumeFormat::Raw | VolumeFormat::Bwv) =>
        {
            other_format(path, format)
        }
        _ => read_failure(&error).of_path(path),
    })
}

/// True if there is a Zarr folder or a ZIP archive at `path`.
pub fn is_zarr(path: &Path) -> bool {
    path.exists() && brickwork_formats::is_zarr(path, &VolumeOpenOptions::default())
}

/// Returns the failure of a volume that is not a `.bwv` file.
fn other_format(path: &Path, format: VolumeFormat) -> Failure {
    let bwv = VolumeFormat::Bwv.path_beside(path);
    let hint = format!("`brickwork volume encode {}` makes {}", path.display(), bwv.display());
    let reason = format!("is of the format {}, not a .bwv file", format.name());
    failure(ErrorKind::Invalid, reason).hint(hint).of_path(path)
}

/// Opens a `.bwv` file from a pipe, whose bytes stay in memory.
fn bwv_of_pipe(pipe: VolumePipe) -> Result<VolumeFile<BwvBytes>, Failure> {
    let named = |error: OpenError| open_failure(&error, Input::Stdin.name());
    let bytes = BwvBytes::from_pipe(pipe.into_bytes(), None, &Task::new()).map_err(named)?;
    VolumeFile::new(bytes).map_err(|error| read_failure(&error))
}

/// A volume that describes itself.
pub enum AnyVolume {
    /// A `.bwv` file.
    Bwv(VolumeFile<BwvBytes>),
    /// A volume of another format, and the dims of its smaller mip levels.
    Other(OpenedVolume, Vec<Dims>),
}

/// Opens a volume of any format. A `.bwv` file is opened as such.
///
/// # Errors
/// [`Failure`] with the input's name.
pub fn open_any(input: &Input, raw: &RawArgs, max_memory: Option<u64>) -> Result<AnyVolume, Failure> {
    let source = Source::of(input)?;
    let is_bwv = !raw.is_any()
        && match &source {
            Source::Stdin(pipe) => pipe.format() == VolumeFormat::Bwv,
            // A format's file name decides before the file's content, because its errors are more helpful.
            Source::Path(path) => VolumeFormat::detect(path).is_ok_and(|format| format == VolumeFormat::Bwv),
        };
    match source {
        Source::Stdin(pipe) if is_bwv => {
            bwv_of_pipe(pipe).map(AnyVolume::Bwv).map_err(|failure| failure.of(input.name()))
        }
        Source::Path(_) if is_bwv => open_bwv(input).map(AnyVolume::Bwv),
        source => {
            let (volume, smaller) = source.open_levels(&raw.options(raw.layout(), max_memory))?;
            let dims = smaller.iter().map(|level| level.header.dims).collect();
            Ok(AnyVolume::Other(volume, dims))
        }
    }
}

/// Prints the notes on a volume that was read from `name`, unless `quiet` is true.
pub fn print_notes(notes: &[Note], name: &str, quiet: bool) {
    for text in notes.iter().filter(|_| !quiet) {
        let is_choice = matches!(text, Note::OtherArrays { .. });
        let hint = if is_choice { "; --array NAME reads another" } else { "" };
        note(&format!("{name}: {text}{hint}"));
    }
}

/// Returns the files of which a volume consists. They must not be overwritten.
pub fn file_ids(files: &[PathBuf]) -> Vec<FileId> {
    files.iter().filter_map(|path| FileId::of(path)).collect()
}

/// Returns the header's shape in words: dims, type, and channels and frames if there are several.
pub fn shape(header: &Header) -> String {
    let mut text = format!("{} {}", header.dims, header.voxel_type);
    if header.channels > 1 {
        text += &format!("×{}", header.channels);
    }
    if header.frames > 1 {
        text += &format!(", {} frames", header.frames);
    }
    text
}
