//! Texels in half floats or single floats to OpenEXR, by the `exr` crate.

use super::ImageWriteError;
use crate::{ChannelType, Image, ImageView, Stage, Task, Texel};
use ::exr::{
    block::{UncompressedBlock, enumerate_ordered_header_block_indices},
    compression::Compression,
    error::Error,
    meta::{
        BlockDescription,
        attribute::{ChannelDescription, ChannelList, LineOrder, SampleType, Text},
        header::Header,
    },
    prelude::SmallVec,
};
use half::f16;
use std::io::{self, Cursor, Write};

/// Writes RGB as an EXR file of scanlines, compressed by ZIP: single floats as they are, other texels as half
/// floats ([`Texel::to_rgba_f16`]). Alpha is left out. Numbers are taken for linear light with the primaries
/// of Rec. 709. The compressed file is kept in memory until it is complete. Progress is reported in rows.
///
/// ```
/// use brickwork_image::{Task, half::f16, image_file::write_exr};
///
/// let mut file = Vec::new();
/// write_exr(&mut file, 2, 1, &[[f16::ONE; 4]; 2], &Task::new())?;
/// assert!(file.starts_with(&[0x76, 0x2f, 0x31, 0x01]));
/// # Ok::<(), brickwork_image::image_file::ImageWriteError>(())
/// ```
///
/// # Errors
/// [`ImageWriteError`]; what the writer has received by then is not a complete file.
pub fn write_exr<W: Write, T: Texel>(
    mut writer: W,
    width: u32,
    height: u32,
    texels: &[T],
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    let is_possible = [width, height].iter().all(|side| (1..=i32::MAX as u32).contains(side))
        && texels.len() as u64 == u64::from(width) * u64::from(height);
    match ImageView::new(texels, width, height) {
        Ok(image) if is_possible => write(&mut writer, &image, task),
        _ => Err(ImageWriteError::Size { width, height, given: texels.len() }),
    }
}

fn write(writer: &mut dyn Write, image: &dyn Image, task: &Task<'_>) -> Result<(), ImageWriteError> {
    let [width, height] = image.size();
    let sample_type =
        if image.channel_type() == ChannelType::F32 { SampleType::F32 } else { SampleType::F16 };
    // In the alphabetical order that the format demands.
    let channels: SmallVec<[ChannelDescription; 5]> = ["B", "G", "R"]
        .into_iter()
        .map(|name| ChannelDescription::new(Text::from(name), sample_type, false))
        .collect();
    let name = Text::from("image");
    let header = Header::new(name, (width as usize, height as usize), channels).with_encoding(
        Compression::ZIP16,
        BlockDescription::ScanLines,
        LineOrder::Increasing,
    );
    let mut file = Cursor::new(Vec::new());
    let mut cancelled = Ok(());
    let headers = [header].into_iter().collect();
    let written = ::exr::block::write(&mut file, headers, true, |meta, chunks| {
        for (index, block) in enumerate_ordered_header_block_indices(&meta.headers) {
            cancelled = task.check();
            if cancelled.is_err() {
                return Err(Error::Aborted);
            }
            let block = rows(block, &meta.headers[0].channels, image);
            let done = block.index.pixel_position.1 + block.index.pixel_size.1;
            ::exr::block::writer::ChunksWriter::write_chunk(
                chunks,
                index,
                block.compress_to_chunk(&meta.headers)?,
            )?;
            task.report(Stage::Writing, done as u64, height.into());
        }
        Ok(())
    });
    cancelled?;
    written.map_err(|error| match error {
        Error::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })?;
    writer.write_all(file.get_ref())?;
    writer.flush()?;
    Ok(())
}

/// Returns the rows of a block.
fn rows(index: ::exr::block::BlockIndex, channels: &ChannelList, image: &dyn Image) -> UncompressedBlock {
    let width = image.size()[0] as usize;
    let (mut halves, mut singles) = (Vec::new(), Vec::new());
    match image.channel_type() {
        ChannelType::F32 => singles.resize(width, [0.0; 4]),
        _ => halves.resize(width, [f16::ZERO; 4]),
    }
    UncompressedBlock::from_lines(channels, index, |line| {
        let (first, y) = (line.location.position.0, line.location.position.1 as u32);
        // Channels are blue, green, red.
        let channel = 2 - line.location.channel;
        if image.channel_type() == ChannelType::F32 {
            let row = &image.row_rgba_f32(y, &mut singles)[first..];
            for (bytes, texel) in line.value.as_chunks_mut().0.iter_mut().zip(row) {
                *bytes = texel[channel].to_ne_bytes();
            }
        } else {
            let row = &image.row_rgba_f16(y, &mut halves)[first..];
            for (bytes, texel) in line.value.as_chunks_mut().0.iter_mut().zip(row) {
                *bytes = texel[channel].to_ne_bytes();
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CancelToken,
        image_file::{ImageReadOptions, Texels, read},
    };
    use half::f16;

    #[test]
    fn single_floats_are_read_as_they_were_written() {
        let numbers = [1.0 / 3.0, 1e-10, 123_456.79, -3e38, f32::INFINITY, 1e-45];
        let texels: Vec<[f32; 4]> = numbers.iter().map(|&number| [number, -number, 0.1, 0.5]).collect();
        let mut file = Vec::new();
        write_exr(&mut file, 3, 2, &texels, &Task::new()).unwrap();
        let picture = |keeps: bool| {
            let options = ImageReadOptions::default().with(|o| o.single_floats = keeps);
            read(Cursor::new(&file), None, &options, &Task::new()).unwrap()
        };
        let expected = texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        assert_eq!(picture(true).texels, Texels::RgbF32(expected));
        assert!(picture(true).notes.is_empty() && picture(true).overflow_count == 0);
        assert!(matches!(picture(false).texels, Texels::RgbF16(_)));
        assert_eq!(picture(false).overflow_count, 4);
    }

    #[test]
    fn every_half_float_is_read_as_it_was_written() {
        let texels: Vec<[f16; 4]> =
            (0..=u16::MAX).map(|bits| [bits, bits ^ 1, bits ^ 0x8000, 0x3c00].map(f16::from_bits)).collect();
        let mut file = Vec::new();
        write_exr(&mut file, 64, 1024, &texels, &Task::new()).unwrap();
        let picture = read(Cursor::new(&file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        let Texels::RgbF16(found) = &picture.texels else { panic!("not RGB in half floats") };
        assert_eq!((picture.width, picture.height), (64, 1024));
        assert!(picture.notes.is_empty(), "{:?}", picture.notes);
        for (found, [r, g, b, _]) in found.iter().zip(&texels) {
            assert_eq!(found.map(f16::to_bits), [r, g, b].map(|v| v.to_bits()));
        }
        let size = write_exr(io::sink(), 3, 3, &texels[..8], &Task::new()).unwrap_err();
        assert!(matches!(size, ImageWriteError::Size { given: 8, .. }));
        let token = CancelToken::new();
        token.cancel();
        let task = Task::new().with_cancel(&token);
        let stopped = write_exr(io::sink(), 64, 1024, &texels, &task).unwrap_err();
        assert!(matches!(stopped, ImageWriteError::Cancelled(_)));
    }
}
