//! `brickwork volume render`: a rendering of a volume, or an orbit of renderings.

mod look;
mod report;
mod target;

use self::{look::LookArgs, target::Target};
use super::{
    args::{CommonArgs, OverwriteArgs},
    channels::{self, ChannelArgs},
    failure::{render_failure, volume_failure},
    input::{MemoryArgs, RawArgs, print_notes},
    overlay::{OpenOverlay, OverlayArgs},
};
use crate::{
    device::{DeviceArgs, Devices},
    exit::Exit,
    failure::Failure,
    input::Input,
    output::{self, Output},
    report::{Bytes, VolumeRenderReport, note, with_progress},
};
use brickwork_formats::VolumeFormat;
use brickwork_toolkit::volume::{
    Painter, RenderOptions, Renderings, VolumeError, VolumePart, encode_rendering,
    values::{self, CameraPosition, LevelChoice},
};
use brickwork_volume::{
    Progress, ShapeError, Spacing, Stage, Task,
    render::{RenderStatistics, Rendering, Up},
};
use std::{path::PathBuf, time::Instant};

/// Render a volume to a PNG
///
/// The volume may be of any format that "brickwork volume convert" reads. By default, mode, colours and
/// camera suit the volume; options override them. The camera is as close as it can be without cutting off
/// anything visible.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume render scan.bwv -o scan.png
  brickwork volume render ct/ -o skin.png --transfer ct-skin --camera 30,10
  brickwork volume render scan.nrrd -o surface.png --iso 300 --background white
  brickwork volume render atlas.nii.gz -o atlas.png --mode labels
  brickwork volume render scan.nii.gz --overlay regions.nii.gz --overlay-labels 1,3-5 -o regions.png
  brickwork volume render cells.bwv --channel 0:#ff00ff,1:#00ff00:200..3000 -o cells.png
  brickwork volume render scan.raw --dims 512x512x361 --type u16 -o scan.png --up -z
  brickwork volume render scan.bwv --orbit 36 -o frames/")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// PNG to write, or - for standard output; with --orbit a folder
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    overwrite: OverwriteArgs,

    /// Print the cost of rendering: samples, bricks read, time
    #[arg(long, conflicts_with = "quiet", help_heading = "Output")]
    stats: bool,

    /// Width and height of the rendering in pixels
    #[arg(
        long,
        value_name = "WxH",
        value_parser = values::size,
        default_value = "1024x768",
        help_heading = "Rendering"
    )]
    size: [u32; 2],

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    overlay: OverlayArgs,

    /// Background: black, white, transparent, or a colour such as #1a2b3c [default: black for mip, else
    /// nearly black]
    #[arg(long, value_name = "COLOR", value_parser = values::color, help_heading = "Rendering")]
    background: Option<values::Color>,

    /// Azimuth and elevation of the camera in degrees, and its zoom: 1 shows everything, 2 is twice as close
    /// [default: 30,15, or 0,0 for stacks of images, whose first slice faces the viewer]
    #[arg(
        long,
        value_name = "AZIMUTH,ELEVATION[,ZOOM]",
        value_parser = values::camera,
        allow_hyphen_values = true,
        help_heading = "Camera"
    )]
    camera: Option<CameraPosition>,

    /// World axis that points up in the rendering: x, -x, y, -y, z or -z [default: -y for stacks of images,
    /// else z, the head of a patient]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, help_heading = "Camera")]
    up: Option<Up>,

    /// Use an orthographic projection, without perspective
    #[arg(long, help_heading = "Camera")]
    orthographic: bool,

    /// Distance between samples, in units of the smallest distance between voxels
    #[arg(long, value_name = "N", default_value = "0.5", help_heading = "Camera")]
    step: f64,

    /// Render N views around the volume into the folder of -o, which must be new or empty:
    /// frame-0000.png, … Another program can make an animation of them: ffmpeg -i frames/frame-%04d.png
    /// orbit.gif
    #[arg(long, value_name = "N", value_parser = values::orbit, help_heading = "Camera")]
    orbit: Option<u32>,

    /// Mip level of a .bwv file or an OME-Zarr group: 0 is the volume itself, 1 half its size, …; auto is the
    /// level whose voxels are as large as pixels
    #[arg(
        long,
        value_name = "N|auto",
        value_parser = values::level,
        default_value = "0",
        help_heading = "Selection"
    )]
    level: LevelChoice,

    /// Frame, counted from 0
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    frame: usize,

    #[command(flatten)]
    channel: ChannelArgs,

    /// The voxels are labels (segmentation IDs), not intensities
    #[arg(long, help_heading = "Selection")]
    labels: bool,

    #[command(flatten)]
    raw: RawArgs,

    /// Distance between voxels along x, y and z in millimetres, or in the unit after the last number: um, nm
    /// or mm, such as 0.2,0.2,1um [default: that of the input, else 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = values::spacing, allow_hyphen_values = true)]
    spacing: Option<Spacing>,

    #[command(flatten)]
    device: DeviceArgs,

    /// GPU memory limit for bricks, such as 2GiB; bricks of larger volumes are loaded as rays need them
    /// [default: the whole volume if it fits, else 1GiB]
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = crate::values::memory_size,
        help_heading = "Machine"
    )]
    gpu_memory: Option<u64>,

    #[command(flatten)]
    memory: MemoryArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Renders the volume that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let named = |failure: Failure| failure.of(input.name());
    let start = Instant::now();
    let options = args.options()?;
    // Mistakes in the camera or the size are reported before the volume is read.
    let (part, [frames, channel_count]) = args.select(&input, &options)?;
    let OpenOverlay { overlay, name: overlay_name, inputs } =
        args.overlay.open(&part, &input.name(), None, args.memory.max_memory, args.common.quiet)?;
    let target = Target::check(args, &inputs)?;
    args.common.start()?;
    let devices = args.device.open(args.common.quiet)?;
    let device = devices.device("rendering").clone();
    let (level, channel) = (part.mip_level(), part.channel());
    let prepared = with_progress(&input.name(), args.common.quiet, |task| {
        Renderings::new(part, overlay, &options, device, task)
    });
    let mut renderings =
        prepared.map_err(|error| named(args.overlay.failure(error, |error| args.look.failure(error))))?;
    args.tell_notes(&input, renderings.notes());
    args.overlay.print_notes(renderings.overlay_notes(), args.common.quiet);
    let (outputs, folder) = target.create()?;
    tell(&devices, renderings.painter());
    let prepare_seconds = start.elapsed().as_secs_f64();
    let rendered = with_progress(&input.name(), args.common.quiet, |task| {
        let frame_count = renderings.count() as u64;
        let mut rendered = Rendered::default();
        for (number, output) in outputs.iter().enumerate() {
            let start = Instant::now();
            let count = |part: Progress| {
                let (done, total) = (number as u64 * part.total + part.done, frame_count * part.total);
                task.report(Stage::Rendering, done, total);
            };
            let was_on_gpu = renderings.painter().is_on_gpu();
            let task = Task::new().with_progress(&count);
            let picture = renderings.render(number, &task).map_err(render_failure)?;
            if was_on_gpu && !renderings.painter().is_on_gpu() {
                tell(&devices, renderings.painter());
            }
            rendered.seconds += start.elapsed().as_secs_f64();
            rendered.statistics += picture.statistics;
            rendered.file_bytes += args.write(&picture, output)?;
        }
        Ok::<_, Failure>(rendered)
    })?;
    folder.map_or(Ok(()), |folder| folder.commit())?;
    let painter = renderings.painter();
    let scene = painter.scene();
    let header = scene.volume().header();
    let look = scene.look();
    let adapter = if painter.is_on_gpu() { painter.device().adapter().map(str::to_owned) } else { None };
    let report = VolumeRenderReport {
        command: "volume render",
        input: input.name(),
        output: Output::of(&args.output).name(),
        width: args.size[0],
        height: args.size[1],
        pictures: outputs.len(),
        mode: look.mode.into(),
        transfer: args.look.file().or_else(|| look.preset.map(|preset| preset.name().to_owned())),
        iso: look.iso,
        overlay: overlay_name,
        level,
        frame: args.frame,
        frames,
        channel: renderings.channels().first().map_or(channel, |shown| shown.index),
        channels: channel_count,
        added_channels: channels::reports(renderings.channels()),
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        device: if adapter.is_some() { "gpu" } else { "cpu" },
        adapter,
        prepare_seconds,
        render_seconds: rendered.seconds,
        samples: rendered.statistics.samples,
        hit_rate: rendered.statistics.hit_rate(),
        bricks_read: rendered.statistics.brick_reads,
        volumes_decoded: rendered.statistics.volumes_decoded(),
        file_bytes: rendered.file_bytes,
    };
    let text = report::text(&report, header, args.stats);
    devices.save_kernels();
    args.common.print(&text, &report, Output::of(&args.output) == Output::Stdout)?;
    Ok(Exit::Ok)
}

/// Reports a GPU that failed or does not hold the whole volume.
fn tell(devices: &Devices, painter: &Painter) {
    devices.tell(None, "rendering", painter.device().fallback());
    if let Some(memory) = painter.paged_memory() {
        devices.note(&format!(
            "the volume takes {} of the GPU's memory: {} of it are loaded at a time, as rays need them",
            Bytes(memory.needed),
            Bytes(memory.loaded),
        ));
    }
}

/// Total cost of all renderings.
#[derive(Default)]
struct Rendered {
    seconds: f64,
    statistics: RenderStatistics,
    file_bytes: u64,
}

impl Args {
    fn options(&self) -> Result<RenderOptions, Failure> {
        let look = self.look.options()?;
        Ok(RenderOptions::default().with(|o| {
            (o.size, o.look, o.background) = (self.size, look, self.background);
            (o.position, o.up, o.is_orthographic) = (self.camera, self.up, self.orthographic);
            (o.step, o.orbit) = (self.step, self.orbit);
            (o.level, o.frame, o.channel) = (self.level, self.frame, self.channel.channel.clone());
            (o.is_labels, o.spacing, o.gpu_memory) = (self.labels, self.spacing, self.gpu_memory);
        }))
    }

    /// Opens the input, and selects a part of it. Also returns the input's numbers of frames and channels.
    fn select(&self, input: &Input, options: &RenderOptions) -> Result<(VolumePart, [usize; 2]), Failure> {
        let opened = self.raw.open_input(input, self.memory.max_memory)?;
        print_notes(opened.notes(), &input.name(), self.common.quiet);
        let format = opened.format();
        let counts = [opened.header().frames, opened.header().channels];
        let part = options.select(opened).map_err(|error| match error {
            VolumeError::Shape(error) => {
                let is_level = matches!(error, ShapeError::Selected { what: "level", .. });
                let failure = volume_failure(VolumeError::from(error)).of(input.name());
                let has_levels = matches!(format, VolumeFormat::Bwv | VolumeFormat::Zarr) || !is_level;
                let hint = "only .bwv files and OME-Zarr groups have smaller mip levels";
                if has_levels { failure } else { failure.hint(hint) }
            }
            VolumeError::Render(error) => Failure::usage(error),
            error => volume_failure(error),
        })?;
        self.tell_notes(input, &options.notes(&part).map_err(volume_failure)?);
        Ok((part, counts))
    }

    fn tell_notes(&self, input: &Input, notes: &[String]) {
        for text in notes.iter().filter(|_| !self.common.quiet) {
            note(&format!("{}: {text}", input.name()));
        }
    }

    fn write(&self, picture: &Rendering, output: &Output) -> Result<u64, Failure> {
        output::write(output, self.overwrite.existing(), |sink| {
            encode_rendering(sink, picture.width, picture.height, &picture.pixels, &Task::new())
                .map_err(|error| Failure::new(Exit::Io, error))
        })
    }
}
