//! `brickwork volume extract` and `decode`: a part or the whole of a `.bwv` file to raw voxels, NRRD, MetaImage, VTI or NIfTI.

use super::{CommonArgs, Parts, existing, nifti, open, parts, read_failure, write_failure};
use crate::{
    exit::Exit,
    failure::Failure,
    input::FileId,
    output::Output,
    report::{Bytes, printable, with_progress},
};
use brickwork_volume::{
    Header, Region, Selection, decode_stream,
    formats::{self, metaimage, nrrd, vti},
};
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Extract a part of a .bwv file to raw voxels, NRRD, MetaImage, VTI or NIfTI
///
/// Reads only the groups of bricks that the part touches. The name's ending decides: .nrrd, .mha, .vti, .nii, .nii.gz, or anything
/// else for little-endian raw voxels, x fastest.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume extract scan.bwv --region 10..20,0..64,5 -o part.nrrd
  brickwork volume extract scan.bwv --region ..,..,100..110 -o slab.raw")]
pub struct Args {
    /// Volume in a .bwv file
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Part along x, y and z: from..to (without to), an index, or .. for all
    #[arg(long, value_name = "X,Y,Z", value_parser = parts)]
    region: Parts,

    /// File to write, or - for raw voxels on standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    /// Replace an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    common: CommonArgs,
}

/// Decompress a .bwv file to raw voxels, NRRD, MetaImage, VTI or NIfTI
///
/// The name's ending decides: .nrrd, .mha, .vti, .nii, .nii.gz, or anything else for little-endian raw voxels, x fastest. Without
/// -o, scan.bwv becomes scan.nrrd beside it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume decode scan.bwv                       scan.nrrd beside it
  brickwork volume decode scan.bwv -o scan.nii.gz
  brickwork volume decode scan.bwv -o scan.raw")]
pub struct DecodeArgs {
    /// Volume in a .bwv file
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write, or - for raw voxels on standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    common: CommonArgs,
}

/// Extracts what the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    extract("volume extract", &args.input, Some(&args.region), &args.output, args.force, &args.common)
}

/// Decodes what the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run_decode(args: &DecodeArgs) -> Result<Exit, Failure> {
    let output = args.output.clone().unwrap_or_else(|| args.input.with_extension("nrrd"));
    extract("volume decode", &args.input, None, &output, args.force, &args.common)
}

/// The quickest level, nibabel's default too.
const GZIP: Compression = Compression::fast();

fn extract(
    command: &'static str,
    input: &Path,
    parts: Option<&Parts>,
    output: &Path,
    force: bool,
    common: &CommonArgs,
) -> Result<Exit, Failure> {
    let file = open(input)?;
    let region = match parts {
        None => Region::all(file.dims()),
        Some(parts) => parts.region(file.dims()).map_err(|failure| failure.of_path(input))?,
    };
    let output = if output.as_os_str() == "-" { Output::Stdout } else { Output::File(output.to_owned()) };
    output.check(existing(force), FileId::of(input).as_slice())?;
    common.start()?;
    let extension = match &output {
        Output::Stdout => String::new(),
        Output::File(path) if nifti::names(path) && nifti::packed(path) => "nii.gz".to_owned(),
        Output::File(path) => {
            path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase()
        }
    };
    let header = part_of(file.header(), &region);
    let decode = |sink: &mut dyn Write| {
        match extension.as_str() {
            "nrrd" => nrrd::write_header(&header, sink),
            "mha" => metaimage::write_header(&header, sink),
            "nii" | "nii.gz" => formats::nifti::write_header(&header, sink),
            "vti" => vti::write_header(&header, sink),
            _ => Ok(()),
        }
        .map_err(|error| write_failure(&error))?;
        with_progress(&input.display().to_string(), common.quiet, |progress| {
            let mut progress = |done, total| progress(done, total);
            decode_stream(&file, &Selection::default(), &region, &mut *sink, &mut progress)
        })
        .map_err(|error| read_failure(&error).of_path(input))?;
        if extension == "vti" {
            vti::write_end(sink).map_err(|error| Failure::io(&error))?;
        }
        Ok::<(), Failure>(())
    };
    let file_bytes = output.write(existing(force), |sink| {
        if extension == "nii.gz" {
            let mut packed = GzEncoder::new(&mut *sink, GZIP);
            decode(&mut packed)?;
            packed.finish().map_err(|error| Failure::io(&error))?;
        } else {
            decode(sink)?;
        }
        sink.flush().map_err(|error| Failure::io(&error))
    })?;
    let report = Report {
        command,
        input: input.display().to_string(),
        output: output.name(),
        region: [
            [region.x.start, region.x.end],
            [region.y.start, region.y.end],
            [region.z.start, region.z.end],
        ],
        voxel_type: header.voxel_type.name(),
        file_bytes,
    };
    let text = format!(
        "{} → {}  {} {}  {}\n",
        printable(&report.input),
        printable(&report.output),
        header.dims,
        report.voxel_type,
        Bytes(file_bytes),
    );
    common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}

/// The header of a part: its dims, and where its first voxel is.
fn part_of(header: &Header, region: &Region) -> Header {
    let mut part = Header { dims: region.dims(), ..header.clone() };
    let steps = [
        region.x.start as f64 * header.spacing.x,
        region.y.start as f64 * header.spacing.y,
        region.z.start as f64 * header.spacing.z,
    ];
    for (step, direction) in steps.into_iter().zip(header.orientation.as_chunks::<3>().0) {
        for (origin, along) in part.origin.iter_mut().zip(direction) {
            *origin += step * along;
        }
    }
    part
}

/// `volume extract --json` and `volume decode --json`.
#[derive(Serialize)]
struct Report {
    command: &'static str,
    input: String,
    output: String,
    region: [[usize; 2]; 3],
    voxel_type: &'static str,
    file_bytes: u64,
}
