//! A block-compressed texture, and the best way to write it.

use super::{
    Refusal, Strategy, StrategyReason, TargetError,
    kernels::{Params, Store, place_kernel},
    probe,
    read_back::read_back,
    record::Part,
    refusal::Evidence,
    tiling::Tiling,
};
use crate::{ColorSpace, EncodeError, Task, TextureDesc, TextureKind, bc::codec_of, gpu::GpuEncoder};
use brickwork_gpu::{
    BlockImage, BlockImageDesc, BlockWords, Context, Download, GpuError, filled_buffer, wgpu,
};

/// A block-compressed texture that [`GpuEncoder::record`] writes as directly as the device allows. Shaders
/// sample it. See [`BlockTarget::Direct`](crate::gpu::BlockTarget::Direct).
///
/// Initially, all blocks are zero.
#[derive(Debug)]
pub struct CompressedTarget {
    desc: TextureDesc,
    kind: Kind,
    reason: StrategyReason,
}

#[derive(Debug)]
enum Kind {
    View(BlockImage),
    Memory {
        image: BlockImage,
        /// Tilings of all mip levels of all layers.
        tilings: Vec<Tiling>,
        by_slot: bool,
    },
    Texture(wgpu::Texture),
}

impl CompressedTarget {
    /// Creates a 2D texture, or an array of them, that the best available strategy writes: the first of
    /// [`Strategy::ALL`] that works on this device.
    ///
    /// To find out, test blocks are written and read back: through a view of a small texture, once for each
    /// format, or in the memory of this texture. The call waits for the GPU meanwhile, mainly the first time
    /// on a device. All blocks of the texture are zero afterwards. The task reports nothing.
    ///
    /// # Errors
    /// [`EncodeError::Texture`] if there is no such shape, [`EncodeError::Shape`] if it is not 2D,
    /// [`EncodeError::Gpu`] if the device does not sample the format, has no textures of this size, is out of
    /// memory or lost, [`EncodeError::Cancelled`].
    pub fn new(encoder: &GpuEncoder, desc: &TextureDesc, task: &Task<'_>) -> Result<Self, EncodeError> {
        let mut refusals = Vec::new();
        for strategy in [Strategy::BlockView, Strategy::WritesSwizzled, Strategy::ReadsSwizzled] {
            match Self::with_strategy(encoder, desc, strategy, task) {
                Ok(mut target) => {
                    target.reason.refusals = refusals;
                    return Ok(target);
                }
                Err(TargetError::Refused { refusal, .. }) => refusals.push((strategy, refusal)),
                Err(TargetError::Encode(error)) => return Err(error),
            }
        }
        task.check()?;
        let (shape, _) = shape(desc)?;
        let kind = Kind::Texture(shape.create_texture(encoder.context())?);
        let reason = StrategyReason { refusals, evidence: Evidence::Copy };
        Ok(Self { desc: *desc, kind, reason })
    }

    /// Creates a texture as [`new`](Self::new) does, for one strategy.
    ///
    /// # Errors
    /// [`TargetError::Encode`] with the errors of [`new`](Self::new), [`TargetError::Refused`] if the device
    /// does not support the strategy, or the test blocks are not those of the texture.
    pub fn with_strategy(
        encoder: &GpuEncoder,
        desc: &TextureDesc,
        strategy: Strategy,
        task: &Task<'_>,
    ) -> Result<Self, TargetError> {
        Self::try_strategy(encoder, desc, strategy, task).map_err(|error| error.or_refused(strategy))
    }

    fn try_strategy(
        encoder: &GpuEncoder,
        desc: &TextureDesc,
        strategy: Strategy,
        task: &Task<'_>,
    ) -> Result<Self, TargetError> {
        task.check()?;
        let context = encoder.context();
        let (shape, format) = shape(desc)?;
        let (kind, evidence) = match strategy {
            Strategy::BlockView => {
                encoder.view_works(format, task)?;
                (Kind::View(BlockImage::with_view(context, &shape)?), Evidence::View)
            }
            Strategy::WritesSwizzled | Strategy::ReadsSwizzled => {
                let image = BlockImage::with_memory(context, &shape)?;
                let tilings = probe::tilings(context, &image, encoder.tilings(), strategy, task)?;
                let evidence = Evidence::Order(tilings[0].tile().order());
                (Kind::Memory { image, tilings, by_slot: strategy == Strategy::ReadsSwizzled }, evidence)
            }
            Strategy::Copy => (Kind::Texture(shape.create_texture(context)?), Evidence::Copy),
        };
        Ok(Self { desc: *desc, kind, reason: StrategyReason { refusals: Vec::new(), evidence } })
    }

    /// Returns the texture's description.
    pub fn desc(&self) -> &TextureDesc {
        &self.desc
    }

    /// Returns the texture to sample. Its usages are `TEXTURE_BINDING`, `COPY_SRC` and `COPY_DST`. Views with
    /// and without sRGB are allowed.
    pub fn texture(&self) -> &wgpu::Texture {
        match &self.kind {
            Kind::View(image) | Kind::Memory { image, .. } => image.texture(),
            Kind::Texture(texture) => texture,
        }
    }

    /// Returns the strategy with which the texture is written.
    pub fn strategy(&self) -> Strategy {
        match &self.kind {
            Kind::View(_) => Strategy::BlockView,
            Kind::Memory { by_slot: false, .. } => Strategy::WritesSwizzled,
            Kind::Memory { by_slot: true, .. } => Strategy::ReadsSwizzled,
            Kind::Texture(_) => Strategy::Copy,
        }
    }

    /// Returns the reason for the strategy.
    pub fn reason(&self) -> &StrategyReason {
        &self.reason
    }

    /// Returns the order of a mip level's blocks in memory. Returns `None` if the GPU does not write them
    /// there, or if the mip level or layer does not exist.
    pub fn tiling(&self, mip_level: u32, layer: u32) -> Option<&Tiling> {
        match &self.kind {
            Kind::Memory { tilings, .. } if mip_level < self.desc.mip_levels => {
                tilings.get(layer as usize * self.desc.mip_levels as usize + mip_level as usize)
            }
            _ => None,
        }
    }

    /// Returns the image that kernels write, and the part of it, or `None` if blocks are copied.
    pub(crate) fn part(
        &self,
        context: &Context,
        mip_level: u32,
        layer: u32,
    ) -> Result<Option<(&BlockImage, Part<'_>)>, GpuError> {
        Ok(match &self.kind {
            Kind::View(image) => Some((image, Part::view(context, image, mip_level, layer)?)),
            Kind::Memory { image, by_slot, .. } => {
                let BlockWords::Memory(memory) = image.words() else { unreachable!("it has its memory") };
                let tiling = self.tiling(mip_level, layer).expect("a mip level that was checked");
                Some((image, Part::Memory { memory, tiling, by_slot: *by_slot }))
            }
            Kind::Texture(_) => None,
        })
    }
}

/// The shape of the image, and its format.
fn shape(desc: &TextureDesc) -> Result<(BlockImageDesc, wgpu::TextureFormat), EncodeError> {
    desc.check()?;
    match desc.kind {
        TextureKind::D2 => {}
        TextureKind::Cube => return Err(EncodeError::Shape("a cube")),
        TextureKind::D3 => return Err(EncodeError::Shape("a 3D texture")),
    }
    let format = desc.format.block().ok_or(EncodeError::Shape("one of plain texels"))?;
    let formats = codec_of(format).texture_formats;
    let is_srgb = desc.color_space == ColorSpace::Srgb;
    let format = formats.iter().copied().find(|format| format.is_srgb() == is_srgb);
    let format = format.unwrap_or(formats[0]);
    let mut shape = BlockImageDesc::new(format, [desc.width, desc.height]);
    shape.mip_levels = desc.mip_levels;
    shape.layers = desc.layers;
    Ok((shape, format))
}

/// Writes blocks through views of a small image, in each of its mip levels and layers. Then reads the texture
/// and compares.
pub(crate) fn check_view(
    context: &Context,
    format: wgpu::TextureFormat,
    task: &Task<'_>,
) -> Result<(), TargetError> {
    let mut desc = BlockImageDesc::new(format, [68, 36]);
    desc.mip_levels = 3;
    desc.layers = 2;
    let image = BlockImage::with_view(context, &desc)?;
    let pipeline = context.pipeline(&place_kernel(desc.block_bytes(), &Store::View))?;
    for mip_level in 0..desc.mip_levels {
        for layer in 0..desc.layers {
            task.check()?;
            let blocks = desc.blocks(mip_level);
            let [columns, rows] = blocks;
            let row_bytes = (columns * desc.block_bytes()) as usize;
            let pitch = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
            let bytes = pitch * rows as usize;
            // No two words are equal.
            let contents: Vec<u8> = (0..bytes as u32 / 4)
                .flat_map(|word| (word.wrapping_mul(0x9e37_79b9) ^ (mip_level << 8 | layer)).to_le_bytes())
                .collect();
            let params = Params { blocks, pitch: pitch as u32 / desc.block_bytes(), ..Default::default() };
            let part = Part::view(context, &image, mip_level, layer)?;
            let staging = Download::staging(context, bytes as u64)?;
            let storage = wgpu::BufferUsages::STORAGE;
            let upload = || filled_buffer(context.device(), "blocks", &contents, storage);
            let from = context.checked("blocks", upload)?;
            let mut commands = context.device().create_command_encoder(&Default::default());
            image.begin(&mut commands);
            part.record(context, &mut commands, &pipeline, &params, from.as_entire_binding())?;
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
            });
            let download = Download::submitted(&staging, bytes as u64, submission?);
            let found = read_back(context, download, task)?;
            let rows = found.chunks(pitch).zip(contents.chunks(pitch));
            if rows.into_iter().any(|(found, expected)| found[..row_bytes] != expected[..row_bytes]) {
                let refusal = Refusal::OtherBlocks { mip_level };
                return Err(TargetError::Refused { strategy: Strategy::BlockView, refusal });
            }
        }
    }
    Ok(())
}
