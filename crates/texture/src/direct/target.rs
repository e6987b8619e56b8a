//! A texture of blocks, and the best way to write it.

use super::kernels::{Params, Store, place_kernel};
use crate::{ColorSpace, EncodeError, TextureDesc, TextureKind, encode::codec, gpu::GpuEncoder};
use brickwork_gpu::{
    BlockImage, BlockImageDesc, BlockWords, Context, Download, GpuError, filled_buffer, wgpu,
};
use std::fmt;
use wgpu::{TextureUsages, TextureViewDimension};

/// How blocks come into a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Kernels store them through a view of the texture that has a texel for each block. Vulkan only.
    BlockView,
    /// Kernels encode into a buffer, which is copied. Works on every device that samples the format.
    Copy,
}

impl Strategy {
    /// Every strategy, the best first.
    pub const ALL: &[Self] = &[Self::BlockView, Self::Copy];

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlockView => "block view",
            Self::Copy => "copy",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A texture of blocks that [`GpuEncoder::record`] writes as directly as the device allows, and shaders
/// sample: [`BlockTarget::Direct`](crate::gpu::BlockTarget::Direct).
///
/// All its blocks are zero at first.
#[derive(Debug)]
pub struct CompressedTarget {
    desc: TextureDesc,
    kind: Kind,
    reason: String,
}

#[derive(Debug)]
enum Kind {
    Image(BlockImage),
    Texture(wgpu::Texture),
}

impl CompressedTarget {
    /// A 2D texture, or an array of them, written by the best strategy that works here: each is tried, by
    /// writing blocks and reading them back, until one does.
    ///
    /// # Errors
    /// [`EncodeError::Texture`] if there is no such shape, [`EncodeError::Shape`] if it is not 2D,
    /// [`EncodeError::Unsupported`] for formats without an encoder, [`EncodeError::Gpu`] if the device does
    /// not sample the format, has no textures of this size, is out of memory or lost.
    pub fn new(encoder: &GpuEncoder, desc: &TextureDesc) -> Result<Self, EncodeError> {
        let mut reasons = Vec::new();
        for &strategy in Strategy::ALL {
            match Self::with_strategy(encoder, desc, strategy) {
                Ok(mut target) => {
                    reasons.push(target.reason);
                    target.reason = reasons.join("; ");
                    return Ok(target);
                }
                Err(EncodeError::Gpu(error @ (GpuError::Unsupported { .. } | GpuError::Limit { .. })))
                    if strategy != Strategy::Copy =>
                {
                    reasons.push(format!("no {strategy}: {error}"));
                }
                Err(error) => return Err(error),
            }
        }
        unreachable!("a copy is the last")
    }

    /// As [`new`](Self::new), with one strategy.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`GpuError::Unsupported`] if the device has not what the strategy takes,
    /// or blocks written so are not those that the texture has.
    pub fn with_strategy(
        encoder: &GpuEncoder,
        desc: &TextureDesc,
        strategy: Strategy,
    ) -> Result<Self, EncodeError> {
        desc.check()?;
        match desc.kind {
            TextureKind::D2 => {}
            TextureKind::Cube => return Err(EncodeError::Shape("a cube")),
            TextureKind::D3 => return Err(EncodeError::Shape("a 3D texture")),
        }
        let context = encoder.context();
        let formats = codec(desc.format)?.texture_formats;
        let is_srgb = desc.color_space == ColorSpace::Srgb;
        let format = formats.iter().copied().find(|format| format.is_srgb() == is_srgb);
        let format = format.or(formats.first().copied()).ok_or(EncodeError::Unsupported(desc.format))?;
        let shape = BlockImageDesc {
            format,
            size: [desc.width, desc.height],
            mip_levels: desc.mip_levels,
            layers: desc.layers,
        };
        let (kind, reason) = match strategy {
            Strategy::BlockView => {
                encoder.view_works(format)?;
                let image = BlockImage::with_view(context, &shape)?;
                (Kind::Image(image), "blocks written through a view are those of the texture".to_owned())
            }
            Strategy::Copy => {
                (Kind::Texture(shape.create_texture(context)?), "copies work everywhere".to_owned())
            }
        };
        Ok(Self { desc: *desc, kind, reason })
    }

    /// What it is.
    pub fn desc(&self) -> &TextureDesc {
        &self.desc
    }

    /// The texture to sample. Its usages are `TEXTURE_BINDING`, `COPY_SRC` and `COPY_DST`; it may be viewed
    /// with sRGB and without.
    pub fn texture(&self) -> &wgpu::Texture {
        match &self.kind {
            Kind::Image(image) => image.texture(),
            Kind::Texture(texture) => texture,
        }
    }

    /// How it is written.
    pub fn strategy(&self) -> Strategy {
        match &self.kind {
            Kind::Image(_) => Strategy::BlockView,
            Kind::Texture(_) => Strategy::Copy,
        }
    }

    /// Why it is written so, in words: what was tried before, and what it lacked.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The image that kernels write; `None` if blocks are copied.
    pub(crate) fn image(&self) -> Option<&BlockImage> {
        match &self.kind {
            Kind::Image(image) => Some(image),
            Kind::Texture(_) => None,
        }
    }
}

/// The view through which kernels store blocks of one mip level and layer.
pub(crate) fn block_view(
    context: &Context,
    words: &wgpu::Texture,
    mip_level: u32,
    layer: u32,
) -> Result<wgpu::TextureView, GpuError> {
    let description = wgpu::TextureViewDescriptor {
        label: Some("blocks"),
        dimension: Some(TextureViewDimension::D2),
        usage: Some(TextureUsages::STORAGE_BINDING),
        base_mip_level: mip_level,
        mip_level_count: Some(1),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    };
    context.checked("a view of blocks", || words.create_view(&description))
}

/// Writes blocks through views of a small image, in each of its mip levels and layers, and reads the texture.
pub(crate) fn check_view(context: &Context, format: wgpu::TextureFormat) -> Result<(), GpuError> {
    let desc = BlockImageDesc { format, size: [68, 36], mip_levels: 3, layers: 2 };
    let image = BlockImage::with_view(context, &desc)?;
    let BlockWords::View(words) = image.words() else { unreachable!("an image with a view") };
    let pipeline = context.pipeline(&place_kernel(desc.block_bytes(), Store::View))?;
    for mip_level in 0..desc.mip_levels {
        for layer in 0..desc.layers {
            let blocks = desc.blocks(mip_level);
            let [columns, rows] = blocks;
            let row_bytes = (columns * desc.block_bytes()) as usize;
            let pitch = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
            let bytes = pitch * rows as usize;
            // (No two words are alike.)
            let contents: Vec<u8> = (0..bytes as u32 / 4)
                .flat_map(|word| (word.wrapping_mul(0x9e37_79b9) ^ (mip_level << 8 | layer)).to_le_bytes())
                .collect();
            let params = Params { blocks, pitch: pitch as u32 / desc.block_bytes(), ..Default::default() };
            let view = block_view(context, words, mip_level, layer)?;
            let staging = Download::staging(context, bytes as u64)?;
            let storage = wgpu::BufferUsages::STORAGE;
            let upload = || filled_buffer(context.device(), "blocks", &contents, storage);
            let from = context.checked("blocks", upload)?;
            let mut commands = context.device().create_command_encoder(&Default::default());
            image.begin(&mut commands);
            let bound = [from.as_entire_binding(), wgpu::BindingResource::TextureView(&view)];
            super::record(context, &mut commands, &pipeline, &params, bound)?;
            image.end(&mut commands);
            let submission = context.checked("reading blocks", || {
                let from = wgpu::TexelCopyTextureInfo {
                    texture: image.texture(),
                    mip_level,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                    aspect: wgpu::TextureAspect::All,
                };
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(pitch as u32),
                    rows_per_image: None,
                };
                let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
                let size = wgpu::Extent3d { width: 4 * columns, height: 4 * rows, depth_or_array_layers: 1 };
                commands.copy_texture_to_buffer(from, to, size);
                context.queue().submit([commands.finish()])
            })?;
            let found = Download::submitted(&staging, bytes as u64, submission).wait(context)?;
            let rows = found.chunks(pitch).zip(contents.chunks(pitch));
            if rows.into_iter().any(|(found, expected)| found[..row_bytes] != expected[..row_bytes]) {
                let reason = format!("blocks written to mip level {mip_level} are not those of the texture");
                return Err(GpuError::Unsupported { what: "a view of blocks as integers", reason });
            }
        }
    }
    Ok(())
}
