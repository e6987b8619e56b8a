//! A chain on a device: its pipelines, tables, and the commands for one region.

use super::load::{LoadParams, Loader};
use crate::{
    EncodeOptions, TexelFormat,
    bc::BlockCoder,
    chain::{Bind, Chain, Dispatch},
    direct::kernels::{Store, encode_kernel},
};
use brickwork_gpu::{Context, GpuError, Pipeline, Timer, filled_buffer, wgpu};
use std::sync::{Mutex, PoisonError, atomic::AtomicU32};
use wgpu::BufferUsages as Usage;

pub(super) struct Prepared {
    pub coder: BlockCoder,
    pub options: EncodeOptions,
    /// Number of blocks in a band of the target time; 0 before the first band.
    pub band_blocks: AtomicU32,
    chain: Chain,
    loader: Loader,
    pipelines: Vec<Pipeline>,
    tables: Vec<wgpu::Buffer>,
    /// Pipelines of [`Chain::single`], by their way to store blocks, and by whether the source has 8 bits.
    singles: Mutex<Vec<(Store, bool, Pipeline)>>,
}

/// Memory between the kernels.
pub(super) struct Scratch {
    texels: wgpu::Buffer,
    between: Vec<wgpu::Buffer>,
}

/// Target of a region's blocks: `buffer`, with the first block at `first`, and rows of blocks `pitch` blocks
/// apart.
pub(super) struct Destination<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub first: u32,
    pub pitch: u32,
}

impl Prepared {
    pub fn new(
        context: &Context,
        coder: BlockCoder,
        options: &EncodeOptions,
        chain: Chain,
    ) -> Result<Self, GpuError> {
        let table = |label, contents: &[u8]| {
            let upload = || filled_buffer(context.device(), label, contents, Usage::STORAGE | Usage::UNIFORM);
            context.checked("uploading tables", upload)
        };
        Ok(Self {
            coder,
            options: *options,
            band_blocks: AtomicU32::new(0),
            loader: Loader::new(context, coder.codec.texels)?,
            pipelines: context.pipelines(&chain.steps.iter().map(|step| &step.kernel).collect::<Vec<_>>())?,
            tables: chain.tables.iter().map(|of| table(of.label, &of.contents)).collect::<Result<_, _>>()?,
            chain,
            singles: Mutex::default(),
        })
    }

    /// True if one kernel does everything for texels from a texture.
    pub fn has_single(&self) -> bool {
        self.chain.single.is_some()
    }

    /// Returns that kernel, compiled now or earlier.
    ///
    /// # Panics
    /// If there is none.
    pub fn single(&self, context: &Context, store: &Store, eight_bits: bool) -> Result<Pipeline, GpuError> {
        let single = self.chain.single.as_ref().expect("a single kernel");
        let mut known = self.singles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., found)) = known.iter().find(|known| known.0 == *store && known.1 == eight_bits) {
            return Ok(found.clone());
        }
        let pipeline = context.pipeline(&encode_kernel(single, store, eight_bits))?;
        known.push((store.clone(), eight_bits, pipeline.clone()));
        Ok(pipeline)
    }

    /// Returns the form in which texels are loaded.
    pub fn texels(&self) -> TexelFormat {
        self.coder.codec.texels
    }

    /// Returns the size of one block in bytes.
    pub fn block_bytes(&self) -> u32 {
        self.coder.codec.block_bytes as u32
    }

    /// Returns the number of blocks in the first band, before the speed is known: eight times as many on
    /// hardware.
    pub fn first_band_blocks(&self, context: &Context) -> u32 {
        let is_software = context.info().is_some_and(|info| info.kind == "software");
        self.chain.first_band_blocks * if is_software { 1 } else { 8 }
    }

    /// Returns the maximum number of blocks in one submission.
    pub fn most_blocks(&self) -> u64 {
        self.chain.most_blocks.into()
    }

    /// Returns the kernels' names, in the order of their passes.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let load = super::load::buffer_kernel_name(self.coder.codec.texels);
        std::iter::once(load).chain(self.chain.steps.iter().map(|step| step.kernel.name()))
    }

    /// Returns the size of one block's loaded texels in bytes.
    fn texel_bytes(&self) -> u64 {
        16 * u64::from(self.coder.codec.texels.texel_bytes())
    }

    /// Returns the maximum number of bytes per block in one binding.
    pub fn most_bytes_per_block(&self) -> u64 {
        let between = self.chain.between.iter().map(|between| between.bytes_per_block);
        between.fold(self.texel_bytes().max(self.block_bytes().into()), u64::max)
    }

    /// True if the scratch memory belongs to this chain and is large enough for `blocks` blocks.
    pub fn fits(&self, scratch: &Scratch, blocks: u32) -> bool {
        let needed = self.chain.between.iter().map(|between| between.bytes_per_block);
        let has = scratch.between.iter().map(wgpu::Buffer::size);
        scratch.between.len() == self.chain.between.len()
            && scratch.texels.size() >= self.texel_bytes() * u64::from(blocks)
            && has.zip(needed).all(|(has, needed)| has >= needed * u64::from(blocks))
    }

    /// Returns scratch memory for `blocks` blocks.
    pub fn scratch(&self, context: &Context, blocks: u32) -> Result<Scratch, GpuError> {
        let buffer = |label, bytes: u64| context.buffer(label, bytes * u64::from(blocks), Usage::STORAGE);
        let between = self.chain.between.iter().map(|of| buffer(of.label, of.bytes_per_block));
        Ok(Scratch {
            texels: buffer("texels", self.texel_bytes())?,
            between: between.collect::<Result<_, _>>()?,
        })
    }

    /// Records the commands for the texels that `load` describes. With a timer, each kernel has a separate
    /// pass.
    pub fn record(
        &self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        load: &LoadParams<'_>,
        scratch: &Scratch,
        to: &Destination<'_>,
        timer: Option<&Timer>,
    ) -> Result<(), GpuError> {
        let [columns, rows] = load.size.map(|texels| texels.div_ceil(4));
        let region = Dispatch {
            size: load.size,
            columns,
            first_block: 0,
            end_block: columns * rows,
            target: to.first,
            pitch: to.pitch,
            has_alpha: load.has_alpha,
        };
        context.checked("recording", || {
            let begin = |encoder: &mut wgpu::CommandEncoder, place| {
                let description = wgpu::ComputePassDescriptor {
                    label: None,
                    timestamp_writes: timer.map(|timer| timer.writes(place)),
                };
                encoder.begin_compute_pass(&description).forget_lifetime()
            };
            let mut pass = begin(encoder, 0);
            self.loader.record(context.device(), &mut pass, load, &scratch.texels);
            for place in 0..self.chain.steps.len() {
                if timer.is_some() {
                    drop(pass);
                    pass = begin(encoder, 1 + place as u32);
                }
                self.dispatch(context.device(), &mut pass, place, &region, scratch, to.buffer);
            }
            drop(pass);
            if let Some(timer) = timer {
                timer.resolve(encoder);
            }
        })
    }

    /// Records one kernel's dispatches for all blocks of a region.
    fn dispatch(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::ComputePass<'_>,
        place: usize,
        region: &Dispatch,
        scratch: &Scratch,
        target: &wgpu::Buffer,
    ) {
        let (step, pipeline) = (&self.chain.steps[place], &self.pipelines[place]);
        let mut first_block = 0;
        while first_block < region.end_block {
            let count = step.blocks_per_dispatch.min(region.end_block - first_block);
            let dispatch = Dispatch { first_block, end_block: first_block + count, ..*region };
            first_block += count;
            let work = (step.work)(&dispatch);
            if work.parts == 0 {
                continue;
            }
            let params = filled_buffer(device, "params", &work.params, Usage::UNIFORM);
            let bound: Vec<_> = step
                .binds
                .iter()
                .map(|bind| match *bind {
                    Bind::Params => &params,
                    Bind::Texels => &scratch.texels,
                    Bind::Blocks => target,
                    Bind::Between(place) => &scratch.between[place],
                    Bind::Table(place) => &self.tables[place],
                })
                .map(wgpu::Buffer::as_entire_binding)
                .collect();
            let workgroups = (work.parts * count).div_ceil(step.parts_per_workgroup);
            pipeline.dispatch(pass, &pipeline.bind(device, &bound), workgroups);
        }
    }
}
