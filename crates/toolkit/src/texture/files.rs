//! Texture jobs of a batch: files in, a file out.

use super::{
    ChannelFile, EncodedTexture, Measured, RdoSearch, Settings, TextureJobError, TextureNote, TextureOptions,
    TexturePlan,
    encode::{encode_pictures, encode_planned},
    hint::Hinted,
    note,
    pictures::{PictureFiles, Pictures},
    roughness::RoughnessMap,
    simd_name,
    whole::WholeTexture,
};
use crate::{
    batch::{BatchError, BatchOptions, Input, Job, JobResult, Turn, Written, run},
    device::Devices,
    report::{
        BatchSummary, HdrMetricsReport, MetricsReport, PackedChannelReport, TextureEncodeReport,
        alpha_mode_name, color_space_name,
    },
};
use brickwork_base::{Cancelled, ErrorKind, Task};
use brickwork_texture::{Swizzle, container::ContainerFormat};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// A texture that was written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TextureFile {
    /// Name of the first input.
    pub input: String,
    /// Name of the output.
    pub output: String,
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
/// With [`TextureOptions::all_images`], all images of a texture file are encoded. They are in memory
/// together.
///
/// If the pictures of several inputs take more than a quarter of the memory limit, the remaining ones are
/// read one at a time, again for each step.
///
/// The first inputs are the pictures of the options' [layout](super::TextureLayout). The next ones contain
/// the channels of [`TextureOptions::packing`]. With [`TextureOptions::roughness_from_normals`],
/// the last input is the normal map.
///
/// # Errors
/// [`TextureJobError`]. An existing output is then unchanged.
pub fn encode_files(
    options: &TextureOptions,
    turn: &Turn<'_>,
    devices: &Devices,
    task: &Task<'_>,
) -> Result<Written<TextureFile>, TextureJobError> {
    let job = turn.job;
    let container = options
        .container_of(&job.output)
        .map_err(|error| TextureJobError::Options { file: job.output.name(), error })?;
    turn.check_output()?;
    let start = Instant::now();
    if options.all_images
        && let [input] = job.inputs.as_slice()
        && let Some(whole) = WholeTexture::read(input, options, turn.max_memory, task)?
    {
        let (WholeTexture { options: of_images, pictures, names }, read_time) = (whole, start.elapsed());
        let mut encoded = encode_pictures(&of_images, &pictures, &names, devices, turn.max_memory, task)?;
        // Most notes are those of each image.
        let mut texts = BTreeSet::new();
        encoded.notes.retain(|note| texts.insert(note.to_string()));
        return write_encoded(options, container, encoded, read_time, turn, task);
    }
    let Parts { images, packed, normals } = options.parts_of(&job.inputs);
    let names: Vec<String> = images.iter().map(Input::name).collect();
    let hinted = Hinted::new(options, &names);
    let (pictures, facts, notes) = match normals {
        None => {
            let (files, facts, notes) =
                PictureFiles::read(images, packed, &hinted.options, turn.max_memory, task)?;
            (Pictures::Files(files), facts, notes)
        }
        Some(normals) => {
            let (map, facts, notes) =
                RoughnessMap::read(images, packed, normals, &hinted.options, turn.max_memory, task)?;
            (Pictures::Roughness(Box::new(map)), facts, notes)
        }
    };
    let read_time = start.elapsed();
    let mut encoded = encode_planned(&hinted, &pictures, &facts, &names, devices, turn.max_memory, task)?;
    drop(pictures);
    encoded.notes.extend(notes);
    write_encoded(options, container, encoded, read_time, turn, task)
}

/// Returns the files of packed channels and their channels by the names of the channels that they become.
fn packed_channels(channels: &[ChannelFile]) -> Option<BTreeMap<&'static str, PackedChannelReport>> {
    let report = |file: &ChannelFile| {
        let report = PackedChannelReport { input: file.path.clone(), channel: file.source.name() };
        (file.channel.name(), report)
    };
    (!channels.is_empty()).then(|| channels.iter().map(report).collect())
}

/// Inputs of a job, or pictures in memory, by their use.
pub(super) struct Parts<'a, T> {
    /// The pictures of the texture's layout.
    pub images: &'a [T],
    /// The pictures whose channels are packed.
    pub packed: &'a [T],
    /// The normal map of a roughness map.
    pub normals: Option<&'a T>,
}

impl TextureOptions {
    /// Divides inputs or pictures by their use.
    pub(super) fn parts_of<'a, T>(&self, inputs: &'a [T]) -> Parts<'a, T> {
        let (normals, inputs) = match inputs.split_last() {
            Some((normals, inputs)) if self.roughness_from_normals => (Some(normals), inputs),
            _ => (None, inputs),
        };
        let image_count = inputs.len().saturating_sub(self.packing.picture_count());
        let (images, packed) = inputs.split_at(image_count);
        Parts { images, packed, normals }
    }

    /// Returns the names of the inputs that are pictures of the texture, without those of packed channels and
    /// normal maps.
    pub fn image_names(&self, inputs: &[Input]) -> Vec<String> {
        self.parts_of(inputs).images.iter().map(Input::name).collect()
    }
}

/// Writes a texture that was encoded for a job.
pub(super) fn write_encoded(
    options: &TextureOptions,
    container: ContainerFormat,
    encoded: EncodedTexture,
    read_time: Duration,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<Written<TextureFile>, TextureJobError> {
    let job = turn.job;
    let start = Instant::now();
    let file_bytes = turn.write(|sink| {
        let written = encoded.texture.write(sink, container, &options.write_options(), task);
        written.map_err(|error| TextureJobError::Write { output: job.output.name(), error })
    })?;
    let mut notes = encoded.notes;
    notes.extend(note::of_size(&encoded.plan.desc, container, &job.output.name()));
    let Parts { images, packed, normals } = options.parts_of(&job.inputs);
    let has_levels = options.given_levels() as usize == images.len();
    let levels = images.iter().skip(1).filter(|_| has_levels);
    let channels = options.packing.channels().zip(packed);
    let file = TextureFile {
        input: job.name(),
        output: job.output.name(),
        container,
        options: *options,
        plan: encoded.plan,
        measured: encoded.measured,
        notes,
        rdo_search: encoded.rdo_search,
        level_files: levels.map(Input::name).collect(),
        packed_channels: channels
            .map(|((channel, source), input)| ChannelFile { channel, source, path: input.name() })
            .collect(),
        roughness_from: normals.map(Input::name),
        file_bytes,
        read_time,
        write_time: start.elapsed(),
    };
    Ok(Written { input_bytes: file.plan.texel_bytes, output_bytes: file_bytes, result: file })
}

/// Runs [`encode_files`] for each job of a batch and returns the totals, like
/// [`batch::run`](crate::batch::run()).
///
/// # Errors
/// [`Cancelled`] if the task is cancelled. Complete textures remain.
pub fn encode_batch(
    options: &TextureOptions,
    jobs: &[Result<Job, BatchError>],
    batch_options: &BatchOptions,
    devices: &Devices,
    done: impl FnMut(Result<JobResult<TextureFile>, TextureJobError>) + Send,
    task: &Task<'_>,
) -> Result<BatchSummary, Cancelled> {
    let needs_more = |error: &TextureJobError| error.kind() == ErrorKind::Limit;
    let encode = |turn: &Turn<'_>| encode_files(options, turn, devices, &turn.task);
    let summary = run(jobs, batch_options, needs_more, encode, done, task);
    // Compiled kernels are useful for the next run, even after a cancellation.
    devices.save_kernels();
    summary
}

impl TextureFile {
    /// Returns the number of texels of all mip levels that were encoded per second, in millions.
    pub fn megapixels_per_second(&self) -> f64 {
        let texels = self.plan.desc.texel_count() as f64;
        texels / 1e6 / self.measured.encode_time.as_secs_f64().max(1e-9)
    }

    /// Returns the report. `threads` is the number of threads that encoded on the CPU.
    pub fn into_report(self, threads: usize) -> TextureEncodeReport {
        let megapixels_per_second = self.megapixels_per_second();
        let settings = Settings::of(&self);
        let Self { options, plan, measured, .. } = self;
        let texel_count = plan.texel_count();
        let TexturePlan { desc, special_values, .. } = plan;
        TextureEncodeReport {
            input: self.input,
            output: self.output,
            container: self.container.extension(),
            format: desc.format.name(),
            format_reason: plan.format_reason,
            width: desc.width,
            height: desc.height,
            swizzle: (options.swizzle != Swizzle::IDENTITY).then(|| options.swizzle.letters()),
            level_files: (!self.level_files.is_empty()).then_some(self.level_files),
            packed_channels: packed_channels(&self.packed_channels),
            roughness_channel: self.roughness_from.as_ref().map(|_| options.roughness_channel.name()),
            roughness_from: self.roughness_from,
            resized_from: plan.resized_from,
            levels: desc.mip_levels,
            color_space: color_space_name(desc.color_space),
            color_space_reason: plan.color_space_reason.to_string(),
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            transparent_texels: measured.visible_metrics.as_ref().map(|m| texel_count - m.texel_count),
            texel_bytes: plan.texel_bytes,
            data_bytes: desc.data_bytes(),
            file_bytes: self.file_bytes,
            settings,
            special_values: desc.format.is_float().then_some(special_values),
            rdo_target: self.rdo_search.map(|search| search.report()),
            device: measured.device.kind(),
            adapter: measured.device.adapter().map(str::to_owned),
            simd: simd_name(),
            threads,
            encode_seconds: measured.encode_time.as_secs_f64(),
            megapixels_per_second,
            metrics: measured.metrics.as_ref().map(MetricsReport::new),
            visible_metrics: measured.visible_metrics.as_ref().map(MetricsReport::new),
            hdr_metrics: measured.hdr_metrics.as_ref().map(HdrMetricsReport::new),
        }
    }
}
