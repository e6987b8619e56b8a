//! Figures and texels of one texture of a page.

use super::{
    encoding::{EncodedFile, EncodingRecord},
    pixels::Pixels,
    verdict::Verdict,
};
use crate::{
    commands::{
        compare::{
            CompareInput, CompareNote, CompareOptions, ComparedPsnr, MeasureLimit, ShownImages,
            compare_images,
        },
        info::{BlockEndpoints, BlockModes, BlockPicture},
    },
    report::{
        AuditKind, ComparedImage, HdrMetricsReport, HtmlReportTexture, MetricsReport, NormalMetricsReport,
    },
};
use brickwork_base::Task;
use brickwork_texture::{
    Texture,
    metrics::Metrics,
    pictures::{AnyImage, AnyInfo},
};
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, info_any, read_any},
};
use std::{fs, sync::Arc};

/// A texture of a page, compared with the original.
pub(super) struct Entry {
    pub image: ComparedImage,
    /// Container and supercompression, such as `KTX2, Zstandard`; none for an image file.
    pub container: Option<String>,
    pub file_bytes: Option<u64>,
    /// Facts about the texture; none for an image file.
    pub blocks: Option<Blocks>,
    pub metrics: Metrics,
    pub visible_metrics: Option<Metrics>,
    pub metrics_report: MetricsReport,
    pub visible_report: Option<MetricsReport>,
    pub hdr_metrics: Option<HdrMetricsReport>,
    pub normal_metrics: Option<NormalMetricsReport>,
    /// Channels of the original that are compared, starting with red.
    pub channel_count: usize,
    /// Index of the original's picture: it depends on the channels that are compared.
    pub original: usize,
    pub texels: Pixels<[u8; 4]>,
    /// Light before the tone map, if the texels are displayed by one.
    pub lights: Option<Pixels<[f32; 3]>>,
    /// Largest error of each texel.
    pub errors: Pixels<u8>,
    /// Modes of the blocks of BC6H and BC7.
    pub modes: Option<Modes>,
    /// Endpoints of the blocks of mip level 0; none if there are no blocks.
    pub endpoints: Option<Pixels<[u8; 4]>>,
    /// Mip levels from 1.
    pub mip_levels: Vec<Pixels<[u8; 4]>>,
    /// Record of the encoding, if there is one.
    pub encoding: Option<EncodingRecord>,
    pub notes: Vec<String>,
    /// PSNR by which pairs are sorted. It is infinite if no texel is visible.
    pub sorting_psnr: ComparedPsnr,
    pub kind: AuditKind,
    pub verdict: Verdict,
}

/// Modes of a texture's blocks.
pub(super) struct Modes {
    /// Each block of mip level 0 in the colour of its mode.
    pub picture: Pixels<[u8; 4]>,
    /// Shares of all blocks, such as `1 (green) 20.0 %, 6 (grey) 80.0 %`.
    pub shares: String,
}

/// Facts about the blocks or plain texels of a texture.
pub(super) struct Blocks {
    pub data_bytes: u64,
    pub texel_count: u64,
    pub bits_per_texel: f64,
    pub mip_levels: u32,
}

/// The original as displayed beside some textures.
pub(super) struct Original {
    channel_count: usize,
    is_tone_mapped: bool,
    pub texels: Pixels<[u8; 4]>,
    /// Light before the tone map, if the texels are displayed by one.
    pub lights: Option<Pixels<[f32; 3]>>,
}

/// Inputs of all entries.
pub(super) struct Context<'a> {
    pub original: &'a CompareInput,
    pub options: &'a CompareOptions,
    pub limits: &'a [MeasureLimit],
    pub max_memory: u64,
}

impl Entry {
    /// Reads a texture and compares it. Adds the picture of the original to `originals` if it is not among
    /// them.
    pub fn read(
        input: &Input,
        context: &Context<'_>,
        originals: &mut Vec<Original>,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let Context { original, options, limits, max_memory } = *context;
        let name = input.name();
        let read_options = options.read_options(max_memory);
        let (mut container, mut blocks, mut modes, mut mip_levels) = (None, None, None, Vec::new());
        let (mut displayed, mut endpoints) = (None, None);
        let compared = match read_any(input, &read_options, task)? {
            AnyImage::Picture(picture) => CompareInput::of_picture(name, picture),
            AnyImage::Texture(texture) => {
                container = container_of(input, context, task)?;
                let desc = *texture.desc();
                blocks = Some(Blocks {
                    data_bytes: desc.data_bytes(),
                    texel_count: desc.texel_count(),
                    bits_per_texel: desc.format.bits_per_texel(),
                    mip_levels: desc.mip_levels,
                });
                displayed = Some(desc);
                let texture = Arc::new(texture);
                let shared = Arc::clone(&texture);
                let mut compared = CompareInput::of_texture(name.clone(), shared, options, max_memory)?;
                if original.image_count() == 1 {
                    compared.keep_first_image();
                }
                mip_levels = levels_of(&texture, &compared, context, task)?;
                if let Some(blocks) = BlockEndpoints::of_texture(Arc::clone(&texture)) {
                    endpoints = Some(blocks.picture(&name, &task.without_progress())?.into());
                    modes = Modes::of(texture, &name, task)?;
                }
                compared
            }
        };
        let file_bytes = input.path().and_then(|path| fs::metadata(path).ok()).map(|metadata| metadata.len());
        let inputs = [original.clone(), compared];
        let channel_count = inputs.iter().map(CompareInput::channel_count).min().unwrap_or(4);
        let comparison = compare_images(inputs, options, task)?;
        let inputs = comparison.inputs();
        // The page has the other notes about the original.
        let of_original = inputs[0].notes().iter().filter(|note| !context.original.notes().contains(note));
        let mut notes: Vec<_> = of_original.chain(inputs[1].notes()).map(ToString::to_string).collect();
        notes.extend(CompareNote::of_pair(inputs).map(|note| format!("{}: {note}", inputs[1].name())));
        let is_tone_mapped = comparison.is_tone_mapped();
        if !is_tone_mapped && displayed.is_some_and(|desc| desc.format.is_float()) {
            notes.push(format!(
                "{}: half floats are clamped to 0 to 1, because the original has none",
                comparison.inputs()[1].name()
            ));
        }
        let ShownImages { texels: [first, texels], lights, errors } = comparison.shown(task)?;
        let [first_lights, lights] = lights.map_or([None, None], |pair| pair.map(Some));
        let (width, height) = (inputs[0].width(), inputs[0].height());
        let of_lights = |lights: Option<_>| lights.map(|lights| Pixels::new(width, height, lights));
        let original = match originals.iter().position(|original| {
            (original.channel_count, original.is_tone_mapped) == (channel_count, is_tone_mapped)
                && original.texels.height == height
        }) {
            Some(index) => index,
            None => {
                let (texels, lights) = (Pixels::new(width, height, first), of_lights(first_lights));
                originals.push(Original { channel_count, is_tone_mapped, texels, lights });
                originals.len() - 1
            }
        };
        let texels = Pixels::new(width, height, texels);
        let (lights, errors) = (of_lights(lights), Pixels::new(width, height, errors));
        let report = comparison.report(&[]);
        let sorting_psnr = comparison.psnr();
        let kind = AuditKind::of_compared(&report, channel_count);
        Ok(Self {
            image: report.b,
            container,
            file_bytes,
            blocks,
            metrics: *comparison.metrics(),
            visible_metrics: comparison.visible_metrics().copied(),
            metrics_report: report.metrics,
            visible_report: report.visible_metrics,
            hdr_metrics: report.hdr_metrics,
            normal_metrics: report.normal_metrics,
            channel_count,
            original,
            texels,
            lights,
            errors,
            modes,
            endpoints,
            mip_levels,
            encoding: None,
            notes,
            sorting_psnr,
            kind,
            verdict: Verdict::of(comparison.violations(false, limits), limits.len()),
        })
    }

    /// Returns the properties of the file by which its record is found.
    pub fn encoded_file(&self) -> EncodedFile<'_> {
        EncodedFile { name: &self.image.file, format: &self.image.format, file_bytes: self.file_bytes }
    }

    /// Returns the report.
    pub fn report(&self) -> HtmlReportTexture {
        HtmlReportTexture {
            image: self.image.clone(),
            file_bytes: self.file_bytes,
            data_bytes: self.blocks.as_ref().map(|blocks| blocks.data_bytes),
            bits_per_texel: self.blocks.as_ref().map(|blocks| blocks.bits_per_texel),
            metrics: self.metrics_report.clone(),
            visible_metrics: self.visible_report.clone(),
            hdr_metrics: self.hdr_metrics.clone(),
            normal_metrics: self.normal_metrics.clone(),
            kind: self.kind,
            failures: self.verdict.failures.clone(),
            encode_seconds: self.encoding.as_ref().map(|record| record.seconds),
        }
    }
}

impl Modes {
    /// Returns the modes of a texture; none if its format is neither BC6H nor BC7.
    fn of(texture: Arc<Texture>, name: &str, task: &Task<'_>) -> Result<Option<Self>, TextureJobError> {
        let Some(modes) = BlockModes::of_texture(texture) else { return Ok(None) };
        let counts = modes.counts(&task.without_progress())?;
        let total = (counts.modes.iter().sum::<u64>() + counts.none).max(1);
        let share = |count: u64| 100.0 * count as f64 / total as f64;
        let (colors, first) = modes.colors();
        let each = (first..).zip(&counts.modes).zip(colors).filter(|((_, count), _)| **count > 0);
        let mut shares: Vec<_> = each
            .map(|((mode, count), (color, _))| format!("{mode} ({color}) {:.1} %", share(*count)))
            .collect();
        if counts.none > 0 {
            shares.push(format!("none (black) {:.1} %", share(counts.none)));
        }
        let picture = modes.picture(name, &task.without_progress())?.into();
        Ok(Some(Self { picture, shares: shares.join(", ") }))
    }
}

impl From<BlockPicture> for Pixels<[u8; 4]> {
    fn from(picture: BlockPicture) -> Self {
        let texels = picture.texels.iter().map(|&[red, green, blue]| [red, green, blue, 255]).collect();
        Self::new(picture.width, picture.height, texels)
    }
}

/// Returns the container and the supercompression of a texture file.
fn container_of(
    input: &Input,
    context: &Context<'_>,
    task: &Task<'_>,
) -> Result<Option<String>, TextureJobError> {
    if !input.can_be_read_again() {
        return Ok(None);
    }
    let options = context.options.read_options(context.max_memory);
    let (info, _) = info_any(input, &options, &task.without_progress())?;
    let AnyInfo::Texture(info) = info else { return Ok(None) };
    // `Zstandard, level data of 123 bytes`
    let supercompression = info.supercompression.as_deref().and_then(|text| text.split(',').next());
    Ok(Some(match supercompression {
        Some(supercompression) => format!("{}, {supercompression}", info.header.name()),
        None => info.header.name().to_owned(),
    }))
}

/// Decodes the mip levels from 1, as mip level 0 is displayed.
fn levels_of(
    texture: &Arc<Texture>,
    level_0: &CompareInput,
    context: &Context<'_>,
    task: &Task<'_>,
) -> Result<Vec<Pixels<[u8; 4]>>, TextureJobError> {
    let Context { original, options, max_memory, .. } = *context;
    let task = &task.without_progress();
    let channel_count = original.channel_count().min(level_0.channel_count());
    let is_tone_mapped = original.is_float() && level_0.is_float();
    let tone_map = is_tone_mapped.then_some(&options.tone_map);
    let level = |mip_level| {
        let (name, options) =
            (level_0.name().to_owned(), CompareOptions { level: mip_level, ..options.clone() });
        let mut level = CompareInput::of_texture(name, Arc::clone(texture), &options, max_memory)?;
        if level_0.image_count() == 1 {
            level.keep_first_image();
        }
        let (width, height) = (level.width(), level.height());
        Ok(Pixels::new(width, height, level.displayed(channel_count, tone_map, task)?))
    };
    (1..texture.desc().mip_levels).map(level).collect()
}
