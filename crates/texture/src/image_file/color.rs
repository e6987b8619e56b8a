//! Colour spaces that files state.
//!
//! Brickwork supports sRGB and linear. A file that states linear is linear. A file that states nothing is
//! treated as sRGB, and the reason reports this. The numbers of a file that states other tone curves are
//! converted to sRGB, if these curves are known.

use super::{
    ColorSpaceOrigin, Texels, error::one_line, primaries::Primaries, tone_curve::ToneCurve,
    transfer::as_words,
};
use crate::{Cancelled, ColorSpace, Task, srgb};

/// Longest profile name that is shown, in characters.
const NAME_CHARS: usize = 60;

/// Returns the colour space of a file that does not state one.
pub(super) fn assumed(what: &str) -> FileColor {
    let stated = FileColor::from((ColorSpace::Srgb, format!("{what}: sRGB assumed")));
    FileColor { origin: ColorSpaceOrigin::Assumed, ..stated }
}

/// Colour space of a file's numbers, as the file states it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileColor {
    /// Colour space of the texels.
    pub space: ColorSpace,
    /// Origin of the colour space.
    pub origin: ColorSpaceOrigin,
    /// Reason for the colour space, in a few words.
    pub reason: String,
    /// Tone curves of the numbers, if they are neither those of sRGB nor linear.
    pub curves: Option<StatedCurves>,
    /// Properties of colours that are ignored: one short sentence each, without a period.
    pub ignored: Vec<String>,
}

/// Tone curves and their source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatedCurves {
    /// The source, such as `PNG gAMA 0.55555`.
    pub source: String,
    /// One curve for all channels, or one each for red, green and blue.
    pub curves: Vec<ToneCurve>,
}

impl From<(ColorSpace, String)> for FileColor {
    fn from((space, reason): (ColorSpace, String)) -> Self {
        Self { space, origin: ColorSpaceOrigin::Stated, reason, curves: None, ignored: Vec::new() }
    }
}

impl FileColor {
    /// Returns the colour space of numbers with these curves. They count as sRGB until they are converted.
    pub fn with_curves(source: String, curves: Vec<ToneCurve>) -> Self {
        let reason = format!("{source} is taken for sRGB");
        let curves = Some(StatedCurves { source, curves });
        Self { curves, ..(ColorSpace::Srgb, reason).into() }
    }

    /// Adds a note if the primaries are not those of sRGB. `source` states them.
    pub fn note_primaries(&mut self, primaries: &Primaries, source: &str) {
        if !primaries.is_near(&Primaries::REC709) {
            let name = primaries.name().map_or_else(String::new, |name| format!(" ({name})"));
            self.ignored.push(format!(
                "the primaries of {source}{name} are not those of sRGB; colours are not converted to these"
            ));
        }
    }

    /// Returns the texels, the reason for their colour space, and notes. Integers with tone curves become
    /// sRGB of 16 bits, unless `is_stored`.
    pub fn converted(
        self,
        texels: Texels,
        is_stored: bool,
        task: &Task<'_>,
    ) -> Result<(Texels, String, Vec<String>), Cancelled> {
        let Self { reason, curves, ignored, .. } = self;
        let notes = if is_stored { Vec::new() } else { ignored };
        Ok(match curves {
            Some(StatedCurves { source, curves }) if !is_stored && !texels.is_float() => {
                let convert = |curve: &ToneCurve, number: f64| srgb::number(curve.light(number));
                let note = format!("colours are converted from the tone curve of {source} to sRGB");
                let reason = format!("{source}, converted to sRGB");
                (as_words(texels, &curves, task, convert)?, reason, [vec![note], notes].concat())
            }
            Some(StatedCurves { source, .. }) => {
                let note = format!("numbers keep the tone curve of {source}, which is not that of sRGB");
                (texels, reason, [vec![note], notes].concat())
            }
            None => (texels, reason, notes),
        })
    }
}

/// Returns the colour space of an ICC profile (ICC.1:2022), or `None` if the bytes are not a profile.
///
/// The result is linear if every tone curve of the profile is the identity, and sRGB if the profile's name
/// contains this or if the curves are those of sRGB. Else it has the curves of the profile, if these are
/// known: those of profiles of a matrix and curves, and of grey. Otherwise, sRGB is assumed.
pub(super) fn of_icc_profile(format: &str, profile: &[u8]) -> Option<FileColor> {
    let tags = Tags::of(profile)?;
    let name = tags.find(b"desc").and_then(text).unwrap_or_else(|| "without a name".to_owned());
    let source = format!("{format} ICC profile \"{name}\"");
    let stated = |names: &[&[u8; 4]]| -> Vec<Option<ToneCurve>> {
        names.iter().filter_map(|tag| tags.find(tag)).map(ToneCurve::of_element).collect()
    };
    let colors = stated(&[b"rTRC", b"gTRC", b"bTRC"]);
    let count = if colors.is_empty() { 1 } else { 3 };
    let curves = if colors.is_empty() { stated(&[b"kTRC"]) } else { colors };
    let all = |is: fn(&ToneCurve) -> bool| {
        !curves.is_empty() && curves.iter().all(|curve| curve.as_ref().is_some_and(is))
    };
    if all(ToneCurve::is_identity) {
        return Some((ColorSpace::Linear, format!("{source}: its tone curves are linear")).into());
    }
    if name.contains("sRGB") || name.contains("61966-2") {
        return Some((ColorSpace::Srgb, source).into());
    }
    let known: Option<Vec<ToneCurve>> = curves.iter().cloned().collect();
    let mut color: FileColor = match known.filter(|curves| curves.len() == count) {
        Some(_) if all(ToneCurve::is_srgb) => (ColorSpace::Srgb, source.clone()).into(),
        Some(mut curves) => {
            if curves.iter().all(|curve| *curve == curves[0]) {
                curves.truncate(1);
            }
            FileColor::with_curves(source.clone(), curves)
        }
        None => (ColorSpace::Srgb, format!("{source} is taken for sRGB")).into(),
    };
    if let Some(primaries) = tags.primaries() {
        color.note_primaries(&primaries, &source);
    }
    Some(color)
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

impl Tags<'_> {
    /// Returns the primaries of a profile of a matrix and curves. Their white is D65, because the profile's
    /// colours are adapted from it to D50.
    fn primaries(&self) -> Option<Primaries> {
        let color = |tag: &[u8; 4]| -> Option<[f64; 3]> {
            let element = self.find(tag).filter(|element| element.starts_with(b"XYZ "))?;
            let number = |index: usize| Some(f64::from(u32_at(element, 8 + 4 * index)? as i32) / 65536.0);
            Some([number(0)?, number(1)?, number(2)?])
        };
        Primaries::of_d50([color(b"rXYZ")?, color(b"gXYZ")?, color(b"bXYZ")?])
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

pub(super) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(offset..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::{super::tone_curve::tests::para, *};

    /// XYZ of sRGB's red, green and blue, adapted to D50.
    const SRGB: [[f64; 3]; 3] =
        [[0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]];
    /// The same for Adobe RGB (1998) and Display P3.
    const ADOBE: [[f64; 3]; 3] =
        [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]];
    const P3: [[f64; 3]; 3] = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]];

    /// Returns a profile with these elements.
    fn profile_of(elements: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut profile = vec![0; 128];
        profile[36..40].copy_from_slice(b"acsp");
        profile.extend((elements.len() as u32).to_be_bytes());
        let mut offset = 132 + 12 * elements.len();
        for (tag, element) in elements {
            profile.extend(*tag);
            profile.extend((offset as u32).to_be_bytes());
            profile.extend((element.len() as u32).to_be_bytes());
            offset += element.len();
        }
        elements.iter().for_each(|(_, element)| profile.extend(element));
        profile
    }

    fn name_element(name: &[u8]) -> Vec<u8> {
        [b"desc\0\0\0\0", &(name.len() as u32).to_be_bytes()[..], name].concat()
    }

    /// Returns a profile with a name, tone curves and primaries.
    fn rgb_profile(name: &[u8], curves: [&[u8]; 3], primaries: [[f64; 3]; 3]) -> Vec<u8> {
        let xyz = |color: [f64; 3]| {
            let numbers = color.map(|number| ((number * 65536.0).round() as i32).to_be_bytes());
            [&b"XYZ \0\0\0\0"[..], numbers.as_flattened()].concat()
        };
        let [red, green, blue] = curves.map(<[u8]>::to_vec);
        let [r, g, b] = primaries.map(xyz);
        profile_of(&[
            (b"desc", name_element(name)),
            (b"rTRC", red),
            (b"gTRC", green),
            (b"bTRC", blue),
            (b"rXYZ", r),
            (b"gXYZ", g),
            (b"bXYZ", b),
        ])
    }

    /// Returns a profile with a name, one tone curve and the primaries of sRGB.
    fn profile(name: &[u8], curve: &[u8]) -> Vec<u8> {
        rgb_profile(name, [curve; 3], SRGB)
    }

    fn color_of(profile: &[u8]) -> FileColor {
        of_icc_profile("PNG", profile).unwrap()
    }

    const LINEAR_CURVE: &[u8] = b"curv\0\0\0\0\0\0\0\0";
    const GAMMA_CURVE: &[u8] = b"curv\0\0\0\0\0\0\0\x01\x02\x33";

    #[test]
    fn profiles_are_told_by_curve_and_name() {
        let of = |name: &[u8], curve: &[u8]| color_of(&profile(name, curve));
        let srgb = b"sRGB IEC61966-2.1\0";
        let named = (ColorSpace::Srgb, "PNG ICC profile \"sRGB IEC61966-2.1\"".to_owned());
        assert_eq!(of(srgb, GAMMA_CURVE), named.into());
        let gamma = of(b"Adobe RGB (1998)\0", GAMMA_CURVE);
        assert_eq!(gamma.space, ColorSpace::Srgb);
        assert_eq!(gamma.reason, "PNG ICC profile \"Adobe RGB (1998)\" is taken for sRGB");
        assert_eq!(gamma.curves.unwrap().curves, [ToneCurve::Gamma(563.0 / 256.0)]);
        let linear = [
            LINEAR_CURVE,
            b"curv\0\0\0\0\0\0\0\x01\x01\x00",
            b"curv\0\0\0\0\0\0\0\x02\x00\x00\xff\xff",
            b"para\0\0\0\0\0\0\0\0\0\x01\0\0",
        ];
        for curve in linear {
            assert_eq!(of(srgb, curve).space, ColorSpace::Linear, "{curve:?}");
        }
        assert_eq!(of(srgb, b"para\0\0\0\0\0\0\0\0\0\x02\x33\x33").space, ColorSpace::Srgb);
        assert_eq!(of_icc_profile("PNG", b"no profile"), None);
        // Grey, and curves that no one can read.
        let grey = |curve: &[u8]| {
            let elements = [(b"desc", name_element(b"Dot Gain\0")), (b"kTRC", curve.to_vec())];
            color_of(&profile_of(&elements))
        };
        assert_eq!(grey(GAMMA_CURVE).curves.unwrap().curves.len(), 1);
        assert_eq!(grey(LINEAR_CURVE).space, ColorSpace::Linear);
        let unknown = grey(b"para\0\0\0\0\0\x09\0\0\0\x02\x33\x33");
        assert_eq!((unknown.curves, unknown.space), (None, ColorSpace::Srgb));
        assert_eq!(unknown.reason, "PNG ICC profile \"Dot Gain\" is taken for sRGB");
    }

    #[test]
    fn curves_and_primaries_count_without_a_name() {
        let srgb = para(3, &[2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045]);
        let of = |name: &[u8], primaries| color_of(&rgb_profile(name, [&srgb; 3], primaries));
        assert_eq!(of(b"c2\0", SRGB), (ColorSpace::Srgb, "PNG ICC profile \"c2\"".to_owned()).into());
        let p3 = of(b"Display P3\0", P3);
        assert_eq!((&p3.curves, p3.space), (&None, ColorSpace::Srgb));
        let words = "the primaries of PNG ICC profile \"Display P3\" (Display P3) are not those of sRGB";
        assert!(p3.ignored.len() == 1 && p3.ignored[0].starts_with(words), "{p3:?}");
        let adobe = color_of(&rgb_profile(b"Adobe\0", [GAMMA_CURVE; 3], ADOBE));
        assert!(adobe.ignored[0].contains("\"Adobe\" (Adobe RGB) are not"), "{adobe:?}");
    }

    /// Each channel has its curve, and alpha has none.
    #[test]
    fn integers_become_srgb_of_16_bits() {
        let curves = [para(0, &[1.0]), para(0, &[2.0]), para(0, &[3.0])];
        let color = || color_of(&rgb_profile(b"odd\0", curves.each_ref().map(Vec::as_slice), SRGB));
        let converted =
            |texels, is_stored| color().converted(texels, is_stored, &Task::new()).expect("not cancelled");
        let (texels, reason, notes) = converted(Texels::Rgba8(vec![[51, 102, 204, 7]]), false);
        let word = |light: f64| (srgb::number(light) * 65535.0 + 0.5) as u16;
        let expected = [word(0.2), word(0.4 * 0.4), word(0.8 * 0.8 * 0.8)];
        let Texels::Rgba16(found) = texels else { panic!("16 bits") };
        assert!(expected.iter().zip(found[0]).all(|(a, b)| a.abs_diff(b) <= 1), "{found:?} {expected:?}");
        assert_eq!(found[0][3], 7 * 257);
        assert_eq!(reason, "PNG ICC profile \"odd\", converted to sRGB");
        assert_eq!(notes, ["colours are converted from the tone curve of PNG ICC profile \"odd\" to sRGB"]);
        // Numbers that are kept, and half floats.
        let same = Texels::Rgb16(vec![[1, 2, 3]]);
        let (texels, reason, notes) = converted(same.clone(), true);
        assert_eq!((texels, reason.as_str()), (same, "PNG ICC profile \"odd\" is taken for sRGB"));
        assert_eq!(notes.len(), 1);
        let halves = Texels::RgbF16(vec![[half::f16::ONE; 3]]);
        assert_eq!(converted(halves.clone(), false).0, halves);
    }

    #[test]
    fn version_4_names_are_utf_16() {
        let mut element = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0cenUS\0\0\0\x08\0\0\0\x1c".to_vec();
        element.extend("sRGB".encode_utf16().flat_map(u16::to_be_bytes));
        assert_eq!(text(&element).as_deref(), Some("sRGB"));
    }

    #[test]
    fn damaged_profiles_are_no_danger() {
        let convert = |profile: &[u8]| {
            if let Some(color) = of_icc_profile("PNG", profile) {
                color
                    .converted(Texels::Grey8(vec![0, 100, 255]), false, &Task::new())
                    .expect("not cancelled");
            }
        };
        let curve = para(4, &[2.0, 0.5, 0.0, 0.5, 0.25, 0.25, 0.125]);
        let table = b"curv\0\0\0\0\0\0\0\x03\0\0\x20\0\xff\xff";
        let good = rgb_profile(b"x\0", [&curve, table, GAMMA_CURVE], P3);
        for length in 0..good.len() {
            convert(&good[..length]);
        }
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            convert(&bad);
        }
    }
}
