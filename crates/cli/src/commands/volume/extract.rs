//! `brickwork volume extract` and `decode`: a region or the whole of a `.bwv` file, in any format that
//! Brickwork writes.

use super::{
    args::{FileArgs, OverwriteArgs, SelectionArgs, WriteArgs},
    input::open_bwv,
    output::{check, format_of, write},
    physical::RescaleArgs,
    values::{Parts, parts},
};
use crate::{
    batch::FileId,
    exit::Exit,
    failure::Failure,
    input::Input,
    output::Output,
    report::{Bytes, Pace, VolumeExtractReport, printable},
};
use brickwork_formats::{OpenedVolume, VolumeFormat, VolumeWriteOptions};
use brickwork_volume::{Region, Task};
use std::path::{Path, PathBuf};

/// Extract a region of a .bwv file to raw voxels, NRRD, MetaImage, VTI, NIfTI or slices
///
/// Reads only the chunks that the region touches. The extension of -o decides the format: .nrrd, .mha, .vti,
/// .npy, .nii, .nii.gz, .nii.zst, .mrc, .tif (OME-TIFF) or .bwv; .raw gives little-endian raw voxels, x
/// fastest. A name that ends with / gives a folder of PNG or TIFF slices.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume extract scan.bwv --region 10..20,0..64,5 -o part.nrrd
  brickwork volume extract scan.bwv --region ..,..,100..110 -o slab.raw")]
pub struct Args {
    #[command(flatten)]
    file: FileArgs,

    /// Region along x, y and z, each a range from..to (to excluded), an index, or .. for all
    #[arg(long, value_name = "X,Y,Z", value_parser = parts, allow_hyphen_values = true)]
    region: Parts,

    /// File to write, folder of slices, such as slices/, or - for raw voxels on standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    overwrite: OverwriteArgs,

    #[command(flatten)]
    write: WriteArgs,

    #[command(flatten)]
    rescale: RescaleArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// Decompress a .bwv file to raw voxels, NRRD, MetaImage, VTI, NIfTI or slices
///
/// The extension of -o decides the format: .nrrd, .mha, .vti, .npy, .nii, .nii.gz, .nii.zst, .mrc or .tif
/// (OME-TIFF); .raw gives little-endian raw voxels, x fastest. A name that ends with / gives a folder of PNG
/// or TIFF slices. Without -o, scan.bwv becomes scan.nrrd beside it, with --raw scan.raw.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume decode scan.bwv                       scan.nrrd beside it
  brickwork volume decode scan.bwv -o scan.nii.gz
  brickwork volume decode scan.bwv -o scan.raw
  brickwork volume decode scan.bwv -o slices/            slice_0000.png, slice_0001.png, …")]
pub struct DecodeArgs {
    #[command(flatten)]
    file: FileArgs,

    /// File to write, folder of slices, such as slices/, or - for raw voxels on standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: OverwriteArgs,

    #[command(flatten)]
    write: WriteArgs,

    #[command(flatten)]
    rescale: RescaleArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// Extracts the region that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let Args { file, region, output, overwrite, write, rescale, selection } = args;
    extract("volume extract", file, Some(region), selection, output, (overwrite, write, rescale))
}

/// Decodes the file that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run_decode(args: &DecodeArgs) -> Result<Exit, Failure> {
    let format = if args.write.raw { VolumeFormat::Raw } else { VolumeFormat::Nrrd };
    let output = args.output.clone().unwrap_or_else(|| match Input::of(&args.file.input) {
        Input::Stdin => PathBuf::from("-"),
        Input::File(path) => format.path_beside(&path),
    });
    extract(
        "volume decode",
        &args.file,
        None,
        &args.selection,
        &output,
        (&args.overwrite, &args.write, &args.rescale),
    )
}

fn extract(
    command: &'static str,
    FileArgs { input, common }: &FileArgs,
    parts: Option<&Parts>,
    selection: &SelectionArgs,
    output: &Path,
    (overwrite, write_args, rescale): (&OverwriteArgs, &WriteArgs, &RescaleArgs),
) -> Result<Exit, Failure> {
    let input = Input::of(input);
    let file = open_bwv(&input)?;
    let named = |failure: Failure| failure.of(input.name());
    let selection = selection.of(file.header()).map_err(named)?;
    let dims = file.header().mip_level_dims(selection.mip_level);
    let region = match parts {
        None => Region::all(dims),
        Some(parts) => parts.region(dims).map_err(named)?,
    };
    let output = Output::of(output);
    let format = format_of(&output, write_args.raw)?;
    let compress = write_args.compression(format).map_err(|failure| failure.of(output.name()))?;
    let options = VolumeWriteOptions::default().with(|o| o.compress = compress);
    check(&output, format, overwrite.existing(), FileId::of_input(&input).as_slice())?;
    common.start()?;
    let volume = OpenedVolume::from_region(file, selection, region.clone(), &Task::new());
    let volume = volume.map_err(|error| named(Failure::usage(error)))?;
    let name = input.name();
    let volume = rescale.apply(volume, format, &name, common.quiet)?;
    let header = volume.header.clone();
    let what = (format, &options, write_args.slices(), write_args.zarr());
    let written = write(volume, what, &name, &output, overwrite.existing(), common.quiet)?;
    let report = VolumeExtractReport {
        command,
        input: name,
        output: output.name(),
        region: [
            [region.x.start, region.x.end],
            [region.y.start, region.y.end],
            [region.z.start, region.z.end],
        ],
        voxel_type: header.voxel_type.name(),
        file_bytes: written.file_bytes,
        seconds: written.time.as_secs_f64(),
    };
    let text = format!(
        "{} → {}  {} {}  {}{}\n",
        printable(&report.input),
        printable(&report.output),
        header.dims,
        report.voxel_type,
        Bytes(written.file_bytes),
        Pace(written.raw_bytes, written.time),
    );
    common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}
