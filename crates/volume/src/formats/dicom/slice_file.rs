//! A file of a series: one slice, or several frames that are slices.

use super::{
    fields::Fields,
    guard::{self, MAX_OTHER_BYTES, Packing, PixelReader, Pixels},
    jpeg,
    layout::Layout,
    lookup::Lookup,
    marks::{FIELDS, Mark},
    mosaic::Mosaic,
    rle,
    segments::Segments,
};
use crate::formats::{
    DicomFeature, FormatError, SliceShape,
    header_text::short,
    slice::{interleave, name_of, resize},
    source::Source,
    ycbcr,
};
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, OpenFileOptions, file::ReadPreamble};
use serde_json::{Map, Value};
use std::{fs::File, io::Read as _, path::Path, sync::Arc};

/// Maximum number of frames in a file.
const MAX_FRAMES: u32 = 1 << 20;

/// A slice without its voxels: a whole file, or one frame of a file.
#[derive(Clone)]
pub struct Slice {
    pub file: Arc<SliceFile>,
    /// Index of the frame in the file.
    pub frame: usize,
    /// True if all voxels are zero, because the file has no frame for this slice of a segment.
    pub is_empty: bool,
    /// Position of the first voxel's centre.
    pub position: Option<[f64; 3]>,
    /// Directions of x and y.
    pub directions: Option<[f64; 6]>,
    /// Distance between voxels along x and y.
    pub pixel_spacing: Option<[f64; 2]>,
    /// Name of the field that states the distance, unless that is PixelSpacing.
    pub detector_field: Option<&'static str>,
    /// Distance to the next slice, as a single slice states it.
    pub thickness: Option<f64>,
    /// Name of the field that states a distance of zero, if no other field states one.
    pub zero_thickness: Option<&'static str>,
    /// True if the position follows from `thickness`.
    pub is_placed_by_thickness: bool,
    pub number: Option<i64>,
    /// Identifier of the stack, where a file or series has several.
    pub stack: Option<String>,
    /// Values of the fields that tell apart slices at the same position.
    pub marks: [Option<Mark>; FIELDS.len()],
    /// Seconds between times.
    pub time_step: Option<f64>,
    pub attributes: Map<String, Value>,
}

impl Slice {
    /// True if both are the same slice with the same content. The identifier alone does not decide: programs
    /// may give all slices the same one.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        self.copy_key().is_some()
            && self.copy_key() == other.copy_key()
            && self.marks == other.marks
            && self.directions == other.directions
            && self.file.shape == other.file.shape
            && self.attributes == other.attributes
    }

    /// Returns the key that copies of a slice share; `None` if a copy of this slice cannot be recognised.
    pub fn copy_key(&self) -> Option<CopyKey> {
        let is_placed = self.position.is_some() || self.number.is_some();
        let position = self.position.map(|position| position.map(f64::to_bits));
        let instance = Some(self.file.instance.clone()).filter(|uid| is_placed && !uid.is_empty())?;
        Some((instance, self.file.series.clone(), self.frame, self.number, position))
    }

    /// Returns the approximate size in memory in bytes, without parts that slices of a file share.
    fn byte_count(&self) -> u64 {
        let attribute = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => text.len(),
                Value::Array(numbers) => size_of_val(&numbers[..]),
                _ => 0,
            };
            name.len() + size_of::<(String, Value)>() + value
        };
        let mark = |mark: &Mark| match mark {
            Mark::Numbers(numbers) => size_of_val(&numbers[..]),
            Mark::Text(text) => text.len(),
        };
        let marks: usize = self.marks.iter().flatten().map(mark).sum();
        (size_of::<Self>() + marks + self.attributes.iter().map(attribute).sum::<usize>()) as u64
    }

    /// Returns the slice's name for messages.
    pub fn name(&self) -> String {
        if self.file.frame_count == 1 {
            return self.file.name.clone();
        }
        format!("{}, frame {}", self.file.name, self.frame + 1)
    }
}

/// Identifiers of the instance and the series, index of the frame, instance number, and position.
type CopyKey = (String, String, usize, Option<i64>, Option<[u64; 3]>);

/// Properties that the slices of a file share.
pub struct SliceFile {
    pub source: Source,
    pub name: String,
    pub series: String,
    pub series_number: Option<i64>,
    pub description: String,
    /// Identifier of the file's content.
    pub instance: String,
    pub shape: SliceShape,
    pub frame_count: usize,
    pixels: Pixels,
    layout: Layout,
    palette: Option<Lookup>,
    /// Segments of a segmentation, if the file is one.
    pub segments: Option<Segments>,
    /// Layout of the slices, if they are tiles of one image.
    pub mosaic: Option<Mosaic>,
    /// Bytes after the voxels, except the one that makes their count even.
    pub surplus_bytes: u64,
}

/// True if a file of a folder is meant to be DICOM, by its extension or its first bytes.
pub fn is_dicom(path: &Path) -> bool {
    if is_directory_file(path) {
        return false;
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dcm")) {
        return true;
    }
    let mut start = [0; 132];
    let is_there = File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
    is_there && (start.ends_with(b"DICM") || start.starts_with(b"DICM"))
}

/// True for the file that lists the other files of a medium (PS3.10, 8).
pub fn is_directory_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("DICOMDIR"))
}

impl SliceFile {
    /// Reads a file up to its voxels. Returns its slices in the order of its frames, or none if it has no
    /// voxels.
    pub fn read(source: Source) -> Result<Vec<Slice>, FormatError> {
        let Some(pixels) = guard::check(&source)? else { return Ok(Vec::new()) };
        let object = open(&source, |options| options.read_until(tags::PIXEL_DATA))?;
        let layout = Layout::of(&object, pixels.packing != Packing::None)?;
        let image = layout.shape;
        let frames = Fields::of(&object, 0).frame_count()?;
        if frames == 0 || frames > MAX_FRAMES {
            return Err(DicomFeature::Frames(frames).into());
        }
        let mosaic = if frames == 1 { Mosaic::of(&object, image)? } else { None };
        let frame_count = mosaic.map_or(frames as usize, |mosaic| mosaic.count);
        let shape = mosaic.map_or(image, |mosaic| mosaic.tile(image));
        if layout.is_bits && pixels.packing == Packing::LosslessJpeg {
            return Err(DicomFeature::Bits(1).into());
        }
        // By the standard (PS3.5, 8.1.1) the lower word is first; pydicom and its files have the upper first.
        if pixels.swap && layout.shape.voxel_type.byte_count() > 2 {
            return Err(DicomFeature::WideBigEndian.into());
        }
        let segments = Segments::of(&object);
        // Palettes of segmentations only show the segments.
        let palette = match layout.has_palette && segments.is_none() && mosaic.is_none() {
            true => Some(Lookup::of(&object, layout.signed)?),
            false => None,
        };
        let shape = palette.as_ref().map_or(shape, |palette| palette.shape(shape));
        if pixels.packing != Packing::None && frames > 1 {
            // Each frame is a fragment with a head of eight bytes.
            let (need, have) = (8 * u64::from(frames), source.byte_count()?);
            if have < need {
                return Err(FormatError::Length { part: "the file", need, have });
            }
        }
        let mut surplus_bytes = 0;
        if pixels.packing == Packing::None {
            let need = layout.stored_bytes(frames as usize)?;
            // One more byte may make the count even. Some programs add further padding, less than a frame.
            let most = need + need / u64::from(frames) - 1;
            if !(need..=most.max(need.next_multiple_of(2))).contains(&pixels.byte_count) {
                return Err(FormatError::Length { part: "PixelData", need, have: pixels.byte_count });
            }
            surplus_bytes = pixels.byte_count - need.next_multiple_of(2).min(pixels.byte_count);
        }
        let name = match &source {
            Source::File(path) => name_of(path),
            Source::Memory(_) => "the file".to_owned(),
        };
        let text = |tag| object.get(tag).and_then(|e| e.to_str().ok()).map(|t| t.trim().to_owned());
        let series = short(&text(tags::SERIES_INSTANCE_UID).unwrap_or_default());
        let instance = text(tags::SOP_INSTANCE_UID).unwrap_or_default();
        let series_number = text(tags::SERIES_NUMBER).and_then(|number| number.parse().ok());
        let description = short(&text(tags::SERIES_DESCRIPTION).unwrap_or_default());
        let file = Arc::new(Self {
            source,
            name,
            series,
            series_number,
            description,
            instance,
            shape,
            frame_count,
            pixels,
            layout,
            palette,
            segments,
            mosaic,
            surplus_bytes,
        });
        if let Some(mosaic) = mosaic {
            let tile = |tile| Ok(mosaic.place(Fields::of(&object, 0).slice(&file)?, tile, &file));
            return (0..frame_count).map(tile).collect();
        }
        let mut slices = Vec::new();
        let mut slice_bytes = 0;
        for frame in 0..frame_count {
            let slice = Fields::of(&object, frame).slice(&file)?;
            slice_bytes += slice.byte_count();
            if slice_bytes > MAX_OTHER_BYTES {
                return Err(DicomFeature::Frames(frames).into());
            }
            slices.try_reserve(1).map_err(|_| FormatError::Memory(slice_bytes))?;
            slices.push(slice);
        }
        Ok(slices)
    }
}

impl SliceFile {
    /// True if luma and differences of colour become red, green and blue.
    pub fn is_ybr(&self) -> bool {
        self.layout.is_ybr
    }

    /// Returns the bytes of an image as it is stored without packing: one slice, or all slices of a mosaic.
    pub fn image_bytes(&self) -> u64 {
        self.layout.stored_bytes(1).unwrap_or(u64::MAX)
    }
}

fn open(
    source: &Source,
    options: impl FnOnce(OpenFileOptions) -> OpenFileOptions,
) -> Result<DefaultDicomObject, FormatError> {
    let preamble =
        if guard::preamble_bytes(source)? > 0 { ReadPreamble::Always } else { ReadPreamble::Never };
    let options = options(OpenFileOptions::new().read_preamble(preamble));
    options.from_reader(source.open()?).map_err(|error| guard::decoder(&error))
}

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
            let mut object = open(&file.source, |options| options.read_to(tags::PIXEL_DATA))?;
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
                // The error states the whole file, not this frame: the maximum size that its bytes may expand
                // to.
                resize(bytes, shape.byte_count(packed.len() as u64)?)?;
                match file.pixels.packing {
                    Packing::Rle if file.layout.is_bits => rle::unpack_mask(packed, bytes)?,
                    Packing::Rle => rle::unpack(packed, shape, bytes)?,
                    _ => jpeg::unpack(packed, shape, bytes)?,
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
