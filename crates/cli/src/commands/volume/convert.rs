//! `brickwork volume convert`: any volume to any format that Brickwork writes.

use super::{
    args::{CodingArgs, CommonArgs, OverwriteArgs, WriteArgs, coding_failure},
    conversion::ConvertOptions,
    input::{InputPartArgs, RawArgs, file_ids, shape},
    output::{check, format_of, write},
    physical::RescaleArgs,
    values::spacing,
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    output::Output,
    report::{Bytes, Pace, VolumeConvertReport, printable},
};
use brickwork_volume::Spacing;
use std::path::PathBuf;

/// Convert a volume to another format without loss
///
/// Reads .bwv, NRRD (.nrrd, .nhdr), MetaImage (.mha, .mhd), NIfTI and Analyze (.nii, .nii.gz, .nii.zst, .hdr
/// with .img), MRC (.mrc, .map), MGH (.mgz, .mgh), NumPy (.npy), VTI (.vti), TIFF (.tif, .tiff; one slice per
/// page), DICOM (.dcm), folders of PNG, TIFF, BMP, JPEG or DICOM slices, Zarr arrays and OME-Zarr groups in
/// folders and ZIP archives (.ozx, .zip; if the program was built with the feature zarr), and raw voxels with
/// --dims and --type. Files with other extensions are recognised by their content.
///
/// The extension of -o decides the format: .bwv, .nrrd, .mha, .nii, .nii.gz, .nii.zst, .mrc, .npy or .vti;
/// .tif gives an OME-TIFF stack; .zarr gives a folder with an OME-Zarr group, whose chunks have the codec
/// brickwork; .ozx gives a ZIP archive of it; .raw gives little-endian raw voxels, x fastest. A name that
/// ends with / gives a folder of PNG or TIFF slices. Spacing, origin and directions are kept if the format
/// can store them. At most one slab of the volume, 8 to 64 slices, is in memory.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume convert scan.nrrd -o scan.nii.gz
  brickwork volume convert ct/ -o ct.mha                  a folder of DICOM or PNG slices
  brickwork volume convert ct/ --rescale -o ct.nrrd       Hounsfield units
  brickwork volume convert scan.nii.gz --compress -o scan.nrrd
  brickwork volume convert scan.bwv --brick 8 -o small.bwv
  brickwork volume convert scan.nrrd -o slices/           slice_0000.png, slice_0001.png, …
  brickwork volume convert scan.nrrd -o scan.zarr --levels 3              OME-Zarr
  brickwork volume convert scan.zarr --level 1 -o half.nii.gz
  brickwork volume convert scan.nrrd -o scan.ome.tif                      OME-TIFF
  gunzip -c scan.nii.gz | brickwork volume convert - -o scan.mha
  brickwork volume convert scan.raw --dims 512x512x361 --type u16 --big-endian -o scan.vti")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

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
    raw: RawArgs,

    #[command(flatten)]
    part: InputPartArgs,

    /// Distance between voxels along x, y and z in millimetres, or in the unit after the last number: um, nm
    /// or mm, such as 0.2,0.2,1um [default: that of the input, else 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = spacing, allow_hyphen_values = true)]
    spacing: Option<Spacing>,

    #[command(flatten)]
    coding: CodingArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Converts the volume that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let output = Output::of(&args.output);
    let format = format_of(&output, args.write.raw)?;
    let compress = args.write.compression(format).map_err(|failure| failure.of(output.name()))?;
    args.coding.check(format).map_err(|failure| failure.of(output.name()))?;
    let volume = args.raw.open(&input, args.coding.max_memory(), &args.part)?;
    check(&output, format, args.overwrite.existing(), &file_ids(&volume.files))?;
    args.common.start()?;
    let mut volume = args.rescale.apply(volume, format, &input.name(), args.common.quiet)?;
    let options = ConvertOptions { spacing: args.spacing, compress, ..args.coding.options() };
    let options = options.apply(&mut volume, format);
    let options = options.map_err(|error| coding_failure(error).of(input.name()))?;
    let header = volume.header.clone();
    let existing = args.overwrite.existing();
    let what = (format, &options, args.write.slices(), args.write.zarr());
    let written = write(volume, what, &input.name(), &output, existing, args.common.quiet)?;
    let report = VolumeConvertReport {
        command: "volume convert",
        input: input.name(),
        output: output.name(),
        format: format.name(),
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        file_bytes: written.file_bytes,
        seconds: written.time.as_secs_f64(),
    };
    let text = format!(
        "{} → {}  {}  {}{}\n",
        printable(&report.input),
        printable(&report.output),
        shape(&header),
        Bytes(written.file_bytes),
        Pace(written.raw_bytes, written.time),
    );
    args.common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}
