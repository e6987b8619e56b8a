//! Measures Brickwork against its peers.

mod bc7_bound;
mod ceiling;
mod classes;
mod command;
mod decoders;
mod direct;
mod gpu_clock;
mod gpu_day;
mod gpu_peers;
mod hdr;
mod host;
mod kernels;
mod machine;
mod measure;
mod mips;
mod paths;
mod peers;
mod picture;
mod quality;
mod random;
mod rdo;
mod report;
mod sample;
mod table;
mod volumes;

use anyhow::{Context as _, Result, ensure};
use brickwork_texture::{BlockFormat, RoundingRule};
use clap::{Parser, Subcommand};
use command::{Adapter, command_line};
use paths::{page_of_format, page_of_tables, root};
use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

#[derive(Parser)]
#[command(name = "brickwork-bench", about = "Measures Brickwork against its peers")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compares BC1 encoders: RGB PSNR and speed on one thread
    Peers(Peers),
    /// Compares encoders of BC3, BC4, BC5, BC6H, BC7, ASTC, ETC2 or EAC: PSNR and speed on one thread
    FormatPeers(FormatPeers),
    /// Compares decoders of BC1 to BC5 and BC7: speed on one thread
    Decode(Decode),
    /// Compares encoders on images that are not photographs: gradients, text, dither, noise and more
    Classes(Classes),
    /// The distance of BC1 blocks from the optimum, which an exhaustive search finds
    Ceiling(Ceiling),
    /// A lower bound of the error of BC7 blocks, by a search with bounds, and the distance of best from it
    Bc7Bound(bc7_bound::Bc7Bound),
    /// Compares encoders of BC1, BC7 and BC6H on one GPU: PSNR and time
    GpuPeers(GpuPeers),
    /// Textures written directly, compared with copied blocks: time on a GPU
    Direct(direct::Direct),
    /// Everything that only a real GPU can tell: times of BC1 by size, memory, and the other benchmarks for
    /// GPUs
    GpuDay(gpu_day::GpuDay),
    /// The cost of a call besides the GPU's own work: images from memory to memory
    Host(host::Host),
    /// Compares chains of mip levels with fast_image_resize: CPU time
    Mips(mips::Mips),
    /// A Vulkan driver's compiler statistics of every kernel; nothing runs
    Kernels(kernels::Kernels),
    /// Compares codecs of volumes: sizes, speed on one thread, random access
    VolumePeers(volumes::Peers),
    /// Volumes on a GPU: decoding, and renderings from compressed bricks
    VolumeGpu(volumes::gpu::Gpu),
    /// Writes a raw volume of any size, made of copies of a volume, to standard output
    Tiles(volumes::Tiles),
    /// Rate–distortion optimisation of BC1, BC3, BC4, BC5 and BC7 at quality normal: savings, cost in error,
    /// and curves compared with peers
    Rdo(Rdo),
    /// RGB PSNR and speed of the method LSDxt on one thread, for notes.md; takes minutes
    Lsdxt(Images),
}

#[derive(clap::Args)]
struct Images {
    /// Folder of PNG files. Default: the odd Kodak images, test-data/kodak
    directory: Option<PathBuf>,
    /// Rounds; slow encoders sit out two of three
    #[arg(long, value_name = "N", default_value = "5")]
    repeat: NonZeroUsize,
    /// Uses the first N images only, for a quick look
    #[arg(long, value_name = "N")]
    images_limit: Option<NonZeroUsize>,
}

#[derive(clap::Args)]
struct GpuPeers {
    /// Formats, separated by commas: bc1, bc7, bc6h. Default: all
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = gpu_peers::parse_format)]
    formats: Vec<BlockFormat>,
    /// Folder of EXR files for BC6H, none of them negative. Default: BC6H is left out
    #[arg(long, value_name = "FOLDER")]
    hdr: Option<PathBuf>,
    /// Side of the square image whose time is measured, made of the images; a multiple of 4, for BC6H at
    /// most 2048. Default: 4096, on a software adapter 512
    #[arg(long, value_name = "N")]
    side: Option<u32>,
    /// Rounds; the median time counts
    #[arg(long, value_name = "N", default_value = "5")]
    repeat: NonZeroUsize,
    /// Uses the first N images of each folder only, for a quick look
    #[arg(long, value_name = "N")]
    images_limit: Option<NonZeroUsize>,
    #[command(flatten)]
    adapter: Adapter,
    /// Puts the tables into docs/measured/textures-gpu.md; for a software adapter they have no times
    #[arg(long, conflicts_with = "images_limit")]
    write: bool,
}

#[derive(clap::Args)]
struct Peers {
    #[command(flatten)]
    images: Images,
    /// Puts the tables into docs/measured/bc1.md
    #[arg(long, conflicts_with = "images_limit")]
    write: bool,
}

#[derive(clap::Args)]
struct Classes {
    /// Block format: bc1, bc3, bc7, astc, etc2, etc2-a8, eac-r11 or eac-rg11
    format: BlockFormat,
    /// Folder of PNG files of the class of textures. Default: test-data/textures
    #[arg(long, value_name = "FOLDER")]
    textures: Option<PathBuf>,
    /// Rounds
    #[arg(long, value_name = "N", default_value = "3")]
    repeat: NonZeroUsize,
    /// Puts the list of those that are below a peer of their speed into the format's page in
    /// docs/measured
    #[arg(long)]
    write: bool,
}

#[derive(clap::Args)]
struct Ceiling {
    /// Blocks of each class
    #[arg(long, value_name = "N", default_value = "1000")]
    blocks: NonZeroUsize,
    /// Puts the table into docs/measured/bc1.md
    #[arg(long)]
    write: bool,
}

#[derive(clap::Args)]
struct FormatPeers {
    /// Block format: bc3, bc4, bc5, bc6h, bc6hs, bc7, astc, etc2, etc2-a8, eac-r11 or eac-rg11; bc6h needs
    /// a folder of EXR files
    format: BlockFormat,
    #[command(flatten)]
    images: Images,
    /// Puts the table into the format's page in docs/measured
    #[arg(long, conflicts_with = "images_limit")]
    write: bool,
}

#[derive(clap::Args)]
struct Decode {
    #[command(flatten)]
    images: Images,
    /// Puts the table into docs/measured/decoders.md
    #[arg(long, conflicts_with = "images_limit")]
    write: bool,
}

#[derive(clap::Args)]
struct Rdo {
    #[command(flatten)]
    images: Images,
    /// Formats, separated by commas: bc1, bc3, bc4, bc5, bc7. Default: all
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    formats: Vec<BlockFormat>,
    /// Numbers of bytes that bc7enc_rdo looks back over. Its default is 128; more takes longer and saves more
    #[arg(long, value_name = "BYTES,BYTES…", value_delimiter = ',', default_value = "128,1024")]
    windows: Vec<u32>,
    /// Folder of PNG files of the class of textures. Default: test-data/textures
    #[arg(long, value_name = "FOLDER")]
    textures: Option<PathBuf>,
    /// Writes every point of every curve to a CSV file
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// Puts the tables into docs/measured/rdo.md
    #[arg(long, conflicts_with_all = ["images_limit", "formats"])]
    write: bool,
}

fn main() -> Result<()> {
    let command = Cli::parse().command;
    brickwork_texture::check_simd_variable()?;
    brickwork_volume::check_simd_variable()?;
    match command {
        Command::Peers(arguments) => peers(&arguments),
        Command::FormatPeers(arguments) => format_peers(&arguments),
        Command::Decode(arguments) => decode(&arguments),
        Command::Classes(arguments) => of_classes(&arguments),
        Command::Ceiling(arguments) => ceiling_of_bc1(&arguments),
        Command::Bc7Bound(arguments) => bc7_bound::run(&arguments),
        Command::GpuPeers(arguments) => gpu_peers(&arguments),
        Command::Direct(arguments) => direct::run(&arguments),
        Command::GpuDay(arguments) => gpu_day::run(&arguments),
        Command::Host(arguments) => host::run(&arguments),
        Command::Mips(arguments) => mips::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::VolumePeers(arguments) => volumes::peers(&arguments),
        Command::VolumeGpu(arguments) => volumes::gpu::run(&arguments),
        Command::Tiles(arguments) => volumes::tiles(&arguments),
        Command::Rdo(arguments) => rate_distortion(&arguments),
        Command::Lsdxt(images) => lsdxt(&images),
    }
}

impl Images {
    fn read(&self, is_opaque: bool) -> Result<Vec<picture::Picture>> {
        let directory = self.directory.clone().unwrap_or_else(|| root().join("test-data/kodak"));
        picture::read_directory(&directory, self.images_limit.map(NonZeroUsize::get), is_opaque)
    }

    /// Returns the lines that state how a table was made, without their bullets.
    fn about(&self, pictures: &[picture::Picture], machine: &str) -> [String; 4] {
        let texel_count: usize = pictures.iter().map(picture::Picture::texel_count).sum();
        [
            format!("Command: `{}`", command_line()),
            format!(
                "Images: {} of {}, {:.2} Mpix; {} rounds",
                pictures.len(),
                self.directory.as_deref().unwrap_or(Path::new("test-data/kodak")).display(),
                texel_count as f64 / 1e6,
                self.repeat,
            ),
            machine.to_owned(),
            format!("Date: {}", machine::date()),
        ]
    }
}

fn peers(arguments: &Peers) -> Result<()> {
    let pictures = arguments.images.read(true)?;
    let contestants = peers::contestants(&pictures)?;
    // Before this thread is pinned, which hides the other CPUs.
    let machine = format!("Machine: {}", machine::describe());
    let measurements = measure::run(
        &pictures,
        BlockFormat::Bc1,
        &contestants,
        arguments.images.repeat.get(),
        measure::SANE_PSNR_DB,
    )?;
    let about = arguments.images.about(&pictures, &machine);
    let text = report::of_format(&about, BlockFormat::Bc1, "RGB", &measurements);
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_tables("bc1"), report::PEERS_SECTION, &text)?;
    }
    Ok(())
}

fn format_peers(arguments: &FormatPeers) -> Result<()> {
    let format = arguments.format;
    if matches!(format, BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat) {
        return hdr_peers(arguments);
    }
    let pictures = arguments.images.read(false)?;
    let contestants = peers::contestants_for(format, &pictures)?;
    let decoder = peers::check_decoder(format)?;
    let machine = format!("Machine: {}", machine::describe());
    let measurements =
        measure::run(&pictures, format, &contestants, arguments.images.repeat.get(), measure::SANE_PSNR_DB)?;
    let mut about = arguments.images.about(&pictures, &machine).to_vec();
    about.extend(decoder);
    let text = report::of_format(&about, format, quality::channels(format, &pictures), &measurements);
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_format(format), &format!("{format}-peers"), &text)?;
    }
    Ok(())
}

fn hdr_peers(arguments: &FormatPeers) -> Result<()> {
    let images = &arguments.images;
    let is_signed = arguments.format == BlockFormat::Bc6hSfloat;
    let directory = images.directory.as_deref().context("name a folder of EXR files")?;
    let limit = images.images_limit.map(NonZeroUsize::get);
    let pictures = hdr::read_directory(directory, limit, is_signed)?;
    let texels: usize = pictures.iter().map(|picture| picture.texels.len()).sum();
    let machine = format!("Machine: {}", machine::describe());
    let measured = hdr::run(&pictures, is_signed, images.repeat.get())?;
    let about = [
        format!("Command: `{}`", command_line()),
        format!("Images: {}, {:.2} Mpix; {} rounds", pictures.len(), texels as f64 / 1e6, images.repeat),
        machine,
        format!("Date: {}", machine::date()),
    ];
    let text = hdr::to_markdown(&about, &pictures, &measured, is_signed);
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_tables("bc6h"), &format!("{}-peers", arguments.format), &text)?;
    }
    Ok(())
}

fn decode(arguments: &Decode) -> Result<()> {
    let pictures = arguments.images.read(true)?;
    let machine = format!("Machine: {}", machine::describe());
    let cases = decoders::run(&pictures, arguments.images.repeat.get())?;
    let about = arguments.images.about(&pictures, &machine);
    let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let text = format!("{about}\n{}", decoders::table(&cases).to_markdown());
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_tables("decoders"), "decoders", &text)?;
    }
    Ok(())
}

fn of_classes(arguments: &Classes) -> Result<()> {
    let format = arguments.format;
    let textures = arguments.textures.clone().unwrap_or_else(|| root().join("test-data/textures"));
    let machine = format!("Machine: {}", machine::describe());
    let classes = classes::all(&textures, format)?;
    let mut measured = Vec::new();
    for class in &classes {
        eprintln!("class: {}", class.name);
        let contestants = match format {
            BlockFormat::Bc1 => peers::contestants(&class.pictures)?,
            _ => peers::contestants_for(format, &class.pictures)?,
        };
        let rounds = arguments.repeat.get();
        measured.push((class.name, measure::run(&class.pictures, format, &contestants, rounds, 0.0)?));
    }
    let about = [
        format!("Command: `{}`", command_line()),
        format!("Images: drawn, 256 × 256 texels, except the textures; {} rounds", arguments.repeat),
        machine,
        format!("Date: {}", machine::date()),
    ];
    let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let mut channels: Vec<_> =
        classes.iter().map(|class| quality::channels(format, &class.pictures)).collect();
    channels.dedup();
    println!(
        "PSNR of {} in dB ({} decoder) × speed as a multiple of {}\n\n{}",
        channels.join(" or "),
        RoundingRule::Real.for_format(format).name(),
        measured.first().and_then(|(_, rows)| report::base(rows)).map_or("nothing", |base| &base.name),
        classes::table(&measured).to_markdown(),
    );
    let text = about + &classes::below(&measured);
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_format(format), &format!("{format}-classes"), &text)?;
    }
    Ok(())
}

fn ceiling_of_bc1(arguments: &Ceiling) -> Result<()> {
    let photographs = picture::read_directory(&root().join("test-data/kodak"), None, true)?;
    let mut classes = vec![classes::Class { name: "photographs", pictures: photographs }];
    classes.extend(classes::all(&root().join("test-data/textures"), BlockFormat::Bc1)?);
    let table = ceiling::run(&classes, arguments.blocks.get())?;
    let text = format!(
        "- Command: `{}`\n- Machine: {}\n- Date: {}\n\n{table}",
        command_line(),
        machine::describe(),
        machine::date()
    );
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_tables("bc1"), "bc1-ceiling", &text)?;
    }
    Ok(())
}

fn gpu_peers(arguments: &GpuPeers) -> Result<()> {
    let context = arguments.adapter.open()?;
    let info = context.info().context("the device has no adapter")?;
    let side = arguments.side.unwrap_or(if info.is_software() { 512 } else { 4096 });
    ensure!(side > 0 && side.is_multiple_of(4), "--side: {side} is not a multiple of 4");
    let limit = arguments.images_limit.map(NonZeroUsize::get);
    let rounds = arguments.repeat.get();
    for format in gpu_peers::FORMATS {
        if !arguments.formats.is_empty() && !arguments.formats.contains(&format) {
            continue;
        }
        let (pictures, folder) = match (format, &arguments.hdr) {
            (BlockFormat::Bc6hUfloat, None) => {
                eprintln!("no --hdr FOLDER: BC6H is left out");
                continue;
            }
            (BlockFormat::Bc6hUfloat, Some(folder)) => {
                let pictures = hdr::read_directory(folder, limit, false)?;
                (gpu_peers::Pictures::Half(pictures), folder.display().to_string())
            }
            _ => {
                let folder = root().join("test-data/kodak");
                let pictures = picture::read_directory(&folder, limit, true)?;
                (gpu_peers::Pictures::Unorm(pictures), "test-data/kodak".to_owned())
            }
        };
        eprintln!("{}", format.name());
        let table = gpu_peers::run(&context, format, &pictures, side, rounds)?;
        let (count, texels) = (pictures.len(), pictures.texel_count() as f64 / 1e6);
        let text = format!(
            "**{}**: {count} images of {folder}, {texels:.2} Mpix; {rounds} rounds\n\n\
             - Command:\n  `{}`\n- Device: {info}{}\n- Date: {}\n\n{table}",
            format.name().to_uppercase(),
            command_line(),
            if info.is_software() {
                ", a **software adapter**: its ratios say little about GPUs"
            } else {
                ""
            },
            machine::date(),
        );
        println!("{text}");
        if arguments.write {
            let section = format!("gpu-peers-{}", format.name());
            report::write_section(&page_of_tables("textures-gpu"), &section, &text)?;
        }
    }
    Ok(())
}

fn rate_distortion(arguments: &Rdo) -> Result<()> {
    let pictures = arguments.images.read(false)?;
    let machine = format!("Machine: {}", machine::describe());
    let settings = rdo::Settings {
        formats: arguments.formats.clone(),
        windows: arguments.windows.clone(),
        textures: arguments.textures.clone().unwrap_or_else(|| root().join("test-data/textures")),
    };
    let results = rdo::run(&pictures, &settings)?;
    let mut about: String =
        arguments.images.about(&pictures, &machine).iter().map(|line| format!("- {line}\n")).collect();
    about += &format!("- {}\n", peers::rdo::availability());
    let text = format!("{about}\n{}", results.text);
    print!("{text}");
    if let Some(path) = &arguments.points {
        std::fs::write(path, &results.points).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if arguments.write {
        report::write_section(&page_of_tables("rdo"), "rdo", &text)?;
    }
    Ok(())
}

fn lsdxt(images: &Images) -> Result<()> {
    let pictures = images.read(true)?;
    let contestants = peers::lsdxt_contestants(&pictures);
    let machine = format!("Machine: {}", machine::describe());
    let measurements =
        measure::run(&pictures, BlockFormat::Bc1, &contestants, images.repeat.get(), measure::SANE_PSNR_DB)?;
    images.about(&pictures, &machine).iter().for_each(|line| println!("- {line}"));
    print!("\n{}", report::lsdxt(&measurements));
    Ok(())
}
