//! `brickwork volume render`: a picture of a volume, or an orbit of pictures.

mod look;
mod report;
mod source;
mod transfer;
mod values;

use self::{
    look::{Choice, LookArgs, Mode},
    source::{Loaded, Pictures, render_failure},
    values::{Angles, Color, Level},
};
use super::{
    args::{CommonArgs, OverwriteArgs},
    failure::{failure, read_failure},
    input::{MemoryArgs, RawArgs, file_ids, open_bwv, print_notes},
    output::check_extension,
    values::spacing,
};
use crate::{
    device::DeviceArgs,
    exit::Exit,
    failure::Failure,
    input::{FileId, Input},
    output::{self, Output},
    report::with_progress,
};
use brickwork_texture::{
    ColorSpace,
    image_file::{PngTexels, write_png},
};
use brickwork_toolkit::report::VolumeRenderReport;
use brickwork_volume::{
    OpenedVolume, Progress, Region, ResidentOptions, ResidentVolume, Selection, ShapeError, Spacing, Stage,
    Task, VolumeFormat, VolumeReadError, VoxelKind, read_frame,
    render::{Camera, Focus, NarrowVoxels, Projection, RenderStatistics, Renderer, Rendering, Up},
};
use std::{fs, path::PathBuf, sync::Arc, time::Instant};

/// Render a picture of a volume as a PNG
///
/// The volume may be of any format that "brickwork volume convert" reads. Mode, colours and camera are chosen
/// to suit it; options override them. The picture shows what stands out: the camera is as near as it can be
/// without cutting off any of that.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume render scan.bwv -o scan.png
  brickwork volume render ct/ -o skin.png --transfer ct-skin --camera 30,10
  brickwork volume render scan.nrrd -o surface.png --iso 300 --background white
  brickwork volume render atlas.nii.gz -o atlas.png --mode labels
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

    /// Print what rendering took: samples, bricks read, time
    #[arg(long, conflicts_with = "quiet", help_heading = "Output")]
    stats: bool,

    /// Width and height of the picture in pixels
    #[arg(
        long,
        value_name = "WxH",
        value_parser = values::size,
        default_value = "1024x768",
        help_heading = "Picture"
    )]
    size: [u32; 2],

    #[command(flatten)]
    look: LookArgs,

    /// Background: black, white, transparent, or a colour such as #1a2b3c [default: black for mip, else
    /// nearly black]
    #[arg(long, value_name = "COLOR", value_parser = values::color, help_heading = "Picture")]
    background: Option<Color>,

    /// Azimuth and elevation of the camera in degrees, and its zoom: 1 shows all, 2 is twice as near
    #[arg(
        long,
        value_name = "AZIMUTH,ELEVATION[,ZOOM]",
        value_parser = values::camera,
        default_value = "30,15",
        allow_hyphen_values = true,
        help_heading = "Camera"
    )]
    camera: Angles,

    /// Axis of the world that is up in the picture: x, -x, y, -y, z or -z [default: -y for TIFF and folders
    /// of PNG, else z, the head of a patient]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, help_heading = "Camera")]
    up: Option<Up>,

    /// No perspective: what is farther away is not smaller
    #[arg(long, help_heading = "Camera")]
    orthographic: bool,

    /// Distance between samples, in units of the smallest distance between voxels
    #[arg(long, value_name = "N", default_value = "0.5", help_heading = "Camera")]
    step: f64,

    /// Render N pictures around the volume into the folder of -o: frame-0000.png, …
    #[arg(long, value_name = "N", value_parser = values::orbit, help_heading = "Camera")]
    orbit: Option<u32>,

    /// Mip level of a .bwv file: 0 is the volume itself, 1 half its size, …; auto is the one whose voxels are
    /// as large as pixels
    #[arg(
        long,
        visible_alias = "mip",
        value_name = "N|auto",
        value_parser = values::level,
        default_value = "0",
        help_heading = "Selection"
    )]
    level: Level,

    /// Frame, counted from 0
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    frame: usize,

    /// Channel, counted from 0
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    channel: usize,

    /// The voxels are labels (segmentation IDs), not intensities
    #[arg(long, help_heading = "Selection")]
    labels: bool,

    #[command(flatten)]
    raw: RawArgs,

    /// Distance between voxels along x, y and z [default: what the input says, or 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = spacing, allow_hyphen_values = true)]
    spacing: Option<Spacing>,

    #[command(flatten)]
    device: DeviceArgs,

    /// GPU memory limit for bricks, such as 2GiB; those of larger volumes are loaded as rays need them
    /// [default: the whole volume where it fits, else 1GiB]
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

/// The background but for MIP.
const BACKGROUND: Color = [0.09, 0.098, 0.118, 1.0];

/// Renders what the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let named = |failure: Failure| failure.of(input.name());
    let start = Instant::now();
    let (mut volume, level) = args.open(&input)?;
    volume.header.spacing = args.spacing.unwrap_or(volume.header.spacing);
    if args.labels {
        volume.header.kind = VoxelKind::Labels;
    }
    let mode = args.look.mode(volume.header.kind)?;
    if mode == Mode::Labels {
        volume.header.kind = VoxelKind::Labels;
    }
    let up = args.up.unwrap_or_else(|| Up::suited_to(volume.format, &volume.header));
    // What is wrong with the camera or the size is said before the volume is read.
    args.cameras(up, None)[0].view(&volume.header, args.size[0], args.size[1]).map_err(Failure::usage)?;
    let outputs = args.outputs(&file_ids(&volume))?;
    args.common.start()?;
    let devices = args.device.open(args.common.quiet)?;
    let header = volume.header.clone();
    let gpu = devices.device("rendering").gpu();
    let loaded = args.load(volume, level, &input, gpu.is_some())?;
    let bricks = loaded.bricks(&header).map_err(named)?;
    let Choice { mode, transfer, iso, look } = args.look.choose(mode, &*bricks).map_err(named)?;
    let background = if mode == Mode::Mip { [0.0, 0.0, 0.0, 1.0] } else { BACKGROUND };
    let renderer = Renderer::new(bricks, look, &Task::new()).map_err(|error| named(render_failure(error)))?;
    let renderer = renderer.with_background(args.background.unwrap_or(background));
    let focus = renderer.focus(&Task::new()).map_err(|error| named(render_failure(error)))?;
    let cameras = args.cameras(up, focus);
    let mut pictures = Pictures::new(&devices, gpu, &loaded, &renderer, args.gpu_memory)?;
    let prepare_seconds = start.elapsed().as_secs_f64();
    let rendered = with_progress(&input.name(), args.common.quiet, |task| {
        let frame_count = cameras.len() as u64;
        let mut rendered = Rendered::default();
        for (number, (camera, output)) in cameras.iter().zip(&outputs).enumerate() {
            let view = camera.view(&header, args.size[0], args.size[1]).map_err(Failure::usage)?;
            let start = Instant::now();
            let count = |part: Progress| {
                let (done, total) = (number as u64 * part.total + part.done, frame_count * part.total);
                task.report(Stage::Rendering, done, total);
            };
            let picture = pictures.render(&view, &Task::new().with_progress(&count))?;
            rendered.seconds += start.elapsed().as_secs_f64();
            rendered.statistics += picture.statistics;
            rendered.file_bytes += args.write(&picture, output)?;
        }
        Ok::<_, Failure>(rendered)
    })?;
    let report = VolumeRenderReport {
        command: "volume render",
        input: input.name(),
        output: Output::of(&args.output).name(),
        width: args.size[0],
        height: args.size[1],
        pictures: outputs.len(),
        mode: mode.into(),
        transfer,
        iso,
        level,
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        device: pictures.adapter().map_or("cpu", |_| "gpu"),
        adapter: pictures.adapter(),
        prepare_seconds,
        render_seconds: rendered.seconds,
        samples: rendered.statistics.samples,
        hit_rate: rendered.statistics.hit_rate(),
        bricks_read: rendered.statistics.brick_reads,
        volumes_decoded: rendered.statistics.volumes_decoded(),
        file_bytes: rendered.file_bytes,
    };
    let text = report::text(&report, &header, args.stats);
    devices.save_kernels();
    args.common.print(&text, &report, Output::of(&args.output) == Output::Stdout)?;
    Ok(Exit::Ok)
}

/// What all pictures took.
#[derive(Default)]
struct Rendered {
    seconds: f64,
    statistics: RenderStatistics,
    file_bytes: u64,
}

impl Args {
    /// Opens the input, of a `.bwv` file what is selected; and says which mip level that is.
    fn open(&self, input: &Input) -> Result<(OpenedVolume, usize), Failure> {
        let named = |failure: Failure| failure.of(input.name());
        let is_bwv = |path| VolumeFormat::detect(path).is_ok_and(|format| format == VolumeFormat::Bwv);
        if let Input::File(path) = input
            && is_bwv(path)
            && !self.raw.is_any()
        {
            let file = open_bwv(input)?;
            let header = file.header();
            let count = header.mip_levels;
            let mip_level = match self.level {
                Level::Of(level) if level >= count => {
                    let error = ShapeError::Selected { what: "level", index: level, count };
                    return Err(named(Failure::usage(error)));
                }
                Level::Of(level) => level,
                Level::Auto => {
                    let camera = &self.cameras(Up::Z, None)[0];
                    camera.mip_level(header, self.size[0], self.size[1]).map_err(Failure::usage)?
                }
            };
            let frames = Some(self.frame..self.frame.saturating_add(1));
            let selection = Selection { mip_level, frames, channel: Some(self.channel) };
            let region = Region::all(header.mip_level_dims(mip_level));
            let volume = OpenedVolume::from_region(file, selection, region, &Task::new());
            let mut volume = volume.map_err(|error| named(Failure::usage(error)))?;
            volume.files = vec![path.clone()];
            return Ok((volume, mip_level));
        }
        let volume = self.raw.open(input, self.memory.max_memory)?;
        print_notes(&volume, &input.name(), self.common.quiet);
        if let Level::Of(index @ 1..) = self.level {
            let error = ShapeError::Selected { what: "level", index, count: 1 };
            return Err(named(Failure::usage(error)).hint("only .bwv files have smaller mip levels"));
        }
        let selected =
            [("frame", self.frame, volume.header.frames), ("channel", self.channel, volume.header.channels)];
        for (what, index, count) in selected {
            if index >= count {
                return Err(named(Failure::usage(ShapeError::Selected { what, index, count })));
            }
        }
        Ok((volume, 0))
    }

    /// The voxels of the frame: of a `.bwv` file compressed as they are, of others so for a GPU.
    fn load(
        &self,
        volume: OpenedVolume,
        level: usize,
        input: &Input,
        for_gpu: bool,
    ) -> Result<Loaded, Failure> {
        let named = |error: VolumeReadError| read_failure(&error).of(input.name());
        let OpenedVolume { header, order, voxels, format, .. } = volume;
        let options = ResidentOptions::new();
        // Some hundred pages at a time.
        let page_bytes = self.gpu_memory.map_or(u64::MAX, |memory| memory / 256);
        let page_bytes = options.page_bytes().min(usize::try_from(page_bytes).unwrap_or(usize::MAX));
        let options = options.with_page_bytes(page_bytes);
        if let (VolumeFormat::Bwv, Input::File(_), 1) = (format, input, header.voxel_type.word_count()) {
            let options = options.with_mip_level(level).with_frame(self.frame).with_channel(self.channel);
            let volume =
                ResidentVolume::from_file(&open_bwv(input)?, &options, &Task::new()).map_err(named)?;
            return Ok(Loaded::Compressed(Arc::new(volume.with_kind(header.kind))));
        }
        let frame = if header.frames == 1 { 0 } else { self.frame };
        let read = with_progress(&input.name(), self.common.quiet, |task| {
            read_frame(voxels, order, &header, frame, task)
        });
        let voxels = read.map_err(|error| failure(error.kind(), error).of(input.name()))?;
        let channel = if header.channels == 1 { 0 } else { self.channel };
        let narrow = NarrowVoxels::from_any(voxels, header.channels, channel, header.kind, &Task::new());
        let voxels = narrow.map_err(named)?.into_voxels();
        if !for_gpu {
            return Ok(Loaded::Raw(Arc::new(voxels)));
        }
        let volume = ResidentVolume::from_any(&voxels, header.dims, 1, header.kind, &options, &Task::new());
        Ok(Loaded::Compressed(Arc::new(volume.map_err(named)?)))
    }

    /// One camera per picture.
    fn cameras(&self, up: Up, focus: Option<Focus>) -> Vec<Camera> {
        let Angles { azimuth, elevation, zoom } = self.camera;
        let count = self.orbit.unwrap_or(1);
        let camera = |number: u32| Camera {
            azimuth: azimuth + 360.0 * f64::from(number) / f64::from(count),
            elevation,
            zoom,
            projection: if self.orthographic { Projection::Orthographic } else { Projection::default() },
            up,
            focus: focus.clone(),
            is_orbiting: self.orbit.is_some(),
            step: self.step,
            ..Camera::default()
        };
        (0..count).map(camera).collect()
    }

    /// Where pictures go. The folder of an orbit is created.
    fn outputs(&self, inputs: &[FileId]) -> Result<Vec<Output>, Failure> {
        let outputs: Vec<Output> = match self.orbit {
            None => vec![Output::of(&self.output)],
            Some(_) if self.output.as_os_str() == "-" => {
                return Err(Failure::usage("--orbit writes a folder of pictures").hint("use -o FOLDER/"));
            }
            Some(count) => {
                fs::create_dir_all(&self.output)
                    .map_err(|error| Failure::io(&error).of_path(&self.output))?;
                let path = |number| self.output.join(format!("frame-{number:04}.png"));
                (0..count).map(|number| Output::File(path(number))).collect()
            }
        };
        for output in &outputs {
            output.check(self.overwrite.existing(), inputs)?;
            check_extension(output, "png", "name it .png")?;
        }
        Ok(outputs)
    }

    fn write(&self, picture: &Rendering, output: &Output) -> Result<u64, Failure> {
        let opaque: Option<Vec<[u8; 3]>> = picture
            .pixels
            .iter()
            .map(|&[red, green, blue, alpha]| (alpha == 255).then_some([red, green, blue]))
            .collect();
        let texels = opaque.as_deref().map_or(PngTexels::Rgba8(&picture.pixels), PngTexels::Rgb8);
        output::write(output, self.overwrite.existing(), |sink| {
            write_png(sink, picture.width, picture.height, texels, ColorSpace::Srgb, &Task::new())
                .map_err(|error| Failure::new(Exit::Io, error))
        })
    }
}
