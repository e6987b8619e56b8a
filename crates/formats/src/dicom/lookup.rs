//! Palettes of DICOM (PS3.3, C.7.6.3.1.5 and C.7.9): stored numbers become red, green and blue. Tables may be
//! in segments.

use super::palette_segments::expanded;
use crate::{FormatError, SliceShape, header::header_text::short, slices::slice::resize};
use brickwork_volume::VoxelType;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, Tag};

const DESCRIPTORS: [(Tag, &str); 3] = [
    (tags::RED_PALETTE_COLOR_LOOKUP_TABLE_DESCRIPTOR, "RedPaletteColorLookupTableDescriptor"),
    (tags::GREEN_PALETTE_COLOR_LOOKUP_TABLE_DESCRIPTOR, "GreenPaletteColorLookupTableDescriptor"),
    (tags::BLUE_PALETTE_COLOR_LOOKUP_TABLE_DESCRIPTOR, "BluePaletteColorLookupTableDescriptor"),
];

const DATA: [(Tag, &str); 3] = [
    (tags::RED_PALETTE_COLOR_LOOKUP_TABLE_DATA, "RedPaletteColorLookupTableData"),
    (tags::GREEN_PALETTE_COLOR_LOOKUP_TABLE_DATA, "GreenPaletteColorLookupTableData"),
    (tags::BLUE_PALETTE_COLOR_LOOKUP_TABLE_DATA, "BluePaletteColorLookupTableData"),
];

const SEGMENTED_DATA: [(Tag, &str); 3] = [
    (tags::SEGMENTED_RED_PALETTE_COLOR_LOOKUP_TABLE_DATA, "SegmentedRedPaletteColorLookupTableData"),
    (tags::SEGMENTED_GREEN_PALETTE_COLOR_LOOKUP_TABLE_DATA, "SegmentedGreenPaletteColorLookupTableData"),
    (tags::SEGMENTED_BLUE_PALETTE_COLOR_LOOKUP_TABLE_DATA, "SegmentedBluePaletteColorLookupTableData"),
];

/// The colours of stored numbers.
pub struct Lookup {
    /// Stored number of the first colour.
    first: i64,
    colors: Vec<[u16; 3]>,
    is_wide: bool,
}

impl Lookup {
    /// Reads the tables of a file.
    ///
    /// # Errors
    /// [`FormatError`] if they are missing or damaged.
    pub fn of(object: &DefaultDicomObject, is_signed: bool) -> Result<Self, FormatError> {
        let is_segmented = object.get(DATA[0].0).is_none() && object.get(SEGMENTED_DATA[0].0).is_some();
        let fields = if is_segmented { SEGMENTED_DATA } else { DATA };
        let mut tables = Vec::new();
        let mut described = None;
        for ((descriptor, name), (data, data_name)) in DESCRIPTORS.into_iter().zip(fields) {
            let element = object.get(descriptor).ok_or(FormatError::Missing(name))?;
            let numbers = element.to_multi_int::<i64>().unwrap_or_default();
            let wrong =
                || FormatError::Number { field: name.to_owned(), value: short(&format!("{numbers:?}")) };
            let [count, first, bits] = numbers[..] else { return Err(wrong()) };
            // The numbers have 16 bits, with or without a sign.
            let count = match count & 0xffff {
                0 => 1 << 16,
                count => count as usize,
            };
            let first = if is_signed { i64::from(first as i16) } else { first & 0xffff };
            if !matches!(bits, 8 | 16)
                || *described.get_or_insert((count, first, bits)) != (count, first, bits)
            {
                return Err(wrong());
            }
            let element = object.get(data).ok_or(FormatError::Missing(data_name))?;
            let bytes = element.to_bytes().map_err(|_| FormatError::Missing(data_name))?;
            if is_segmented {
                let damaged = || FormatError::Number {
                    field: data_name.to_owned(),
                    value: format!("{} bytes that are no segments of {count} numbers", bytes.len()),
                };
                tables.push(expanded(&bytes, count, bits == 16).ok_or_else(damaged)?);
                continue;
            }
            tables.push(table(&bytes, count, bits).ok_or(FormatError::Length {
                part: data_name,
                need: count as u64 * bits as u64 / 8,
                have: bytes.len() as u64,
            })?);
        }
        let (count, first, bits) = described.unwrap_or((0, 0, 8));
        let colors = (0..count).map(|i| [tables[0][i], tables[1][i], tables[2][i]]).collect();
        Ok(Self { first, colors, is_wide: bits == 16 })
    }

    /// Returns the shape of an image in colour.
    pub fn shape(&self, stored: SliceShape) -> SliceShape {
        let voxel_type = if self.is_wide { VoxelType::U16 } else { VoxelType::U8 };
        SliceShape { voxel_type, channels: 3, ..stored }
    }

    /// Replaces the stored numbers of an image, the least significant byte first, by their colours. Numbers
    /// before the first and after the last colour have those.
    ///
    /// # Errors
    /// [`FormatError::Memory`].
    pub fn apply(&self, stored: SliceShape, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
        let numbers = std::mem::take(bytes);
        let color_bytes = if self.is_wide { 6 } else { 3 };
        let number_bytes = stored.voxel_type.byte_count();
        resize(bytes, numbers.len() / number_bytes * color_bytes)?;
        let colors = bytes.chunks_exact_mut(color_bytes);
        for (number, color) in numbers.chunks_exact(number_bytes).zip(colors) {
            let number = match (stored.voxel_type, number) {
                (VoxelType::I8, &[low]) => i64::from(low as i8),
                (VoxelType::I16, &[low, high]) => i64::from(i16::from_le_bytes([low, high])),
                (_, &[low]) => i64::from(low),
                (_, &[low, high]) => i64::from(u16::from_le_bytes([low, high])),
                (_, wide) => wide.iter().rev().fold(0, |number, &byte| number << 8 | i64::from(byte)),
            };
            let index = (number - self.first).clamp(0, self.colors.len() as i64 - 1) as usize;
            let parts = self.colors[index];
            if self.is_wide {
                color.copy_from_slice(parts.map(u16::to_le_bytes).as_flattened());
            } else {
                color.copy_from_slice(&parts.map(|part| part as u8));
            }
        }
        Ok(())
    }
}

/// Returns the numbers of a table; `None` if there are too few. Numbers of 8 bits have one byte or two.
pub fn table(bytes: &[u8], count: usize, bits: i64) -> Option<Vec<u16>> {
    if bits == 8 && bytes.len() < 2 * count {
        return Some(bytes.get(..count)?.iter().map(|&byte| byte.into()).collect());
    }
    let words = bytes.as_chunks::<2>().0.get(..count)?;
    Some(words.iter().map(|word| u16::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_of_the_palette_have_its_ends() {
        let lookup = Lookup { first: -1, colors: vec![[1, 2, 3], [4, 5, 6]], is_wide: false };
        let stored = SliceShape { width: 4, height: 1, voxel_type: VoxelType::I8, channels: 1 };
        assert_eq!((lookup.shape(stored).channels, lookup.shape(stored).voxel_type), (3, VoxelType::U8));
        let mut bytes = vec![0x80, 0xff, 0, 9];
        lookup.apply(stored, &mut bytes).expect("memory");
        assert_eq!(bytes, [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]);
        let lookup = Lookup { first: 256, colors: vec![[1, 2, 3], [0x104, 5, 6]], is_wide: true };
        let stored = SliceShape { voxel_type: VoxelType::U16, ..stored };
        let mut bytes = vec![1, 1, 0, 1];
        lookup.apply(stored, &mut bytes).expect("memory");
        assert_eq!(bytes, [4, 1, 5, 0, 6, 0, 1, 0, 2, 0, 3, 0]);
        assert_eq!(table(&[1, 2, 3, 0], 3, 8), Some(vec![1, 2, 3]));
        assert_eq!(table(&[1, 0, 2, 0], 2, 8), Some(vec![1, 2]));
        assert_eq!(table(&[1, 0, 2], 2, 16), None);
    }
}
