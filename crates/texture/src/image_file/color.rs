//! Colour spaces that files state.
//!
//! Brickwork supports sRGB and linear. A file that states linear is linear. A file that states something
//! else, or nothing, is treated as sRGB, and the reason reports this.

use super::error::one_line;
use crate::ColorSpace;

/// Longest profile name that is shown, in characters.
const NAME_CHARS: usize = 60;

/// Returns the colour space of a file that does not state one.
pub(super) fn assumed(what: &str) -> (ColorSpace, String) {
    (ColorSpace::Srgb, format!("{what}: sRGB assumed"))
}

/// Returns the colour space of an ICC profile (ICC.1:2022), or `None` if the bytes are not a profile.
///
/// The result is linear if every tone curve of the profile is the identity, else sRGB. sRGB is certain if the
/// profile's name contains it, else assumed.
pub(super) fn of_icc_profile(format: &str, profile: &[u8]) -> Option<(ColorSpace, String)> {
    let tags = Tags::of(profile)?;
    let name = tags.find(b"desc").and_then(text).unwrap_or_else(|| "without a name".to_owned());
    let curves: Vec<&[u8]> =
        [b"rTRC", b"gTRC", b"bTRC", b"kTRC"].into_iter().filter_map(|tag| tags.find(tag)).collect();
    Some(if !curves.is_empty() && curves.into_iter().all(is_identity) {
        (ColorSpace::Linear, format!("{format} ICC profile \"{name}\": its tone curves are linear"))
    } else if name.contains("sRGB") || name.contains("61966-2") {
        (ColorSpace::Srgb, format!("{format} ICC profile \"{name}\""))
    } else {
        (ColorSpace::Srgb, format!("{format} ICC profile \"{name}\" is taken for sRGB"))
    })
}

/// Tag table of a profile: a count at byte 128, then signature, offset and length of each tag.
struct Tags<'a> {
    profile: &'a [u8],
    table: &'a [[u8; 12]],
}

impl<'a> Tags<'a> {
    fn of(profile: &'a [u8]) -> Option<Self> {
        if profile.get(36..40)? != b"acsp" {
            return None;
        }
        let count = u32_at(profile, 128)? as usize;
        let table = profile.get(132..)?.as_chunks::<12>().0;
        Some(Self { profile, table: &table[..count.min(table.len())] })
    }

    fn find(&self, signature: &[u8; 4]) -> Option<&'a [u8]> {
        let entry = self.table.iter().find(|entry| entry[..4] == *signature)?;
        let (offset, length) = (u32_at(entry, 4)? as usize, u32_at(entry, 8)? as usize);
        self.profile.get(offset..offset.checked_add(length)?)
    }
}

/// Returns the text of a `desc` (version 2, ASCII) or `mluc` (version 4, UTF-16) element.
fn text(element: &[u8]) -> Option<String> {
    let text: String = match element.get(..4)? {
        b"desc" => {
            let length = u32_at(element, 8)? as usize;
            let ascii = element.get(12..)?;
            ascii[..length.min(ascii.len())]
                .iter()
                .map(|&byte| char::from(byte))
                .take(NAME_CHARS + 1)
                .collect()
        }
        b"mluc" => {
            // The first record: language, country, length in bytes, offset.
            let (length, offset) = (u32_at(element, 20)? as usize, u32_at(element, 24)? as usize);
            let utf16 = element.get(offset..offset.checked_add(length)?)?;
            let units = utf16.as_chunks::<2>().0.iter().map(|&unit| u16::from_be_bytes(unit));
            char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).take(NAME_CHARS + 1).collect()
        }
        _ => return None,
    };
    let text = text.split('\0').next()?.trim();
    (!text.is_empty()).then(|| one_line(&text.chars().take(NAME_CHARS).collect::<String>()))
}

/// True if a `curv` or `para` element maps every value to itself, within 1 in 256.
fn is_identity(curve: &[u8]) -> bool {
    match curve.get(..4) {
        Some(b"curv") => match u32_at(curve, 8) {
            Some(0) => true,
            Some(1) => curve.get(12..14) == Some(&[1, 0]),
            Some(count) => {
                let Some(entries) = curve.get(12..12 + 2 * count.min(1 << 16) as usize) else { return false };
                let last = u64::from(count - 1).max(1);
                entries
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .zip(0u64..)
                    .all(|(&entry, i)| u64::from(u16::from_be_bytes(entry)).abs_diff(65535 * i / last) <= 256)
            }
            None => false,
        },
        // Y = X^g with g = 1 in 65536ths.
        Some(b"para") => curve.get(8..10) == Some(&[0, 0]) && u32_at(curve, 12) == Some(65536),
        _ => false,
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(offset..)?.first_chunk()?))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a profile with a name and one tone curve.
    pub fn profile(name: &[u8], curve: &[u8]) -> Vec<u8> {
        let mut profile = vec![0; 128];
        profile[36..40].copy_from_slice(b"acsp");
        let element = [b"desc\0\0\0\0", &(name.len() as u32).to_be_bytes()[..], name].concat();
        let (first, second) = (132 + 24, 132 + 24 + element.len());
        profile.extend(2u32.to_be_bytes());
        for (tag, offset, length) in [(b"desc", first, element.len()), (b"rTRC", second, curve.len())] {
            profile.extend(tag);
            profile.extend((offset as u32).to_be_bytes());
            profile.extend((length as u32).to_be_bytes());
        }
        profile.extend(element);
        profile.extend(curve);
        profile
    }

    pub const LINEAR_CURVE: &[u8] = b"curv\0\0\0\0\0\0\0\0";
    pub const GAMMA_CURVE: &[u8] = b"curv\0\0\0\0\0\0\0\x01\x02\x33";

    #[test]
    fn profiles_are_told_by_curve_and_name() {
        let of = |name: &[u8], curve: &[u8]| of_icc_profile("PNG", &profile(name, curve)).unwrap();
        let srgb = b"sRGB IEC61966-2.1\0";
        assert_eq!(of(srgb, GAMMA_CURVE), (ColorSpace::Srgb, "PNG ICC profile \"sRGB IEC61966-2.1\"".into()));
        let (space, reason) = of(b"Adobe RGB (1998)\0", GAMMA_CURVE);
        assert_eq!(space, ColorSpace::Srgb);
        assert_eq!(reason, "PNG ICC profile \"Adobe RGB (1998)\" is taken for sRGB");
        let linear = [
            LINEAR_CURVE,
            b"curv\0\0\0\0\0\0\0\x01\x01\x00",
            b"curv\0\0\0\0\0\0\0\x02\x00\x00\xff\xff",
            b"para\0\0\0\0\0\0\0\0\0\x01\0\0",
        ];
        for curve in linear {
            assert_eq!(of(srgb, curve).0, ColorSpace::Linear, "{curve:?}");
        }
        assert_eq!(of(srgb, b"para\0\0\0\0\0\0\0\0\0\x02\x33\x33").0, ColorSpace::Srgb);
        assert_eq!(of_icc_profile("PNG", b"no profile"), None);
    }

    #[test]
    fn version_4_names_are_utf_16() {
        let mut element = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0cenUS\0\0\0\x08\0\0\0\x1c".to_vec();
        element.extend("sRGB".encode_utf16().flat_map(u16::to_be_bytes));
        assert_eq!(text(&element).as_deref(), Some("sRGB"));
    }

    #[test]
    fn damaged_profiles_are_no_danger() {
        let good = profile(b"sRGB\0", GAMMA_CURVE);
        for length in 0..good.len() {
            let _ = of_icc_profile("PNG", &good[..length]);
        }
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let _ = of_icc_profile("PNG", &bad);
        }
    }
}
