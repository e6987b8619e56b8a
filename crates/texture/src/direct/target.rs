//! A block-compressed texture, and the best way to write it.

use super::{
    Strategy, StrategyReason, TargetError, known::Known, probe, record::Part, refusal::Evidence,
    tiling::Tiling,
};
use crate::{ColorSpace, EncodeError, Task, TextureDesc, TextureKind, codecs::codec_of};
use brickwork_gpu::{BlockImage, BlockImageDesc, BlockWords, Context, GpuError, wgpu};

/// A block-compressed texture that [`GpuEncoder::record`](crate::gpu::GpuEncoder::record) writes as directly
/// as the device allows. Shaders sample it. See [`BlockTarget::Direct`](crate::gpu::BlockTarget::Direct).
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
    /// Creates a texture that the best strategy writes. `known` has the results of earlier tests.
    pub(crate) fn best(
        context: &Context,
        known: &Known,
        desc: &TextureDesc,
        task: &Task<'_>,
    ) -> Result<Self, EncodeError> {
        let mut refusals = Vec::new();
        for strategy in [Strategy::BlockView, Strategy::WritesSwizzled, Strategy::ReadsSwizzled] {
            match Self::by_strategy(context, known, desc, strategy, task) {
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
        let kind = Kind::Texture(shape.create_texture(context)?);
        let reason = StrategyReason { refusals, evidence: Evidence::Copy };
        Ok(Self { desc: *desc, kind, reason })
    }

    /// Creates a texture that this strategy writes.
    pub(crate) fn by_strategy(
        context: &Context,
        known: &Known,
        desc: &TextureDesc,
        strategy: Strategy,
        task: &Task<'_>,
    ) -> Result<Self, TargetError> {
        Self::try_strategy(context, known, desc, strategy, task).map_err(|error| error.or_refused(strategy))
    }

    fn try_strategy(
        context: &Context,
        known: &Known,
        desc: &TextureDesc,
        strategy: Strategy,
        task: &Task<'_>,
    ) -> Result<Self, TargetError> {
        task.check()?;
        let (shape, format) = shape(desc)?;
        let (kind, evidence) = match strategy {
            Strategy::BlockView => {
                known.view_works(context, format, task)?;
                (Kind::View(BlockImage::with_view(context, &shape)?), Evidence::View)
            }
            Strategy::WritesSwizzled | Strategy::ReadsSwizzled => {
                let image = BlockImage::with_memory(context, &shape)?;
                let tilings = probe::tilings(context, &image, &known.tilings, strategy, task)?;
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
    let codec = codec_of(format);
    if matches!(codec.kernels, crate::bc::CodecKernels::None) {
        return Err(EncodeError::NoKernels { format: codec.name });
    }
    let formats = codec.texture_formats;
    let is_srgb = desc.color_space == ColorSpace::Srgb;
    let format = formats.iter().copied().find(|format| format.is_srgb() == is_srgb);
    let format = format.unwrap_or(formats[0]);
    let mut shape = BlockImageDesc::new(format, [desc.width, desc.height]);
    shape.mip_levels = desc.mip_levels;
    shape.layers = desc.layers;
    Ok((shape, format))
}
