//! Orientation and colours in Exif data, and orientation in XMP.

use image::metadata::Orientation;

/// The start of Exif data in JPEG, which some writers copy to other formats.
const PREFIX: &[u8] = b"Exif\0\0";

/// Number of the tag for the orientation (Exif 3.0, 4.6.5).
pub(super) const ORIENTATION: u64 = 274;

/// Tag of the position of the directory with Exif's own tags, and tag in it of the position of the directory
/// for interoperability.
const EXIF_DIRECTORY: u64 = 0x8769;
const INTEROPERABILITY: u64 = 0xa005;

/// Returns the integer in some bytes of Exif data or a TIFF.
pub(super) fn number(is_little: bool, bytes: &[u8]) -> u64 {
    let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
    if is_little { bytes.iter().rev().fold(0, shift) } else { bytes.iter().fold(0, shift) }
}

/// Returns the orientation in Exif data, with or without the prefix of JPEG, else that in XMP. Damaged data
/// state none.
pub(super) fn orientation(exif: Option<&[u8]>, xmp: Option<&[u8]>) -> Orientation {
    let stated = exif.and_then(stated_orientation).or_else(|| xmp_orientation(xmp?));
    stated.unwrap_or(Orientation::NoTransforms)
}

/// Returns the orientation that Exif data state.
pub(super) fn stated_orientation(exif: &[u8]) -> Option<Orientation> {
    let data = Data::of(exif)?;
    let number = data.integer(data.first_directory()?, ORIENTATION)?;
    Orientation::from_exif(u8::try_from(number).ok()?)
}

/// Returns the orientation with this number; no transformation if there is none.
pub(super) fn of_number(number: u64) -> Orientation {
    let number = u8::try_from(number).ok();
    number.and_then(Orientation::from_exif).unwrap_or(Orientation::NoTransforms)
}

/// True if Exif data state the colours of Adobe RGB (1998): as DCF 2.0 does, by a colour space without a
/// number and the rules for files of option `R03`, or by the number 2, which some cameras write.
pub(super) fn is_adobe_rgb(exif: &[u8]) -> bool {
    const COLOR_SPACE: u64 = 0xa001;
    const UNCALIBRATED: u64 = 0xffff;
    const INDEX: u64 = 1;
    let is_adobe_rgb = || {
        let data = Data::of(exif)?;
        let directory = data.directory(data.first_directory()?, EXIF_DIRECTORY)?;
        let space = data.integer(directory, COLOR_SPACE)?;
        if space != UNCALIBRATED {
            return Some(space == 2);
        }
        let directory = data.directory(directory, INTEROPERABILITY)?;
        let entry = data.entry(directory, INDEX)?;
        Some(data.bytes.get(entry + 8..entry + 11)? == b"R03")
    };
    is_adobe_rgb() == Some(true)
}

/// Exif data, which are a TIFF.
struct Data<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl<'a> Data<'a> {
    /// Returns the data without the prefix of JPEG.
    fn of(exif: &'a [u8]) -> Option<Self> {
        let bytes = exif.strip_prefix(PREFIX).unwrap_or(exif);
        let is_little = match bytes.first_chunk()? {
            b"II*\0" => true,
            b"MM\0*" => false,
            _ => return None,
        };
        Some(Self { bytes, is_little })
    }

    /// Returns the position of the first directory.
    fn first_directory(&self) -> Option<usize> {
        usize::try_from(self.number(4, 4)?).ok()
    }

    /// Returns the position of the directory that a tag states.
    fn directory(&self, parent: usize, tag: u64) -> Option<usize> {
        usize::try_from(self.integer(parent, tag)?).ok()
    }

    /// Returns the integer in some bytes.
    fn number(&self, at: usize, count: usize) -> Option<u64> {
        Some(number(self.is_little, self.bytes.get(at..at.checked_add(count)?)?))
    }

    /// Returns the position of a tag's entry in a directory.
    fn entry(&self, directory: usize, tag: u64) -> Option<usize> {
        let entry_count = self.number(directory, 2)? as usize;
        let mut entries = (0..entry_count).map_while(|index| {
            let entry = directory.checked_add(2 + 12 * index)?;
            Some((entry, self.number(entry, 2)?))
        });
        entries.find(|&(_, found)| found == tag).map(|(entry, _)| entry)
    }

    /// Returns the integer of a tag in a directory.
    ///
    /// Exif requires a SHORT or LONG, but some writers store another integer. The `image` crate (0.25) reads
    /// SHORT only.
    fn integer(&self, directory: usize, tag: u64) -> Option<u64> {
        let entry = self.entry(directory, tag)?;
        // BYTE and SBYTE, SHORT and SSHORT, LONG and SLONG. The value is in the entry.
        let value_bytes = match self.number(entry + 2, 2)? {
            1 | 6 => 1,
            3 | 8 => 2,
            4 | 9 => 4,
            _ => return None,
        };
        if self.number(entry + 4, 4)? != 1 {
            return None;
        }
        self.number(entry + 8, value_bytes)
    }
}

/// Returns the value of `tiff:Orientation`, which is an attribute or an element.
fn xmp_orientation(xmp: &[u8]) -> Option<Orientation> {
    const NAME: &[u8] = b"tiff:Orientation";
    let start = xmp.windows(NAME.len()).position(|window| window == NAME)?;
    let value = xmp[start + NAME.len()..].iter().copied();
    let mut value = value.skip_while(|c| c.is_ascii_whitespace() || b"=>\"'".contains(c));
    let digit = value.next().filter(u8::is_ascii_digit)?;
    // Only a single digit is an orientation.
    let is_whole = value.next().is_some_and(|after| !after.is_ascii_digit());
    is_whole.then(|| Orientation::from_exif(digit - b'0'))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(exif: &[u8]) -> Orientation {
        orientation(Some(exif), None)
    }

    const TURNED: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

    #[test]
    fn the_prefix_of_jpeg_is_left_out() {
        assert_eq!(turned(TURNED), Orientation::Rotate90);
        assert_eq!(turned(&[PREFIX, TURNED].concat()), Orientation::Rotate90);
        assert_eq!(turned(b"Exif"), Orientation::NoTransforms);
    }

    #[test]
    fn xmp_counts_if_exif_states_nothing() {
        let xmp = b"<a tiff:Orientation=\"3\"/>";
        assert_eq!(orientation(Some(TURNED), Some(xmp)), Orientation::Rotate90);
        let mut other = TURNED.to_vec();
        other[11] = 0x13;
        assert_eq!(orientation(Some(&other), Some(xmp)), Orientation::Rotate180);
        assert_eq!(orientation(None, Some(xmp)), Orientation::Rotate180);
    }

    #[test]
    fn the_orientation_may_be_any_integer() {
        // Type and bytes of the value.
        for (kind, value) in [
            (1, [6, 9, 9, 9]),
            (6, [6, 9, 9, 9]),
            (3, [0, 6, 9, 9]),
            (8, [0, 6, 9, 9]),
            (4, [0, 0, 0, 6]),
            (9, [0, 0, 0, 6]),
        ] {
            let mut big = TURNED.to_vec();
            big[13] = kind;
            big[18..22].copy_from_slice(&value);
            assert_eq!(turned(&big), Orientation::Rotate90, "{kind}");
            // The same directory with the other order of bytes.
            let width = if kind == 1 || kind == 6 {
                1
            } else if value[3] == 6 {
                4
            } else {
                2
            };
            let mut little = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
            little[12] = kind;
            little[18..22].copy_from_slice(&value);
            little[18..18 + width].reverse();
            assert_eq!(turned(&little), Orientation::Rotate90, "{kind}");
        }
        // A rational number, several values, and numbers without a meaning.
        for (at, value) in [(13, 5), (13, 2), (17, 2), (19, 9), (19, 0), (18, 1)] {
            let mut other = TURNED.to_vec();
            other[at] = value;
            assert_eq!(turned(&other), Orientation::NoTransforms, "{at}: {value}");
        }
        for length in 0..20 {
            assert_eq!(turned(&TURNED[..length]), Orientation::NoTransforms, "{length}");
        }
    }

    #[test]
    fn xmp_has_an_attribute_or_an_element() {
        for xmp in [
            "<a tiff:Orientation=\"6\"/>",
            "<a tiff:Orientation = '6' />",
            "<tiff:Orientation>6</tiff:Orientation>",
        ] {
            assert_eq!(xmp_orientation(xmp.as_bytes()), Some(Orientation::Rotate90), "{xmp}");
        }
        for xmp in [
            "",
            "tiff:Orientation",
            "tiff:Orientation=\"\"",
            "tiff:Orientation=\"9\"",
            "tiff:Orientation=\"6",
            "tiff:Orientation=\"06\"",
            "tiff:Orientation=\"66\"",
        ] {
            assert_eq!(xmp_orientation(xmp.as_bytes()), None, "{xmp}");
        }
    }

    /// Returns Exif data with this colour space and index of interoperability.
    fn exif_of(space: u16, index: &[u8; 4]) -> Vec<u8> {
        let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
            [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
        };
        let mut exif = b"MM\0*\0\0\0\x08\0\x01".to_vec();
        exif.extend(entry(0x8769, 4, 1, 26u32.to_be_bytes()));
        exif.extend([0, 0, 0, 0, 0, 2]);
        let [high, low] = space.to_be_bytes();
        exif.extend(entry(0xa001, 3, 1, [high, low, 0, 0]));
        exif.extend(entry(0xa005, 4, 1, 56u32.to_be_bytes()));
        exif.extend([0, 0, 0, 0, 0, 1]);
        exif.extend(entry(1, 2, 4, *index));
        exif
    }

    #[test]
    fn adobe_rgb_is_stated_in_two_ways() {
        for (space, index, expected) in [
            (0xffff, b"R03\0", true),
            (0xffff, b"R98\0", false),
            (2, b"R98\0", true),
            (1, b"R98\0", false),
            (1, b"R03\0", false),
        ] {
            let exif = exif_of(space, index);
            assert_eq!(is_adobe_rgb(&exif), expected, "{space} {index:?}");
            assert_eq!(is_adobe_rgb(&[PREFIX, &exif].concat()), expected);
            assert!((0..66).all(|length| !is_adobe_rgb(&exif[..length]) || space == 2));
        }
    }
}
