//! Rows of an image as bytes of a texture.

use super::small_floats::{rg11b10, rgb9e5};
use crate::{Cancelled, ChannelType, Image, PlainFormat, Stage, Task, block_row::RowBuffer};
use brickwork_base::parallel;
use half::f16;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the texels of `image` to `data`, row by row. The length of `data` is that of the image in the
/// format. Progress is reported in texels.
///
/// # Errors
/// [`Cancelled`]; the contents of `data` are then unspecified.
pub(crate) fn pack(
    image: &dyn Image,
    format: PlainFormat,
    data: &mut [u8],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    let [width, height] = image.size();
    let row_bytes = width as usize * format.texel_bytes();
    let (done, total) = (AtomicU64::new(0), u64::from(width) * u64::from(height));
    let step = |buffer: &mut RowBuffer, (y, data): (usize, &mut [u8])| {
        task.check()?;
        // Texels of any form have at most 16 bytes.
        buffer.resize(2 * width as usize, 0);
        pack_row(image, y as u32, format, buffer, data);
        let texels = u64::from(width);
        task.report(Stage::Encoding, done.fetch_add(texels, Ordering::Relaxed) + texels, total);
        Ok(())
    };
    parallel::try_for_each_with(task, data.chunks_exact_mut(row_bytes).enumerate(), RowBuffer::new, step)
}

/// Writes row `y` of `image` to `data`. `buffer` has 16 bytes per texel.
fn pack_row(image: &dyn Image, y: u32, format: PlainFormat, buffer: &mut RowBuffer, data: &mut [u8]) {
    let width = image.size()[0] as usize;
    let channel_count = format.channels().len();
    match format {
        PlainFormat::R8Unorm | PlainFormat::Rg8Unorm | PlainFormat::Rgba8Unorm => {
            put_channels(row_8(image, y, width, buffer), channel_count, data, |channel| [channel]);
        }
        PlainFormat::Bgra8Unorm => {
            let row = row_8(image, y, width, buffer);
            for (target, &[r, g, b, a]) in data.as_chunks_mut::<4>().0.iter_mut().zip(row) {
                *target = [b, g, r, a];
            }
        }
        PlainFormat::R16Unorm | PlainFormat::Rg16Unorm | PlainFormat::Rgba16Unorm => {
            put_channels(row_16(image, y, width, buffer), channel_count, data, u16::to_le_bytes);
        }
        PlainFormat::R8Snorm | PlainFormat::Rg8Snorm | PlainFormat::Rgba8Snorm => {
            if has_integers(image) {
                let row = row_16(image, y, width, buffer);
                put_channels(row, channel_count, data, |channel| [snorm(channel, 127) as u8]);
            } else {
                let row = row_f32(image, y, width, buffer);
                put_channels(row, channel_count, data, |channel| [snorm_of_float(channel, 127) as u8]);
            }
        }
        PlainFormat::R16Snorm | PlainFormat::Rg16Snorm | PlainFormat::Rgba16Snorm => {
            if has_integers(image) {
                let row = row_16(image, y, width, buffer);
                put_channels(row, channel_count, data, |channel| {
                    (snorm(channel, 32767) as i16).to_le_bytes()
                });
            } else {
                let row = row_f32(image, y, width, buffer);
                put_channels(row, channel_count, data, |channel| {
                    (snorm_of_float(channel, 32767) as i16).to_le_bytes()
                });
            }
        }
        PlainFormat::R16Float | PlainFormat::Rg16Float | PlainFormat::Rgba16Float => {
            let buffer: &mut [[f16; 4]] = bytemuck::cast_slice_mut(buffer);
            let row = image.row_rgba_f16(y, &mut buffer[..width]);
            put_channels(row, channel_count, data, f16::to_le_bytes);
        }
        PlainFormat::R32Float | PlainFormat::Rg32Float | PlainFormat::Rgba32Float => {
            put_channels(row_f32(image, y, width, buffer), channel_count, data, f32::to_le_bytes);
        }
        PlainFormat::Rgb9e5 => put_words(row_f32(image, y, width, buffer), data, rgb9e5),
        PlainFormat::Rg11b10Float => put_words(row_f32(image, y, width, buffer), data, rg11b10),
    }
}

/// True if the texels of an image are integers, which 16 bits hold exactly.
fn has_integers(image: &dyn Image) -> bool {
    matches!(image.texel_type().channel_type(), ChannelType::U8 | ChannelType::U16)
}

fn row_8<'a>(image: &'a dyn Image, y: u32, width: usize, buffer: &'a mut RowBuffer) -> &'a [[u8; 4]] {
    image.row_rgba8(y, &mut bytemuck::cast_slice_mut(buffer)[..width])
}

fn row_16<'a>(image: &'a dyn Image, y: u32, width: usize, buffer: &'a mut RowBuffer) -> &'a [[u16; 4]] {
    image.row_rgba16(y, &mut bytemuck::cast_slice_mut(buffer)[..width])
}

fn row_f32<'a>(image: &'a dyn Image, y: u32, width: usize, buffer: &'a mut RowBuffer) -> &'a [[f32; 4]] {
    image.row_rgba_f32(y, &mut bytemuck::cast_slice_mut(buffer)[..width])
}

/// Writes the first channels of each texel, each as the bytes that `bytes` returns.
fn put_channels<C: Copy, const BYTES: usize>(
    row: &[[C; 4]],
    channel_count: usize,
    data: &mut [u8],
    bytes: impl Fn(C) -> [u8; BYTES],
) {
    for (target, texel) in data.chunks_exact_mut(channel_count * BYTES).zip(row) {
        for (target, &channel) in target.as_chunks_mut::<BYTES>().0.iter_mut().zip(texel) {
            *target = bytes(channel);
        }
    }
}

/// Writes the word that `word` returns for red, green and blue of each texel.
fn put_words(row: &[[f32; 4]], data: &mut [u8], word: impl Fn([f32; 3]) -> u32) {
    for (target, &[r, g, b, _]) in data.as_chunks_mut::<4>().0.iter_mut().zip(row) {
        *target = word([r, g, b]).to_le_bytes();
    }
}

/// Returns (2v − 1) · `greatest` of the value v = `channel` / 65535, rounded to nearest. There are no ties,
/// because 65535 is odd.
fn snorm(channel: u16, greatest: i32) -> i32 {
    let doubled = i64::from(2 * i32::from(channel) - 65535) * i64::from(greatest);
    let half = if doubled < 0 { -32767 } else { 32767 };
    ((doubled + half) / 65535) as i32
}

/// Returns (2v − 1) · `greatest` of the value v = `channel`, clamped to 0..=1 and rounded to nearest, ties
/// away from 0; NaN counts as 0.
fn snorm_of_float(channel: f32, greatest: i32) -> i32 {
    // The comparison is false for NaN.
    let value = if channel > 0.0 { channel.min(1.0) } else { 0.0 };
    ((2.0 * f64::from(value) - 1.0) * f64::from(greatest)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImageView, Texel};

    /// Returns the bytes of one texel.
    fn packed<T: Texel>(texel: T, format: PlainFormat) -> Vec<u8> {
        let mut data = vec![0xee; format.texel_bytes()];
        let texels = [texel];
        pack(&ImageView::new(&texels, 1, 1).unwrap(), format, &mut data, &Task::new()).unwrap();
        data
    }

    #[test]
    fn signed_numbers_are_the_nearest() {
        for value in 0..=u16::MAX {
            for (greatest, format) in [(127.0, PlainFormat::R8Snorm), (32767.0, PlainFormat::R16Snorm)] {
                let exact = (2.0 * f64::from(value) / 65535.0 - 1.0) * greatest;
                let found = match *packed(value, format).as_slice() {
                    [byte] => f64::from(byte as i8),
                    [low, high] => f64::from(i16::from_le_bytes([low, high])),
                    _ => unreachable!("one channel"),
                };
                assert!((found - exact).abs() < 0.5, "{value}: {found}, exact {exact}");
            }
        }
        for value in 0..=u8::MAX {
            let exact = (2.0 * f64::from(value) / 255.0 - 1.0) * 127.0;
            assert_eq!(packed(value, PlainFormat::R8Snorm), [exact.round() as i8 as u8], "{value}");
        }
        let signed = |value: f32| packed(value, PlainFormat::R8Snorm)[0] as i8;
        assert_eq!([0.0, 1.0, 0.5, -3.0, 7.0, f32::NAN].map(signed), [-127, 127, 0, -127, 127, -127]);
    }

    #[test]
    fn channels_have_their_order_and_the_lower_byte_first() {
        let texel = [1u8, 2, 3, 4];
        for (format, expected) in [
            (PlainFormat::R8Unorm, &[1][..]),
            (PlainFormat::Rg8Unorm, &[1, 2][..]),
            (PlainFormat::Rgba8Unorm, &[1, 2, 3, 4][..]),
            (PlainFormat::Bgra8Unorm, &[3, 2, 1, 4][..]),
            (PlainFormat::Rg16Unorm, &[1, 1, 2, 2][..]),
        ] {
            assert_eq!(packed(texel, format), expected, "{format}");
        }
        assert_eq!(packed([0x1234u16, 0x5678], PlainFormat::Rg16Unorm), [0x34, 0x12, 0x78, 0x56]);
        assert_eq!(packed(1.5f32, PlainFormat::R32Float), 1.5f32.to_le_bytes());
        assert_eq!(packed(f16::from_f32(-2.0), PlainFormat::R16Float), [0x00, 0xc0]);
        assert_eq!(packed([1.0f32, 0.0, 0.0], PlainFormat::Rg11b10Float), 0x3c0u32.to_le_bytes());
        assert_eq!(packed([1.0f32, 0.0, 0.0], PlainFormat::Rgb9e5), (256u32 | 16 << 27).to_le_bytes());
    }
}
