//! Slices in BMP files: grey and indices of 1, 4 and 8 bits, colour of 16, 24 and 32 bits,
//! uncompressed.
//! <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>

use crate::{
    FormatError, ImageFeature, SliceShape,
    slices::{
        image_head::{ImageHead, SliceText},
        packed_bits::unpack_bits,
        palette::Palette,
        slice::resize,
    },
};
use brickwork_volume::VoxelType;
use std::{
    fs::File,
    io::{BufReader, Read, Seek as _, SeekFrom},
    path::Path,
};

const FILE_HEADER_BYTES: usize = 14;
/// Bytes of a header without, and with, masks of colours.
const CORE_BYTES: u32 = 12;
const INFO_BYTES: u32 = 40;
/// `biCompression` of bytes as they are, and of numbers with masks.
const UNCOMPRESSED: u32 = 0;
const MASKS: [u32; 2] = [3, 6];
/// Masks of red, green and blue in 16 bits, unless the file has others.
const MASKS_OF_16_BITS: [u32; 3] = [0x7c00, 0x3e0, 0x1f];
/// Masks of red, green and blue where the bytes are blue, green, red.
const USUAL_MASKS: [u32; 3] = [0xff_0000, 0xff00, 0xff];

pub fn read(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<ImageHead, FormatError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let mut head = [0; FILE_HEADER_BYTES + 4];
    file.read_exact(&mut head)?;
    if !head.starts_with(b"BM") {
        return Err(FormatError::Other("BMP"));
    }
    let word = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let long = |bytes: &[u8], at: usize| {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    let (start, header_bytes) = (long(&head, 10), long(&head, FILE_HEADER_BYTES));
    // Version 5 has 124 bytes.
    if header_bytes != CORE_BYTES && !(INFO_BYTES..=124).contains(&header_bytes) {
        return Err(number("biSize", header_bytes));
    }
    let mut info = vec![0; header_bytes as usize - 4];
    file.read_exact(&mut info)?;
    let is_core = header_bytes == CORE_BYTES;
    let (width, height, bits) = match is_core {
        true => (i32::from(word(&info, 0)), i32::from(word(&info, 2)), word(&info, 6)),
        false => (long(&info, 0) as i32, long(&info, 4) as i32, word(&info, 10)),
    };
    let compression = if is_core { UNCOMPRESSED } else { long(&info, 12) };
    let sides = (usize::try_from(width), height.unsigned_abs() as usize);
    let (Ok(width @ 1..), rows @ 1..) = sides else { return Err(number("biHeight", height)) };
    let mut channels = match bits {
        1 | 4 | 8 => 1,
        16 | 24 | 32 => 3,
        _ => return Err(ImageFeature::BmpBits(bits).into()),
    };
    let mut masks_of_16_bits = MASKS_OF_16_BITS.to_vec();
    if MASKS.contains(&compression) && matches!(bits, 16 | 32) {
        // Behind the shortest header, or part of it.
        let mut masks = info.get(36..).unwrap_or_default().to_vec();
        let missing = 12usize.saturating_sub(masks.len());
        let at = masks.len();
        masks.resize(at + missing, 0);
        file.read_exact(&mut masks[at..])?;
        let colors = [0, 4, 8].map(|at| long(&masks, at));
        let alpha = if masks.len() >= 16 { long(&masks, 12) } else { 0 };
        let is_read = if bits == 16 { colors.into_iter().all(is_mask) } else { colors == USUAL_MASKS };
        if !is_read {
            return Err(ImageFeature::BmpCompression(compression).into());
        }
        masks_of_16_bits = colors.to_vec();
        let has_alpha = if bits == 16 { is_mask(alpha) } else { alpha == 0xff00_0000 };
        if has_alpha {
            masks_of_16_bits.push(alpha);
            channels = 4;
        }
    } else if compression != UNCOMPRESSED {
        return Err(ImageFeature::BmpCompression(compression).into());
    }
    let mut palette = None;
    if bits <= 8 {
        let used = if is_core { 0 } else { long(&info, 28) };
        let count = if used == 0 { 1 << bits } else { used.min(1 << bits) };
        let mut entries = vec![0; count as usize * if is_core { 3 } else { 4 }];
        file.read_exact(&mut entries)?;
        let colors = entries.chunks_exact(if is_core { 3 } else { 4 }).map(|bgr| [bgr[2], bgr[1], bgr[0]]);
        palette = Some(Palette(colors.collect()));
    }
    let shape = SliceShape { width, height: rows, voxel_type: VoxelType::U8, channels };
    if let Some(bytes) = bytes {
        resize(bytes, shape.byte_count(file_bytes)?)?;
        file.seek(SeekFrom::Start(start.into()))?;
        let stored_bytes = (width * usize::from(bits)).div_ceil(32) * 4;
        let mut stored = Vec::new();
        resize(&mut stored, stored_bytes)?;
        for row in 0..rows {
            file.read_exact(&mut stored)?;
            // The lowest row comes first, unless the height is negative.
            let y = if height > 0 { rows - 1 - row } else { row };
            let target = &mut bytes[y * width * channels..][..width * channels];
            if bits <= 8 {
                let used = (width * usize::from(bits)).div_ceil(8);
                match bits {
                    8 => target.copy_from_slice(&stored[..width]),
                    _ => unpack_bits(&stored[..used], bits as u8, width, target),
                }
                continue;
            }
            if bits == 16 {
                for (texel, voxel) in stored.as_chunks().0.iter().zip(target.chunks_exact_mut(channels)) {
                    let texel = u32::from(u16::from_le_bytes(*texel));
                    for (part, &mask) in voxel.iter_mut().zip(&masks_of_16_bits) {
                        *part = byte(texel, mask);
                    }
                }
                continue;
            }
            let texels = stored.chunks_exact(usize::from(bits) / 8);
            for (texel, voxel) in texels.zip(target.chunks_exact_mut(channels)) {
                voxel[..3].copy_from_slice(&[texel[2], texel[1], texel[0]]);
                if let Some(alpha) = voxel.get_mut(3) {
                    *alpha = texel[3];
                }
            }
        }
    }
    Ok(ImageHead { shape, palette, text: SliceText::default() })
}

/// True if the bits of a mask are adjacent, and within 16 bits.
const fn is_mask(mask: u32) -> bool {
    let bits = mask.trailing_zeros();
    mask != 0 && mask <= 0xffff && (mask >> bits) & ((mask >> bits) + 1) == 0
}

/// Returns the part of a texel under a mask, scaled to a byte.
const fn byte(texel: u32, mask: u32) -> u8 {
    let (bits, most) = (mask.trailing_zeros(), mask >> mask.trailing_zeros());
    ((((texel & mask) >> bits) * 255 + most / 2) / most) as u8
}

fn number(field: &str, value: impl std::fmt::Display) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: value.to_string() }
}
