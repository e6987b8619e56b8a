//! What is to become of one picture.

use super::arguments::Args;
use crate::{failure::Failure, report::Bytes, values::FormatChoice};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, EncodeOptions, TextureDesc, container::ContainerFormat,
    encode_memory_bytes, image_file::Picture,
};
use brickwork_toolkit::batch::Turn;

/// One picture's texture and file.
pub struct Plan {
    pub container: ContainerFormat,
    pub options: EncodeOptions,
    pub desc: TextureDesc,
    /// Why the texture has its format, if that was left to the picture.
    pub format_reason: Option<String>,
    /// Why the texture is in its colour space.
    pub color_space_reason: String,
    /// Whether transparent texels become opaque.
    pub is_alpha_dropped: bool,
    /// Bytes of the picture's texels in memory.
    pub texel_bytes: u64,
}

impl Plan {
    /// What `args` make of the `picture` of this turn.
    ///
    /// # Errors
    /// [`Failure`] if the container does not fit the options, or too little memory is allowed.
    pub fn of(args: &Args, turn: &Turn<'_>, picture: &Picture) -> Result<Self, Failure> {
        let job = turn.job;
        let options = args.options();
        let name = || job.name();
        let (format, format_reason) = args.format_for(picture).map_err(|failure| failure.of(name()))?;
        let desc = picture.texture_desc(format, &options);
        let (color_space, color_space_reason) = color_space(args, format, picture);
        let desc =
            desc.with_color_space(color_space).with_mip_levels(args.mip_levels(desc.full_mip_levels()));
        let plan = Self {
            container: args.container_for(&job.output)?,
            options,
            desc,
            format_reason,
            color_space_reason,
            is_alpha_dropped: !picture.is_opaque && desc.alpha_mode == AlphaMode::Opaque,
            texel_bytes: picture.texels.byte_count() as u64,
        };
        let (needed, limit) = (plan.memory_bytes(), turn.max_memory);
        if needed > limit {
            let reason = format!("needs {} of memory, above the limit of {}", Bytes(needed), Bytes(limit));
            return Err(Failure::over_limit(reason).of(job.name()));
        }
        Ok(plan)
    }

    fn memory_bytes(&self) -> u64 {
        self.texel_bytes.saturating_add(encode_memory_bytes(&self.desc))
    }

    /// Texels of the picture.
    pub fn texel_count(&self) -> u64 {
        self.desc.with_mip_levels(1).texel_count()
    }
}

/// sRGB or linear, and why.
fn color_space(args: &Args, format: BlockFormat, picture: &Picture) -> (ColorSpace, String) {
    let FormatChoice { color_space, .. } = args.format;
    if !format.has_srgb() {
        return (ColorSpace::Linear, format!("{format} has no sRGB variant"));
    }
    match color_space {
        _ if args.srgb => (ColorSpace::Srgb, "--srgb".to_owned()),
        _ if args.linear => (ColorSpace::Linear, "--linear".to_owned()),
        Some(color_space) => (color_space, "the format's name".to_owned()),
        None => (picture.color_space, picture.color_space_reason.clone()),
    }
}
