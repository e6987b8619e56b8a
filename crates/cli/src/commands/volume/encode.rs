//! `brickwork volume encode`: volumes of other formats to `.bwv`.

use super::{CommonArgs, dims, existing, nifti, sources, three, write_failure};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    output::{Output, folder_of},
    report::{Bytes, Ratio, printable, with_progress},
};
use brickwork_volume::{
    BrickSize, ByteOrder, Dims, EncodeOptions, Header, Spacing, VoxelType, encode_file, encode_stream,
    formats::{FormatError, Source, VoxelSource, Voxels, gzip, metaimage, nrrd},
};
use serde::Serialize;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// Compress a volume to a .bwv file
///
/// NRRD (.nrrd, .nhdr), MetaImage (.mha, .mhd), NIfTI (.nii, .nii.gz, .hdr with .img), VTI (.vti), TIFF (.tif, .tiff; a page is a slice), DICOM (.dcm), and folders
/// of PNG, TIFF or DICOM slices say what their voxels are; of raw voxels --dims and --type do. PNG and TIFF files in a
/// folder are ordered by name, slice9 before slice10; those of DICOM by where they lie.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume encode scan.nrrd                       scan.bwv beside it
  brickwork volume encode scan.nii.gz -o brain.bwv
  brickwork volume encode scan.raw --dims 512x512x361 --type u16 --spacing 0.34,0.34,0.5
  brickwork volume encode ct/                             ct.bwv beside the folder
  zstd -dc scan.raw.zst | brickwork volume encode - --dims 512x512x361 --type u16 -o scan.bwv")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Voxels along x, y and z, of raw input
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Raw input")]
    dims: Option<Dims>,

    /// Type of the voxels, of raw input
    #[arg(long = "type", value_name = "TYPE", value_parser = voxel_type, help_heading = "Raw input")]
    voxel_type: Option<VoxelType>,

    /// Distance between voxels along x, y and z [default: what the file says, or 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = spacing)]
    spacing: Option<Spacing>,

    /// The most significant byte of each voxel comes first
    #[arg(long, help_heading = "Raw input")]
    big_endian: bool,

    /// Side of a brick: 4, or 8 for smaller files with slower single bricks
    #[arg(long, value_name = "4|8", default_value = "4", value_parser = brick)]
    brick: BrickSize,

    #[command(flatten)]
    common: CommonArgs,
}

fn voxel_type(text: &str) -> Result<VoxelType, String> {
    let found = VoxelType::ALL.into_iter().find(|t| t.name() == text);
    found.ok_or_else(|| format!("one of {} is wanted", VoxelType::ALL.map(VoxelType::name).join(", ")))
}

fn spacing(text: &str) -> Result<Spacing, String> {
    let [x, y, z] = three(text).ok_or("three numbers are wanted: 0.34,0.34,0.5")?;
    Ok(Spacing { x, y, z })
}

fn brick(text: &str) -> Result<BrickSize, String> {
    match text {
        "4" => Ok(BrickSize::Four),
        "8" => Ok(BrickSize::Eight),
        _ => Err("4 or 8 is wanted".to_owned()),
    }
}

/// A volume's voxels, from the first on.
pub(super) enum Opened {
    File(BufReader<File>),
    /// Unpacked twice.
    Gzip(Box<gzip::Reader<BufReader<File>>>),
    Voxels(VoxelSource),
    Pipe(Box<dyn BufRead>),
}

/// Encodes what the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let output = match (&args.output, &input) {
        (Some(path), _) if path.as_os_str() == "-" => Output::Stdout,
        (Some(path), _) => Output::File(path.clone()),
        (None, Input::File(path)) => Output::File(nifti::bare(path).with_extension("bwv")),
        (None, Input::Stdin) => Output::Stdout,
    };
    let (mut source, voxels) = args.open(&input).map_err(|failure| failure.of(input.name()))?;
    output.check(existing(args.force), input.id().as_slice())?;
    args.common.start()?;
    source.header.brick = args.brick;
    if let Some(spacing) = args.spacing {
        source.header.spacing = spacing;
    }
    let (header, order) = (&source.header, source.order);
    let options = EncodeOptions::default();
    let quiet = args.common.quiet;
    let file_bytes = output.write(existing(args.force), |sink| {
        with_progress(&input.name(), quiet, |progress| {
            let mut progress = |done, total| progress(done, total);
            match voxels {
                Opened::File(file) => encode_file(file, order, header, &options, sink, &mut progress),
                Opened::Gzip(file) => encode_file(file, order, header, &options, sink, &mut progress),
                Opened::Voxels(voxels) => encode_file(voxels, order, header, &options, sink, &mut progress),
                Opened::Pipe(pipe) => encode_stream(pipe, order, header, &options, sink, &mut progress),
            }
        })
        .map(drop)
        .map_err(|error| write_failure(&error).of(input.name()))
    })?;
    let voxel_count = header.dims.voxel_count().map_err(Failure::usage)? as u64;
    let raw_bytes = voxel_count * header.voxel_type.byte_count() as u64;
    let report = Report {
        command: "volume encode",
        input: input.name(),
        output: output.name(),
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        brick: header.brick.side(),
        raw_bytes,
        file_bytes,
        bits_per_voxel: 8.0 * file_bytes as f64 / voxel_count as f64,
    };
    let text = format!(
        "{} → {}  {} {}  {}  {:.3} bits a voxel  {}\n",
        printable(&report.input),
        printable(&report.output),
        header.dims,
        report.voxel_type,
        Bytes(file_bytes),
        report.bits_per_voxel,
        Ratio(raw_bytes, file_bytes),
    );
    args.common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}

impl Args {
    fn open(&self, input: &Input) -> Result<(Source, Opened), Failure> {
        let path = match input {
            Input::Stdin => return Ok((self.raw()?, Opened::Pipe(Box::new(io::stdin().lock())))),
            Input::File(path) => path,
        };
        if nifti::names(path) {
            self.says_itself()?;
            return nifti::open(path);
        }
        let extension = input.extension().unwrap_or_default().to_ascii_lowercase();
        if let Some(opened) = sources::open(path, &extension) {
            self.says_itself()?;
            let (header, order, voxels) = opened.map_err(|error| format_failure(&error))?;
            return Ok((Source { header, order, voxels: Voxels::Attached }, Opened::Voxels(voxels)));
        }
        let mut file = BufReader::with_capacity(1 << 20, open_file(path)?);
        let read = match extension.as_str() {
            "nrrd" | "nhdr" => nrrd::read_header(&mut file),
            "mha" | "mhd" => metaimage::read_header(&mut file),
            _ => return Ok((self.raw()?, opened(file)?)),
        };
        self.says_itself()?;
        let source = read.map_err(|error| format_failure(&error))?;
        match &source.voxels {
            Voxels::Attached => Ok((source, opened(file)?)),
            Voxels::Detached { name, skip } => {
                let path = folder_of(path).join(name);
                let named = |failure: Failure| failure.of_path(&path);
                let mut file = BufReader::with_capacity(1 << 20, open_file(&path).map_err(named)?);
                file.seek(SeekFrom::Start(*skip)).map_err(|error| named(Failure::io(&error)))?;
                let voxels = opened(file).map_err(named)?;
                Ok((source, voxels))
            }
        }
    }

    /// Refuses what is for raw voxels only.
    fn says_itself(&self) -> Result<(), Failure> {
        if self.dims.is_some() || self.voxel_type.is_some() || self.big_endian {
            let reason = "the file says itself what its voxels are";
            return Err(Failure::usage(reason).hint("--dims, --type and --big-endian are for raw voxels"));
        }
        Ok(())
    }

    /// What the options say of raw voxels.
    fn raw(&self) -> Result<Source, Failure> {
        let (Some(dims), Some(voxel_type)) = (self.dims, self.voxel_type) else {
            let failure = Failure::usage("raw voxels do not say what they are");
            return Err(failure.hint("add --dims 512x512x361 --type u16"));
        };
        let order = if self.big_endian { ByteOrder::Big } else { ByteOrder::Little };
        Ok(Source { header: Header::new(voxel_type, dims), order, voxels: Voxels::Attached })
    }
}

pub(super) fn open_file(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::io(&error))
}

/// A regular file is read twice, a pipe cannot be.
pub(super) fn opened(file: BufReader<File>) -> Result<Opened, Failure> {
    let metadata = file.get_ref().metadata().map_err(|error| Failure::io(&error))?;
    if metadata.is_dir() {
        return Err(Failure::new(Exit::Io, "is a folder, a file is expected"));
    }
    Ok(if metadata.is_file() { Opened::File(file) } else { Opened::Pipe(Box::new(file)) })
}

pub(super) fn format_failure(error: &FormatError) -> Failure {
    let exit = match error {
        FormatError::Io(error) => super::exit_of(error),
        FormatError::Unsupported(_) => Exit::Unsupported,
        _ => Exit::Invalid,
    };
    Failure::new(exit, error)
}

/// `volume encode --json`.
#[derive(Serialize)]
struct Report {
    command: &'static str,
    input: String,
    output: String,
    dims: [usize; 3],
    voxel_type: &'static str,
    brick: usize,
    raw_bytes: u64,
    file_bytes: u64,
    bits_per_voxel: f64,
}
