//! `brickwork volume slice`: a slice of a volume as a grey PNG.

use super::{
    args::{CommonArgs, OverwriteArgs, SelectionArgs},
    failure::{failure, read_failure},
    input::{AnyVolume, BwvBytes, MemoryArgs, RawArgs, file_ids, open_any, print_notes},
    output::check_extension,
    slice_picture::{Picture, is_upside_down, true_size, with_physical_size},
    values::Part,
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    output::{self, Output},
    report::{Bytes, printable},
};
use brickwork_texture::{
    ColorSpace,
    image_file::{PngTexels, write_png},
};
use brickwork_toolkit::report::{VolumeAxis, VolumeSliceReport};
use brickwork_volume::{
    Dims, OpenedVolume, Region, Selection, ShapeError, Task, VolumeFile, VolumeReadError, VoxelKind,
    VoxelStreamError, read_frame, with_voxel_type,
};
use clap::ValueEnum;
use std::{
    io::{self, Read as _},
    path::PathBuf,
};

/// Show a slice of a volume as a grey PNG
///
/// The volume may be of any format that "brickwork volume convert" reads. Of a .bwv file only the chunks that
/// the slice touches are read, of others all slices up to it. Without --window, the slice's smallest value is
/// black and its largest white. The PNG's horizontal axis is x (y for --axis x); its vertical axis,
/// downwards, is y (z for --axis x and y). Where voxels are not cubes, the picture is stretched to true
/// proportions. Where the directions of a scan are known, the head is up (in axial slices the front), and the
/// PNG states its physical size.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume slice scan.bwv --axis z --index 100 -o slice.png
  brickwork volume slice scan.bwv --axis y --index 256 --window 0,2000 -o side.png
  brickwork volume slice ct.bwv --window -160,240 -o soft-tissue.png       in HU
  brickwork volume slice ct/ --axis x -o side.png         a folder of DICOM or PNG slices
  brickwork volume slice scan.raw --dims 512x512x361 --type u16 -o middle.png")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Axis that the slice is perpendicular to
    #[arg(long, value_name = "AXIS", default_value = "z")]
    axis: Axis,

    /// Index of the slice, from 0 [default: the middle one]
    #[arg(long, value_name = "N")]
    index: Option<usize>,

    /// Mip level: 0 is the volume itself, 1 half its size, …
    #[arg(long, value_name = "N", default_value = "0")]
    level: usize,

    /// Frame [default: 0]
    #[arg(long, value_name = "N")]
    frame: Option<usize>,

    /// Channel [default: 0]
    #[arg(long, value_name = "N")]
    channel: Option<usize>,

    /// One pixel per voxel, as they are stored: no true proportions, no head up
    #[arg(long)]
    pixels: bool,

    /// Values shown as black and as white: physical values, such as Hounsfield units, where the file says
    /// how to compute them, else stored numbers
    #[arg(long, value_name = "LOW,HIGH", value_parser = window, allow_hyphen_values = true)]
    window: Option<(f64, f64)>,

    /// PNG to write, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    overwrite: OverwriteArgs,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Axis {
    X,
    Y,
    Z,
}

fn window(text: &str) -> Result<(f64, f64), String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match numbers {
        Some((low, high)) if low < high => Ok((low, high)),
        _ => Err("expected two numbers, the lower one first, such as 0,2000".to_owned()),
    }
}

/// Writes the slice that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (input, common) = (Input::of(&args.input), &args.common);
    let output = Output::of(&args.output);
    check_extension(&output, "png", "name it .png")?;
    let volume = open_any(&input, &args.raw, args.memory.max_memory)?;
    if let AnyVolume::Other(volume) = &volume {
        print_notes(volume, &input.name(), common.quiet);
    }
    let named = |failure: Failure| failure.of(input.name());
    let header = volume.header().clone();
    let header = &header;
    let frame = args.frame.unwrap_or(0);
    let frames = Some(Part(frame, frame.checked_add(1)));
    let channel = args.channel.or((header.channels > 1).then_some(0));
    let selection = SelectionArgs { level: args.level, frames, channel }.of(header).map_err(named)?;
    let dims = header.mip_level_dims(selection.mip_level);
    let (width, height, depth) = match args.axis {
        Axis::X => (dims.y, dims.z, dims.x),
        Axis::Y => (dims.x, dims.z, dims.y),
        Axis::Z => (dims.x, dims.y, dims.z),
    };
    let index = args.index.unwrap_or(depth / 2);
    if index >= depth {
        let reason = format!("there are {depth} slices, the last is {}", depth - 1);
        return Err(named(Failure::usage(reason)));
    }
    let mut region = Region::all(dims);
    match args.axis {
        Axis::X => region.x = index..index + 1,
        Axis::Y => region.y = index..index + 1,
        Axis::Z => region.z = index..index + 1,
    }
    let inputs = match &volume {
        AnyVolume::Bwv(_) => input.id().into_iter().collect(),
        AnyVolume::Other(volume) => file_ids(volume),
    };
    output.check(args.overwrite.existing(), &inputs)?;
    common.start()?;
    let mut values = match volume {
        AnyVolume::Bwv(file) => {
            values(&file, &selection, &region).map_err(|error| named(read_failure(&error)))?
        }
        AnyVolume::Other(volume) => {
            let read = values_of_stream(volume, frame, channel.unwrap_or(0), &region);
            read.map_err(|error| named(failure(error.kind(), error)))?
        }
    };
    let rescaling = header.rescaling();
    if let Some(rescaling) = &rescaling {
        let slice_of = |row: usize| if args.axis == Axis::Z { index } else { row };
        for (row, values) in values.chunks_exact_mut(width).enumerate() {
            // Where a slice of a smaller mip level stands for several, that of the first holds.
            let line = rescaling.at(slice_of(row) << selection.mip_level);
            values.iter_mut().for_each(|value| *value = line.of(*value));
        }
    }
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let range = || Some((finite().reduce(f64::min)?, finite().reduce(f64::max)?));
    let window = args.window.or_else(range);
    let (low, high) = window.unwrap_or_default();
    let scale = if high > low { 255.0 / (high - low) } else { 0.0 };
    // NaN is black, like values below the window.
    let texels: Vec<u8> = values.iter().map(|value| ((value - low) * scale).round() as u8).collect();
    let down = if args.axis == Axis::Z { 1 } else { 2 };
    let spacing = match args.axis {
        Axis::X => [header.spacing.y, header.spacing.z],
        Axis::Y => [header.spacing.x, header.spacing.z],
        Axis::Z => [header.spacing.x, header.spacing.y],
    };
    let mut picture = Picture { width, height, pixels: texels };
    if !args.pixels {
        if is_upside_down(header, down) {
            picture.flip();
        }
        let (width, height) = true_size(width, height, spacing).map_err(|(width, height)| {
            let reason = format!("is {width}×{height} pixels in true proportions");
            named(Failure::new(Exit::Unsupported, reason).hint("use --pixels"))
        })?;
        if (width, height) != (picture.width, picture.height) {
            picture = picture.stretched(width, height, header.kind == VoxelKind::Labels);
        }
    }
    let step = 2f64.powi(selection.mip_level as i32);
    let millimetres = [
        spacing[0] * step * width as f64 / picture.width as f64,
        spacing[1] * step * height as f64 / picture.height as f64,
    ];
    let has_size = header.is_anatomical() && millimetres.iter().all(|side| side.is_normal() && *side > 0.0);
    let Picture { width, height, pixels } = picture;
    let side = |side: usize| {
        u32::try_from(side).map_err(|_| named(Failure::new(Exit::Unsupported, "is too wide for PNG")))
    };
    let (width, height) = (side(width)?, side(height)?);
    let file_bytes = output::write(&output, args.overwrite.existing(), |sink| {
        let mut png = Vec::new();
        write_png(&mut png, width, height, PngTexels::Grey8(&pixels), ColorSpace::Srgb, &Task::new())
            .map_err(|error| Failure::new(Exit::Io, error))?;
        if has_size {
            png = with_physical_size(&png, millimetres);
        }
        sink.write_all(&png).map_err(|error| Failure::io(&error))
    })?;
    let report = VolumeSliceReport {
        command: "volume slice",
        input: input.name(),
        output: output.name(),
        axis: match args.axis {
            Axis::X => VolumeAxis::X,
            Axis::Y => VolumeAxis::Y,
            Axis::Z => VolumeAxis::Z,
        },
        index,
        width,
        height,
        window: window.map(|(low, high)| [low, high]),
        unit: rescaling.as_ref().and_then(|rescaling| rescaling.unit().map(str::to_owned)),
        file_bytes,
    };
    let unit = report.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let shown = window.map_or("no finite value".to_owned(), |(low, high)| format!("{low} to {high}{unit}"));
    let text = format!(
        "{} → {}  {width}×{height}, {shown}  {}\n",
        printable(&report.input),
        printable(&report.output),
        Bytes(file_bytes),
    );
    common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}

/// The voxels of `region` as numbers; those of 64 bits are rounded.
#[allow(clippy::unnecessary_cast, reason = "of f64 alone")]
fn values(
    file: &VolumeFile<BwvBytes>,
    selection: &Selection,
    region: &Region,
) -> Result<Vec<f64>, VolumeReadError> {
    with_voxel_type!(file.header().voxel_type, T => {
        let read = file.read_selected::<T>(selection, region, &Task::new())?;
        Ok(read.into_iter().map(|voxel| voxel as f64).collect())
    })
}

/// Those of a volume that comes slice by slice; a slice is held at a time.
#[allow(clippy::unnecessary_cast, reason = "of f64 alone")]
fn values_of_stream(
    mut volume: OpenedVolume,
    frame: usize,
    channel: usize,
    region: &Region,
) -> Result<Vec<f64>, VoxelStreamError> {
    let header = &volume.header;
    for (what, index, count) in [("frame", frame, header.frames), ("channel", channel, header.channels)] {
        if index >= count {
            return Err(ShapeError::Selected { what, index, count }.into());
        }
    }
    let (dims, channels, voxel_type) = (header.dims, header.channels, header.voxel_type);
    let row_bytes = dims.x * channels * voxel_type.byte_count();
    let slice = header.clone().with(|header| {
        header.frames = 1;
        header.dims = Dims { z: 1, ..dims };
    });
    let mut skipped = ((frame * dims.z + region.z.start) as u64) * slice.raw_bytes()?;
    skipped -= io::copy(&mut (&mut volume.voxels).take(skipped), &mut io::sink())?;
    if skipped > 0 {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let mut values = Vec::new();
    for _ in region.z.clone() {
        let part = (&mut volume.voxels).take((row_bytes * dims.y) as u64);
        let voxels = read_frame(part, volume.order, &slice, 0, &Task::new())?;
        with_voxel_type!(voxel_type, T => {
            let numbers = voxels.as_slice::<T>().unwrap_or_default();
            for y in region.y.clone() {
                let row = numbers[y * dims.x * channels..].iter().skip(channel).step_by(channels);
                values.extend(row.skip(region.x.start).take(region.x.len()).map(|number| *number as f64));
            }
        });
    }
    Ok(values)
}
