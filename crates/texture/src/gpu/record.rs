//! Encoding within the caller's own commands.

use super::{
    check,
    encoder::GpuEncoder,
    load::{LoadFrom, LoadParams},
    prepared::{Destination, Prepared},
    target::{BlockRegion, BlockTarget, Recording, TexelSource},
};
use crate::{
    BlockFormat, ColorSpace, EncodeError, EncodeOptions,
    bc::BlockCoder,
    codecs::codec_of,
    direct::{
        Part,
        kernels::{Params, place_kernel},
    },
    passes,
};
use brickwork_gpu::{BlockImage, Context, GpuError, wgpu};

impl GpuEncoder {
    /// Returns the maximum number of texels, in whole blocks, that one [`record`](Self::record) may take on
    /// this device. It is limited by the size of storage bindings. For LSDxt, it is at most 2^23 at quality
    /// high and 2^18 at best, so that no driver's watchdog stops it. The best size of one *submission*
    /// depends on the device's speed: an application that draws should stay below the time of a frame.
    ///
    /// # Errors
    /// [`EncodeError`], as for [`record`](Self::record), because kernels are compiled if they have not been
    /// yet.
    pub fn max_region(&self, format: BlockFormat, options: &EncodeOptions) -> Result<u64, EncodeError> {
        let prepared = self.machine.prepared(BlockCoder::linear(codec_of(format)), options)?;
        Ok(16 * self.machine.max_blocks(&prepared))
    }

    /// Records the commands that encode a region of a source into a target. Does not submit and does not
    /// wait. All recordings of one encoder share its scratch memory and must therefore be submitted to the
    /// same queue. The region's blocks start at its own corner, for any origin.
    ///
    /// # Errors
    /// [`EncodeError::Gpu`] with [`GpuError::Limit`] if the region is larger than
    /// [`max_region`](Self::max_region), or if a buffer is larger than a storage binding may be.
    /// [`EncodeError::Record`] if the region is empty, or if the source or target does not fit. In these
    /// cases, nothing has been recorded. After any other error, such as a lost device, the command encoder is
    /// invalid.
    ///
    /// [`GpuError::Limit`]: brickwork_gpu::GpuError::Limit
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        recording: &Recording<'_>,
        format: BlockFormat,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        let is_srgb = match recording.target {
            BlockTarget::Buffer { .. } => false,
            BlockTarget::Texture { texture, .. } => texture.format().is_srgb(),
            BlockTarget::Direct { target, .. } => target.texture().format().is_srgb(),
        };
        let color_space = if is_srgb { ColorSpace::Srgb } else { ColorSpace::Linear };
        self.record_codec(encoder, recording, BlockCoder { codec: codec_of(format), color_space }, options)
    }

    /// Records the commands of the codec of any format.
    pub(crate) fn record_codec(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        recording: &Recording<'_>,
        coder: BlockCoder,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        let codec = coder.codec;
        let Recording { source, region, target } = *recording;
        let context = self.context();
        passes::check_waits_for_none(codec, options)?;
        let prepared = self.machine.prepared(coder, options)?;
        let [columns, rows] = check::region(region, self.machine.max_blocks(&prepared))?;
        check::source(source, region, context.device())?;
        check::target(target, [columns, rows], codec, context.device())?;
        let job = Job { prepared: &prepared, source, region, blocks: [columns, rows] };
        match target {
            BlockTarget::Buffer { buffer, offset, bytes_per_row } => {
                let [first, pitch] = [offset, bytes_per_row].map(|bytes| bytes / prepared.block_bytes());
                self.record_linear(encoder, &job, &Destination { buffer, first, pitch })
            }
            BlockTarget::Texture { texture, mip_level, layer, origin } => {
                let place = Place { mip_level, layer, origin };
                self.record_copy(encoder, &job, texture, place)
            }
            BlockTarget::Direct { target, mip_level, layer, origin } => {
                let place = Place { mip_level, layer, origin };
                match target.part(context, mip_level, layer)? {
                    Some((image, part)) => self.record_direct(encoder, &job, image, &part, origin),
                    None => self.record_copy(encoder, &job, target.texture(), place),
                }
            }
        }
    }

    /// Encodes into a buffer, row by row. Uses the single kernel for textures if there is one, else the
    /// chain.
    fn record_linear(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        job: &Job<'_>,
        to: &Destination<'_>,
    ) -> Result<(), EncodeError> {
        let (context, prepared, region) = (self.context(), job.prepared, job.region);
        let view = job.source_view(context)?;
        if let (Some(view), true) = (&view, prepared.has_single()) {
            let params = Params { first: to.first, pitch: to.pitch, ..job.params() };
            let part = Part::Buffer(to.buffer);
            let pipeline = prepared.single(context, &part.store(), job.has_eight_bits())?;
            let view = wgpu::BindingResource::TextureView(view);
            return Ok(part.record(context, encoder, &pipeline, &params, view)?);
        }
        let [columns, rows] = job.blocks;
        let mut scratch = self.machine.scratch();
        let scratch = match &mut *scratch {
            Some(held) if prepared.fits(held, columns * rows) => held,
            other => other.insert(prepared.scratch(context, columns * rows)?),
        };
        let [x, y] = region.origin;
        let from = match (job.source, &view) {
            (TexelSource::Buffer { buffer, texels, offset, bytes_per_row }, _) => LoadFrom::Buffer {
                buffer,
                offset: offset + y * bytes_per_row + x * texels.texel_bytes(),
                pitch: bytes_per_row,
                texel_type: texels.texel_type(),
            },
            (TexelSource::Texture { .. }, Some(view)) => LoadFrom::Texture { view, origin: region.origin },
            (TexelSource::Texture { .. }, None) => unreachable!("a texture has a view"),
        };
        let load = LoadParams { from, size: region.size, has_alpha: true };
        Ok(prepared.record(context, encoder, &load, scratch, to, None)?)
    }

    /// Encodes into a separate buffer, whose rows can be copied to textures.
    fn record_own(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        job: &Job<'_>,
    ) -> Result<(wgpu::Buffer, u32), EncodeError> {
        let ([columns, rows], block_bytes) = (job.blocks, job.prepared.block_bytes());
        let row_bytes = (columns * block_bytes).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let buffer = self.context().buffer("blocks", u64::from(row_bytes) * u64::from(rows), usage)?;
        let to = Destination { buffer: &buffer, first: 0, pitch: row_bytes / block_bytes };
        self.record_linear(encoder, job, &to)?;
        Ok((buffer, row_bytes))
    }

    /// Encodes into a buffer, and copies it.
    fn record_copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        job: &Job<'_>,
        texture: &wgpu::Texture,
        Place { mip_level, layer, origin: [x, y] }: Place,
    ) -> Result<(), EncodeError> {
        let (blocks, row_bytes) = self.record_own(encoder, job)?;
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
        let to = wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d { x, y, z: layer },
            aspect: wgpu::TextureAspect::All,
        };
        // Whole blocks, even past the edge of a mip level.
        let [width, height] = job.blocks.map(|count| 4 * count);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let from = wgpu::TexelCopyBufferInfo { buffer: &blocks, layout };
        let copy = || encoder.copy_buffer_to_texture(from, to, size);
        Ok(self.context().checked("copying blocks to a texture", copy)?)
    }

    /// Writes an image's blocks where they are sampled. Uses the single kernel for textures if there is one,
    /// else copies from a buffer of blocks.
    fn record_direct(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        job: &Job<'_>,
        image: &BlockImage,
        part: &Part<'_>,
        origin: [u32; 2],
    ) -> Result<(), EncodeError> {
        let (context, prepared) = (self.context(), job.prepared);
        let params = Params { corner: origin.map(|texel| texel / 4), ..job.params() };
        let view = job.source_view(context)?;
        if let (Some(view), true) = (&view, prepared.has_single()) {
            let pipeline = prepared.single(context, &part.store(), job.has_eight_bits())?;
            image.begin(encoder);
            let view = wgpu::BindingResource::TextureView(view);
            part.record(context, encoder, &pipeline, &params, view)?;
        } else {
            let (blocks, row_bytes) = self.record_own(encoder, job)?;
            let params = Params { pitch: row_bytes / prepared.block_bytes(), ..params };
            let pipeline = context.pipeline(&place_kernel(prepared.block_bytes(), &part.store()))?;
            image.begin(encoder);
            part.record(context, encoder, &pipeline, &params, blocks.as_entire_binding())?;
        }
        image.end(encoder);
        Ok(())
    }
}

/// The region to encode.
struct Job<'a> {
    prepared: &'a Prepared,
    source: TexelSource<'a>,
    region: BlockRegion,
    /// Columns and rows of blocks.
    blocks: [u32; 2],
}

/// A position in a texture.
#[derive(Clone, Copy)]
struct Place {
    mip_level: u32,
    layer: u32,
    origin: [u32; 2],
}

impl Job<'_> {
    /// Returns the source's view; `None` for a buffer.
    fn source_view(&self, context: &Context) -> Result<Option<wgpu::TextureView>, GpuError> {
        let TexelSource::Texture { texture, mip_level, layer } = self.source else { return Ok(None) };
        let description = wgpu::TextureViewDescriptor {
            label: Some("source"),
            format: Some(texture.format().remove_srgb_suffix()),
            dimension: Some(wgpu::TextureViewDimension::D2),
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            base_mip_level: mip_level,
            mip_level_count: Some(1),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..Default::default()
        };
        context.checked("the source", || texture.create_view(&description)).map(Some)
    }

    /// True if the source is a texture of 8-bit integers between 0 and 1.
    fn has_eight_bits(&self) -> bool {
        use wgpu::TextureFormat as F;
        let TexelSource::Texture { texture, .. } = self.source else { return false };
        let format = texture.format().remove_srgb_suffix();
        matches!(format, F::Rgba8Unorm | F::Bgra8Unorm | F::Rg8Unorm | F::R8Unorm)
    }

    fn params(&self) -> Params {
        let BlockRegion { origin, size } = self.region;
        Params { origin, size, blocks: self.blocks, ..Params::default() }
    }
}
