//! Siemens mosaics: the slices of a volume as tiles of one image, row by row.
//!
//! The number of slices is in a private field, or in the private header "CSA" (format SV10). That header also
//! has the direction of the stack. The position in the file is that of a single slice with the size of the
//! whole image and the same centre (nibabel, `dicom_mosaic`; dcm2niix does the same).

use crate::{
    FormatError, SliceShape,
    header::geometry::{cross, dot},
};
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::DefaultDicomObject;

/// Name of a block of private fields.
pub const MR_HEADER: &str = "SIEMENS MR HEADER";

/// Maximum number of slices in a mosaic.
const MAX_COUNT: usize = 1 << 12;

/// Layout of a mosaic's tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mosaic {
    /// Number of slices.
    pub count: usize,
    /// Tiles per row and per column.
    side: usize,
    /// Columns and rows of the whole image.
    size: [usize; 2],
    /// Direction of the stack, if the file has it.
    normal: Option<[f64; 3]>,
}

impl Mosaic {
    /// Returns the layout; `None` if the file is no mosaic.
    ///
    /// # Errors
    /// [`FormatError`] if the number of slices is unknown, or does not fit the image.
    pub fn of(object: &DefaultDicomObject, image: SliceShape) -> Result<Option<Self>, FormatError> {
        let kind =
            object.get(tags::IMAGE_TYPE).and_then(|element| element.value().primitive()?.to_str().into());
        if !kind.is_some_and(|kind| kind.split('\\').any(|part| part.trim() == "MOSAIC")) {
            return Ok(None);
        }
        let bytes = |group, creator: &str, number| -> Option<&[u8]> {
            match object.private_element(group, creator, number).ok()?.value().primitive()? {
                PrimitiveValue::U8(bytes) => Some(bytes),
                _ => None,
            }
        };
        let own = object.private_element(0x0019, MR_HEADER, 0x0A).ok();
        // The field has bytes if its value representation is unknown.
        let unknown = bytes(0x0019, MR_HEADER, 0x0A).and_then(|bytes| bytes.first_chunk::<2>());
        let own = unknown.map(|bytes| i64::from(u16::from_le_bytes(*bytes))).or_else(|| own?.to_int().ok());
        let header = bytes(0x0029, "SIEMENS CSA HEADER", 0x10);
        let listed = |name| header.and_then(|header| numbers(header, name)).unwrap_or_default();
        let count = own.or_else(|| listed("NumberOfImagesInMosaic").first().map(|count| *count as i64));
        let count = count.ok_or(FormatError::Missing("NumberOfImagesInMosaic"))?;
        let wrong = || FormatError::Number {
            field: "NumberOfImagesInMosaic".to_owned(),
            value: format!("{count}, for {}x{}", image.width, image.height),
        };
        let count = usize::try_from(count).ok().filter(|count| (1..=MAX_COUNT).contains(count));
        let count = count.ok_or_else(wrong)?;
        let side = (1..).find(|side| side * side >= count).unwrap_or(1);
        if !image.width.is_multiple_of(side) || !image.height.is_multiple_of(side) {
            return Err(wrong());
        }
        let normal = <[f64; 3]>::try_from(listed("SliceNormalVector")).ok();
        Ok(Some(Self { count, side, size: [image.width, image.height], normal }))
    }

    /// Returns the shape of a tile.
    pub fn tile(&self, image: SliceShape) -> SliceShape {
        SliceShape { width: image.width / self.side, height: image.height / self.side, ..image }
    }

    /// Returns the position of a tile of this shape. The position `first`, the directions, the spacing and
    /// the thickness are those that the file states.
    pub fn position(
        &self,
        tile: usize,
        shape: SliceShape,
        first: [f64; 3],
        [a, b, c, d, e, f]: [f64; 6],
        [x, y]: [f64; 2],
        thickness: f64,
    ) -> [f64; 3] {
        let across = (self.size[0] - shape.width) as f64 / 2.0 * x;
        let down = (self.size[1] - shape.height) as f64 / 2.0 * y;
        let normal = cross([a, b, c], [d, e, f]);
        let sign = if self.normal.is_some_and(|own| dot(own, normal) < 0.0) { -1.0 } else { 1.0 };
        let along = sign * thickness * tile as f64;
        let (row, column) = ([a, b, c], [d, e, f]);
        [0, 1, 2].map(|axis| first[axis] + across * row[axis] + down * column[axis] + along * normal[axis])
    }

    /// Copies a tile of the image to `into`, which has the tile's length.
    pub fn cut(&self, image: &[u8], tile: usize, into: &mut [u8]) {
        let row_bytes = image.len() / self.size[1];
        let tile_row_bytes = row_bytes / self.side;
        let rows = self.size[1] / self.side;
        let (left, top) = (tile % self.side * tile_row_bytes, tile / self.side * rows);
        for (row, line) in into.chunks_exact_mut(tile_row_bytes).enumerate() {
            line.copy_from_slice(&image[(top + row) * row_bytes + left..][..tile_row_bytes]);
        }
    }
}

/// Returns the numbers of a field of a CSA header; `None` if the header is damaged or lacks the field.
fn numbers(header: &[u8], name: &str) -> Option<Vec<f64>> {
    let mut rest = header.strip_prefix(b"SV10")?;
    let mut take = |count: usize| {
        let (taken, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(taken)
    };
    let int = |bytes: &[u8]| Some(u32::from_le_bytes(*bytes.first_chunk()?));
    take(4)?;
    let field_count = int(take(4)?)?;
    take(4)?;
    for _ in 0..field_count.min(1 << 10) {
        // Name, multiplicity, representation, type, number of items, and a number without a meaning.
        let head = take(84)?;
        let own = head[..64].split(|&byte| byte == 0).next()?;
        let mut values = Vec::new();
        for _ in 0..int(&head[76..])?.min(1 << 10) {
            let length = int(&take(16)?[4..])? as usize;
            let text = take(length.checked_next_multiple_of(4)?)?;
            let text = text[..length].split(|&byte| byte == 0).next()?;
            values.extend(std::str::from_utf8(text).ok().and_then(|text| text.trim().parse::<f64>().ok()));
        }
        if own == name.as_bytes() {
            return Some(values);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a header of two fields: one with 1 item, one with 3 items of which one is empty.
    fn header() -> Vec<u8> {
        let mut header = b"SV10\x04\x03\x02\x01\x02\0\0\0M\0\0\0".to_vec();
        let fields =
            [("NumberOfImagesInMosaic", &["36"][..]), ("SliceNormalVector", &["0.6", "", "-0.80000000"])];
        for (name, items) in fields {
            let mut head = [0; 84];
            head[..name.len()].copy_from_slice(name.as_bytes());
            head[76] = items.len() as u8;
            header.extend(head);
            for item in items {
                header.extend([[0; 4], (item.len() as u32).to_le_bytes(), [0; 4], [0; 4]].concat());
                header.extend(item.as_bytes());
                header.resize(header.len().next_multiple_of(4), 0);
            }
        }
        header
    }

    #[test]
    fn fields_of_a_private_header_are_found() {
        let header = header();
        assert_eq!(numbers(&header, "NumberOfImagesInMosaic"), Some(vec![36.0]));
        assert_eq!(numbers(&header, "SliceNormalVector"), Some(vec![0.6, -0.8]));
        assert_eq!(numbers(&header, "Other"), None);
        for length in 0..header.len() {
            assert_eq!(numbers(&header[..length], "Other"), None);
        }
    }

    #[test]
    fn tiles_are_cut() {
        let mosaic = Mosaic { count: 3, side: 2, size: [4, 2], normal: None };
        let image = *b"aabbcc..";
        let mut tile = [0; 2];
        let tiles: Vec<_> = (0..3)
            .map(|index| {
                mosaic.cut(&image, index, &mut tile);
                tile
            })
            .collect();
        assert_eq!(tiles, [*b"aa", *b"bb", *b"cc"]);
    }
}
