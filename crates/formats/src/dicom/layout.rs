//! Layout of the numbers of a slice in its file.

use super::transfer_syntax::Packing;
#[cfg(feature = "dicom-jpegs")]
use crate::JpegFeature;
use crate::{DicomFeature, FormatError, SliceShape, header::header_text::short};
use brickwork_volume::VoxelType;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, Tag};

/// Layout of a slice's stored values.
#[derive(Clone, Copy)]
pub struct Layout {
    pub shape: SliceShape,
    pub signed: bool,
    bits_stored: u32,
    high_bit: u32,
    /// True if channels are stored in planes, not interleaved.
    pub in_planes: bool,
    /// True if eight numbers of one bit share a byte.
    pub is_bits: bool,
    /// True if the numbers are indices of a palette.
    pub has_palette: bool,
    /// True if voxels are luma and two differences of colour.
    pub is_ybr: bool,
    /// True if pairs of voxels share the differences of colour.
    pub is_in_pairs: bool,
}

impl Layout {
    /// Reads the layout of a file, whose frames may be packed.
    ///
    /// # Errors
    /// [`FormatError`], also of layouts that are not supported.
    pub fn of(object: &DefaultDicomObject, packing: Packing) -> Result<Self, FormatError> {
        let number = |tag: Tag, name: &'static str| {
            object.get(tag).and_then(|e| e.to_int::<u32>().ok()).ok_or(FormatError::Missing(name))
        };
        let unsupported = |feature: DicomFeature| Err(feature.into());
        let (width, height) = (number(tags::COLUMNS, "Columns")?, number(tags::ROWS, "Rows")?);
        let bits = number(tags::BITS_ALLOCATED, "BitsAllocated")?;
        let bits_stored = number(tags::BITS_STORED, "BitsStored").unwrap_or(bits);
        let high_bit = number(tags::HIGH_BIT, "HighBit").unwrap_or(bits_stored.saturating_sub(1));
        let signed = number(tags::PIXEL_REPRESENTATION, "PixelRepresentation")? == 1;
        let voxel_type = match (bits, signed) {
            (1 | 8, false) => VoxelType::U8,
            (8, true) => VoxelType::I8,
            (16, false) => VoxelType::U16,
            (16, true) => VoxelType::I16,
            (32, false) => VoxelType::U32,
            (32, true) => VoxelType::I32,
            _ => return unsupported(DicomFeature::Bits(bits)),
        };
        if bits_stored == 0 || bits_stored > bits || high_bit >= bits || high_bit + 1 < bits_stored {
            return unsupported(DicomFeature::StoredBits { stored: bits_stored, high_bit, allocated: bits });
        }
        let color = object.get(tags::PHOTOMETRIC_INTERPRETATION).and_then(|e| e.to_str().ok());
        let color = color.as_deref().unwrap_or_default().trim();
        let samples = number(tags::SAMPLES_PER_PIXEL, "SamplesPerPixel").unwrap_or(1);
        let channels = match (samples, color) {
            (1, "MONOCHROME1" | "MONOCHROME2" | "PALETTE COLOR" | "") => 1,
            (3, "RGB") => 3,
            (3, "YBR_RCT" | "YBR_ICT") if packing.restores_rgb() => 3,
            (3, "YBR_FULL" | "YBR_FULL_422") if bits == 8 && bits_stored == 8 && !signed => 3,
            _ => {
                let color = short(color);
                return unsupported(DicomFeature::Color { color, samples });
            }
        };
        let in_planes = number(tags::PLANAR_CONFIGURATION, "PlanarConfiguration").unwrap_or(0) == 1;
        let shape = SliceShape { width: width as usize, height: height as usize, voxel_type, channels };
        let (is_bits, has_palette) = (bits == 1, color == "PALETTE COLOR");
        if is_bits && channels > 1 {
            return unsupported(DicomFeature::Bits(bits));
        }
        let is_ybr = color.starts_with("YBR_FULL");
        let is_in_pairs = color == "YBR_FULL_422" && packing == Packing::None;
        if is_in_pairs && (in_planes || !width.is_multiple_of(2)) {
            let color = short(color);
            return unsupported(DicomFeature::Color { color, samples });
        }
        Ok(Self {
            shape,
            signed,
            bits_stored,
            high_bit,
            in_planes,
            is_bits,
            has_palette,
            is_ybr,
            is_in_pairs,
        })
    }

    /// Bytes of so many frames, as they are stored without packing.
    ///
    /// # Errors
    /// [`FormatError`] beyond all numbers.
    pub fn stored_bytes(&self, frame_count: usize) -> Result<u64, FormatError> {
        let numbers = self.shape.header(frame_count)?.raw_bytes()?;
        Ok(match () {
            () if self.is_bits => numbers.div_ceil(8),
            // Four numbers for the six of two voxels.
            () if self.is_in_pairs => numbers / 3 * 2,
            () => numbers,
        })
    }

    /// Returns the smallest and the largest number that the stored bits can have.
    pub fn stored_range(&self) -> [i64; 2] {
        let count = 1i64 << self.bits_stored;
        if self.signed { [-count / 2, count / 2 - 1] } else { [0, count - 1] }
    }

    /// Returns a number as [`trim`](Self::trim) changes it.
    pub fn trimmed_number(&self, number: i64) -> i64 {
        let mut bytes = number.to_le_bytes();
        let byte_count = self.shape.voxel_type.byte_count();
        self.trim(&mut bytes[..byte_count]);
        let low = i64::from_le_bytes(bytes) << (64 - 8 * byte_count);
        if self.signed {
            low >> (64 - 8 * byte_count)
        } else {
            ((low as u64) >> (64 - 8 * byte_count)) as i64
        }
    }

    /// Checks that the numbers of an unpacked codestream of `bits` fit the stored bits. Writers often state
    /// more bits in the codestream than the numbers need.
    ///
    /// # Errors
    /// [`JpegFeature::StoredBits`] for the first number beyond [`Self::high_bit`].
    #[cfg(feature = "dicom-jpegs")]
    pub fn check_stored(&self, bits: u32, bytes: &[u8]) -> Result<(), FormatError> {
        let used = self.high_bit + 1;
        if self.is_bits || bits <= used {
            return Ok(());
        }
        let byte_count = self.shape.voxel_type.byte_count();
        let shift = 64 - 8 * byte_count;
        let range = if self.signed { -(1i64 << (used - 1))..1 << (used - 1) } else { 0..1 << used };
        for stored in bytes.chunks_exact(byte_count) {
            let raw = stored.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            let number = if self.signed { (raw << shift) as i64 >> shift } else { raw as i64 };
            if !range.contains(&number) {
                return Err(JpegFeature::StoredBits { bits, stored: self.bits_stored, number }.into());
            }
        }
        Ok(())
    }

    /// Clears the unused bits, which may contain overlays, and extends the sign into them.
    pub fn trim(&self, bytes: &mut [u8]) {
        let bits = self.shape.voxel_type.bit_count();
        if self.is_bits || self.bits_stored == bits {
            return;
        }
        // Shifts the bits to the top of a word, and back with or without the sign.
        let (up, down) = (31 - self.high_bit, 32 - self.bits_stored);
        let trimmed = |value: u32| match self.signed {
            true => ((value << up) as i32 >> down) as u32,
            false => (value << up) >> down,
        };
        match bits {
            8 => bytes.iter_mut().for_each(|byte| *byte = trimmed(u32::from(*byte)) as u8),
            16 => {
                for word in bytes.as_chunks_mut::<2>().0 {
                    *word = (trimmed(u16::from_le_bytes(*word).into()) as u16).to_le_bytes();
                }
            }
            _ => {
                for word in bytes.as_chunks_mut::<4>().0 {
                    *word = trimmed(u32::from_le_bytes(*word)).to_le_bytes();
                }
            }
        }
    }
}
