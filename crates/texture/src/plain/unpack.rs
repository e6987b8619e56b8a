//! Bytes of a texture as rows of texels.

use super::small_floats::{of_rg11b10, of_rgb9e5};
use crate::{ChannelType, PlainFormat};
use half::f16;

/// Function that converts the bytes of a row to its texels.
pub(crate) type ReadRow<T> = fn(&[u8], &mut [T]);

/// Function for the type of texels that hold every number of a format.
pub(crate) enum RowReader {
    Rgba8(ReadRow<[u8; 4]>),
    Rgba16(ReadRow<[u16; 4]>),
    RgbaF16(ReadRow<[f16; 4]>),
    RgbaF32(ReadRow<[f32; 4]>),
}

/// Returns the type of channels that holds every number of a format. Mip levels are made in such channels.
pub(crate) fn native_channels(format: PlainFormat) -> ChannelType {
    match row_reader(format) {
        RowReader::Rgba8(_) => ChannelType::U8,
        RowReader::Rgba16(_) => ChannelType::U16,
        RowReader::RgbaF16(_) => ChannelType::F16,
        RowReader::RgbaF32(_) => ChannelType::F32,
    }
}

/// Returns the function that reads rows of a format.
pub(crate) fn row_reader(format: PlainFormat) -> RowReader {
    match format {
        PlainFormat::R8Unorm => RowReader::Rgba8(|bytes, row| channels(bytes, row, unorm_8, [0, 255])),
        PlainFormat::Rg8Unorm => RowReader::Rgba8(|bytes, row| channels2(bytes, row, unorm_8, [0, 255])),
        PlainFormat::Rgba8Unorm => RowReader::Rgba8(|bytes, row| channels4(bytes, row, unorm_8)),
        PlainFormat::Bgra8Unorm => RowReader::Rgba8(|bytes, row| {
            channels4(bytes, row, unorm_8);
            row.iter_mut().for_each(|texel| texel.swap(0, 2));
        }),
        PlainFormat::R8Snorm => RowReader::Rgba8(|bytes, row| channels(bytes, row, snorm_8, [0, 255])),
        PlainFormat::Rg8Snorm => RowReader::Rgba8(|bytes, row| channels2(bytes, row, snorm_8, [0, 255])),
        PlainFormat::Rgba8Snorm => RowReader::Rgba8(|bytes, row| channels4(bytes, row, snorm_8)),
        PlainFormat::R16Unorm => {
            RowReader::Rgba16(|bytes, row| channels(bytes, row, u16::from_le_bytes, [0, u16::MAX]))
        }
        PlainFormat::Rg16Unorm => {
            RowReader::Rgba16(|bytes, row| channels2(bytes, row, u16::from_le_bytes, [0, u16::MAX]))
        }
        PlainFormat::Rgba16Unorm => RowReader::Rgba16(|bytes, row| channels4(bytes, row, u16::from_le_bytes)),
        PlainFormat::R16Snorm => {
            RowReader::Rgba16(|bytes, row| channels(bytes, row, snorm_16, [0, u16::MAX]))
        }
        PlainFormat::Rg16Snorm => {
            RowReader::Rgba16(|bytes, row| channels2(bytes, row, snorm_16, [0, u16::MAX]))
        }
        PlainFormat::Rgba16Snorm => RowReader::Rgba16(|bytes, row| channels4(bytes, row, snorm_16)),
        PlainFormat::R16Float => {
            RowReader::RgbaF16(|bytes, row| channels(bytes, row, f16::from_le_bytes, HALF_ENDS))
        }
        PlainFormat::Rg16Float => {
            RowReader::RgbaF16(|bytes, row| channels2(bytes, row, f16::from_le_bytes, HALF_ENDS))
        }
        PlainFormat::Rgba16Float => {
            RowReader::RgbaF16(|bytes, row| channels4(bytes, row, f16::from_le_bytes))
        }
        PlainFormat::R32Float => {
            RowReader::RgbaF32(|bytes, row| channels(bytes, row, f32::from_le_bytes, [0.0, 1.0]))
        }
        PlainFormat::Rg32Float => {
            RowReader::RgbaF32(|bytes, row| channels2(bytes, row, f32::from_le_bytes, [0.0, 1.0]))
        }
        PlainFormat::Rgba32Float => {
            RowReader::RgbaF32(|bytes, row| channels4(bytes, row, f32::from_le_bytes))
        }
        PlainFormat::Rgb9e5 => RowReader::RgbaF16(|bytes, row| words(bytes, row, of_rgb9e5)),
        PlainFormat::Rg11b10Float => RowReader::RgbaF16(|bytes, row| words(bytes, row, of_rg11b10)),
    }
}

/// 0 and 1 in half floats.
const HALF_ENDS: [f16; 2] = [f16::ZERO, f16::ONE];

/// Reads texels of one channel. `ends` are 0 and 1 of the channels.
fn channels<C: Copy, const BYTES: usize>(
    bytes: &[u8],
    row: &mut [[C; 4]],
    channel: impl Fn([u8; BYTES]) -> C,
    [zero, one]: [C; 2],
) {
    for (texel, &red) in row.iter_mut().zip(bytes.as_chunks::<BYTES>().0) {
        *texel = [channel(red), zero, zero, one];
    }
}

/// Reads texels of two channels. `ends` are 0 and 1 of the channels.
fn channels2<C: Copy, const BYTES: usize>(
    bytes: &[u8],
    row: &mut [[C; 4]],
    channel: impl Fn([u8; BYTES]) -> C,
    [zero, one]: [C; 2],
) {
    for (texel, &[red, green]) in row.iter_mut().zip(bytes.as_chunks::<BYTES>().0.as_chunks::<2>().0) {
        *texel = [channel(red), channel(green), zero, one];
    }
}

/// Reads texels of four channels.
fn channels4<C, const BYTES: usize>(bytes: &[u8], row: &mut [[C; 4]], channel: impl Fn([u8; BYTES]) -> C) {
    for (texel, stored) in row.iter_mut().zip(bytes.as_chunks::<BYTES>().0.as_chunks::<4>().0) {
        *texel = stored.map(&channel);
    }
}

/// Reads texels of one word.
fn words(bytes: &[u8], row: &mut [[f16; 4]], colors: impl Fn(u32) -> [f16; 3]) {
    for (texel, &word) in row.iter_mut().zip(bytes.as_chunks::<4>().0) {
        let [r, g, b] = colors(u32::from_le_bytes(word));
        *texel = [r, g, b, f16::ONE];
    }
}

fn unorm_8([byte]: [u8; 1]) -> u8 {
    byte
}

/// Returns (n / 127 + 1) / 2 in 255ths, rounded to nearest; −128 is −127. The only tie, 0, becomes 128.
fn snorm_8([byte]: [u8; 1]) -> u8 {
    let number = i32::from(byte as i8).max(-127) + 127;
    ((number * 255 + 127) / 254) as u8
}

/// Returns (n / 32767 + 1) / 2 in 65535ths, rounded to nearest; −32768 is −32767. The only tie, 0, becomes
/// 32768.
fn snorm_16(bytes: [u8; 2]) -> u16 {
    let number = i64::from(i16::from_le_bytes(bytes)).max(-32767) + 32767;
    ((number * 65535 + 32767) / 65534) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImageView, Task, plain::pack};

    #[test]
    fn signed_numbers_are_rounded_to_nearest_and_lead_back() {
        for byte in 0..=u8::MAX {
            let exact = (f64::from(byte as i8).max(-127.0) / 127.0 + 1.0) / 2.0 * 255.0;
            let found = snorm_8([byte]);
            assert!((f64::from(found) - exact).abs() <= 0.5, "{byte}: {found}, exact {exact}");
            let (texels, mut back) = ([found], [0]);
            let image = ImageView::new(&texels, 1, 1).unwrap();
            pack(&image, PlainFormat::R8Snorm, &mut back, &Task::new()).unwrap();
            assert_eq!(i32::from(back[0] as i8), i32::from(byte as i8).max(-127));
        }
        for word in 0..=u16::MAX {
            let exact = (f64::from(word as i16).max(-32767.0) / 32767.0 + 1.0) / 2.0 * 65535.0;
            let found = snorm_16(word.to_le_bytes());
            assert!((f64::from(found) - exact).abs() <= 0.5, "{word}: {found}, exact {exact}");
            let (texels, mut back) = ([found], [0; 2]);
            let image = ImageView::new(&texels, 1, 1).unwrap();
            pack(&image, PlainFormat::R16Snorm, &mut back, &Task::new()).unwrap();
            assert_eq!(i32::from(i16::from_le_bytes(back)), i32::from(word as i16).max(-32767));
        }
    }
}
