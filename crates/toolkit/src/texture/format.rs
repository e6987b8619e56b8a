//! The format of a texture, if the options leave it open.

use super::{OptionsError, PictureFacts, TextureOptions};
use brickwork_texture::{BlockFormat, TextureFormat, pictures::Suggestion};

/// The format of a texture.
pub(super) struct ChosenFormat {
    pub format: TextureFormat,
    /// The reason, if the options do not state the format.
    pub reason: Option<String>,
    /// The format of BC that suits the pictures, if the options do not state one. BC4 is for one channel and
    /// BC5 for normals, also if the format is of another family.
    pub suggested: Option<BlockFormat>,
}

/// Returns the format for the pictures of one texture. If the options do not state it, this is the format of
/// all pictures if they agree, else BC6H if it suits one of them, else the format that keeps the alpha of all
/// of them; or the counterpart in the family of the options.
///
/// # Errors
/// [`OptionsError::HdrOfFamily`] if the family has no format, [`OptionsError::Ignored`] if the format ignores
/// one of the options.
pub(super) fn choose(
    options: &TextureOptions,
    pictures: &[PictureFacts],
) -> Result<ChosenFormat, OptionsError> {
    if let Some(format) = options.format.format() {
        return Ok(ChosenFormat { format, reason: None, suggested: None });
    }
    let suggest = |usage: usize| -> Vec<&Suggestion> {
        pictures.iter().filter_map(|facts| facts.suggestions.as_ref()).map(|both| &both[usage]).collect()
    };
    let mut suggestions = suggest(0);
    let is_found = PictureFacts::found_use(options, pictures).is_some();
    if !is_found && !suggestions.windows(2).all(|pair| pair[0].format == pair[1].format) {
        // Some faces of a cube may look like normal maps or be grey by chance.
        suggestions = suggest(1);
    }
    let first = |format| suggestions.iter().find(|suggestion| suggestion.format == format);
    let has_soft_alpha = |suggestion: &&&Suggestion| suggestion.format != BlockFormat::Bc1;
    let deciding = first(BlockFormat::Bc6hSfloat)
        .or_else(|| first(BlockFormat::Bc6hUfloat))
        .or_else(|| suggestions.iter().find(has_soft_alpha))
        .or(suggestions.first());
    let Some(Suggestion { format: suggested, reason, .. }) = deciding else {
        return Err(OptionsError::NoPicture);
    };
    let family = options.auto_family();
    let is_opaque = pictures.iter().all(|picture| picture.is_opaque);
    let format = family.counterpart(*suggested, is_opaque).ok_or(OptionsError::HdrOfFamily { family })?;
    options.check_format(format.into())?;
    Ok(ChosenFormat { format: format.into(), reason: Some(reason.clone()), suggested: Some(*suggested) })
}
