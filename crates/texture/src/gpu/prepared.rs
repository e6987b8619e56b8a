//! What one set of options needs on the GPU: pipelines, tables, and the commands for one region.

use super::{
    LsdxtVariant,
    load::{LoadParams, Loader},
};
use crate::{
    BlockFormat, EncodeError, EncodeOptions, Method, Quality,
    bc::bc1::{
        kernel::{self, Params, SimpleParams},
        lsdxt,
    },
};
use brickwork_gpu::{Context, GpuError, Pipeline, Timer};
use wgpu::{BufferUsages as Usage, util::DeviceExt as _};

use brickwork_gpu::wgpu;

/// Bytes of one block's texels between the kernels.
pub(super) const TEXEL_BYTES: u64 = 64;

pub(super) struct Prepared {
    pub options: EncodeOptions,
    pub lsdxt_variant: LsdxtVariant,
    pub loader: Loader,
    simple: Pipeline,
    /// What goes over the blocks that are not simple, one after the other.
    stages: Vec<Stage>,
    params: Params,
    matches: wgpu::Buffer,
    tables: wgpu::Buffer,
}

/// A pipeline, and how its blocks are shared out.
struct Stage {
    pipeline: Pipeline,
    /// Blocks of one work group.
    group_blocks: u32,
    /// Blocks of one dispatch at most.
    dispatch_blocks: u32,
}

impl Stage {
    /// One block a thread, all at once.
    fn threads(pipeline: Pipeline) -> Self {
        Self { pipeline, group_blocks: 64, dispatch_blocks: u32::MAX }
    }
}

/// Memory between the kernels.
pub(super) struct Scratch {
    pub texels: wgpu::Buffer,
    /// How many blocks fit.
    pub blocks: u32,
}

impl Scratch {
    pub fn new(context: &Context, blocks: u32) -> Result<Self, GpuError> {
        let texels = context.buffer("texels", TEXEL_BYTES * u64::from(blocks), Usage::STORAGE)?;
        Ok(Self { texels, blocks })
    }
}

/// Where blocks of a region go: into `buffer`, the first at `first`, rows of blocks `pitch` blocks apart.
pub(super) struct Destination<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub first: u32,
    pub pitch: u32,
}

impl Prepared {
    pub fn new(
        context: &Context,
        options: &EncodeOptions,
        lsdxt_variant: LsdxtVariant,
    ) -> Result<Self, EncodeError> {
        if options.format != BlockFormat::Bc1 {
            return Err(EncodeError::Unsupported(options.format));
        }
        let settings = crate::bc::bc1::Settings::new(options);
        let device = context.device();
        let table = |label, contents: &[u8]| {
            context.checked("uploading tables", || {
                let usage = Usage::STORAGE;
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(label),
                    contents,
                    usage,
                })
            })
        };
        let mut stages = Vec::new();
        if options.quality >= Quality::High && !options.transparent_black {
            stages.push(Stage::threads(context.pipeline(&kernel::two_colors())?));
        }
        match options.method {
            Method::Auto | Method::ClusterFit => {
                stages.push(Stage::threads(context.pipeline(&kernel::thread(options.quality))?));
            }
            Method::Lsdxt => {
                for step in lsdxt::kernels::steps(lsdxt_variant, options.quality) {
                    let pipeline = context.pipeline(&step.kernel)?;
                    let (group_blocks, dispatch_blocks) = (step.group_blocks, step.dispatch_blocks);
                    stages.push(Stage { pipeline, group_blocks, dispatch_blocks });
                }
            }
        }
        Ok(Self {
            options: *options,
            lsdxt_variant,
            loader: Loader::new(context)?,
            simple: context.pipeline(&kernel::simple())?,
            stages,
            params: Params::new(&settings),
            matches: table("matches", bytemuck::cast_slice(&kernel::matches(&settings)))?,
            tables: table("tables", bytemuck::cast_slice(&kernel::tables()))?,
        })
    }

    /// Records the commands for `size` texels that `load` finds. `timer` times the kernels, all but loading, as pass 0.
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
        let row = |groups: u32| groups.div_ceil(groups.div_ceil(65535).max(1));
        let uniform = |contents: &[u8]| {
            let usage = Usage::UNIFORM;
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("params"),
                contents,
                usage,
            })
        };
        let groups = blocks.div_ceil(64);
        context.checked("recording", || {
            self.loader.record(device, encoder, load, &scratch.texels);
            let mut simple = SimpleParams::new(&self.options, has_alpha);
            (simple.size, simple.columns, simple.blocks, simple.row) =
                (load.size, columns, blocks, row(groups));
            (simple.first, simple.pitch) = (to.first, to.pitch);
            let simple = uniform(bytemuck::bytes_of(&simple));
            let texels = scratch.texels.as_entire_binding();
            let target = to.buffer.as_entire_binding();
            let descriptor = wgpu::ComputePassDescriptor {
                label: Some("bc1"),
                timestamp_writes: timer.map(|timer| timer.writes(0)),
            };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            let bound = self.simple.bind(
                device,
                &[
                    simple.as_entire_binding(),
                    self.matches.as_entire_binding(),
                    texels.clone(),
                    target.clone(),
                ],
            );
            self.simple.dispatch(&mut pass, &bound, groups);
            for stage in &self.stages {
                let mut params = self.params;
                (params.columns, params.first, params.pitch) = (columns, to.first, to.pitch);
                while params.first_block < blocks {
                    let count = stage.dispatch_blocks.min(blocks - params.first_block);
                    let groups = count.div_ceil(stage.group_blocks);
                    (params.blocks, params.row) = (params.first_block + count, row(groups));
                    let uniform = uniform(bytemuck::bytes_of(&params));
                    let bound = stage.pipeline.bind(
                        device,
                        &[
                            uniform.as_entire_binding(),
                            self.tables.as_entire_binding(),
                            texels.clone(),
                            target.clone(),
                        ],
                    );
                    stage.pipeline.dispatch(&mut pass, &bound, groups);
                    params.first_block += count;
                }
            }
        })
    }
}
