//! Truevision TGA with the `image` crate (TGA File Format Specification 2.0, 1991).
//!
//! The crate refuses palettes whose entries have no room for the stated alpha, leaves out the alpha of 16-bit
//! texels, and does not read the extension area, which states the meaning of alpha and a gamma. For the first
//! two, the file is [`Patched`].

use super::{
    Texels,
    budget::Budget,
    color::{self, FileColor},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    gamma::of_displays,
    patched::{Patch, Patched},
    through_image::{check_plausible, decode_any, rows},
    tracked_reader::TrackedReader,
};
use crate::{AlphaProduct, ColorSpace};
use image::{ImageDecoder, codecs::tga::TgaDecoder};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

const HEADER_BYTES: usize = 18;

/// Bytes of the footer: two positions and the signature.
const FOOTER_BYTES: u64 = 26;

const SIGNATURE: &[u8] = b"TRUEVISION-XFILE.\0";

/// Position of the gamma in the extension area.
const GAMMA_AT: usize = 478;

/// Position of the place of the colour correction table in the extension area.
const TABLE_AT: usize = 482;

/// Bytes of the extension area. The last is the type of its attributes.
const EXTENSION_BYTES: u64 = 495;

/// Statements of the extension area.
struct Extension {
    attributes: Attributes,
    /// Gamma (field 20): light is the number raised to this power.
    gamma: Option<f64>,
    /// True if the file has a colour correction table (field 21).
    has_table: bool,
}

/// Meaning of alpha according to the extension area (field 24, attributes type).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    /// The file has no extension area, or a type without a meaning.
    Unknown,
    /// There is no alpha.
    None,
    /// Undefined, may be ignored.
    Ignored,
    /// Undefined, should be kept.
    Kept,
    Straight,
    Premultiplied,
}

struct Header {
    image_type: u8,
    /// Number and bits of the palette's entries.
    entries: [u16; 2],
    id_bytes: u8,
    /// Bits per texel or index.
    depth: u8,
    descriptor: u8,
}

impl Header {
    fn read(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let mut header = [0; HEADER_BYTES];
        source.read_exact(&mut header)?;
        let [id_bytes, map_type, image_type, _, _, count0, count1, entry_bits, ..] = header;
        // A file that only its extension identifies may contain anything.
        if map_type > 1 || !matches!(image_type, 1..=3 | 9..=11) {
            return Err(Failure::MalformedWhole(ImageFault::NotTga));
        }
        let entries = [u16::from_le_bytes([count0, count1]), entry_bits.into()];
        Ok(Self { image_type, entries, id_bytes, depth: header[16], descriptor: header[17] })
    }

    fn has_palette(&self) -> bool {
        matches!(self.image_type, 1 | 9)
    }

    fn is_true_color(&self) -> bool {
        matches!(self.image_type, 2 | 10)
    }

    /// Returns the stated number of alpha bits per texel or palette entry.
    fn alpha_bits(&self) -> u8 {
        self.descriptor & 15
    }

    /// True if the rows are interleaved (before version 2.0).
    fn is_interleaved(&self) -> bool {
        self.descriptor & 0xc0 != 0
    }

    /// True if texels have 5 bits per colour, and 1 bit of alpha.
    fn has_alpha_bit(&self) -> bool {
        self.is_true_color() && self.depth == 16 && self.alpha_bits() == 1
    }

    /// Returns the fields by which the crate reads the file.
    fn fields(&self) -> Vec<Patch> {
        let without_alpha = self.descriptor & 0xf0;
        if self.has_alpha_bit() {
            // Grey with alpha has texels of two bytes, too. Its image types come next.
            return vec![(2, vec![self.image_type + 1]), (17, vec![without_alpha | 8])];
        }
        let has_no_room = if self.has_palette() {
            matches!(self.entries[1], 15 | 16 | 24)
        } else {
            self.is_true_color() && matches!(self.depth, 15 | 24)
        };
        if has_no_room && self.alpha_bits() > 0 { vec![(17, vec![without_alpha])] } else { Vec::new() }
    }

    /// True if palette entries of 16 bits differ in the stated bit of alpha.
    fn has_entries_with_alpha(&self, source: &mut TrackedReader<'_>) -> io::Result<bool> {
        let [count, bits] = self.entries;
        if !self.has_palette() || bits != 16 || self.alpha_bits() == 0 {
            return Ok(false);
        }
        source.seek(SeekFrom::Start(HEADER_BYTES as u64 + u64::from(self.id_bytes)))?;
        let mut entries = Vec::new();
        source.take(2 * u64::from(count)).read_to_end(&mut entries)?;
        let mut bits = entries.as_chunks::<2>().0.iter().map(|entry| entry[1] >> 7);
        let first = bits.next();
        Ok(bits.any(|bit| Some(bit) != first))
    }
}

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let header = Header::read(&mut source)?;
    let mut notes = Vec::new();
    if header.has_entries_with_alpha(&mut source)? {
        notes.push("the alpha bit of the palette's 16-bit entries is not read".to_owned());
    }
    if header.is_interleaved() {
        notes.push("the header states interleaved rows; they are read in the order of the file".to_owned());
    }
    let Extension { attributes, gamma, has_table } = Extension::read(&mut source)?;
    if has_table {
        notes.push("the colour correction table is not applied".to_owned());
    }
    let color = color_of(gamma);
    if color.space == ColorSpace::Linear {
        notes.push("the extension area states a gamma of 1: colours are linear".to_owned());
    }
    source.seek(SeekFrom::Start(0))?;
    let decoder = TgaDecoder::new(BufReader::new(Patched::new(source.again(), header.fields())))?;
    // A run of 128 texels takes at least two bytes.
    check_plausible(&decoder, 1, 64, budget)?;
    let (width, height) = decoder.dimensions();
    // Indices and texels of 16 bits are copied before they are expanded.
    let is_copied = header.has_palette() || header.is_true_color() && header.depth <= 16;
    let copied_bytes = if is_copied { u64::from(header.depth).div_ceil(8) } else { 0 };
    let extra = rows(&decoder) + u64::from(width) * u64::from(height) * copied_bytes;
    let mut decoded = decode_any(Box::new(decoder), "TGA", extra, budget, color)?;
    if let Texels::Rgba8(texels) = &mut decoded.texels {
        if header.has_alpha_bit() {
            texels.iter_mut().for_each(|texel| *texel = expanded(*texel));
        }
        let is_used = attributes.is_used(&header, texels, &mut notes);
        if !is_used {
            texels.iter_mut().for_each(|texel| texel[3] = 255);
            decoded.has_alpha = false;
        } else if attributes == Attributes::Premultiplied {
            decoded.premultiplied = Some(AlphaProduct::Stored);
            if texels.iter().any(|texel| texel[3] < 255) {
                notes.push("the extension area states that colours are multiplied by alpha".to_owned());
            }
        }
    }
    Ok(Decoded { notes, ..decoded })
}

/// Returns red, green, blue and alpha of a texel whose bytes are the first and the last of these.
fn expanded([low, _, _, high]: [u8; 4]) -> [u8; 4] {
    let texel = u16::from_le_bytes([low, high]);
    let [red, green, blue] = [10, 5, 0].map(|shift| ((texel >> shift & 31) * 255 + 15) / 31);
    [red as u8, green as u8, blue as u8, if texel >> 15 == 1 { 255 } else { 0 }]
}

/// Returns the colour space of a file with this gamma.
fn color_of(gamma: Option<f64>) -> FileColor {
    match gamma {
        Some(gamma) => of_displays(format!("TGA gamma {gamma:.2}"), &[gamma], None),
        None => color::assumed("TGA without a gamma"),
    }
}

impl Extension {
    /// Reads the extension area. The footer, which states its position, is at the end of the file.
    fn read(source: &mut TrackedReader<'_>) -> io::Result<Self> {
        let none = Self { attributes: Attributes::Unknown, gamma: None, has_table: false };
        let length = source.length();
        let Some(footer_at) = length.checked_sub(FOOTER_BYTES) else { return Ok(none) };
        source.seek(SeekFrom::Start(footer_at))?;
        let mut footer = [0; FOOTER_BYTES as usize];
        source.read_exact(&mut footer)?;
        let ([e0, e1, e2, e3, ..], SIGNATURE) = footer.split_at(8) else { return Ok(none) };
        let extension_at = u64::from(u32::from_le_bytes([*e0, *e1, *e2, *e3]));
        if extension_at < HEADER_BYTES as u64 || extension_at + EXTENSION_BYTES > footer_at {
            return Ok(none);
        }
        source.seek(SeekFrom::Start(extension_at))?;
        let mut area = [0; EXTENSION_BYTES as usize];
        source.read_exact(&mut area)?;
        let attributes = match area[area.len() - 1] {
            0 => Attributes::None,
            1 => Attributes::Ignored,
            2 => Attributes::Kept,
            3 => Attributes::Straight,
            4 => Attributes::Premultiplied,
            // Reserved, and not assigned.
            5.. => Attributes::Unknown,
        };
        let number = |at: usize| f64::from(u16::from_le_bytes([area[at], area[at + 1]]));
        // A fraction. A denominator of 0 means that the field is not used.
        let [above, below] = [number(GAMMA_AT), number(GAMMA_AT + 2)];
        let gamma = (above > 0.0 && below > 0.0).then(|| above / below);
        let has_table = area[TABLE_AT..TABLE_AT + 4] != [0; 4];
        Ok(Self { attributes, gamma, has_table })
    }
}

impl Attributes {
    /// True if alpha is read. Adds a note if the file is ambiguous.
    fn is_used(self, header: &Header, texels: &[[u8; 4]], notes: &mut Vec<String>) -> bool {
        let is_opaque = || texels.iter().all(|texel| texel[3] == 255);
        match self {
            Self::None if !is_opaque() => {
                notes.push("the extension area states that there is no alpha; it is not read".to_owned());
                false
            }
            Self::Ignored if !is_opaque() => {
                notes.push("the extension area states that alpha is undefined; it is not read".to_owned());
                false
            }
            Self::None | Self::Ignored => false,
            Self::Straight | Self::Premultiplied => true,
            Self::Kept if !is_opaque() => {
                notes.push("the extension area states that alpha is undefined, but to be kept".to_owned());
                true
            }
            // The descriptor states the number of alpha bits per texel. If it states none, the fourth byte is
            // arbitrary, but many writers of alpha leave the number 0.
            Self::Unknown | Self::Kept if header.is_true_color() && header.alpha_bits() == 0 => {
                if texels.iter().any(|texel| texel[3] != texels[0][3]) {
                    notes.push("the header states no bits of alpha; the fourth byte is not read".to_owned());
                }
                false
            }
            // Many writers leave this bit 0.
            Self::Unknown | Self::Kept
                if header.has_alpha_bit() && texels.iter().all(|texel| texel[3] == 0) =>
            {
                notes.push("the alpha bit of all texels is 0; it is not read".to_owned());
                false
            }
            Self::Unknown | Self::Kept => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ImageReadError, ImageReadOptions, Picture, read},
        *,
    };
    use crate::{ColorSpace, Task};
    use std::io::Cursor;

    /// Returns a file without an identification, with the upper row first: image type, entries and bits of
    /// the palette, size, bits of a texel, bits of alpha, then the palette and texels.
    fn file(
        image_type: u8,
        [entries, entry_bits]: [u8; 2],
        [width, height]: [u8; 2],
        [depth, alpha_bits]: [u8; 2],
        data: &[u8],
    ) -> Vec<u8> {
        let map_type = u8::from(entries > 0);
        let start = [0, map_type, image_type, 0, 0, entries, 0, entry_bits, 0, 0, 0, 0, width, 0, height, 0];
        [&start[..], &[depth, 0x20 | alpha_bits], data].concat()
    }

    /// Returns the file with an extension area.
    fn with_attributes(mut file: Vec<u8>, attributes: u8) -> Vec<u8> {
        let at = file.len() as u32;
        file.extend(495u16.to_le_bytes());
        file.resize(file.len() + 492, 0);
        file.push(attributes);
        file.extend(at.to_le_bytes());
        file.extend([0; 4]);
        file.extend(SIGNATURE);
        file
    }

    fn read_file(file: &[u8]) -> Result<Picture, ImageReadError> {
        read(Cursor::new(file), Some("tga"), &ImageReadOptions::default(), &Task::new())
    }

    fn rgba(picture: &Picture) -> Vec<[u8; 4]> {
        match &picture.texels {
            Texels::Rgb8(texels) => texels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
            Texels::Rgba8(texels) => texels.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Two texels of (100, 50, 25), opaque and with an alpha of 128.
    const TWO: &[u8] = &[25, 50, 100, 255, 25, 50, 100, 128];

    #[test]
    fn the_extension_area_states_the_meaning_of_alpha() {
        let plain = file(2, [0, 0], [2, 1], [32, 8], TWO);
        let [straight, opaque] = [128, 255].map(|alpha| [[100, 50, 25, 255], [100, 50, 25, alpha]]);
        let premultiplied = [[100, 50, 25, 255], [199, 100, 50, 128]];
        for (attributes, expected, has_alpha, note_count) in [
            (0, opaque, false, 1),
            (1, opaque, false, 1),
            (2, straight, true, 1),
            (3, straight, true, 0),
            (4, premultiplied, true, 1),
            (5, straight, true, 0),
        ] {
            let picture = read_file(&with_attributes(plain.clone(), attributes)).unwrap();
            assert_eq!(rgba(&picture), expected, "{attributes}");
            assert_eq!((picture.has_alpha, picture.notes.len()), (has_alpha, note_count), "{attributes}");
            assert_eq!(picture.is_premultiplied, attributes == 4);
        }
        // Without alpha bits, only the extension area states alpha.
        let unstated = file(2, [0, 0], [2, 1], [32, 0], TWO);
        let picture = read_file(&unstated).unwrap();
        assert_eq!(rgba(&picture), opaque);
        assert_eq!(picture.notes, ["the header states no bits of alpha; the fourth byte is not read"]);
        let constant = [&TWO[..4], &TWO[..4]].concat();
        assert!(read_file(&file(2, [0, 0], [2, 1], [32, 0], &constant)).unwrap().notes.is_empty());
        assert_eq!(rgba(&read_file(&with_attributes(unstated.clone(), 3)).unwrap()), straight);
        assert_eq!(rgba(&read_file(&with_attributes(unstated, 4)).unwrap()), premultiplied);
        // Grey with alpha.
        let grey = with_attributes(file(3, [0, 0], [1, 1], [16, 8], &[50, 128]), 4);
        assert_eq!(rgba(&read_file(&grey).unwrap()), [[100, 100, 100, 128]]);
        // The area is outside the file, and the signature is wrong.
        let mut outside = with_attributes(plain.clone(), 1);
        let footer_at = outside.len() - FOOTER_BYTES as usize;
        outside[footer_at..footer_at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(rgba(&read_file(&outside).unwrap()), straight);
        let mut other = with_attributes(plain, 1);
        *other.last_mut().unwrap() = b'!';
        assert_eq!(rgba(&read_file(&other).unwrap()), straight);
    }

    /// Field 20: light is the number raised to this power.
    #[test]
    fn the_extension_area_states_a_gamma() {
        let with_gamma = |gamma: [u16; 2]| {
            let plain = file(2, [0, 0], [2, 1], [24, 0], &[50, 100, 200, 10, 10, 10]);
            let at = plain.len() + GAMMA_AT;
            let mut file = with_attributes(plain, 0);
            file[at..at + 4].copy_from_slice(gamma.map(u16::to_le_bytes).as_flattened());
            read_file(&file).unwrap()
        };
        let linear = with_gamma([1, 1]);
        assert_eq!(rgba(&linear), [[200, 100, 50, 255], [10, 10, 10, 255]]);
        assert_eq!((linear.color_space, linear.is_color_space_assumed()), (ColorSpace::Linear, false));
        assert_eq!(linear.notes, ["the extension area states a gamma of 1: colours are linear"]);
        let srgb = with_gamma([22, 10]);
        assert_eq!((srgb.color_space, srgb.is_color_space_assumed()), (ColorSpace::Srgb, false));
        assert_eq!(
            (rgba(&srgb)[0], srgb.color_space_reason.as_str()),
            ([200, 100, 50, 255], "TGA gamma 2.20")
        );
        assert!(srgb.notes.is_empty());
        let other = with_gamma([18, 10]);
        assert!(matches!(other.texels, Texels::Rgb16(_)));
        assert_eq!(other.notes, ["colours are converted from the tone curve of TGA gamma 1.80 to sRGB"]);
        for none in [[0, 0], [0, 10], [22, 0]] {
            let found = with_gamma(none);
            assert!(found.notes.is_empty() && found.is_color_space_assumed(), "{none:?}");
            assert_eq!(found.color_space_reason, "TGA without a gamma: sRGB assumed");
        }
        for (gamma, text) in [([220, 1], "220.00"), ([45, 100], "0.45")] {
            let note = format!("TGA gamma {text} is impossible; sRGB is assumed");
            assert_eq!(with_gamma(gamma).notes, [note]);
        }
    }

    #[test]
    fn interleaved_rows_and_tables_are_noted() {
        let plain = file(2, [0, 0], [2, 1], [24, 0], &[50, 100, 200, 10, 10, 10]);
        assert!(read_file(&plain).unwrap().notes.is_empty());
        for bits in [0x40, 0x80] {
            let mut interleaved = plain.clone();
            interleaved[17] |= bits;
            let note = "the header states interleaved rows; they are read in the order of the file";
            assert_eq!(read_file(&interleaved).unwrap().notes, [note]);
        }
        let at = plain.len() + TABLE_AT;
        let mut corrected = with_attributes(plain, 0);
        assert!(read_file(&corrected).unwrap().notes.is_empty());
        corrected[at] = 18;
        assert_eq!(read_file(&corrected).unwrap().notes, ["the colour correction table is not applied"]);
    }

    /// Premultiplied alpha is noted only if there is something to note.
    #[test]
    fn premultiplied_colours_are_noted() {
        let note = "the extension area states that colours are multiplied by alpha";
        let notes = |data: &[u8]| {
            let file = with_attributes(file(2, [0, 0], [2, 1], [32, 8], data), 4);
            read_file(&file).unwrap().notes
        };
        assert_eq!(notes(TWO), [note]);
        assert!(notes(&[25, 50, 100, 255, 25, 50, 100, 255]).is_empty());
    }

    #[test]
    fn texels_of_16_bits_have_an_alpha_bit() {
        // Alpha, then red, green and blue of 31, 1 and 3.
        let texels = [0xfc23u16, 0x7c23].map(u16::to_le_bytes).concat();
        let both = [[255, 8, 25, 255], [255, 8, 25, 0]];
        let picture = read_file(&file(2, [0, 0], [2, 1], [16, 1], &texels)).unwrap();
        assert_eq!((rgba(&picture), picture.notes.len()), (both.to_vec(), 0));
        // Runs, and the lower row first.
        let runs = [&[0x81][..], &texels[..2], &[0x81], &texels[2..]].concat();
        let mut run_length = file(10, [0, 0], [2, 2], [16, 1], &runs);
        run_length[17] = 1;
        let picture = read_file(&run_length).unwrap();
        assert_eq!(rgba(&picture), [both[1], both[1], both[0], both[0]]);
        // All are transparent, which is unlikely without an extension area.
        let clear = file(2, [0, 0], [1, 1], [16, 1], &texels[2..]);
        let picture = read_file(&clear).unwrap();
        assert_eq!((rgba(&picture), picture.notes.len()), (vec![both[0]], 1));
        assert_eq!(rgba(&read_file(&with_attributes(clear, 3)).unwrap()), [both[1]]);
        // Without the bit in the descriptor, there is no alpha.
        let picture = read_file(&file(2, [0, 0], [2, 1], [16, 0], &texels)).unwrap();
        assert_eq!((rgba(&picture), picture.has_alpha), ([both[0]; 2].to_vec(), false));
    }

    #[test]
    fn alpha_bits_without_room_are_left_out() {
        let palette = file(1, [2, 24], [2, 1], [8, 8], &[25, 50, 100, 1, 2, 3, 1, 0]);
        assert_eq!(rgba(&read_file(&palette).unwrap()), [[3, 2, 1, 255], [100, 50, 25, 255]]);
        let colors = file(2, [0, 0], [1, 1], [24, 8], &[25, 50, 100]);
        assert_eq!(rgba(&read_file(&colors).unwrap()), [[100, 50, 25, 255]]);
        let entries = |second: u16| [0xfc23u16, second].map(u16::to_le_bytes).concat();
        for (second, note_count) in [(0x7c23, 1), (0xfc23, 0)] {
            let data = [&entries(second)[..], &[1, 0]].concat();
            let picture = read_file(&file(1, [2, 16], [2, 1], [8, 1], &data)).unwrap();
            assert_eq!((rgba(&picture), picture.notes.len()), (vec![[255, 8, 25, 255]; 2], note_count));
        }
    }
}
