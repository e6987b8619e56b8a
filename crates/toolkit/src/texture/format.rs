//! The format of a texture, if the options leave it open.

use super::{OptionsError, PictureFacts, TextureOptions};
use brickwork_texture::{BlockFormat, TextureFormat, pictures::Suggestion};

/// Returns the format for the pictures of one texture, and the reason if the options do not state the format.
/// This is the format of all pictures if they agree, else BC6H if it suits one of them, else the format that
/// keeps the alpha of all of them.
///
/// # Errors
/// [`OptionsError::Ignored`] if the chosen format ignores one of the options.
pub(super) fn choose(
    options: &TextureOptions,
    pictures: &[PictureFacts],
) -> Result<(TextureFormat, Option<String>), OptionsError> {
    if let Some(format) = options.format.format() {
        return Ok((format, None));
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
    let Some(Suggestion { format, reason, .. }) = deciding else { return Err(OptionsError::NoPicture) };
    options.check_format((*format).into())?;
    Ok(((*format).into(), Some(reason.clone())))
}
