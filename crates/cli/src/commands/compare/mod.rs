//! `brickwork compare`: the difference between two images, or between the files of two folders.
//!
//! Comparison of two images, files or folders: their texels, the error measures, and limits on them.

mod comparison;
mod displayed;
mod folders;
pub mod heat_map;
mod images;
mod input;
mod levels;
mod limit;
mod measure_values;
mod measures;
mod note;
mod notes;
mod options;
mod pictures;
#[cfg(test)]
mod surprise_tests;
mod text;

use crate::{
    batch::FileId,
    exit::Exit,
    failure::Failure,
    folder_pairs::{Making, are_folders},
    input::Input,
    json,
    machine::MachineArgs,
    output::{self, Output},
    reading::ReadArgs,
    report::{self, printable},
    values::{self, decoder_parser, tone_curve_parser},
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, RoundingRule, Task, ToneCurve, ToneMap};
use brickwork_toolkit::texture::{Pattern, prepared_picture};
pub use comparison::{ComparedPsnr, ImageComparison, ShownImages, compare_images};
pub use input::CompareInput;
pub use levels::{FileComparison, compare_files, compare_made};
pub use limit::{Measure, MeasureLimit, Violation, lower_limit, upper_limit};
pub use note::CompareNote;
pub use options::CompareOptions;
pub use pictures::ComparisonPicture;
use std::path::PathBuf;
use text::{cells, comparison_text, heading, row};

/// Measure the difference between two images or folders: MSE, PSNR, SSIM, ꟻLIP, largest error
///
/// Each input is an image (PNG, JPEG, …) or a DDS, KTX2 or .astc texture. All images of two textures are
/// compared, and measures are those of all texels together. PNGs show them one below the other: layer by
/// layer; in a layer, face by face; in a face, slice by slice. An image is compared with the first. Files of
/// two folders are compared if their paths below the folders are equal without the extension. Values are
/// compared as stored, with 8 bits per channel and without conversion between colour spaces. Values of BC4
/// and BC5 are compared as the formats define them, not rounded to 8 bits; --decoder exact rounds them. If
/// both images have half floats, PNGs show them after a tone map.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("picture").multiple(true)))]
#[command(after_help = "Examples:
  brickwork compare photo.png photo.dds
  brickwork compare photo.png photo.dds --decoder nvidia
  brickwork compare old.dds new.dds --diff diff.png --scale 16
  brickwork compare photo.png photo.dds --heat-map heat.png --side-by-side both.png
  brickwork compare sky.exr sky.ktx2 --diff diff.png --exposure -2
  brickwork compare photo.png photo.dds --fail-under psnr=38 --fail-under ssim=0.97
  brickwork compare old.dds new.dds --level all --flip
  brickwork compare textures/ out/ --fail-under psnr=30 --fail-over flip=0.2
  brickwork compare textures/ out/ -r --rules rules.toml --allow-unpaired --fail-under psnr=30
  brickwork compare a.png b.png --exact --quiet && echo same

MEASURE of --fail-under is psnr (the lower one of psnr-rgb and psnr-a: that of encode --min-psnr, which \
measures premultiplied colours multiplied, and 16-bit images in plain formats unrounded), psnr-rgb \
(of red, green and blue), psnr-rgba, psnr-luma, psnr-r, psnr-g, psnr-b, psnr-a, psnr-visible (psnr-rgb of \
the texels that --alpha-threshold leaves visible) or ssim. Formats of 1-bit alpha (BC1, ETC2) drop colours \
of transparent texels: psnr, psnr-rgb, psnr-luma, psnr-r, psnr-g and psnr-b leave these out, and psnr leaves \
out alpha. In other sRGB textures with alpha, and premultiplied ones, they leave out texels of alpha 0. The \
alpha of opaque textures does not count in psnr. For half floats it may also be half-psnr, mpsnr or \
reinhard-psnr (docs/terminology.md). MEASURE of --fail-over is flip, max-error (0 to 255) or angle \
(mean, in degrees).

Pairs of folders are listed with the worst one first: by the measure of the first limit, or by psnr. A \
limit does not apply to pairs without its measure, such as angle of colours; it is a failure if no pair has \
it. With --exact or a limit, a file without a partner is a failure, unless --allow-unpaired is given. \
Without -r, so is a file in a subfolder. Exit code 7 is for failures, and for images that differ in size, \
which cannot be compared.")]
pub struct Args {
    /// The original: image, DDS, KTX2, folder of them, or - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The image or folder to compare with it
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Exit with 7 if any texel differs: in 16 bits or any bit of floats if both inputs have these, else in
    /// 8 bits
    #[arg(long, help_heading = "Verdict")]
    exact: bool,

    /// Exit with 7 if a measure is below a value; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = limit::lower_limit, help_heading = "Verdict")]
    fail_under: Vec<MeasureLimit>,

    /// Exit with 7 if a measure is above a value: flip, max-error or angle; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = limit::upper_limit, help_heading = "Verdict")]
    fail_over: Vec<MeasureLimit>,

    /// Files of folders without a partner are no failures
    #[arg(long, help_heading = "Verdict")]
    allow_unpaired: bool,

    /// Minimum alpha of a visible texel of A; transparent texels of 1-bit alpha have no colour to compare
    /// [default: that of --rules, else 128]
    #[arg(long, value_name = "N", help_heading = "Verdict")]
    alpha_threshold: Option<u8>,

    /// Measure the angles between normals, in degrees; always done if an image is BC5
    #[arg(long, help_heading = "Verdict")]
    normal: bool,

    /// Measure ꟻLIP, the error that a viewer sees who flips between the images: 0 to 1
    #[arg(long, help_heading = "Verdict")]
    flip: bool,

    /// Mip level of textures: a number or all
    #[arg(long, value_name = "N", default_value = "0", value_parser = compared_level, help_heading = "Input")]
    level: ComparedLevel,

    /// Also search the subfolders of folders
    #[arg(short, long, help_heading = "Input")]
    recursive: bool,

    /// Compare the textures that `encode` made with this rule file: folder B has those of the images in A
    ///
    /// Textures have the names, targets and folders of the rules, and images that rules skip have none. Each
    /// image is compared as it was encoded: with packed channels, a swizzle, a new size and other changes of
    /// its rules.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    rules: Option<PathBuf>,

    /// Compare the textures of this target of encode, with its formats if the command line of encode stated
    /// them; may be repeated [default: all targets of --rules]. Without --rules, the rules are those of
    /// brickwork.toml in A, if it exists
    #[arg(long, value_name = "NAME[=FAMILY|FORMAT]", help_heading = "Input")]
    target: Vec<String>,

    /// Leave out files that match, such as sky/** or *_draft.*; patterns are those of rule files; may be
    /// repeated
    #[arg(long, value_name = "GLOB", value_parser = Pattern::parse, help_heading = "Input")]
    exclude: Vec<Pattern>,

    /// Write the differences as a PNG
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    diff: Option<PathBuf>,

    /// Write a heat map as a PNG, with a scale beside it: the largest difference of each texel's red, green,
    /// blue and alpha, of 255
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    heat_map: Option<PathBuf>,

    /// Difference with the brightest colour of the heat map, 1 to 255 [default: 4, 8, 16, 32, 64, 128 or 255,
    /// so that 99 % of the texels are not above it]
    #[arg(long, value_name = "N", requires = "heat_map", value_parser = clap::value_parser!(u8).range(1..),
        help_heading = "Output")]
    heat_end: Option<u8>,

    /// Write both images as a PNG, A on the left
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    side_by_side: Option<PathBuf>,

    /// Factor by which the PNG of --diff amplifies the differences
    #[arg(long, value_name = "N", default_value_t = 8, requires = "diff", help_heading = "Output",
        value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,

    /// Stops by which the light of two images of half floats is multiplied before the tone map of PNGs
    #[arg(long, value_name = "EV", default_value_t = 0.0, allow_hyphen_values = true, requires = "picture",
        value_parser = values::exposure, help_heading = "Output")]
    exposure: f32,

    /// Tone map of PNGs for half floats: clamp; reinhard is x / (1 + x); aces-like resembles ACES
    #[arg(long, value_name = "NAME", default_value = "clamp", value_parser = tone_curve_parser(),
        requires = "picture", help_heading = "Output")]
    tone_map: ToneCurve,

    /// Replace existing PNGs
    #[arg(long, requires = "picture", help_heading = "Output")]
    force: bool,

    /// Print only errors; the exit code gives the verdict
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Decoder whose rounding is used for textures; real and exact differ for BC4 and BC5 alone [default:
    /// that of --rules, else real]
    #[arg(long, value_name = "NAME", value_parser = decoder_parser(), help_heading = "Blocks")]
    decoder: Option<RoundingRule>,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Mip levels to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComparedLevel {
    All,
    One(u32),
}

fn compared_level(text: &str) -> Result<ComparedLevel, String> {
    if text == "all" {
        return Ok(ComparedLevel::All);
    }
    let level = text.parse().map_err(|_| format!("\"{text}\" is neither a mip level nor \"all\""))?;
    Ok(ComparedLevel::One(level))
}

/// Compares the images or folders that the command line names.
///
/// # Errors
/// [`Failure`] if a file cannot be read, the sizes differ, or the differences cannot be written. In folders,
/// these are failures of a pair.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (a, b) = (Input::of(&args.a), Input::of(&args.b));
    if a == Input::Stdin && b == Input::Stdin {
        return Err(Failure::usage("only one of the two can be standard input"));
    }
    if are_folders([&args.a, &args.b])? {
        if let Some(option) = args.first_picture() {
            return Err(Failure::usage(format!("{option} is for two files, not for folders")));
        }
        args.machine.start_threads()?;
        return folders::run(args);
    }
    if let Some(option) = args.first_of_folders() {
        return Err(Failure::usage(format!("{option} is for two folders")));
    }
    if let Some(option) = args.first_picture()
        && args.level == ComparedLevel::All
    {
        return Err(Failure::usage(format!("{option} takes one mip level, not --level all")));
    }
    let existing = output::existing(args.force);
    let pictures = [&args.diff, &args.heat_map, &args.side_by_side];
    let [diff, heat_map, side_by_side] = pictures.map(|path| path.as_deref().map(Output::of));
    let outputs: Vec<_> = [&diff, &heat_map, &side_by_side].into_iter().flatten().collect();
    let ids: Vec<_> = [&a, &b].into_iter().filter_map(FileId::of_input).collect();
    for (index, output) in outputs.iter().enumerate() {
        output.check_png()?;
        output.check(existing, &ids)?;
        if outputs[..index].contains(output) {
            return Err(Failure::usage("two pictures have this name").of(output.name()));
        }
    }
    let to_stderr = outputs.contains(&&Output::Stdout);
    args.machine.start_threads()?;

    let files = args.compare([&a, &b])?;
    let Some(comparison) = files.levels().first() else { return Ok(Exit::Ok) };
    if !args.quiet {
        notes::print(&notes::notes_of(&files));
    }
    let [left, _] = comparison.inputs();
    let (width, height) = (left.width(), left.height());
    let image_height = left.image_height();
    if let Some(diff) = &diff {
        let picture = comparison.difference(args.scale, &Task::new())?;
        output::write(diff, existing, |writer| {
            let picture = PngTexels::Rgb8(&picture);
            Ok(write_png(writer, width, height, picture, ColorSpace::Srgb, &Task::new())?)
        })?;
    }

    let write = |output: &Output, picture: ComparisonPicture| {
        output::write(output, existing, |writer| {
            let (width, height, texels) = (picture.width, picture.height, PngTexels::Rgba8(&picture.texels));
            Ok(write_png(writer, width, height, texels, ColorSpace::Srgb, &Task::new())?)
        })
    };
    if let Some(output) = &heat_map {
        write(output, comparison.heat_map(args.heat_end, &Task::new())?)?;
    }
    if let Some(output) = &side_by_side {
        write(output, comparison.side_by_side(&Task::new())?)?;
    }

    let violations = args.violations(&files);
    let text = |(level, violation)| failure_text(&files, level, &violation);
    let failures: Vec<String> = violations.into_iter().map(text).collect();
    let exit = if failures.is_empty() { Exit::Ok } else { Exit::Differs };
    if args.json {
        let report = files.report(args.level == ComparedLevel::All, failures.clone());
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        let (a, b) = (printable(&a.name()), printable(&b.name()));
        let head = format!("{a} ↔ {b}  {width}×{image_height}\n");
        output::print(&(head + &comparison_text(comparison) + &levels_text(&files)), to_stderr)?;
    }
    for failure in failures {
        report::complain(&Failure::new(exit, failure).of(b.name()));
    }
    Ok(exit)
}

/// Returns a line for each mip level, if there are several.
fn levels_text(files: &FileComparison) -> String {
    const WIDTH: usize = 9;
    if files.levels().len() < 2 {
        return String::new();
    }
    let row = |comparison: &ImageComparison| {
        row(&format!("level {}", comparison.level()), WIDTH, &cells(comparison))
    };
    heading(WIDTH) + &files.levels().iter().map(row).collect::<String>()
}

impl Args {
    /// Compares two files.
    fn compare(&self, inputs: [&Input; 2]) -> Result<FileComparison, Failure> {
        let all_levels = self.level == ComparedLevel::All;
        let max_memory = self.machine.max_memory;
        Ok(compare_files(inputs, all_levels, &self.options(), max_memory, &Task::new())?)
    }

    /// Compares a texture with the picture of which it was made.
    fn compare_made(&self, making: &Making, inputs: [&Input; 2]) -> Result<FileComparison, Failure> {
        let max_memory = self.machine.max_memory;
        let picture = prepared_picture(&making.options, &making.inputs, max_memory, &Task::new())?;
        let options = self.options().made_by(making.options.effective_encode_options());
        Ok(compare_made(picture, inputs, &options, max_memory, &Task::new())?)
    }

    fn options(&self) -> CompareOptions {
        let needs = |measure| self.limits().any(|limit| limit.measure == measure);
        let level = if let ComparedLevel::One(level) = self.level { level } else { 0 };
        CompareOptions {
            rounding_rule: self.decoder,
            alpha_threshold: self.alpha_threshold,
            made_by: None,
            visible: needs(Measure::PsnrVisible),
            normals: self.normal,
            flip: self.flip || needs(Measure::Flip),
            level,
            tone_map: ToneMap::default().with(|o| {
                o.exposure = self.exposure;
                o.curve = self.tone_map;
            }),
            reading: self.reading.options(),
        }
    }

    /// Returns the first option that is for folders.
    fn first_of_folders(&self) -> Option<&'static str> {
        let options = [
            ("--rules", self.rules.is_some()),
            ("--target", !self.target.is_empty()),
            ("--exclude", !self.exclude.is_empty()),
            ("--allow-unpaired", self.allow_unpaired),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Returns the first option that requests a picture.
    fn first_picture(&self) -> Option<&'static str> {
        let pictures =
            [("--diff", &self.diff), ("--heat-map", &self.heat_map), ("--side-by-side", &self.side_by_side)];
        pictures.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }

    fn limits(&self) -> impl Iterator<Item = MeasureLimit> {
        self.fail_under.iter().chain(&self.fail_over).copied()
    }

    /// Returns the violations of the limits, each with its mip level.
    fn violations(&self, files: &FileComparison) -> Vec<(u32, Violation)> {
        let limits: Vec<_> = self.limits().collect();
        files.violations(self.exact, &limits)
    }
}

/// Returns a violation as text, with its mip level if several were compared.
fn failure_text(files: &FileComparison, level: u32, violation: &Violation) -> String {
    match files.levels().len() {
        1 => violation.to_string(),
        _ if matches!(violation, Violation::LevelCounts { .. }) => violation.to_string(),
        _ => format!("mip level {level}: {violation}"),
    }
}
