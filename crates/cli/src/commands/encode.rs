//! `brickwork encode`: pictures to DDS and KTX2.

use super::{MachineArgs, decoder_parser};
use crate::{
    device::{Device, DeviceArgs, Devices},
    exit::Exit,
    failure::Failure,
    input::{self, PICTURE_EXTENSIONS, with_texels},
    jobs::{self, Job},
    json,
    output::{Existing, Output},
    report::{self, Bytes, Decibels, Ratio, alpha_mode_name, color_space_name, counted, printable},
    values::{self, FormatChoice, MipLevels},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelWeights, ColorSpace, CpuEncoder, Decoder, EncodeOptions, Encoder as _,
    ImageView, Method, Progress, Quality, Texel, Texture, TextureDesc,
    container::{ContainerFormat, DdsHeader, WriteOptions},
    image_file::Picture,
    metrics::{self, Metrics, MetricsError},
    mips::{self, MipOptions},
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Compress images to block formats, as DDS or KTX2 files
///
/// Reads PNG, JPEG, TGA, BMP, TIFF, WebP, GIF, PNM, DDS and KTX2. The container follows the ending of -o: .dds or
/// .ktx2. Without -o, photo.png becomes photo.dds beside it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork encode photo.png                           photo.dds beside it, BC1, no mip levels
  brickwork encode photo.png -o photo.ktx2 --zstd      KTX2, compressed once more with Zstandard
  brickwork encode rock.png -o out/rock.dds --mips     mip levels down to 1×1
  brickwork encode textures/ -o out/                   every image of a folder
  brickwork encode mask.png -q best --linear           data, not colours; the best blocks known
  brickwork encode sky.png --adapter rtx               on the GPU with \"rtx\" in its name
  magick art.psd[0] png:- | brickwork encode - -o art.dds")]
pub struct Args {
    /// Images, folders of images (not their subfolders), or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// File to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Container where no file name says it: in a folder, beside the input, on standard output [default: dds]
    #[arg(long, value_name = "NAME", value_parser = container_parser(), help_heading = "Output")]
    container: Option<ContainerFormat>,

    /// DDS: write the header of Direct3D 10, which knows sRGB [default: only where it is needed]
    #[arg(long, conflicts_with = "legacy", help_heading = "Output")]
    dx10: bool,

    /// DDS: write the header of Direct3D 9, for old readers
    #[arg(long, help_heading = "Output")]
    legacy: bool,

    /// KTX2: compress with Zstandard, level 1 to 22 [level if none is given: 9]
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "9",
        value_parser = clap::value_parser!(i32).range(1..=22),
        help_heading = "Output"
    )]
    zstd: Option<i32>,

    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Print nothing but errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Block format: bc1 (also dxt1), or a DXGI_FORMAT_ or VK_FORMAT_ name
    ///
    /// A name that states a colour space, such as DXGI_FORMAT_BC1_UNORM_SRGB, sets it.
    #[arg(short, long, value_name = "NAME", default_value = "bc1", value_parser = values::format,
        help_heading = "Blocks")]
    format: FormatChoice,

    /// Time against error
    #[arg(short, long, value_name = "LEVEL", default_value = "normal", value_parser = quality_parser(),
        help_heading = "Blocks")]
    quality: Quality,

    /// Algorithm that looks for endpoints; auto is cluster-fit
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = method_parser(),
        help_heading = "Blocks")]
    method: Method,

    /// Decoder whose rounding the blocks are optimised for
    #[arg(long, value_name = "NAME", default_value = "exact", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: Decoder,

    /// Weights of the errors in red, green and blue: uniform, luma, or three whole numbers R,G,B
    #[arg(long, value_name = "R,G,B", default_value = "uniform", value_parser = values::weights,
        help_heading = "Blocks")]
    weights: ChannelWeights,

    /// BC1: do without the three-colour mode, which some old decoders get wrong
    #[arg(long, help_heading = "Blocks")]
    no_three_color: bool,

    /// BC1: let dark texels use transparent black. SUCH TEXELS DECODE WITH ALPHA 0
    ///
    /// The error gets smaller, but SUCH TEXELS DECODE WITH ALPHA 0: right only where the shader ignores alpha and
    /// nothing else (blending, alpha test, a later tool) reads it.
    #[arg(long, conflicts_with = "no_three_color", help_heading = "Blocks")]
    transparent_black: bool,

    /// BC1: texels with an alpha below N become transparent, the others opaque
    #[arg(long, value_name = "N", default_value = "128", help_heading = "Alpha")]
    alpha_threshold: u8,

    /// BC1: ignore alpha; every texel becomes opaque (--alpha-threshold 0)
    #[arg(long, conflicts_with = "alpha_threshold", help_heading = "Alpha")]
    opaque: bool,

    /// The image holds sRGB colours [default: what the file says, and the report why]
    #[arg(long, conflicts_with = "linear", help_heading = "Colour space")]
    srgb: bool,

    /// The image holds linear numbers: normals, roughness, masks
    #[arg(long, help_heading = "Colour space")]
    linear: bool,

    /// Make mip levels: N in all at most, the image included, or full, down to 1×1 [default: none]
    #[arg(
        long,
        value_name = "N|full",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "full",
        value_parser = values::mip_levels,
        help_heading = "Mip levels"
    )]
    mips: Option<MipLevels>,

    #[command(flatten)]
    device: DeviceArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

fn quality_parser() -> impl clap::builder::TypedValueParser<Value = Quality> {
    PossibleValuesParser::new(Quality::ALL.map(Quality::name)).try_map(|name| name.parse::<Quality>())
}

fn method_parser() -> impl clap::builder::TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

fn container_parser() -> impl clap::builder::TypedValueParser<Value = ContainerFormat> {
    let known = ContainerFormat::ALL.map(ContainerFormat::extension);
    PossibleValuesParser::new(known).try_map(|name| ContainerFormat::of_extension(&name).ok_or("unknown"))
}

/// Encodes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be done at all; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    args.check()?;
    args.hint_at_values_taken_for_files()?;
    let inputs = input::expand(&args.inputs, &PICTURE_EXTENSIONS);
    let default_container = args.container.unwrap_or(ContainerFormat::Dds);
    let jobs = jobs::plan(inputs, args.output.as_deref(), default_container.extension())?;
    for job in jobs.iter().flatten() {
        args.container_for(&job.output)?;
    }
    let devices = args.device.open(args.quiet)?;
    jobs::create_folder(args.output.as_deref(), &jobs)?;

    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let to_stderr = jobs.iter().flatten().any(|job| job.output == Output::Stdout);
    let (results, exit) = jobs::run(jobs, |job, inputs| {
        job.output.check(existing, inputs)?;
        let encoded = args.encode(job, existing, &devices)?;
        if !args.quiet && !args.json {
            crate::output::print(&encoded.text(), to_stderr)?;
        }
        Ok(encoded)
    });
    devices.save_kernels();
    if args.json {
        let files = results.into_iter().map(|result| json::Entry::of(result.map(Encoded::into_report)));
        json::print(&json::Report { command: "encode", files: files.collect() }, to_stderr)?;
    } else if exit != Exit::Ok && results.len() > 1 {
        let failed = results.iter().filter(|result| result.is_err()).count();
        report::note(&format!("{failed} of {} failed", counted(results.len(), "input")));
    }
    Ok(exit)
}

impl Args {
    /// Refuses what the parser cannot know to be senseless.
    fn check(&self) -> Result<(), Failure> {
        let FormatChoice { format, color_space } = self.format;
        let contradiction = match color_space {
            Some(ColorSpace::Srgb) => self.linear.then_some("sRGB, --linear"),
            Some(ColorSpace::Linear) => self.srgb.then_some("linear, --srgb"),
            None => None,
        };
        if let Some(contradiction) = contradiction {
            let reason = format!("the format's name says {contradiction} the opposite");
            return Err(Failure::usage(reason).hint(format!("use --format {format}")));
        }
        if self.srgb && !format.has_srgb() {
            return Err(Failure::usage(format!("{format} has no sRGB variant")).hint("leave out --srgb"));
        }
        // One block tells whether there is an encoder, before any image is read.
        let texel = [[0u8; 4]];
        let image = ImageView::new(&texel, 1, 1).map_err(|error| Failure::new(Exit::Runtime, error))?;
        let mut block = vec![0; format.block_bytes()];
        CpuEncoder::new().encode_into(&image, &self.options(), &mut block).map_err(Failure::from)
    }

    /// `--mips 5` and `--zstd 5` look natural, but the value needs a `=`; else it is taken for an image.
    fn hint_at_values_taken_for_files(&self) -> Result<(), Failure> {
        for path in self.inputs.iter().filter(|path| !path.exists()) {
            let text = path.to_string_lossy();
            let option = if self.mips.is_some() && values::mip_levels(&text).is_ok() {
                "mips"
            } else if self.zstd.is_some() && text.parse::<i32>().is_ok() {
                "zstd"
            } else {
                continue;
            };
            return Err(Failure::usage(format!("there is no image \"{text}\""))
                .hint(format!("for the value of --{option} write --{option}={text}")));
        }
        Ok(())
    }

    fn options(&self) -> EncodeOptions {
        let mut options = EncodeOptions::default();
        options.format = self.format.format;
        options.quality = self.quality;
        options.method = self.method;
        options.decoder = self.decoder;
        options.weights = self.weights;
        options.three_color = !self.no_three_color;
        options.alpha_threshold = if self.opaque { 0 } else { self.alpha_threshold };
        options.transparent_black = self.transparent_black;
        options
    }

    /// The container of an output, checked against the options that only one container has.
    fn container_for(&self, output: &Output) -> Result<ContainerFormat, Failure> {
        let container = match output {
            Output::Stdout => self.container.unwrap_or(ContainerFormat::Dds),
            Output::File(path) => self.container_of_file(path)?,
        };
        let misfit = match container {
            ContainerFormat::Dds if self.zstd.is_some() => "--zstd is for ktx2",
            ContainerFormat::Ktx2 if self.dx10 => "--dx10 is for dds",
            ContainerFormat::Ktx2 if self.legacy => "--legacy is for dds",
            _ => return Ok(container),
        };
        let reason = format!("{misfit}, but {} would be {}", output.name(), container.extension());
        Err(Failure::usage(reason))
    }

    fn container_of_file(&self, path: &Path) -> Result<ContainerFormat, Failure> {
        let extension = path.extension().map(|extension| extension.to_string_lossy());
        match (extension.as_deref().and_then(ContainerFormat::of_extension), self.container) {
            (Some(named), Some(asked)) if named != asked => {
                let reason =
                    format!("the ending says {}, --container says {}", named.extension(), asked.extension());
                Err(Failure::usage(reason).of_path(path))
            }
            (Some(container), _) | (None, Some(container)) => Ok(container),
            (None, None) => {
                let (reason, hint) = match extension {
                    Some(extension) => (format!("nothing is known to write for the ending .{extension}"), ""),
                    None => (
                        "the name has no ending that says what to write".to_owned(),
                        "; for a folder end the name in /",
                    ),
                };
                let hint = format!("known are .dds and .ktx2; or use --container{hint}");
                Err(Failure::usage(reason).of_path(path).hint(hint))
            }
        }
    }

    fn write_options(&self) -> WriteOptions {
        let mut options = WriteOptions::default();
        options.dds_header = match (self.dx10, self.legacy) {
            (true, _) => DdsHeader::Dx10,
            (_, true) => DdsHeader::Legacy,
            _ => DdsHeader::Auto,
        };
        options.zstd = self.zstd;
        options
    }

    /// sRGB or linear, and why.
    fn color_space(&self, picture: &Picture) -> (ColorSpace, String) {
        let FormatChoice { format, color_space } = self.format;
        if !format.has_srgb() {
            return (ColorSpace::Linear, format!("{format} has no sRGB variant"));
        }
        match color_space {
            _ if self.srgb => (ColorSpace::Srgb, "--srgb".to_owned()),
            _ if self.linear => (ColorSpace::Linear, "--linear".to_owned()),
            Some(color_space) => (color_space, "the format's name".to_owned()),
            None => (picture.color_space, picture.color_space_reason.to_string()),
        }
    }

    /// Encodes one picture and writes it.
    fn encode(&self, job: &Job, existing: Existing, devices: &Devices) -> Result<Encoded, Failure> {
        let container = self.container_for(&job.output)?;
        let max_memory = self.machine.max_memory;
        let picture = input::read_picture(&job.input, job.input.open(max_memory)?, max_memory)?;
        let (color_space, color_space_reason) = self.color_space(&picture);
        let options = self.options();
        let keeps_alpha = options.format != BlockFormat::Bc1 || options.alpha_threshold > 0;
        let desc = TextureDesc::new_2d(options.format, picture.width, picture.height);
        let full = desc.full_mip_levels();
        let desc = desc
            .with_mip_levels(match self.mips {
                None => 1,
                Some(MipLevels::Full) => full,
                Some(MipLevels::Count(count)) => count.min(full),
            })
            .with_color_space(color_space)
            .with_alpha_mode(if picture.is_opaque || !keeps_alpha {
                AlphaMode::Opaque
            } else {
                AlphaMode::Straight
            });
        let name = job.input.name();
        let (texture, stats) = with_texels!(picture, |image| self
            .encode_image(devices, &image, &options, desc, &name))
        .map_err(|failure| failure.of(&name))?;
        let has_alpha_dropped = !picture.is_opaque && !keeps_alpha;
        drop(picture);

        let write_options = self.write_options();
        let file_bytes = job.output.write(existing, |writer| {
            texture.write(writer, container, &write_options).map_err(|error| input::container_failure(&error))
        })?;
        Ok(Encoded {
            input: name,
            output: job.output.name(),
            container,
            options,
            desc,
            color_space_reason,
            has_alpha_dropped,
            file_bytes,
            stats,
        })
    }

    /// The texture that `desc` describes, with the blocks of `image` and its mip levels.
    fn encode_image<T: Texel>(
        &self,
        devices: &Devices,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        desc: TextureDesc,
        name: &str,
    ) -> Result<(Texture, Stats), Failure> {
        let texel_count = u64::from(image.width()) * u64::from(image.height());
        let texel_bytes = texel_count.saturating_mul(size_of::<T>() as u64);
        // Levels 1 and 2 as RGBA are in memory together.
        let mip_bytes = if desc.mip_levels > 1 { texel_count.saturating_mul(4) / 4 / 4 * 5 } else { 0 };
        let needed = texel_bytes.saturating_add(desc.data_bytes()).saturating_add(mip_bytes);
        let most = self.machine.max_memory;
        if needed > most {
            let reason = format!("takes {} of memory, the limit is {}", Bytes(needed), Bytes(most));
            return Err(input::over_limit(reason));
        }
        let data_bytes = usize::try_from(desc.data_bytes())
            .map_err(|_| input::over_limit("is larger than this machine can address"))?;
        let mut data = vec![0; data_bytes];

        let format = options.format;
        let (encode_time, device) = report::with_progress(name, self.quiet, |tell| {
            let progress = Progress::none().with_callback(tell);
            let mips = MipOptions::new(desc.color_space, desc.alpha_mode);
            devices.encode(name, |device| {
                let start = Instant::now();
                mips::encode_levels(device, image, options, mips, desc.mip_levels, &mut data, &progress)?;
                Ok(start.elapsed())
            })
        })?;

        let threshold = options.alpha_threshold;
        let is_punched = format == BlockFormat::Bc1 && desc.alpha_mode != AlphaMode::Opaque;
        let blocks = &data[..desc.mip_level_bytes(0) as usize];
        let not_measured = |error: MetricsError| Failure::new(Exit::Runtime, error);
        let metrics = (!self.quiet)
            .then(|| metrics::compare_blocks(image, format, blocks, options.decoder))
            .transpose()
            .map_err(not_measured)?;
        let visible_metrics = (!self.quiet && is_punched)
            .then(|| metrics::compare_visible_blocks(image, format, blocks, options.decoder, threshold))
            .transpose()
            .map_err(not_measured)?;
        let encoded_texels = desc.texel_count();
        let texture = Texture::new(desc, data).map_err(|error| Failure::new(Exit::Runtime, error))?;
        let stats =
            Stats { texel_bytes, texel_count, encoded_texels, encode_time, device, metrics, visible_metrics };
        Ok((texture, stats))
    }
}

/// What was counted while encoding.
struct Stats {
    /// Bytes of the image's texels in memory.
    texel_bytes: u64,
    texel_count: u64,
    /// Texels of all levels.
    encoded_texels: u64,
    /// Of encoding all levels and making those below the first.
    encode_time: Duration,
    /// That encoded.
    device: Device,
    metrics: Option<Metrics>,
    /// Of the texels that the alpha threshold leaves opaque, where it makes others transparent.
    visible_metrics: Option<Metrics>,
}

impl Stats {
    fn megapixels_per_second(&self) -> f64 {
        self.encoded_texels as f64 / 1e6 / self.encode_time.as_secs_f64().max(1e-9)
    }
}

/// What became of one picture.
struct Encoded {
    input: String,
    output: String,
    container: ContainerFormat,
    options: EncodeOptions,
    desc: TextureDesc,
    color_space_reason: String,
    has_alpha_dropped: bool,
    file_bytes: u64,
    stats: Stats,
}

fn simd_name() -> String {
    format!("{:?}", CpuEncoder::new().simd_level()).to_lowercase()
}

impl Encoded {
    /// Two lines that say it all.
    fn text(&self) -> String {
        let Self { options, desc, stats, .. } = self;
        let (input, output) = (printable(&self.input), printable(&self.output));
        let (width, height) = (desc.width, desc.height);
        let levels = match desc.mip_levels {
            1 => String::new(),
            levels => format!(" in {levels} levels"),
        };
        let first = format!(
            "{input} → {output}  {width}×{height}{levels}  {} {} ({})  {} → {} ({})",
            options.format,
            color_space_name(desc.color_space),
            self.color_space_reason,
            Bytes(stats.texel_bytes),
            Bytes(self.file_bytes),
            Ratio(stats.texel_bytes, self.file_bytes),
        );
        let mut second = Vec::new();
        let decoder = options.decoder.name();
        match (&stats.metrics, &stats.visible_metrics) {
            (Some(_), Some(visible)) if visible.texel_count == 0 => {
                second.push("every texel is transparent".to_owned());
            }
            (Some(all), Some(visible)) => {
                let psnr = Decibels(visible.psnr_rgb());
                let count = stats.texel_count - visible.texel_count;
                let percent = count as f64 * 100.0 / stats.texel_count as f64;
                second.push(format!("PSNR {psnr} RGB of visible texels ({decoder} decoder)"));
                second.push(format!("{} transparent ({percent:.1} %)", counted(count, "texel")));
                second.push(format!("alpha {}", Decibels(all.psnr_channel(3))));
            }
            (Some(all), None) => {
                second.push(format!("PSNR {} RGB ({decoder} decoder)", Decibels(all.psnr_rgb())));
            }
            (None, _) => {}
        }
        if self.has_alpha_dropped {
            second.push("alpha dropped".to_owned());
        }
        second.push(format!("{:.1} Mpix/s", stats.megapixels_per_second()));
        second.push(options.quality.name().to_owned());
        if options.method != Method::Auto {
            second.push(options.method.name().to_owned());
        }
        if options.weights == ChannelWeights::LUMA {
            second.push("luma weights".to_owned());
        } else if options.weights != ChannelWeights::UNIFORM {
            let [red, green, blue] = options.weights.rgb();
            second.push(format!("weights {red},{green},{blue}"));
        }
        match stats.device.adapter() {
            Some(adapter) => second.push(format!("GPU {adapter}")),
            None => {
                second.push(format!("CPU {}", simd_name()));
                second.push(counted(rayon::current_num_threads(), "thread"));
            }
        }
        format!("{first}\n  {}\n", second.join(" · "))
    }

    fn into_report(self) -> FileReport {
        let Self { options, desc, stats, .. } = self;
        FileReport {
            input: self.input,
            output: self.output,
            container: self.container.extension(),
            format: options.format.name(),
            width: desc.width,
            height: desc.height,
            levels: desc.mip_levels,
            color_space: color_space_name(desc.color_space),
            color_space_reason: self.color_space_reason,
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            transparent_texels: stats.visible_metrics.as_ref().map(|m| stats.texel_count - m.texel_count),
            texel_bytes: stats.texel_bytes,
            data_bytes: desc.data_bytes(),
            file_bytes: self.file_bytes,
            quality: options.quality.name(),
            method: options.method.name(),
            decoder: options.decoder.name(),
            weights: options.weights.rgb(),
            device: stats.device.name(),
            adapter: stats.device.adapter().map(str::to_owned),
            simd: simd_name(),
            threads: rayon::current_num_threads(),
            encode_seconds: stats.encode_time.as_secs_f64(),
            megapixels_per_second: stats.megapixels_per_second(),
            metrics: stats.metrics.as_ref().map(json::MetricsReport::of),
            visible_metrics: stats.visible_metrics.as_ref().map(json::MetricsReport::of),
        }
    }
}

/// One file in `encode --json`.
#[derive(Serialize)]
struct FileReport {
    input: String,
    output: String,
    container: &'static str,
    format: &'static str,
    width: u32,
    height: u32,
    levels: u32,
    color_space: &'static str,
    color_space_reason: String,
    alpha_mode: &'static str,
    transparent_texels: Option<u64>,
    texel_bytes: u64,
    data_bytes: u64,
    file_bytes: u64,
    quality: &'static str,
    method: &'static str,
    decoder: &'static str,
    weights: [u8; 3],
    device: &'static str,
    adapter: Option<String>,
    simd: String,
    threads: usize,
    encode_seconds: f64,
    megapixels_per_second: f64,
    metrics: Option<json::MetricsReport>,
    visible_metrics: Option<json::MetricsReport>,
}
