//! `brickwork volume slice`: a slice of a volume as a PNG.

use super::{
    args::{CommonArgs, OverwriteArgs},
    channels::{self, ChannelArgs},
    failure::volume_failure,
    input::{MemoryArgs, RawArgs, print_notes},
    output::{check_extension, note_png},
    overlay::{OpenOverlay, OverlayArgs},
    values,
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    output::{self, Output},
    report::{Bytes, VolumeAxis, VolumeSliceReport, note, printable},
    values::named,
};
use brickwork_toolkit::volume::{SliceOptions, SliceOrientation, SlicePixels, VolumeError, read_slice};
use brickwork_volume::Task;
use std::path::PathBuf;

/// Show a slice of a volume as a PNG: grey, or labels and several channels in colours
///
/// The volume may be of any format that "brickwork volume convert" reads. From a .bwv file, only the chunks
/// that the slice touches are read; from others, all slices up to it. Without --window, the window of DICOM
/// is used, else the slice's values without the smallest and the largest half percent.
///
/// The PNG's horizontal axis is x (y for --axis x). Its vertical axis points down and is y (z for --axis x
/// and y). If voxels are not cubes, the image is stretched to true proportions. If the directions of a scan
/// are known, the head is up (in axial slices, the front). If the spacing is known, the PNG states its
/// physical size.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume slice scan.bwv --axis z --index 100 -o slice.png
  brickwork volume slice scan.bwv --axis y --index 256 --window 0..2000 -o side.png
  brickwork volume slice ct.bwv --axis coronal --window -160..240 -o soft-tissue.png       in HU
  brickwork volume slice ct.bwv --axis sagittal --marks -o marked.png
  brickwork volume slice scan.nii.gz --overlay regions.nii.gz --overlay-outline 2 -o outlines.png
  brickwork volume slice cells.bwv --channel 0:#ff00ff,1:#00ff00:200..3000 -o cells.png
  brickwork volume slice ct/ --axis x -o side.png         a folder of DICOM or PNG slices
  brickwork volume slice scan.raw --dims 512x512x361 --type u16 -o middle.png")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Axis perpendicular to the slice: one of the volume, or one of the patient's, with the head up, or the
    /// front in axial slices
    #[arg(long, value_name = "AXIS", default_value = "z")]
    #[arg(value_parser = named(SliceOrientation::ALL, SliceOrientation::name))]
    axis: SliceOrientation,

    /// Index of the slice, counted from 0 [default: the middle one]
    #[arg(long, value_name = "N")]
    index: Option<usize>,

    /// Mip level: 0 is the volume itself, 1 half its size, …
    #[arg(long, value_name = "N", default_value = "0")]
    level: usize,

    /// Frame [default: 0]
    #[arg(long, value_name = "N")]
    frame: Option<usize>,

    #[command(flatten)]
    channel: ChannelArgs,

    /// One pixel per voxel, in storage order: without true proportions, without turning the head up
    #[arg(long)]
    pixels: bool,

    /// Letters at the edges where the directions of a scan are known: R and L, A and P (front and back), S
    /// and I (head and feet)
    #[arg(long)]
    marks: bool,

    /// Values shown as black and as white: physical values, such as Hounsfield units, if the file states how
    /// to compute them, else stored numbers
    #[arg(long, value_name = "LOW..HIGH", value_parser = values::window, allow_hyphen_values = true)]
    window: Option<[f64; 2]>,

    /// Treat the values of --window as stored numbers, even if the file states how to compute physical values
    #[arg(long)]
    stored: bool,

    #[command(flatten)]
    overlay: OverlayArgs,

    /// Draw the outlines of the labels, so many pixels wide, instead of their areas
    #[arg(
        long,
        value_name = "PIXELS",
        value_parser = values::outline,
        requires = "overlay",
        help_heading = "Overlay"
    )]
    overlay_outline: Option<usize>,

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

/// Writes the slice that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (input, common) = (Input::of(&args.input), &args.common);
    let output = Output::of(&args.output);
    check_extension(&output, "png", "name it .png")?;
    let failed = |error: VolumeError| {
        let is_large = matches!(error, VolumeError::LargeSlice { .. });
        let failure = args.overlay.failure(error, volume_failure).of(input.name());
        if is_large { failure.hint("use --pixels") } else { failure }
    };
    let opened = args.raw.open_input(&input, args.memory.max_memory)?;
    print_notes(opened.notes(), &input.name(), common.quiet);
    let options = SliceOptions::default().with(|o| {
        (o.axis, o.index, o.window) = (args.axis, args.index, args.window);
        (o.stored_values, o.stored_pixels, o.marks) = (args.stored, args.pixels, args.marks);
        o.channel.clone_from(&args.channel.channel);
    });
    let part = options.select(opened, args.level, args.frame.unwrap_or(0)).map_err(failed)?;
    let tell_notes = |notes: &[String]| {
        for text in notes.iter().filter(|_| !common.quiet) {
            note(&format!("{}: {text}", input.name()));
        }
    };
    tell_notes(&options.notes(&part).map_err(failed)?);
    options.index(part.header()).map_err(failed)?;
    let OpenOverlay { overlay, name: overlay_name, inputs } = args.overlay.open(
        &part,
        &input.name(),
        args.overlay_outline,
        args.memory.max_memory,
        common.quiet,
    )?;
    output.check(args.overwrite.existing(), &inputs)?;
    note_png(&output, args.common.quiet);
    common.start()?;
    let slice = read_slice(part, overlay, &options, &Task::new()).map_err(failed)?;
    tell_notes(&slice.notes);
    args.overlay.print_notes(&slice.overlay_notes, common.quiet);
    let side = |side: usize| {
        let wide = |_| Failure::new(Exit::Unsupported, "is too wide for PNG").of(input.name());
        u32::try_from(side).map_err(wide)
    };
    let (width, height) = (side(slice.width)?, side(slice.height)?);
    let file_bytes = output::write(&output, args.overwrite.existing(), |sink| {
        slice.write_png(sink, &Task::new()).map_err(|error| Failure::new(Exit::Io, error))
    })?;
    let report = VolumeSliceReport {
        command: "volume slice",
        input: input.name(),
        output: output.name(),
        axis: [VolumeAxis::X, VolumeAxis::Y, VolumeAxis::Z][slice.axis],
        index: slice.index,
        width,
        height,
        window: slice.window,
        unit: slice.unit,
        added_channels: channels::reports(&slice.channels),
        overlay: overlay_name,
        file_bytes,
    };
    let unit = report.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let shown = match (report.window, &slice.pixels) {
        (Some([low, high]), _) => format!("{low} to {high}{unit}"),
        (None, _) if !report.added_channels.is_empty() => channels::text(&report.added_channels),
        (None, SlicePixels::Colors(_)) => "labels".to_owned(),
        (None, SlicePixels::Grey(_)) => "no finite value".to_owned(),
    };
    let text = format!(
        "{} → {}  {width}×{height}, {shown}  {}\n",
        printable(&report.input),
        printable(&report.output),
        Bytes(file_bytes),
    );
    common.print(&text, &report, output == Output::Stdout)?;
    Ok(Exit::Ok)
}
