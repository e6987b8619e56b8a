//! Words in the names of files that state the use of pictures.

mod lists;
#[cfg(test)]
mod tests;

use brickwork_image::image_file::PictureUse;
use lists::{
    CHANNEL_LETTERS, COLORS, COLORS_WITH_NUMBERS, DATA, DETAILS, FILLERS, LIKELY_DATA, LOOKUP_TABLES,
    MATERIALS, MAYBE_THINGS, NEEDS_CAPITALS, NEEDS_WORDS, NORMALS, NUMBERS, OTHER_CAPITALS, OTHER_NORMALS,
    STATES, TRANSPARENCIES, UNITS,
};
use std::path::Path;

/// Characters between the words of a name.
const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

/// Use that a name states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedUse {
    pub usage: PictureUse,
    /// True if the picture has colours, and alpha is data.
    pub has_data_in_alpha: bool,
    /// True if the name may say something else.
    pub is_guess: bool,
    /// True if pictures with colours are named like this, too: after their material.
    pub is_material: bool,
}

impl NamedUse {
    pub const fn of(usage: PictureUse) -> Self {
        Self { usage, has_data_in_alpha: false, is_guess: false, is_material: false }
    }
}

/// Returns the use that the last word of a file's name states, ignoring digits at the end and details such as
/// sizes and versions: `Rock_Normal.png`, `rock-orm2.png`, `rock_rough_4k.png`, `rock_ORM_LOD0 (1).png`. The
/// word may be a part of another that capitals separate, as in `RockORM`, or the only one. Case counts only
/// there and for lists of channels such as `Rock_ARME`.
pub(super) fn named_use(name: &str) -> Option<NamedUse> {
    let stem = Path::new(name).file_stem()?.to_str()?;
    let mut rest = stem;
    let (base, word) = loop {
        let end = without_numbers(rest);
        let (base, word) = end.rsplit_once(SEPARATORS).unwrap_or(("", end));
        if word.is_empty() {
            return None;
        }
        if !is_state(word) {
            break (base, word);
        }
        rest = base;
    };
    let before = without_numbers(base);
    let is_only = before.is_empty();
    if !is_only && is_one_of(&FILLERS, word) {
        // `Mask_Map` is `MaskMap`.
        let start = before.rfind(SEPARATORS).map_or(0, |separator| separator + 1);
        let joined = format!("{}{word}", &before[start..]);
        return if start == 0 { use_of_part(&joined) } else { use_of_any(&joined) };
    }
    let whole = if is_only { use_of_part(word) } else { use_of_any(word) };
    let c = || is_color_letter(stem, word).then_some(NamedUse::of(PictureUse::Color));
    whole.or_else(c).or_else(|| use_of_parts(word)).or_else(|| {
        let is_mixed = stem.chars().any(|c| c.is_ascii_lowercase());
        let guess = NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) };
        (!is_only && is_mixed && lists_channels(word)).then_some(guess)
    })
}

/// Returns the use of a word in any case, with or without one of [`FILLERS`] at its end.
fn use_of_any(word: &str) -> Option<NamedUse> {
    let lower = word.to_ascii_lowercase();
    let without_filler = FILLERS.iter().find_map(|filler| lower.strip_suffix(*filler)).unwrap_or(&lower);
    [lower.as_str(), without_filler].into_iter().find_map(use_of_word)
}

/// Returns the use of the only word of a name, or of a part of a word.
fn use_of_part(word: &str) -> Option<NamedUse> {
    let is_small = word.chars().any(|c| c.is_ascii_lowercase());
    if is_one_of(&NEEDS_WORDS, word) || is_small && is_one_of(&NEEDS_CAPITALS, word) {
        return None;
    }
    let named = use_of_any(word)?;
    Some(NamedUse { is_guess: named.is_guess || is_one_of(&MAYBE_THINGS, word), ..named })
}

/// Returns the use that the last parts of a word state, which capitals and digits separate: `ORM` of
/// `RockORM`, `MetallicRoughness` of `rockMetallicRoughness`, `diffuse` of `diffuseOriginal`. The most parts
/// count.
fn use_of_parts(word: &str) -> Option<NamedUse> {
    let mut starts = part_starts(word);
    let mut end = word.len();
    while let Some(&last) = starts.last()
        && is_state(&word[last..end])
    {
        (end, _) = (last, starts.pop());
    }
    let part = |&start: &usize| word[start..end].trim_matches(|c: char| c.is_ascii_digit());
    starts.iter().map(part).find_map(use_of_part)
}

/// Returns the positions of the parts of a word: capitals after other characters, the last of several
/// capitals before a small letter, and digits after letters.
fn part_starts(word: &str) -> Vec<usize> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let is_start = |index: usize| {
        let Some(before) = index.checked_sub(1) else { return true };
        let (before, this) = (chars[before].1, chars[index].1);
        let next = chars.get(index + 1).map(|&(_, next)| next);
        let ends_capitals = before.is_uppercase() && next.is_some_and(char::is_lowercase);
        this.is_uppercase() && (before.is_lowercase() || ends_capitals)
            || this.is_ascii_digit() && before.is_alphabetic()
    };
    (0..chars.len()).filter(|&index| is_start(index)).map(|index| chars[index].0).collect()
}

/// True for `C` after the prefix of textures in Unreal Engine: `T_Rock_C`.
fn is_color_letter(stem: &str, word: &str) -> bool {
    word == "C" && stem.starts_with("T_")
}

/// Returns a name without digits, separators and numbers in parentheses at its end, such as ` (1)`.
fn without_numbers(name: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let short = name.trim_end_matches(|c: char| is_digit(c) || SEPARATORS.contains(&c));
    let inner = short.strip_suffix(')').map(|open| open.trim_end_matches(is_digit));
    inner.and_then(|open| open.strip_suffix('(')).map_or(short, without_numbers)
}

/// True for a word after the use that states none.
fn is_state(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let unit = letters.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.is_empty()
        || is_one_of(&DETAILS, word)
        || is_one_of(&STATES, letters)
        || unit.len() < letters.len() && is_one_of(&UNITS, unit)
}

/// True if the list has the word, in any case.
fn is_one_of(list: &[&str], word: &str) -> bool {
    list.iter().any(|one| one.eq_ignore_ascii_case(word))
}

/// Returns the use of `named_use`.
pub fn use_of_name(name: &str) -> Option<PictureUse> {
    named_use(name).map(|named| named.usage)
}

/// True if a word of a file's name states a lookup table of colours.
pub(super) fn is_lookup_table(name: &str) -> bool {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let letters = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let is_one = |word: &str| {
        LOOKUP_TABLES.contains(&letters(word).as_str())
            || LOOKUP_TABLES.contains(&word.to_ascii_lowercase().as_str())
    };
    stem.split(SEPARATORS).any(is_one)
}

/// Returns the use of a word in lower case.
fn use_of_word(word: &str) -> Option<NamedUse> {
    if NORMALS.contains(&word) || OTHER_NORMALS.contains(&word) {
        return Some(NamedUse::of(PictureUse::Normals));
    }
    if MATERIALS.contains(&word) {
        return Some(NamedUse { is_material: true, ..NamedUse::of(PictureUse::Data) });
    }
    if DATA.contains(&word) || are_numbers(word) {
        return Some(NamedUse::of(PictureUse::Data));
    }
    if LIKELY_DATA.contains(&word) {
        return Some(NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) });
    }
    if COLORS.contains(&word) {
        return Some(NamedUse::of(PictureUse::Color));
    }
    // `AlbedoTransparency`, `AlbedoSmoothness`.
    let rest = |colors: &&str| word.strip_prefix(*colors);
    COLORS_WITH_NUMBERS.iter().filter_map(rest).find_map(|rest| {
        let is_transparency = TRANSPARENCIES.contains(&rest);
        let has_data_in_alpha = !is_transparency && !rest.is_empty() && are_numbers(rest);
        let named = NamedUse { has_data_in_alpha, ..NamedUse::of(PictureUse::Color) };
        (is_transparency || has_data_in_alpha).then_some(named)
    })
}

/// True if a word consists of one or several of [`NUMBERS`].
fn are_numbers(word: &str) -> bool {
    let rest = |number: &&str| word.strip_prefix(*number);
    NUMBERS.iter().filter_map(rest).any(|rest| rest.is_empty() || are_numbers(rest))
}

/// True for two to five capitals, each of which names another channel, among them metalness, roughness,
/// smoothness or gloss.
fn lists_channels(word: &str) -> bool {
    let is_known = |letter: char| CHANNEL_LETTERS.contains(letter);
    let is_surface = |letter: char| "MRSG".contains(letter);
    // One letter for occlusion.
    let letters = word.replace("AO", "O");
    let is_single = |(index, letter): (usize, char)| !letters[..index].contains(letter);
    (2..=5).contains(&word.len())
        && !OTHER_CAPITALS.contains(&word)
        && word.chars().all(is_known)
        && word.chars().any(is_surface)
        && letters.char_indices().all(is_single)
}

/// Returns the stem of a file's name without its last word, which states the use, and without details after
/// it: `rock` of `rock_rough_02` and `rock_rough_4k`. A stem of one word stays as it is.
pub(super) fn base_of(stem: &str) -> &str {
    words_of(stem).or_else(|| last_word(stem)).map_or(stem, |(base, _)| base)
}

/// Returns the last word of a stem that is no detail, and the text before it.
fn words_of(stem: &str) -> Option<(&str, &str)> {
    let (base, word) = last_word(stem)?;
    let is_detail = DETAILS.iter().any(|detail| detail.eq_ignore_ascii_case(word));
    if is_detail { words_of(base) } else { Some((base, word)) }
}

/// Returns the last word of a stem, without digits at the end, and the text before it.
fn last_word(stem: &str) -> Option<(&str, &str)> {
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(SEPARATORS);
    stem.rsplit_once(SEPARATORS)
}

/// Returns the use in one word.
pub(super) fn words(usage: PictureUse) -> Option<&'static str> {
    match usage {
        PictureUse::Normals => Some("normals"),
        PictureUse::Data => Some("data"),
        PictureUse::Color => Some("colours"),
        _ => None,
    }
}
