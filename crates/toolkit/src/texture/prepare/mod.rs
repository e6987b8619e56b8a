//! Changes of pictures before they are encoded: the order of the channels, the transfer function, the largest
//! colour, the size, colours of transparent texels, heights to normals, the direction of y, colours
//! multiplied by alpha, the order of rows.

#[cfg(test)]
mod alpha_tests;
#[cfg(test)]
mod normal_tests;
mod normals;
mod swizzle;
#[cfg(test)]
mod tests;
mod transfer;

pub(super) use normals::restore_z;
pub(super) use swizzle::{ChannelMap, is_swizzled, swizzled};
pub(super) use transfer::transferred;

use super::{
    PictureFacts, TextureJobError, TextureOptions, alpha_use::AlphaUse, changes::Changes,
    special_values::clamp,
};
use brickwork_base::Task;
use brickwork_image::{
    flip_rows,
    image_file::{Picture, PictureUse},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, MipFilter, MipWrap, TextureFormat, mips::MipOptions, pictures,
};
use std::slice;

/// Bytes of a thread's buffers for parts of rows, when a picture is resized.
const BUFFER_BYTES: u64 = 1 << 20;
/// Bytes of a thread's buffers for each column of the source.
const COLUMN_BYTES: u64 = 128;
/// Bytes of a filter's weights for each column and row of the source and the result.
const WEIGHT_BYTES: u64 = 40;
/// Bytes of a texel's distance to the colour that it gets.
const DISTANCE_BYTES: u64 = 4;

/// Changes of a swizzled picture before it is encoded: brighter colours than the maximum are clamped, the
/// picture is resized, transparent texels get the colours of others, normal maps are made or changed, colours
/// are multiplied by alpha, and rows are flipped.
#[derive(Clone)]
pub(super) struct Preparation {
    options: TextureOptions,
    /// Size of the file's picture.
    original_size: [u32; 2],
    /// Size of the texture.
    size: [u32; 2],
    /// Options of the resizing.
    mips: MipOptions,
    /// True if transparent texels get the colours of others.
    dilates: bool,
    /// True if normals get length 1.
    normalizes: bool,
    /// Colour space in which colours are multiplied by alpha, if they are.
    premultiply: Option<ColorSpace>,
    /// Bytes of the swizzled picture.
    original_bytes: u64,
    /// Bytes needed besides the swizzled picture, including those of the result.
    work_bytes: u64,
    /// Bytes of the picture before and after the swizzle or the conversion of its transfer function; 0
    /// without them.
    swizzle_bytes: u64,
}

impl Preparation {
    /// Returns the changes of a swizzled picture with these facts, for a texture with these options.
    pub fn of(picture: &Picture, facts: &PictureFacts, options: &TextureOptions) -> Self {
        let encode = options.encode;
        // Beside bright texels of HDR, a sharp filter would leave dark rings.
        let automatic = if picture.texels.is_float() { MipFilter::Box } else { MipFilter::Kaiser };
        // The chosen format, or the one that suits the picture.
        let suggested = facts.suggestions.as_ref().map(|both| both[0].format);
        let format = options.format.format().or(suggested.map(TextureFormat::from));
        let found = PictureFacts::found_use(options, slice::from_ref(facts));
        let used = TextureOptions { usage: found.unwrap_or(options.usage), ..options.clone() };
        let color_space = color_space(picture, format, &used);
        let mips = MipOptions::new(color_space, alpha_mode(format, &used)).with(|o| {
            o.filter = encode.mip_filter.unwrap_or(automatic);
            o.extreme = encode.mip_extreme;
            o.wrap = encode.mip_wrap;
        });
        let original_size = [picture.width, picture.height];
        let size = options.size_rules.of(original_size);
        let options = options.clone();
        let original_bytes = picture.texels.byte_count() as u64;
        let hides_colors = !picture.is_opaque && mips.alpha_mode == AlphaMode::Straight;
        let is_cut_out = || facts.looks_cut_out && facts.keeps_hidden_colors(&options);
        let dilates = options.dilate.unwrap_or_else(is_cut_out) && hides_colors && !options.premultiply;
        let normalizes = used.usage == PictureUse::Normals && facts.normalizes_picture(&options);
        let is_premultiplied = options.premultiply && !picture.is_opaque && !options.are_data();
        let mut preparation = Self {
            options,
            original_size,
            size,
            mips,
            dilates,
            normalizes,
            premultiply: is_premultiplied.then_some(color_space),
            original_bytes,
            work_bytes: 0,
            swizzle_bytes: 0,
        };
        preparation.work_bytes = preparation.work_bytes_of(picture);
        preparation
    }

    /// True if [`run`](Self::run) can change more than the brightest colours.
    pub fn can_change(&self) -> bool {
        let is_normal_map = self.options.usage == PictureUse::Normals || self.normalizes;
        let changes_colors = self.dilates || self.premultiply.is_some();
        self.size != self.original_size || is_normal_map || changes_colors || self.flips()
    }

    fn flips(&self) -> bool {
        self.options.flip_y || self.options.flip != [false; 2]
    }

    /// Returns the bytes of memory that [`run`](Self::run) and the swizzle need, including those of the
    /// file's picture.
    pub fn memory_bytes(&self) -> u64 {
        self.original_bytes.saturating_add(self.work_bytes).max(self.swizzle_bytes)
    }

    /// Swizzles the file's picture, converts its transfer function, and returns the result of
    /// [`run`](Self::run).
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn swizzle_and_run(
        &self,
        picture: Picture,
        name: &str,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Picture, TextureJobError> {
        let picture = swizzled(picture, name, ChannelMap::of(&self.options), max_memory, task)?;
        let picture = transferred(picture, name, &self.options, max_memory, task)?;
        self.run(picture, name, max_memory, task).map(|(picture, _)| picture)
    }

    /// Returns the changed picture of a swizzled one, and numbers of changed texels. `name` is the input's
    /// name, for errors. The task reports no progress.
    ///
    /// # Errors
    /// [`TextureJobError`] if more than `max_memory` bytes are needed, or the task is cancelled.
    pub fn run(
        &self,
        mut picture: Picture,
        name: &str,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<(Picture, Changes), TextureJobError> {
        let options = &self.options;
        let mut changes = Changes::default();
        if let Some(max) = options.max_value {
            clamp(&mut picture.texels, max, task)?;
        }
        if !self.can_change() {
            return Ok((picture, changes));
        }
        let needed = self.original_bytes.saturating_add(self.work_bytes);
        if needed > max_memory {
            return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
        }
        if self.size != self.original_size {
            let resized = pictures::resize(picture, self.size, self.mips, &task.without_progress());
            picture = resized.map_err(|error| TextureJobError::Resize { input: name.to_owned(), error })?;
        }
        if self.dilates {
            let repeats = options.encode.mip_wrap.map(|wrap| wrap == MipWrap::Repeat);
            changes.dilated = picture.dilate(repeats, task)?;
        }
        if let Some(color_space) = self.premultiply {
            picture = picture.premultiplied(color_space, task)?;
        }
        if options.usage == PictureUse::Normals {
            if let Some(scale) = options.normals.height_scale {
                picture = normals::from_height(picture, scale, options.encode.mip_wrap, task)?;
            }
            restore_z(&mut picture, task)?;
        }
        if self.normalizes {
            changes.normalized = normals::normalize(&mut picture, task)?;
        }
        if options.usage == PictureUse::Normals {
            let flips = [options.normals.flip_x, options.normals.flip_y];
            for channel in (0..2).filter(|&channel| flips[channel]) {
                normals::flip(&mut picture, channel, task)?;
            }
        }
        flip(&mut picture, options);
        Ok((picture, changes))
    }

    /// Returns the bytes that the changes need besides those of the picture.
    fn work_bytes_of(&self, picture: &Picture) -> u64 {
        let texels = u64::from(self.size[0]).saturating_mul(self.size[1].into());
        let mut bytes = 0u64;
        if self.size != self.original_size {
            // Resampled texels have four channels, and are then reduced to those of the picture.
            let resampled_bytes = (4 * picture.texels.texel_type().channel_type().bytes()).max(8);
            let texel_bytes = u64::from(picture.texels.texel_type().bytes() + resampled_bytes);
            let ([w, h], [to_w, to_h]) = (self.original_size, self.size);
            let sides = [w, h, to_w, to_h].map(u64::from).into_iter();
            let buffers = BUFFER_BYTES + COLUMN_BYTES * u64::from(self.original_size[0]);
            bytes = texels.saturating_mul(texel_bytes);
            bytes = bytes.saturating_add(rayon::current_num_threads() as u64 * buffers);
            bytes = bytes.saturating_add(WEIGHT_BYTES * sides.sum::<u64>());
        }
        if self.dilates {
            bytes = bytes.saturating_add(texels.saturating_mul(DISTANCE_BYTES));
        }
        match self.options.normals.height_scale {
            // Heights are floats, normals have 8 bits.
            Some(_) if self.options.usage == PictureUse::Normals => {
                bytes.saturating_add(texels.saturating_mul(4 + 3))
            }
            _ => bytes,
        }
    }
}

/// Returns a prepared picture, facts about it, and its preparation. Formats are suggested for the swizzled
/// and converted texels, before they are resized. The task reports no progress.
///
/// # Errors
/// [`TextureJobError`] if more than `max_memory` bytes are needed, or the task is cancelled.
pub(super) fn prepare(
    picture: Picture,
    name: &str,
    options: &TextureOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(Picture, PictureFacts, Preparation), TextureJobError> {
    let map = ChannelMap::of(options);
    let alpha_use = AlphaUse::of(&picture, options.swizzle);
    let swizzle_bytes = swizzle::swizzle_bytes(&picture.texels, map);
    let picture = swizzled(picture, name, map, max_memory, task)?;
    let swizzle_bytes = swizzle_bytes.max(transfer::transfer_bytes(&picture, options));
    let picture = transferred(picture, name, options, max_memory, task)?;
    let facts = PictureFacts { alpha_use, ..PictureFacts::of(&picture, options, task)? };
    let preparation = Preparation { swizzle_bytes, ..Preparation::of(&picture, &facts, options) };
    let (picture, changes) = preparation.run(picture, name, max_memory, task)?;
    let facts = facts.after(&picture, changes, options, task)?;
    Ok((picture, facts, preparation))
}

/// Reverses the order of the columns and of the rows as the options state.
pub(super) fn flip(picture: &mut Picture, options: &TextureOptions) {
    let texel_bytes = picture.texels.texel_type().bytes() as usize;
    let row_bytes = texel_bytes * picture.width as usize;
    let [x, y] = options.flip;
    if x {
        let rows = picture.texels.bytes_mut().chunks_exact_mut(row_bytes);
        // The texels of a row are a column of texels.
        rows.for_each(|row| flip_rows(row, texel_bytes));
    }
    if y != options.flip_y {
        flip_rows(picture.texels.bytes_mut(), row_bytes);
    }
}

/// Returns the colour space in which a picture is resized: that of the texture.
fn color_space(picture: &Picture, format: Option<TextureFormat>, options: &TextureOptions) -> ColorSpace {
    match options.stated_color_space() {
        _ if options.are_data() || !format.is_none_or(TextureFormat::has_srgb) => ColorSpace::Linear,
        Some(stated) => stated,
        None => picture.color_space,
    }
}

/// Returns the alpha mode with which a picture is resized. A texture without alpha shows the colours of
/// transparent texels.
fn alpha_mode(format: Option<TextureFormat>, options: &TextureOptions) -> AlphaMode {
    let is_opaque = options.effective_encode_options().bc1.alpha_threshold == 0;
    let keeps_alpha = match format {
        Some(TextureFormat::Block(BlockFormat::Bc1)) => !is_opaque,
        Some(format) => format.has_alpha(),
        None => true,
    };
    let is_alpha_data = options.are_data() || options.encode.alpha_is_data;
    match options.premultiplied {
        _ if !keeps_alpha || is_alpha_data => AlphaMode::Opaque,
        true => AlphaMode::Premultiplied,
        false => AlphaMode::Straight,
    }
}
