//! Reader of the voxels of a file, frame by frame.

#[cfg(not(feature = "dicom-jpegs"))]
use super::transfer_syntax;
use super::{
    guard::PixelReader,
    jpeg, rle,
    slice_file::{SliceFile, open},
    transfer_syntax::Packing,
};
#[cfg(feature = "dicom-jpegs")]
use super::{jpeg_ls, jpeg2000};
use crate::{
    DicomFeature, FormatError,
    slices::{
        slice::{interleave, resize},
        ycbcr,
    },
};
use dicom_dictionary_std::tags;
use std::sync::Arc;

/// Reader of a file's voxels, frame by frame.
pub struct Frames {
    file: Arc<SliceFile>,
    voxels: Voxels,
    /// Image of a mosaic, after it was read.
    image: Vec<u8>,
}

enum Voxels {
    Plain(PixelReader),
    /// Packed bytes of each frame.
    Packed(Vec<Vec<u8>>),
}

impl Frames {
    /// Opens a file. Packed voxels stay packed in memory.
    pub fn open(file: &Arc<SliceFile>) -> Result<Self, FormatError> {
        let voxels = if file.pixels.packing == Packing::None {
            Voxels::Plain(PixelReader::open(&file.source, &file.pixels)?)
        } else {
            let mut object = open(&file.source, &file.meta, |options| options.read_to(tags::PIXEL_DATA))?;
            let missing = FormatError::Missing("PixelData");
            let Ok(element) = object.take_element(tags::PIXEL_DATA) else { return Err(missing) };
            let table = element.offset_table().unwrap_or_default().to_vec();
            let Some(fragments) = element.into_value().into_fragments() else { return Err(missing) };
            Voxels::Packed(by_frame(fragments.into_vec(), &table, file.frame_count)?)
        };
        Ok(Self { file: file.clone(), voxels, image: Vec::new() })
    }

    /// True if these are the frames of `file`, and `frame` can be read without opening the file again.
    pub fn serves(&self, file: &Arc<SliceFile>, frame: usize) -> bool {
        Arc::ptr_eq(&self.file, file)
            && match &self.voxels {
                _ if !self.image.is_empty() => true,
                Voxels::Plain(reader) => self.place(frame).is_ok_and(|(start, _)| reader.reaches(start & !1)),
                Voxels::Packed(_) => true,
            }
    }

    /// Returns the start and the size of a frame, in bytes.
    fn place(&self, frame: usize) -> Result<(u64, u64), FormatError> {
        let layout = &self.file.layout;
        let numbers = layout.shape.header(1)?.raw_bytes()?;
        if layout.is_bits {
            // Frames follow each other bit by bit.
            let (start, end) = (numbers * frame as u64 / 8, (numbers * (frame as u64 + 1)).div_ceil(8));
            return Ok((start, end - start));
        }
        let stored = layout.stored_bytes(1)?;
        Ok((stored * frame as u64, stored))
    }

    /// Reads a frame into `bytes`, the least significant byte first.
    pub fn read(&mut self, frame: usize, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
        let Some(mosaic) = self.file.mosaic else {
            self.read_image(frame, bytes)?;
            return match &self.file.palette {
                Some(palette) => palette.apply(self.file.layout.shape, bytes),
                None => Ok(()),
            };
        };
        if self.image.is_empty() {
            let mut image = Vec::new();
            self.read_image(0, &mut image)?;
            self.image = image;
        }
        resize(bytes, self.file.shape.header(1)?.raw_bytes()? as usize)?;
        mosaic.cut(&self.image, frame, bytes);
        Ok(())
    }

    /// Reads an image of the file, in the same byte order as [`read`](Self::read).
    fn read_image(&mut self, frame: usize, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
        let (file, shape) = (self.file.clone(), self.file.layout.shape);
        let (start, byte_count) = self.place(frame)?;
        match &mut self.voxels {
            Voxels::Plain(reader) => {
                let swap = file.pixels.swap;
                // Swapping needs whole words.
                let first = if swap { start & !1 } else { start };
                let end = start + byte_count;
                let last = if swap { end.next_multiple_of(2).min(file.pixels.byte_count) } else { end };
                resize(bytes, (last - first) as usize)?;
                reader.read_at(first, bytes)?;
                if swap {
                    bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|word| word.swap(0, 1));
                    bytes.drain(..(start - first) as usize);
                    bytes.truncate(byte_count as usize);
                }
                if file.layout.is_bits {
                    let numbers = shape.header(1)?.raw_bytes()? as usize;
                    let first = (numbers as u64 * frame as u64 % 8) as usize;
                    let packed = std::mem::take(bytes);
                    resize(bytes, numbers)?;
                    // The lowest bit of a byte is the first.
                    for (i, number) in bytes.iter_mut().enumerate() {
                        *number = packed[(first + i) / 8] >> ((first + i) % 8) & 1;
                    }
                }
                if file.layout.in_planes {
                    interleave(bytes, shape)?;
                }
                if file.layout.is_in_pairs {
                    let pairs = std::mem::take(bytes);
                    resize(bytes, pairs.len() / 2 * 3)?;
                    ycbcr::spread_pairs(&pairs, bytes);
                }
            }
            Voxels::Packed(frames) => {
                let packed = &frames[frame];
                let packing = file.pixels.packing;
                // The error states the whole file, not this frame: the maximum size that its bytes may expand
                // to.
                resize(bytes, shape.byte_count(packing.counted_bytes(packed.len() as u64))?)?;
                match packing {
                    Packing::Rle if file.layout.is_bits => rle::unpack_mask(packed, bytes)?,
                    Packing::None | Packing::Rle => rle::unpack(packed, shape, bytes)?,
                    Packing::LosslessJpeg => jpeg::unpack(packed, shape, bytes)?,
                    #[cfg(feature = "dicom-jpegs")]
                    Packing::JpegLs => jpeg_ls::unpack(packed, shape, bytes)?,
                    #[cfg(feature = "dicom-jpegs")]
                    Packing::Jpeg2000 => {
                        let bits = jpeg2000::unpack(packed, shape, bytes)?;
                        file.layout.check_stored(bits, bytes)?;
                    }
                    #[cfg(not(feature = "dicom-jpegs"))]
                    Packing::JpegLs | Packing::Jpeg2000 => {
                        return Err(transfer_syntax::unsupported(&file.meta.syntax).into());
                    }
                }
            }
        }
        file.layout.trim(bytes);
        if file.layout.is_ybr {
            ycbcr::to_rgb(bytes);
        }
        Ok(())
    }
}

/// Joins the fragments of each frame. A frame has one fragment, or starts where the table says.
fn by_frame(fragments: Vec<Vec<u8>>, table: &[u32], frame_count: usize) -> Result<Vec<Vec<u8>>, FormatError> {
    if fragments.len() == frame_count {
        return Ok(fragments);
    }
    if frame_count > 1 && table.len() != frame_count {
        return Err(DicomFeature::Fragments { frames: frame_count, fragments: fragments.len() }.into());
    }
    let mut frames: Vec<Vec<u8>> = Vec::new();
    let mut at = 0u64;
    for mut fragment in fragments {
        // A tag and a length precede each fragment.
        let byte_count = 8 + fragment.len() as u64;
        let starts = match frame_count {
            1 => frames.is_empty(),
            _ => table.get(frames.len()).is_some_and(|&start| u64::from(start) == at),
        };
        match frames.last_mut() {
            _ if starts => frames.push(fragment),
            Some(frame) => {
                frame.try_reserve(fragment.len()).map_err(|_| FormatError::Memory(byte_count))?;
                frame.append(&mut fragment);
            }
            None => {}
        }
        at += byte_count;
    }
    if frames.len() == frame_count {
        return Ok(frames);
    }
    Err(FormatError::Count {
        part: "the table of offsets",
        items: "frames",
        need: frame_count as u64,
        have: frames.len() as u64,
    })
}
