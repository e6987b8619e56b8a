//! One job of `encode`: files in, a file out.

use crate::{
    batch::{Turn, Written},
    report::{
        HdrMetricsReport, MetricsReport, PackedChannelReport, RdoTargetReport, Settings, TextureEncodeReport,
    },
};
use brickwork_base::Task;
use brickwork_texture::container::ContainerFormat;
use brickwork_toolkit::{
    batch::Input,
    device::Devices,
    report::{alpha_mode_name, color_space_name},
    texture::{
        ChannelFile, EncodedTexture, Measured, RdoSearch, TextureJobError, TextureNote, TextureOptions,
        TexturePlan, UsedOptions, encode_files, simd_name,
    },
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// A texture that was written.
#[derive(Clone, Debug)]
pub struct TextureFile {
    /// Name of the first input.
    pub input: String,
    /// Name of the output.
    pub output: String,
    /// Name of the target; none if there is only one set of outputs.
    pub target: Option<String>,
    /// The container.
    pub container: ContainerFormat,
    /// The requests.
    pub options: TextureOptions,
    /// The decisions.
    pub plan: TexturePlan,
    /// The device, the times and the error of the blocks.
    pub measured: Measured,
    /// Facts that the user may not expect.
    pub notes: Vec<TextureNote>,
    /// Result of the search for λ, if the options have a target.
    pub rdo_search: Option<RdoSearch>,
    /// Names of the files of mip levels from 1 that were given for one image.
    pub level_files: Vec<String>,
    /// Channels that come from other files.
    pub packed_channels: Vec<ChannelFile>,
    /// Name of the normal map from which mip levels got their roughness.
    pub roughness_from: Option<String>,
    /// Bytes of the output.
    pub file_bytes: u64,
    /// Time of reading the inputs for the first time.
    pub read_time: Duration,
    /// Time of writing the output.
    pub write_time: Duration,
}

/// Reads the inputs of a job, encodes them and writes the texture. The task reports each stage: bytes of each
/// input, blocks, images that are measured, and writing.
///
/// # Errors
/// [`TextureJobError`]. An existing output is then unchanged.
pub fn encode_job(
    options: &TextureOptions,
    turn: &Turn<'_>,
    devices: &Devices,
    task: &Task<'_>,
) -> Result<Written<TextureFile>, TextureJobError> {
    let job = turn.job;
    let container = options
        .container_of(job.output.path())
        .map_err(|error| TextureJobError::Options { file: job.output.name(), error })?;
    turn.check_output()?;
    let encoded = encode_files(options, &job.inputs, devices, turn.max_memory, task)?;
    write_encoded(options, container, encoded, turn, task)
}

/// Returns the files of packed channels and their channels by the names of the channels that they become.
fn packed_channels(channels: &[ChannelFile]) -> Option<BTreeMap<&'static str, PackedChannelReport>> {
    let report = |file: &ChannelFile| {
        let report = PackedChannelReport { input: file.path.clone(), channel: file.source_text() };
        (file.channel.name(), report)
    };
    (!channels.is_empty()).then(|| channels.iter().map(report).collect())
}

/// Writes a texture that was encoded for a job.
pub fn write_encoded(
    options: &TextureOptions,
    container: ContainerFormat,
    encoded: EncodedTexture,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<Written<TextureFile>, TextureJobError> {
    let job = turn.job;
    let start = Instant::now();
    let file_bytes =
        turn.write(|sink| options.write(&encoded.texture, container, &job.output.name(), sink, task))?;
    let mut notes = encoded.notes;
    notes.extend(TextureNote::of_size(&encoded.plan.desc, container, &job.output.name()));
    let image_count = options.image_names(&job.inputs).len();
    let (images, others) = job.inputs.split_at(image_count);
    let normals = others.last().filter(|_| options.roughness_from_normals);
    let has_levels = options.given_levels() as usize == images.len();
    let levels = images.iter().skip(1).filter(|_| has_levels);
    let channels = options.packing.channels().zip(others);
    let file = TextureFile {
        input: job.name(),
        output: job.output.name(),
        target: job.target.clone(),
        container,
        options: options.clone(),
        plan: encoded.plan,
        measured: encoded.measured,
        notes,
        rdo_search: encoded.rdo_search,
        level_files: levels.map(Input::name).collect(),
        packed_channels: channels
            .map(|((channel, source), input)| {
                let change = options.packing.change(channel);
                ChannelFile { change, ..ChannelFile::new(channel, source, &input.name()) }
            })
            .collect(),
        roughness_from: normals.map(Input::name),
        file_bytes,
        read_time: encoded.read_time,
        write_time: start.elapsed(),
    };
    Ok(Written { input_bytes: file.plan.texel_bytes, output_bytes: file_bytes, kept: None, result: file })
}

impl TextureFile {
    /// Returns the number of texels of all mip levels that were encoded per second, in millions.
    pub fn megapixels_per_second(&self) -> f64 {
        let texels = self.plan.desc.texel_count() as f64;
        texels / 1e6 / self.measured.encode_time.as_secs_f64().max(1e-9)
    }

    /// Returns what is known of the options after the encoding.
    pub fn used_options(&self) -> UsedOptions<'_> {
        UsedOptions {
            options: &self.options,
            plan: &self.plan,
            level_files: &self.level_files,
            packed_channels: &self.packed_channels,
            roughness_from: self.roughness_from.as_deref(),
        }
    }

    /// Returns the report. `threads` is the number of threads that encoded on the CPU.
    pub fn into_report(self, threads: usize) -> TextureEncodeReport {
        let megapixels_per_second = self.megapixels_per_second();
        let settings = Settings::of(&self.used_options());
        let Self { options, plan, measured, .. } = self;
        let texel_count = plan.texel_count();
        let is_punched = plan.psnr_scope().is_punched();
        let punched = measured.visible_metrics.filter(|_| is_punched);
        let TexturePlan { desc, special_values, .. } = plan;
        TextureEncodeReport {
            input: self.input,
            output: self.output,
            target: self.target,
            container: self.container.extension(),
            format: desc.format.name(),
            format_reason: plan.format_reason,
            width: desc.width,
            height: desc.height,
            swizzle: options.swizzle_text(),
            level_files: (!self.level_files.is_empty()).then_some(self.level_files),
            packed_channels: packed_channels(&self.packed_channels),
            roughness_channel: self.roughness_from.as_ref().map(|_| options.roughness_channel.name()),
            roughness_from: self.roughness_from,
            resized_from: plan.resized_from,
            levels: desc.mip_levels,
            color_space: color_space_name(desc.color_space),
            color_space_reason: plan.color_space_reason.to_string(),
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            transparent_texels: punched.map(|visible| texel_count - visible.texel_count),
            texel_bytes: plan.texel_bytes,
            data_bytes: desc.data_bytes(),
            file_bytes: self.file_bytes,
            settings,
            special_values: desc.format.is_float().then_some(special_values.into()),
            rdo_target: self.rdo_search.as_ref().map(RdoTargetReport::new),
            device: measured.device.kind(),
            adapter: measured.device.adapter().map(str::to_owned),
            simd: simd_name(),
            threads,
            encode_seconds: measured.encode_time.as_secs_f64(),
            megapixels_per_second,
            metrics: measured.metrics.as_ref().map(MetricsReport::new),
            visible_metrics: measured.visible_metrics.as_ref().map(MetricsReport::new),
            hdr_metrics: measured.hdr_metrics.as_ref().map(HdrMetricsReport::new),
            notes: self.notes.iter().map(ToString::to_string).collect(),
        }
    }
}
