//! `brickwork volume encode`: volumes of other formats to `.bwv`.

use super::{
    args::{CodingArgs, CommonArgs, OverwriteArgs, coding_failure},
    conversion::ConvertOptions,
    input::{InputPartArgs, RawArgs, file_ids, shape},
    output::{check_extension, write},
    physical::RescaleArgs,
    values::spacing,
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    output::Output,
    report::{BrickSampleReport, Bytes, Pace, Ratio, VolumeEncodeReport, printable},
};
use brickwork_formats::{VolumeFormat, ZarrOptions};
use brickwork_volume::{BrickChoice, BrickSize, Spacing};
use std::path::PathBuf;

/// Compress a volume to a .bwv file
///
/// The input is NRRD (.nrrd, .nhdr), MetaImage (.mha, .mhd), NIfTI or Analyze (.nii, .nii.gz, .nii.zst, .hdr
/// with .img), MRC (.mrc, .map), MGH (.mgz, .mgh), NumPy (.npy), VTI (.vti), TIFF (.tif, .tiff; one slice per
/// page), DICOM (.dcm), a folder of PNG, TIFF, BMP, JPEG or DICOM slices, a folder or ZIP archive (.ozx,
/// .zip) with a Zarr array or an OME-Zarr group (if the program was built with the feature zarr), or raw
/// voxels, which --dims and --type describe. Files with other extensions are recognised by their content.
/// DICOM files in a folder are ordered by position, others by name, slice9 before slice10.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume encode scan.nrrd                       scan.bwv beside it
  brickwork volume encode scan.nii.gz -o brain.bwv
  brickwork volume encode scan.raw --dims 512x512x361 --type u16 --spacing 0.34,0.34,0.5
  brickwork volume encode ct/                             ct.bwv beside the folder
  brickwork volume encode atlas.nii.gz --labels --levels 4
  zstd -dc scan.raw.zst | brickwork volume encode - --dims 512x512x361 --type u16 -o scan.bwv")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: OverwriteArgs,

    #[command(flatten)]
    rescale: RescaleArgs,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    part: InputPartArgs,

    /// Distance between voxels along x, y and z in millimetres, or in the unit after the last number: um, nm
    /// or mm, such as 0.2,0.2,1um [default: that of the file, else 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = spacing, allow_hyphen_values = true)]
    spacing: Option<Spacing>,

    #[command(flatten)]
    coding: CodingArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Encodes the volume that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let output = match (&args.output, &input) {
        (Some(path), _) if path.as_os_str() == "-" => Output::Stdout,
        (Some(path), _) => Output::File(path.clone()),
        (None, Input::File(path)) => Output::File(VolumeFormat::Bwv.path_beside(path)),
        (None, Input::Stdin) => Output::Stdout,
    };
    check_extension(&output, "bwv", "`volume convert` writes other formats")?;
    let volume = args.raw.open(&input, args.coding.max_memory(), &args.part)?;
    output.check(args.overwrite.existing(), &file_ids(&volume.files))?;
    args.common.start()?;
    let mut volume = args.rescale.apply(volume, VolumeFormat::Bwv, &input.name(), args.common.quiet)?;
    let options = ConvertOptions { spacing: args.spacing, ..args.coding.options() };
    let options = options.apply(&mut volume, VolumeFormat::Bwv);
    let options = options.map_err(|error| coding_failure(error).of(input.name()))?;
    let mut header = volume.header.clone();
    let existing = args.overwrite.existing();
    let what = (VolumeFormat::Bwv, &options, None, ZarrOptions::default());
    let written = write(volume, what, &input.name(), &output, existing, args.common.quiet)?;
    header.brick = written.volume.brick.unwrap_or(header.brick);
    let choice = written.volume.sample;
    let file_bytes = written.file_bytes;
    let raw_bytes = header.raw_bytes().map_err(Failure::usage)?;
    let voxel_count = raw_bytes / (header.channels * header.voxel_type.byte_count()) as u64;
    let brick = header.brick.dims();
    let report = VolumeEncodeReport {
        command: "volume encode",
        input: input.name(),
        output: output.name(),
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        channels: header.channels,
        frames: header.frames,
        levels: header.mip_levels,
        brick: [brick.x, brick.y, brick.z],
        sample: choice.map(sample),
        profile: header.profile.name(),
        raw_bytes,
        file_bytes,
        bits_per_voxel: 8.0 * file_bytes as f64 / voxel_count as f64,
        seconds: written.time.as_secs_f64(),
    };
    let mut text = format!(
        "{} → {}  {}  {}  {:.3} bits per voxel  {}{}\n",
        printable(&report.input),
        printable(&report.output),
        shape(&header),
        Bytes(file_bytes),
        report.bits_per_voxel,
        Ratio(raw_bytes, file_bytes),
        Pace(raw_bytes, written.time),
    );
    if let Some(choice) = choice {
        text += &format!("  bricks of {}, the smallest of a sample: {}\n", choice.size, of_sample(&choice));
    }
    args.common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}

fn sample(choice: BrickChoice) -> BrickSampleReport {
    let [bits_per_voxel_4, bits_per_voxel_8, bits_per_voxel_flat] = choice.bits_per_voxel;
    BrickSampleReport { bits_per_voxel_4, bits_per_voxel_8, bits_per_voxel_flat }
}

/// Returns `4×4×4 4.734, 8×8×8 4.531, 16×16×1 4.9 bits per voxel`.
fn of_sample(choice: &BrickChoice) -> String {
    let sizes = BrickSize::ALL.iter().zip(choice.bits_per_voxel);
    let sizes: Vec<_> = sizes.map(|(size, bits)| format!("{size} {bits:.3}")).collect();
    format!("{} bits per voxel", sizes.join(", "))
}
