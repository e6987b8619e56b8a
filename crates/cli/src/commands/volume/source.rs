//! Opening any volume: what it is, and its voxels from the first on.

use super::{dims, exit_of, nifti, part_of, read_failure};
use crate::{
    exit::Exit,
    failure::Failure,
    input::{ByteStream, FileId, Input},
    output::folder_of,
};
use brickwork_volume::{
    ByteOrder, Dims, Header, Region, Selection, VolumeFile, VoxelReader, VoxelType,
    formats::{self, FormatError, VoxelSource, Voxels, dicom, folder, metaimage, nrrd, tiff_stack, vti},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::Path,
};

/// Bytes read at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// A volume to read.
pub struct Volume {
    /// What it is.
    pub header: Header,
    /// Which byte of a voxel comes first.
    pub order: ByteOrder,
    /// Its voxels.
    pub voxels: Opened,
    /// The files that it lies in, as far as they may be taken for an output.
    pub files: Vec<FileId>,
}

/// Raw voxels, from the first on.
pub enum Opened {
    /// They can be read again: seeking back to the first works.
    Twice(Box<dyn ByteStream>),
    /// They come once.
    Once(Box<dyn BufRead>),
}

/// How a path's voxels are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Raw,
    Bwv,
    Nifti,
    Nrrd,
    MetaImage,
    Vti,
    Tiff,
    Dicom,
    Folder,
}

impl Format {
    fn of(input: &Input) -> Self {
        let Input::File(path) = input else { return Self::Raw };
        if path.is_dir() {
            return Self::Folder;
        }
        if nifti::names(path) {
            return Self::Nifti;
        }
        match input.extension().unwrap_or_default().to_ascii_lowercase().as_str() {
            "bwv" => Self::Bwv,
            "nrrd" | "nhdr" => Self::Nrrd,
            "mha" | "mhd" => Self::MetaImage,
            "vti" => Self::Vti,
            "tif" | "tiff" => Self::Tiff,
            "dcm" => Self::Dicom,
            _ => Self::Raw,
        }
    }
}

/// What raw voxels do not say themselves.
#[derive(Default, clap::Args)]
pub struct RawArgs {
    /// Voxels along x, y and z, of raw input
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Raw input")]
    dims: Option<Dims>,

    /// Type of the voxels, of raw input
    #[arg(long = "type", value_name = "TYPE", value_parser = voxel_type, help_heading = "Raw input")]
    voxel_type: Option<VoxelType>,

    /// Numbers a voxel, 1 to 4, side by side, of raw input [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    channels: Option<usize>,

    /// Volumes one after the other in time, of raw input [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    frames: Option<usize>,

    /// The most significant byte of each number comes first
    #[arg(long, help_heading = "Raw input")]
    big_endian: bool,
}

fn voxel_type(text: &str) -> Result<VoxelType, String> {
    let found = VoxelType::ALL.into_iter().find(|t| t.name() == text);
    found.ok_or_else(|| format!("one of {} is wanted", VoxelType::ALL.map(VoxelType::name).join(", ")))
}

/// Whether a path's voxels are taken as they are.
pub fn is_raw(input: &Input) -> bool {
    Format::of(input) == Format::Raw
}

impl RawArgs {
    /// Opens `input`, and refuses options that its format has no use for.
    ///
    /// # Errors
    /// [`Failure`], named.
    pub fn open(&self, input: &Input) -> Result<Volume, Failure> {
        let is_described = self.dims.is_some()
            || self.voxel_type.is_some()
            || self.channels.is_some()
            || self.frames.is_some()
            || self.big_endian;
        if !is_raw(input) && is_described {
            let failure = Failure::usage("the file says itself what its voxels are");
            let hint = "--dims, --type, --channels, --frames and --big-endian are for raw voxels";
            return Err(failure.hint(hint).of(input.name()));
        }
        self.open_like(input, None)
    }

    /// Opens `input`. Raw voxels are what the options say, or else as many and of the type of `like`.
    ///
    /// # Errors
    /// [`Failure`], named.
    pub fn open_like(&self, input: &Input, like: Option<&Header>) -> Result<Volume, Failure> {
        let opened = match input {
            Input::Stdin => self
                .raw(like)
                .map(|header| (header, self.order(), Opened::Once(Box::new(io::stdin().lock())))),
            Input::File(path) => match Format::of(input) {
                Format::Raw => self.raw(like).and_then(|header| Ok((header, self.order(), open_file(path)?))),
                Format::Bwv => VolumeFile::open(path)
                    .map_err(|error| read_failure(&error))
                    .and_then(|file| of_bwv(file, Selection::default(), None))
                    .map(|volume| (volume.header, volume.order, volume.voxels)),
                Format::Nifti => return nifti::open(path).map_err(|failure| failure.of_path(path)),
                Format::Nrrd => return with_text_header(path, nrrd::read_header),
                Format::MetaImage => return with_text_header(path, metaimage::read_header),
                Format::Vti => of_slices(vti::open(path)),
                Format::Tiff => of_slices(tiff_stack::open(path)),
                Format::Dicom => of_slices(dicom::open(path)),
                Format::Folder => of_slices(folder::open(path)),
            },
        };
        let (header, order, voxels) = opened.map_err(|failure| failure.of(input.name()))?;
        Ok(Volume { header, order, voxels, files: input.id().into_iter().collect() })
    }

    /// The header of raw voxels.
    fn raw(&self, like: Option<&Header>) -> Result<Header, Failure> {
        let dims = self.dims.or(like.map(|header| header.dims));
        let voxel_type = self.voxel_type.or(like.map(|header| header.voxel_type));
        let (Some(dims), Some(voxel_type)) = (dims, voxel_type) else {
            let failure = Failure::usage("raw voxels do not say what they are");
            return Err(failure.hint("add --dims 512x512x361 --type u16"));
        };
        let channels = self.channels.or(like.map(|header| header.channels)).unwrap_or(1);
        let frames = self.frames.or(like.map(|header| header.frames)).unwrap_or(1);
        let header = Header { channels, frames, ..Header::new(voxel_type, dims) };
        header.raw_bytes().map_err(Failure::usage)?;
        Ok(header)
    }

    fn order(&self) -> ByteOrder {
        if self.big_endian { ByteOrder::Big } else { ByteOrder::Little }
    }
}

/// What is selected of a region of a `.bwv` file, or of all of it.
///
/// # Errors
/// [`Failure`] if the region reaches outside, or the file does not have what is selected.
pub fn of_bwv(file: VolumeFile, selection: Selection, region: Option<&Region>) -> Result<Volume, Failure> {
    let region = region.cloned().unwrap_or_else(|| Region::all(file.header().level_dims(selection.level)));
    let header = part_of(file.header(), &selection, &region);
    let reader = VoxelReader::new(file, selection, region).map_err(Failure::usage)?;
    let voxels = Opened::Twice(Box::new(BufReader::with_capacity(BUFFER_BYTES, reader)));
    Ok(Volume { header, order: ByteOrder::Little, voxels, files: Vec::new() })
}

fn of_slices(
    opened: Result<(Header, ByteOrder, VoxelSource), FormatError>,
) -> Result<(Header, ByteOrder, Opened), Failure> {
    let (header, order, voxels) = opened.map_err(|error| format_failure(&error))?;
    Ok((header, order, Opened::Twice(Box::new(BufReader::with_capacity(BUFFER_BYTES, voxels)))))
}

/// Opens a file whose header is text that `read` reads; the voxels follow it or lie in another file.
fn with_text_header(
    path: &Path,
    read: impl Fn(&mut dyn BufRead) -> Result<formats::Source, FormatError>,
) -> Result<Volume, Failure> {
    let named = |failure: Failure| failure.of_path(path);
    let mut file = open_file(path).map_err(named)?;
    let source = read(file.bytes()).map_err(|error| named(format_failure(&error)))?;
    let mut files: Vec<FileId> = FileId::of(path).into_iter().collect();
    let voxels = match &source.voxels {
        Voxels::Attached => file,
        Voxels::Detached { name, skip } => {
            let path = folder_of(path).join(name);
            files.extend(FileId::of(&path));
            let opened = open_file(&path).and_then(|mut file| file.skip(*skip).map(|()| file));
            opened.map_err(|failure| failure.of_path(&path))?
        }
    };
    Ok(Volume { header: source.header, order: source.order, voxels, files })
}

impl Opened {
    /// The bytes that come next.
    pub fn bytes(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Twice(file) => file,
            Self::Once(pipe) => pipe,
        }
    }

    /// Leaves out the first `count` bytes of a file that was just opened.
    ///
    /// # Errors
    /// [`Failure`] of the system, or of packed bytes that are damaged.
    pub fn skip(&mut self, count: u64) -> Result<(), Failure> {
        match self {
            Self::Twice(file) => file.seek(SeekFrom::Start(count)).map(drop),
            Self::Once(pipe) => io::copy(&mut io::Read::take(pipe, count), &mut io::sink()).map(drop),
        }
        .map_err(|error| Failure::new(exit_of(&error), error))
    }
}

/// Opens the bytes of a file: a regular one is read twice, a pipe cannot be.
///
/// # Errors
/// [`Failure`], not named.
pub fn open_file(path: &Path) -> Result<Opened, Failure> {
    let file = File::open(path).map_err(|error| Failure::io(&error))?;
    let metadata = file.metadata().map_err(|error| Failure::io(&error))?;
    if metadata.is_dir() {
        return Err(Failure::new(Exit::Io, "is a folder, a file is expected"));
    }
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    Ok(if metadata.is_file() { Opened::Twice(Box::new(file)) } else { Opened::Once(Box::new(file)) })
}

/// The failure of reading a header.
pub fn format_failure(error: &FormatError) -> Failure {
    let exit = match error {
        FormatError::Io(error) => exit_of(error),
        FormatError::Unsupported(_) => Exit::Unsupported,
        _ => Exit::Invalid,
    };
    Failure::new(exit, error)
}
