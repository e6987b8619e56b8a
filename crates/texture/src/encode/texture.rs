//! Encoding of images to a texture with its mip levels in one call.

use super::{
    Surfaces,
    coder::Coder,
    dither::{can_change, dithered},
};
use crate::{
    AlphaMode, ColorSpace, EncodeError, EncodeOptions, Encoder, Image, ImageIndex, Progress, Task, Texture,
    TextureDesc, TextureKind,
    mips::{Coverage, Covered, MipLevel, MipOptions, SliceHalver, renormalize},
};
use std::collections::VecDeque;

/// Encodes images to the texture that `desc` describes: one image, or those of all layers, faces and slices
/// ([`Surfaces`]). Missing mip levels are made.
///
/// Each mip level is half the size of the level above. It is filtered in linear light if the texture is sRGB,
/// and with colours weighted by alpha if alpha is straight ([`mips`](crate::mips)). A 3D texture is also
/// halved along its depth. A GPU's encoder makes 2D mip levels of block formats on the GPU; with
/// [`EncodeOptions::keep_coverage`], only level 1, and with [`EncodeOptions::dither`] none. The CPU makes all
/// others, and scales the vectors of normal maps. The bytes are the same on every device.
///
/// The CPU converts images to plain formats, as [`encode_plain`](crate::encode_plain) does, and ignores
/// `options` except for mip levels. These are made in texels of 8 bits, 16 bits, half floats or single
/// floats, which are then converted.
///
/// ```
/// use brickwork_texture::{
///     BlockFormat, ColorSpace, EncodeOptions, Encoder, ImageView, Quality, Task, TextureDesc,
///     encode_texture,
/// };
///
/// let texels: Vec<[u8; 3]> = (0..20 * 12).map(|i| [i as u8, 80, (i / 20) as u8]).collect();
/// let image = ImageView::new(&texels, 20, 12)?;
/// let desc = TextureDesc::of_image(&image, BlockFormat::Bc1)
///     .with_color_space(ColorSpace::Srgb)
///     .with_full_mips();
/// let options = EncodeOptions::default().with(|o| o.quality = Quality::Fast);
/// let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new())?;
/// assert_eq!(texture.data().len(), 8 * (5 * 3 + 3 * 2 + 2 + 1 + 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Progress is reported in blocks, or plain texels, of all images. Blocks count twice if
/// [`EncodeOptions::rdo`] or [`EncodeOptions::weigh_by_alpha`] processes an image again. Besides the blocks
/// and the images, two mip levels of a face are in memory at a time, in RGBA
/// ([`encode_memory_bytes`](crate::encode_memory_bytes)).
///
/// # Errors
/// [`EncodeError`] if the shape is impossible, sRGB is requested for normals or for a format without an sRGB
/// variant, an image has another size or was not loaded, the number of
/// images is wrong, a mip level of more than 2⁴⁰ texels is requested, there is no memory, threads cannot be
/// started, the GPU fails or has no kernels for the metric of BC6H, or the task is cancelled.
pub fn encode_texture<'a>(
    encoder: &Encoder,
    surfaces: impl Into<Surfaces<'a>>,
    desc: &TextureDesc,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    encode_texture_by(encoder, surfaces.into(), desc, Coder::of(desc), options, task)
}

/// Returns the texture that [`encode_texture`] makes of the same images with `options`, whose
/// [`EncodeOptions::rdo`] may differ from those of `base`. `base` was made without rate–distortion
/// optimisation, with otherwise equal options. Its blocks are not encoded again, which saves a part of the
/// time.
///
/// # Errors
/// As [`encode_texture`].
pub fn optimize_texture<'a>(
    encoder: &Encoder,
    surfaces: impl Into<Surfaces<'a>>,
    base: &Texture,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    let desc = base.desc();
    encode_all(encoder, surfaces.into(), desc, Coder::of(desc), Some(base.data()), options, task)
}

/// Encodes with the coder of any format whose blocks have the size of those of `desc`.
pub(crate) fn encode_texture_by(
    encoder: &Encoder,
    surfaces: Surfaces<'_>,
    desc: &TextureDesc,
    coder: Coder,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    encode_all(encoder, surfaces, desc, coder, None, options, task)
}

/// Encodes all images, or optimises the blocks of `base`.
fn encode_all(
    encoder: &Encoder,
    mut surfaces: Surfaces<'_>,
    desc: &TextureDesc,
    coder: Coder,
    base: Option<&[u8]>,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    desc.check()?;
    if options.normals && desc.color_space == ColorSpace::Srgb {
        return Err(EncodeError::SrgbNormals);
    }
    surfaces.check(desc)?;
    let needed = desc.data_bytes();
    let out_of_memory = |_| EncodeError::OutOfMemory { needed };
    let byte_count = usize::try_from(needed).map_err(|_| out_of_memory(()))?;
    let mut blocks = bytemuck::allocation::try_zeroed_vec(byte_count).map_err(out_of_memory)?;
    let mut work = Work { encoder, coder, base, options, desc, rest: &mut blocks, needed, task };
    for layer in 0..desc.layers {
        for face in 0..desc.faces() {
            work.encode_face(layer, face, &mut surfaces)?;
        }
    }
    Ok(Texture::new(*desc, blocks)?)
}

/// A texture that is encoded image by image.
struct Work<'a> {
    encoder: &'a Encoder,
    coder: Coder,
    /// Blocks to be optimised, of all images.
    base: Option<&'a [u8]>,
    options: &'a EncodeOptions,
    desc: &'a TextureDesc,
    /// Blocks of the images that have not been encoded yet.
    rest: &'a mut [u8],
    /// Number of bytes of all blocks.
    needed: u64,
    task: &'a Task<'a>,
}

impl Work<'_> {
    /// Encodes all mip levels of a face.
    fn encode_face(&mut self, layer: u32, face: u32, surfaces: &mut Surfaces<'_>) -> Result<(), EncodeError> {
        let mips = MipOptions::of_texture(self.desc, self.options);
        let given_levels = surfaces.mip_levels_of(self.desc);
        let has_coverage = mips.alpha_mode == AlphaMode::Straight && self.desc.kind != TextureKind::D3;
        let reference = self.options.keep_coverage.filter(|_| has_coverage);
        let mut coverage = None;
        // Slices of this mip level, made from the level above.
        let mut made = VecDeque::new();
        for mip_level in 0..self.desc.mip_levels {
            let [.., depth] = self.desc.mip_level_size(mip_level);
            let makes_next = (given_levels..self.desc.mip_levels).contains(&(mip_level + 1));
            let mips = makes_next.then_some(mips);
            let mut next = VecDeque::new();
            let mut halver = SliceHalver::new(depth);
            for slice in 0..depth {
                let index = ImageIndex { layer, face, mip_level, slice };
                let image: Box<dyn Image + '_> = match made.pop_front() {
                    Some(level) => {
                        if let Some(coverage) = &coverage {
                            next.extend(self.encode_covered(&level, coverage, index, mips)?);
                            continue;
                        }
                        Box::new(level)
                    }
                    None => surfaces.next(index)?,
                };
                if let Some(reference) = reference.filter(|_| mip_level == 0) {
                    coverage = Some(Coverage::of(&*image, reference, self.task)?);
                }
                next.extend(self.encode_image(&*image, index, mips.filter(|_| depth == 1))?);
                if let Some(mips) = mips.filter(|_| depth > 1) {
                    let halve =
                        |covered: Covered<'_>| self.encoder.next_slice(&covered, self.coder, mips, self.task);
                    next.extend(halver.add(image, halve)?);
                }
            }
            if self.options.normals {
                next.iter_mut().for_each(renormalize);
            }
            made = next;
        }
        Ok(())
    }

    /// Encodes a mip level with the given coverage. If `mips` is given, returns the next mip level, which is
    /// made from the texels before the change.
    fn encode_covered(
        &mut self,
        level: &MipLevel,
        coverage: &Coverage,
        index: ImageIndex,
        mips: Option<MipOptions>,
    ) -> Result<Option<MipLevel>, EncodeError> {
        self.encode_image(&coverage.kept(level, self.task)?, index, None)?;
        let next = |mips| self.encoder.next_slice(&Covered::image(level), self.coder, mips, self.task);
        mips.map(next).transpose()
    }

    /// Encodes the next image. If `mips` is given, returns its next mip level.
    fn encode_image(
        &mut self,
        image: &dyn Image,
        index: ImageIndex,
        mips: Option<MipOptions>,
    ) -> Result<Option<MipLevel>, EncodeError> {
        let [width, height, _] = self.desc.mip_level_size(index.mip_level);
        if image.size() != [width, height] {
            return Err(EncodeError::Size { index, texture: [width, height], image: image.size() });
        }
        let passes = self.coder.passes(self.options);
        let block_count = |bytes| passes * bytes / self.coder.block_bytes() as u64;
        let start = self.needed as usize - self.rest.len();
        let done_before = block_count(start as u64);
        let image_bytes = self.desc.format.image_bytes(width, height) as usize;
        let (blocks, after) = std::mem::take(&mut self.rest).split_at_mut(image_bytes);
        self.rest = after;
        let base = self.base.map(|base| &base[start..start + image_bytes]);
        let report = |progress: Progress| {
            self.task.report(progress.stage, done_before + progress.done, block_count(self.needed));
        };
        let task = self.task.with_progress(&report);
        let format = self.desc.format.block().filter(|_| self.coder.dithers(self.options));
        let format = format.filter(|&format| can_change(image, format));
        let Some(format) = format else {
            return self.encode_level(image, base, mips, blocks, &task);
        };
        let dithered = dithered(image, format, &self.task.without_progress())?;
        self.encode_level(&dithered, base, None, blocks, &task)?;
        // Mip levels are made of the texels before, and dithered themselves.
        let next = |mips| self.encoder.next_slice(&Covered::image(image), self.coder, mips, self.task);
        mips.map(next).transpose()
    }

    /// Encodes a mip level, or optimises the blocks of `base`. If `mips` is given, returns the next mip
    /// level.
    fn encode_level(
        &self,
        image: &dyn Image,
        base: Option<&[u8]>,
        mips: Option<MipOptions>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<Option<MipLevel>, EncodeError> {
        let (Some(base), Coder::Blocks(coder)) = (base, self.coder) else {
            return self.encoder.encode_level(image, self.coder, self.options, mips, blocks, task);
        };
        blocks.copy_from_slice(base);
        self.encoder.cpu().optimize(image, coder, self.options, blocks, task)?;
        let next = |mips| self.encoder.next_slice(&Covered::image(image), self.coder, mips, task);
        mips.map(next).transpose()
    }
}
