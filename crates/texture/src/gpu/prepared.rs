//! What one set of options needs on the GPU: pipelines, tables, and the commands for one region.

use super::load::{LoadParams, Loader};
use crate::{
    BlockFormat, EncodeError, EncodeOptions, Quality,
    bc::bc1::kernel::{self, Params, SimpleParams},
};
use brickwork_gpu::{Context, GpuError, Pipeline, Timer, filled_buffer};
use wgpu::BufferUsages as Usage;

use brickwork_gpu::wgpu;

/// Bytes of one block's texels between the kernels.
pub(super) const TEXEL_BYTES: u64 = 64;

pub(super) struct Prepared {
    pub options: EncodeOptions,
    pub loader: Loader,
    simple: Pipeline,
    two_colors: Option<Pipeline>,
    encode: Pipeline,
    params: Params,
    matches: wgpu::Buffer,
    tables: wgpu::Buffer,
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
    pub fn new(context: &Context, options: &EncodeOptions) -> Result<Self, EncodeError> {
        if options.format != BlockFormat::Bc1 {
            return Err(EncodeError::Unsupported(options.format));
        }
        let settings = crate::bc::bc1::Settings::new(options);
        let device = context.device();
        let table = |label, contents: &[u8]| {
            context.checked("uploading tables", || {
                let usage = Usage::STORAGE;
                filled_buffer(device, label, contents, usage)
            })
        };
        let two_colors = options.quality >= Quality::High && !options.transparent_black;
        Ok(Self {
            options: *options,
            loader: Loader::new(context)?,
            simple: context.pipeline(&kernel::simple())?,
            two_colors: if two_colors { Some(context.pipeline(&kernel::two_colors())?) } else { None },
            encode: context.pipeline(&kernel::thread(options.quality))?,
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
            filled_buffer(device, "params", contents, usage)
        };
        let groups = blocks.div_ceil(64);
        context.checked("recording", || {
            self.loader.record(device, encoder, load, &scratch.texels);
            let mut simple = SimpleParams::new(&self.options, has_alpha);
            (simple.size, simple.columns, simple.blocks, simple.row) = (load.size, columns, blocks, row(groups));
            (simple.first, simple.pitch) = (to.first, to.pitch);
            let mut params = self.params;
            (params.columns, params.blocks, params.row) = (columns, blocks, row(groups));
            (params.first, params.pitch) = (to.first, to.pitch);
            let simple = uniform(bytemuck::bytes_of(&simple));
            let params = uniform(bytemuck::bytes_of(&params));
            let texels = scratch.texels.as_entire_binding();
            let target = to.buffer.as_entire_binding();
            let descriptor = wgpu::ComputePassDescriptor {
                label: Some("bc1"),
                timestamp_writes: timer.map(|timer| timer.writes(0)),
            };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            let bound = self.simple.bind(
                device,
                &[simple.as_entire_binding(), self.matches.as_entire_binding(), texels.clone(), target.clone()],
            );
            self.simple.dispatch(&mut pass, &bound, groups);
            for pipeline in self.two_colors.iter().chain([&self.encode]) {
                let bound = pipeline.bind(
                    device,
                    &[params.as_entire_binding(), self.tables.as_entire_binding(), texels.clone(), target.clone()],
                );
                pipeline.dispatch(&mut pass, &bound, groups);
            }
        })
    }
}
