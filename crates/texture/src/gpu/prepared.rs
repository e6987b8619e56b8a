//! What one set of options needs on the GPU: pipelines, tables, and the commands for one region.

use super::{
    Variants,
    load::{LoadParams, Loader},
};
use crate::{
    BlockFormat, EncodeError, EncodeOptions, Method, Quality,
    bc::bc1::{
        Settings,
        kernel::{self, Between, Params, Parts, Share, SimpleParams},
        lsdxt,
    },
};
use brickwork_gpu::{Context, GpuError, Pipeline, Timer, filled_buffer, wgpu};
use wgpu::BufferUsages as Usage;

/// Bytes of one block's texels between the kernels.
pub(super) const TEXEL_BYTES: u64 = 64;

pub(super) struct Prepared {
    pub options: EncodeOptions,
    pub variants: Variants,
    pub loader: Loader,
    simple: Pipeline,
    /// What goes over the blocks that are not simple, one after the other.
    stages: Vec<Stage>,
    params: Params,
    matches: wgpu::Buffer,
    tables: wgpu::Buffer,
}

/// A pipeline, what it binds after the parameters, the tables and the texels, and how its work is shared out.
struct Stage {
    name: &'static str,
    pipeline: Pipeline,
    binds: &'static [Between],
    share: Share,
}

/// Memory between the kernels.
pub(super) struct Scratch {
    texels: wgpu::Buffer,
    sorted: wgpu::Buffer,
    ranged: wgpu::Buffer,
    starts: wgpu::Buffer,
    climbed: wgpu::Buffer,
}

impl Scratch {
    pub fn texels(&self) -> &wgpu::Buffer {
        &self.texels
    }

    fn of(&self, between: Between) -> Option<&wgpu::Buffer> {
        match between {
            Between::Sorted => Some(&self.sorted),
            Between::Ranged => Some(&self.ranged),
            Between::Starts => Some(&self.starts),
            Between::Climbed => Some(&self.climbed),
            Between::Blocks => None,
        }
    }
}

/// Where blocks of a region go: into `buffer`, the first at `first`, rows of blocks `pitch` blocks apart.
pub(super) struct Destination<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub first: u32,
    pub pitch: u32,
}

impl Prepared {
    pub fn new(context: &Context, options: &EncodeOptions, variants: Variants) -> Result<Self, EncodeError> {
        if options.format != BlockFormat::Bc1 {
            return Err(EncodeError::Unsupported(options.format));
        }
        let settings = Settings::new(options);
        let device = context.device();
        let table = |label, contents: &[u8]| {
            context.checked("uploading tables", || filled_buffer(device, label, contents, Usage::STORAGE))
        };
        let mut stages = Vec::new();
        let mut add = |kernel: &brickwork_gpu::Kernel, binds, share| -> Result<(), GpuError> {
            stages.push(Stage { name: kernel.name(), pipeline: context.pipeline(kernel)?, binds, share });
            Ok(())
        };
        if options.quality >= Quality::High && !options.transparent_black {
            add(&kernel::two_colors(), &[Between::Blocks], Share::threads(Parts::Block))?;
        }
        let (params, kernels) = match options.method {
            Method::Auto | Method::ClusterFit => {
                (Params::new(&settings), kernel::cluster_fit(variants.cluster_fit))
            }
            Method::Lsdxt => {
                (Params::for_lsdxt(&settings), lsdxt::kernels::steps(variants.lsdxt, options.quality))
            }
        };
        for stage in kernels {
            add(&stage.kernel, stage.binds, stage.share)?;
        }
        Ok(Self {
            options: *options,
            variants,
            loader: Loader::new(context)?,
            simple: context.pipeline(&kernel::simple())?,
            stages,
            params,
            matches: table("matches", bytemuck::cast_slice(&kernel::matches(&settings)))?,
            tables: table("tables", bytemuck::cast_slice(&kernel::tables()))?,
        })
    }

    /// The kernels' names, in the order of their passes.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        ["load", "simple"].into_iter().chain(self.stages.iter().map(|stage| stage.name))
    }

    /// The most bytes that a block takes in one binding.
    pub fn block_bytes(&self) -> u64 {
        let between = [Between::Sorted, Between::Starts, Between::Climbed];
        between.into_iter().map(|between| self.params.bytes(between)).fold(TEXEL_BYTES, u64::max)
    }

    /// Whether the buffers are large enough for so many blocks.
    pub fn fits(&self, scratch: &Scratch, target: &wgpu::Buffer, blocks: u32) -> bool {
        use Between::{Blocks, Climbed, Ranged, Sorted, Starts};
        scratch.texels.size() >= TEXEL_BYTES * u64::from(blocks)
            && [Sorted, Ranged, Starts, Climbed, Blocks].into_iter().all(|between| {
                scratch.of(between).unwrap_or(target).size() >= self.params.bytes(between) * u64::from(blocks)
            })
    }

    /// Memory for so many blocks.
    pub fn scratch(&self, context: &Context, blocks: u32) -> Result<Scratch, GpuError> {
        let buffer = |label, bytes: u64| context.buffer(label, bytes * u64::from(blocks), Usage::STORAGE);
        Ok(Scratch {
            texels: buffer("texels", TEXEL_BYTES)?,
            sorted: buffer("sorted texels", self.params.bytes(Between::Sorted))?,
            ranged: buffer("range fits", self.params.bytes(Between::Ranged))?,
            starts: buffer("starts", self.params.bytes(Between::Starts))?,
            climbed: buffer("climbs", self.params.bytes(Between::Climbed))?,
        })
    }

    /// Records the commands for the texels that `load` finds. Where there is a timer, each kernel has a pass of its own.
    pub fn record(
        &self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        load: &LoadParams<'_>,
        has_alpha: bool,
        scratch: &Scratch,
        to: &Destination<'_>,
        timer: Option<&Timer>,
    ) -> Result<(), GpuError> {
        let device = context.device();
        let [columns, rows] = load.size.map(|texels| texels.div_ceil(4));
        let blocks = columns * rows;
        let uniform = |contents: &[u8]| filled_buffer(device, "params", contents, Usage::UNIFORM);
        let groups = blocks.div_ceil(64);
        let mut simple = SimpleParams::new(&self.options, has_alpha);
        (simple.size, simple.columns, simple.blocks) = (load.size, columns, blocks);
        (simple.first, simple.pitch) = (to.first, to.pitch);
        let is_whole = load.size.iter().all(|texels| texels % 4 == 0);
        let mut params = self.params;
        if is_whole && !simple.has_transparent() {
            params = params.without_masks();
        }
        (params.columns, params.blocks, params.first, params.pitch) = (columns, blocks, to.first, to.pitch);
        context.checked("recording", || {
            let begin = |encoder: &mut wgpu::CommandEncoder, place| {
                let description = wgpu::ComputePassDescriptor {
                    label: None,
                    timestamp_writes: timer.map(|timer| timer.writes(place)),
                };
                encoder.begin_compute_pass(&description).forget_lifetime()
            };
            self.loader.record(device, &mut begin(encoder, 0), load, &scratch.texels);
            let mut pass = begin(encoder, 1);
            let texels = scratch.texels.as_entire_binding();
            let target = to.buffer.as_entire_binding();
            let simple = uniform(bytemuck::bytes_of(&simple));
            let bound = [
                simple.as_entire_binding(),
                self.matches.as_entire_binding(),
                texels.clone(),
                target.clone(),
            ];
            self.simple.dispatch(&mut pass, &self.simple.bind(device, &bound), groups);
            for (stage, place) in self.stages.iter().zip(2..) {
                if timer.is_some() {
                    drop(pass);
                    pass = begin(encoder, place);
                }
                let Share { parts, of_group, of_dispatch } = stage.share;
                let each = params.count(parts);
                params.first_block = 0;
                while params.first_block < blocks && each > 0 {
                    let count = of_dispatch.min(blocks - params.first_block);
                    let groups = (each * count).div_ceil(of_group);
                    params.blocks = params.first_block + count;
                    let uniform = uniform(bytemuck::bytes_of(&params));
                    let mut bound =
                        vec![uniform.as_entire_binding(), self.tables.as_entire_binding(), texels.clone()];
                    let between = |&between: &Between| {
                        scratch.of(between).map_or(target.clone(), |buffer| buffer.as_entire_binding())
                    };
                    bound.extend(stage.binds.iter().map(between));
                    stage.pipeline.dispatch(&mut pass, &stage.pipeline.bind(device, &bound), groups);
                    params.first_block += count;
                }
            }
            drop(pass);
            if let Some(timer) = timer {
                timer.resolve(encoder);
            }
        })
    }
}
