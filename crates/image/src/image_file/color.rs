//! Colour spaces that files state.
//!
//! Brickwork supports sRGB and linear, with the primaries of Rec. 709. A file that states linear is linear. A
//! file that states nothing is treated as sRGB, and the reason reports this. The numbers of a file that
//! states other tone curves or primaries are converted, if these are known; otherwise, a note reports them.

use super::{
    ColorSpaceOrigin, Texels, big_endian::u32_at, conversion::Conversion, halves::Halves, icc_tables::Tables,
    primaries::Primaries, stated_colors::StatedColors, tone_curve::ToneCurve, words::one_line,
};
use crate::{Cancelled, ColorSpace, Task};
use std::sync::Arc;

/// Note about files of CMYK.
pub(super) const CMYK_NOTE: &str =
    "CMYK is converted to RGB by a simple formula, without an ICC profile: colours are approximate";

/// Longest profile name that is shown, in characters.
const NAME_CHARS: usize = 60;

/// Returns the colour space of a file that does not state one.
pub fn assumed(what: &str) -> FileColor {
    let stated = FileColor::from((ColorSpace::Srgb, format!("{what}: sRGB assumed")));
    FileColor { origin: ColorSpaceOrigin::Assumed, ..stated }
}

/// Colour space of a file's numbers, as the file states it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FileColor {
    /// Colour space of the texels.
    pub space: ColorSpace,
    /// Origin of the colour space.
    pub origin: ColorSpaceOrigin,
    /// Reason for the colour space, in a few words.
    pub reason: String,
    /// Tone curves and primaries of the numbers, if they are not those of the colour space.
    pub(super) stated: Option<StatedColors>,
    /// Properties of colours that are ignored: one short sentence each, without a period.
    pub ignored: Vec<String>,
}

/// Texels after the conversion of their colours.
#[derive(Debug)]
pub(super) struct Converted {
    pub texels: Texels,
    pub space: ColorSpace,
    /// Reason for the colour space.
    pub reason: String,
    pub notes: Vec<String>,
}

impl From<(ColorSpace, String)> for FileColor {
    fn from((space, reason): (ColorSpace, String)) -> Self {
        Self { space, origin: ColorSpaceOrigin::Stated, reason, stated: None, ignored: Vec::new() }
    }
}

impl FileColor {
    /// Returns the colour space of numbers with these curves. They count as sRGB until they are converted.
    pub(super) fn with_curves(source: String, curves: Vec<ToneCurve>) -> Self {
        let reason = format!("{source} is taken for sRGB");
        let stated = Some(StatedColors { source, curves, primaries: None, tables: None });
        Self { stated, ..(ColorSpace::Srgb, reason).into() }
    }

    /// Adds primaries that `source` states. Those that span no colour space are only noted.
    pub(super) fn set_primaries(&mut self, primaries: Primaries, source: &str) {
        if primaries.is_near(&Primaries::REC709) {
            return;
        }
        if primaries.to_rec709().is_none() {
            self.ignored.push(format!("the primaries of {source} are impossible; Rec. 709 is assumed"));
            return;
        }
        self.stated = Some(match self.stated.take() {
            Some(stated) if stated.source == source => StatedColors { primaries: Some(primaries), ..stated },
            Some(stated) => StatedColors {
                source: format!("{} and {source}", stated.source),
                primaries: Some(primaries),
                ..stated
            },
            None => StatedColors {
                source: source.to_owned(),
                curves: Vec::new(),
                primaries: Some(primaries),
                tables: None,
            },
        });
    }

    /// True if the tone curve is PQ or HLG.
    pub(super) fn is_hdr(&self) -> bool {
        self.stated.iter().any(|stated| stated.curves.iter().any(ToneCurve::is_hdr))
    }

    /// Returns the conversion of these texels; `None` if there is nothing to convert. Other primaries do not
    /// change grey.
    pub(super) fn conversion(&self, texels: &Texels) -> Option<Conversion> {
        let is_grey = matches!(texels, Texels::Grey8(_) | Texels::Grey16(_));
        let stated = self.stated.as_ref().filter(|stated| !is_grey || !stated.curves.is_empty())?;
        Some(Conversion::of(stated, self.space))
    }

    /// Returns the texels after the conversion of their colours. Integers become 16-bit ones in the colour
    /// space. Floats, and integers of PQ and HLG, become linear light in floats: in single floats if
    /// `single_floats` is true or they are such, else in half floats, which `halves` counts if they are too
    /// large.
    pub(super) fn converted(
        self,
        texels: Texels,
        conversion: &Conversion,
        single_floats: bool,
        halves: &mut Halves,
        task: &Task<'_>,
    ) -> Result<Converted, Cancelled> {
        let source = self.stated.as_ref().map_or_else(String::new, StatedColors::full_source);
        let (properties, _) = self.stated.as_ref().map_or(("colours", ""), StatedColors::words);
        let (target, space, texels, clipped_count) = if texels.is_float() || conversion.is_hdr() {
            let texels = conversion.floats(texels, single_floats, halves, task)?;
            ("linear Rec. 709", ColorSpace::Linear, texels, 0)
        } else {
            let target = if self.space == ColorSpace::Srgb { "sRGB" } else { "linear Rec. 709" };
            let (texels, clipped_count) = conversion.words(texels, task)?;
            (target, self.space, texels, clipped_count)
        };
        let mut notes = vec![format!("colours are converted from the {properties} of {source} to {target}")];
        if clipped_count > 0 {
            let share = 100.0 * clipped_count as f64 / texels.texel_count() as f64;
            let share = if share < 0.01 { "less than 0.01".to_owned() } else { format!("{share:.2}") };
            notes.push(format!("{share} % of texels have colours outside of sRGB, and are clipped"));
        }
        notes.extend(self.ignored);
        Ok(Converted { texels, space, reason: format!("{source}, converted to {target}"), notes })
    }

    /// Returns the texels without a conversion.
    pub(super) fn kept(self, texels: Texels) -> Converted {
        let Self { space, reason, stated, .. } = self;
        let note = |stated: StatedColors| {
            let ((properties, verb), source) = (stated.words(), stated.full_source());
            format!("numbers keep the {properties} of {source}, which {verb} of sRGB")
        };
        Converted { texels, space, reason, notes: stated.map(note).into_iter().collect() }
    }

    /// Returns the texels of a file whose colours have no [`conversion`](Self::conversion).
    pub(super) fn unchanged(self, texels: Texels) -> Converted {
        let Self { space, reason, stated, ignored: mut notes, .. } = self;
        if let Some(StatedColors { source, tables: Some(_), .. }) = stated {
            notes.push(format!("the tables of {source} are for RGB; they are not applied to grey"));
        }
        Converted { texels, space, reason, notes }
    }
}

/// Returns the colour space of code points of ITU-T H.273: the numbers of primaries (table 2) and transfer
/// function (table 3), and whether numbers have the full range. `source` states them.
pub(super) fn of_code_points(source: &str, [primaries, transfer]: [u8; 2], is_full_range: bool) -> FileColor {
    let source_of = |name: &str| format!("{source}: {name}");
    let curve = |name: &str, curve: ToneCurve| FileColor::with_curves(source_of(name), vec![curve]);
    let mut color = match transfer {
        1 | 6 | 11 | 14 | 15 => curve("Rec. 709", ToneCurve::rec709()),
        4 => curve("gamma 2.2", ToneCurve::Gamma(2.2)),
        5 => curve("gamma 2.8", ToneCurve::Gamma(2.8)),
        8 => (ColorSpace::Linear, source_of("linear")).into(),
        13 => (ColorSpace::Srgb, source_of("sRGB")).into(),
        16 => curve("PQ", ToneCurve::Pq),
        18 => curve("HLG", ToneCurve::Hlg),
        other => {
            let reason = format!("{source}: transfer function {other} is taken for sRGB");
            let note = format!("the transfer function of {source}, {other}, is not known; sRGB is assumed");
            FileColor { ignored: vec![note], ..(ColorSpace::Srgb, reason).into() }
        }
    };
    let source = color.stated.as_ref().map_or_else(|| source.to_owned(), |stated| stated.source.clone());
    match (primaries, Primaries::of_code_point(primaries)) {
        (_, Some(primaries)) => color.set_primaries(primaries, &source),
        // 2 is unspecified.
        (2, None) => {}
        (other, None) => color
            .ignored
            .push(format!("the primaries of {source}, {other}, are not known; Rec. 709 is assumed")),
    }
    if !is_full_range {
        color.ignored.push(format!("the narrow range of {source} is read as the full one"));
    }
    color
}

/// Returns the note about an ICC profile that cannot be read.
pub(super) fn damaged_profile(format: &str) -> String {
    format!("the ICC profile of the {format} file is damaged; it is not applied")
}

/// Returns the colour space of a file with these bytes as its ICC profile. If they are not a profile, sRGB is
/// assumed, and noted.
pub(super) fn of_profile(format: &str, profile: &[u8]) -> FileColor {
    of_icc_profile(format, profile).unwrap_or_else(|| {
        let ignored = vec![damaged_profile(format)];
        FileColor { ignored, ..assumed(&format!("{format} with a damaged ICC profile")) }
    })
}

/// Returns the colour space of an ICC profile (ICC.1:2022), or `None` if the bytes are not a profile.
///
/// A `cicp` element decides alone. Otherwise, the result is linear if every tone curve of the profile is the
/// identity, and sRGB if the curves are those of sRGB. Else it has the curves of the profile, if these are
/// known: those of profiles of a matrix and curves, and of grey. Each has the primaries of the matrix. If the
/// profile's name contains sRGB, the result is sRGB, unless its curves are the identity. Profiles of red,
/// green and blue without curves have tables. For others, sRGB is assumed, and noted: also for grey whose
/// curve is that of the lightness of Lab.
fn of_icc_profile(format: &str, profile: &[u8]) -> Option<FileColor> {
    let tags = Tags::of(profile)?;
    let name = tags.find(b"desc").and_then(text).unwrap_or_else(|| "without a name".to_owned());
    let source = format!("{format} ICC profile \"{name}\"");
    if let Some(&[b'c', b'i', b'c', b'p', _, _, _, _, primaries, transfer, _, range, ..]) = tags.find(b"cicp")
    {
        return Some(of_code_points(&source, [primaries, transfer], range != 0));
    }
    let stated = |names: &[&[u8; 4]]| -> Vec<Option<ToneCurve>> {
        names.iter().filter_map(|tag| tags.find(tag)).map(ToneCurve::of_element).collect()
    };
    let colors = stated(&[b"rTRC", b"gTRC", b"bTRC"]);
    let count = if colors.is_empty() { 1 } else { 3 };
    let is_lightness = profile.get(20..24)? == b"Lab ";
    let curves = match colors.is_empty() {
        true if is_lightness => Vec::new(),
        true => stated(&[b"kTRC"]),
        false => colors,
    };
    let all = |is: fn(&ToneCurve) -> bool| {
        !curves.is_empty() && curves.iter().all(|curve| curve.as_ref().is_some_and(is))
    };
    let is_linear = all(ToneCurve::is_identity);
    if !is_linear && (name.contains("sRGB") || name.contains("61966-2")) {
        return Some((ColorSpace::Srgb, source).into());
    }
    let known: Option<Vec<ToneCurve>> = curves.iter().cloned().collect();
    let mut color: FileColor = match known.filter(|curves| curves.len() == count) {
        _ if is_linear => (ColorSpace::Linear, format!("{source}: its tone curves are linear")).into(),
        Some(_) if all(ToneCurve::is_srgb) => (ColorSpace::Srgb, source.clone()).into(),
        Some(mut curves) => {
            if curves.iter().all(|curve| *curve == curves[0]) {
                curves.truncate(1);
            }
            FileColor::with_curves(source.clone(), curves)
        }
        None => {
            let reason = format!("{source} is taken for sRGB");
            let mut color = FileColor::from((ColorSpace::Srgb, reason));
            match tags.tables() {
                Some(tables) => {
                    let (curves, tables) = (Vec::new(), Some(Arc::new(tables)));
                    color.stated = Some(StatedColors { source, curves, primaries: None, tables });
                }
                None => {
                    let note = "has neither tone curves nor tables that can be read; it is not applied";
                    color.ignored.push(format!("{source} {note}"));
                }
            }
            return Some(color);
        }
    };
    match tags.primaries() {
        Some(primaries) => color.set_primaries(primaries, &source),
        None if count == 3 => {
            color.ignored.push(format!("{source} has no primaries that can be read; Rec. 709 is assumed"));
        }
        // Grey has none.
        None => {}
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
    /// Returns the tables of a profile of red, green and blue.
    fn tables(&self) -> Option<Tables> {
        let connection = self.profile.get(20..24)?;
        if self.profile.get(16..20)? != b"RGB " {
            return None;
        }
        Tables::of_element(self.find(b"A2B0")?, connection)
    }

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

#[cfg(test)]
mod tests {
    use super::{
        super::{
            icc_tables::tests::{SRGB, srgb_tables},
            tone_curve::tests::para,
        },
        *,
    };
    use crate::srgb;

    /// XYZ of the red, green and blue of Adobe RGB (1998) and Display P3, adapted to D50.
    const ADOBE: [[f64; 3]; 3] =
        [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]];
    const P3: [[f64; 3]; 3] = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]];

    /// Returns a profile with these elements.
    fn profile_of(elements: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut profile = vec![0; 128];
        profile[16..24].copy_from_slice(b"RGB XYZ ");
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
        assert_eq!(gamma.stated.unwrap().curves, [ToneCurve::Gamma(563.0 / 256.0)]);
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
        let damaged = of_profile("JPEG", b"no profile");
        assert_eq!(damaged.reason, "JPEG with a damaged ICC profile: sRGB assumed");
        assert_eq!(damaged.ignored, ["the ICC profile of the JPEG file is damaged; it is not applied"]);
        // Grey, and curves that no one can read.
        let grey = |curve: &[u8]| {
            let elements = [(b"desc", name_element(b"Dot Gain\0")), (b"kTRC", curve.to_vec())];
            color_of(&profile_of(&elements))
        };
        assert_eq!(grey(GAMMA_CURVE).stated.unwrap().curves.len(), 1);
        assert_eq!(grey(LINEAR_CURVE).space, ColorSpace::Linear);
        let unknown = grey(b"para\0\0\0\0\0\x09\0\0\0\x02\x33\x33");
        assert_eq!((&unknown.stated, unknown.space), (&None, ColorSpace::Srgb));
        assert!(unknown.ignored[0].contains("\"Dot Gain\" has neither tone curves nor tables"));
        assert_eq!(unknown.reason, "PNG ICC profile \"Dot Gain\" is taken for sRGB");
        let mut lightness = profile_of(&[(b"kTRC", LINEAR_CURVE.to_vec())]);
        lightness[16..24].copy_from_slice(b"GRAYLab ");
        let lightness = color_of(&lightness);
        assert_eq!((lightness.space, lightness.ignored.len()), (ColorSpace::Srgb, 1));
    }

    #[test]
    fn curves_and_primaries_count_without_a_name() {
        let srgb = para(3, &[2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045]);
        let of = |name: &[u8], primaries| color_of(&rgb_profile(name, [&srgb; 3], primaries));
        assert_eq!(of(b"c2\0", SRGB), (ColorSpace::Srgb, "PNG ICC profile \"c2\"".to_owned()).into());
        let p3 = of(b"Display P3\0", P3);
        let stated = p3.stated.unwrap();
        assert!(stated.curves.is_empty() && p3.space == ColorSpace::Srgb && p3.ignored.is_empty());
        assert!(stated.primaries.unwrap().is_near(&Primaries::DISPLAY_P3));
        let adobe = color_of(&rgb_profile(b"Adobe\0", [GAMMA_CURVE; 3], ADOBE)).stated.unwrap();
        assert_eq!(adobe.full_source(), "PNG ICC profile \"Adobe\" (Adobe RGB)");
        assert_eq!(adobe.curves.len(), 1);
        let linear = color_of(&rgb_profile(b"wide\0", [LINEAR_CURVE; 3], P3));
        assert!(linear.space == ColorSpace::Linear && linear.stated.unwrap().primaries.is_some());
        let curves = [b"rTRC", b"gTRC", b"bTRC"].map(|tag| (tag, GAMMA_CURVE.to_vec()));
        let colorless = color_of(&profile_of(&curves));
        assert!(colorless.ignored[0].contains("has no primaries that can be read"), "{colorless:?}");
        // Code points decide alone: those of Rec. 2020 and PQ.
        let elements = [(b"cicp", b"cicp\0\0\0\0\x09\x10\0\x01".to_vec()), (b"kTRC", GAMMA_CURVE.to_vec())];
        let pq = color_of(&profile_of(&elements));
        assert!(pq.is_hdr() && pq.ignored.is_empty(), "{pq:?}");
        assert_eq!(pq.stated.unwrap().full_source(), "PNG ICC profile \"without a name\": PQ (Rec. 2020)");
    }

    /// Converts the colours of texels.
    fn convert(color: FileColor, texels: Texels) -> Converted {
        let conversion = color.conversion(&texels).unwrap();
        let mut halves = Halves::default();
        color.converted(texels, &conversion, false, &mut halves, &Task::new()).expect("not cancelled")
    }

    #[test]
    fn conversions_and_what_is_kept_are_noted() {
        let p3 = || color_of(&rgb_profile(b"c2\0", [LINEAR_CURVE; 3], P3));
        let found = convert(p3(), Texels::Rgb8(vec![[255, 0, 0], [9; 3], [9; 3], [9; 3]]));
        assert_eq!(found.space, ColorSpace::Linear);
        assert_eq!(found.reason, "PNG ICC profile \"c2\" (Display P3), converted to linear Rec. 709");
        let source = "the primaries of PNG ICC profile \"c2\" (Display P3)";
        assert_eq!(found.notes[0], format!("colours are converted from {source} to linear Rec. 709"));
        assert_eq!(found.notes[1..], ["25.00 % of texels have colours outside of sRGB, and are clipped"]);
        let kept = p3().kept(Texels::Rgb8(vec![[1, 2, 3]]));
        assert_eq!(kept.texels, Texels::Rgb8(vec![[1, 2, 3]]));
        assert_eq!(kept.notes, [format!("numbers keep {source}, which are not those of sRGB")]);
        assert!(p3().conversion(&Texels::Grey8(vec![1])).is_none());
        let pq = convert(of_code_points("x", [9, 16], false), Texels::Rgb8(vec![[0; 3]]));
        assert_eq!((pq.space, pq.texels.is_float()), (ColorSpace::Linear, true));
        let note = "colours are converted from the tone curve and primaries of x: PQ (Rec. 2020)";
        assert_eq!(pq.notes[0], format!("{note} to linear Rec. 709"));
        assert_eq!(pq.notes[1..], ["the narrow range of x: PQ is read as the full one"]);
        let unknown = of_code_points("x", [99, 77], true);
        assert!(unknown.stated.is_none() && unknown.ignored.len() == 2, "{unknown:?}");
        let mut line = of_code_points("x", [2, 13], true);
        line.set_primaries(Primaries { green: [0.395, 0.195], ..Primaries::REC709 }, "y");
        assert_eq!(line.ignored, ["the primaries of y are impossible; Rec. 709 is assumed"]);
    }

    /// Each channel has its curve, and alpha has none.
    #[test]
    fn integers_become_srgb_of_16_bits() {
        let curves = [para(0, &[1.0]), para(0, &[2.0]), para(0, &[3.0])];
        let color = || color_of(&rgb_profile(b"odd\0", curves.each_ref().map(Vec::as_slice), SRGB));
        let Converted { texels, reason, notes, .. } =
            convert(color(), Texels::Rgba8(vec![[51, 102, 204, 7]]));
        let word = |light: f64| (srgb::number(light) * 65535.0 + 0.5) as u16;
        let expected = [word(0.2), word(0.4 * 0.4), word(0.8 * 0.8 * 0.8)];
        let Texels::Rgba16(found) = texels else { panic!("16 bits") };
        assert!(expected.iter().zip(found[0]).all(|(a, b)| a.abs_diff(b) <= 1), "{found:?} {expected:?}");
        assert_eq!(found[0][3], 7 * 257);
        assert_eq!(reason, "PNG ICC profile \"odd\", converted to sRGB");
        assert_eq!(notes, ["colours are converted from the tone curve of PNG ICC profile \"odd\" to sRGB"]);
        // Numbers that are kept, and half floats.
        let same = Texels::Rgb16(vec![[1, 2, 3]]);
        let Converted { texels, reason, notes, .. } = color().kept(same.clone());
        assert_eq!((texels, reason.as_str()), (same, "PNG ICC profile \"odd\" is taken for sRGB"));
        assert_eq!(notes.len(), 1);
        let halves = Texels::RgbF16(vec![[half::f16::from_f32(0.5); 3]]);
        let expected = [0.5, 0.25, 0.125].map(half::f16::from_f32);
        assert_eq!(convert(color(), halves).texels, Texels::RgbF16(vec![expected]));
    }

    #[test]
    fn profiles_of_tables_are_applied() {
        let profile = profile_of(&[(b"desc", name_element(b"Scanner\0")), (b"A2B0", srgb_tables())]);
        let found = convert(color_of(&profile), Texels::Rgb8(vec![[200, 100, 50], [9, 200, 130]]));
        let Texels::Rgb16(texels) = &found.texels else { panic!("16 bits") };
        for (found, expected) in texels.as_flattened().iter().zip([200u16, 100, 50, 9, 200, 130]) {
            assert!(found.abs_diff(expected * 257) < 100, "{texels:?}");
        }
        assert_eq!(found.reason, "PNG ICC profile \"Scanner\", converted to sRGB");
        let source = "the tables of PNG ICC profile \"Scanner\"";
        assert_eq!(found.notes, [format!("colours are converted from {source} to sRGB")]);
        let kept = color_of(&profile).kept(Texels::Rgb8(vec![[1, 2, 3]]));
        assert_eq!(kept.notes, [format!("numbers keep {source}, which are not those of sRGB")]);
        let grey = Texels::Grey8(vec![1]);
        assert!(color_of(&profile).conversion(&grey).is_none());
        let notes = color_of(&profile).unchanged(grey).notes;
        assert_eq!(notes, [format!("{source} are for RGB; they are not applied to grey")]);
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
            for texels in [Texels::Grey8(vec![0, 100, 255]), Texels::Rgb8(vec![[0, 100, 255]])] {
                let color = of_profile("PNG", profile);
                if let Some(conversion) = color.conversion(&texels) {
                    let mut halves = Halves::default();
                    let converted = color.converted(texels, &conversion, false, &mut halves, &Task::new());
                    assert!(converted.is_ok());
                }
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
