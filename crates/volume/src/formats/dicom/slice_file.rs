//! One file of a series.

use super::{
    guard::{self, Packing},
    jpeg, rle,
};
use crate::{
    VoxelType,
    formats::{
        FormatError,
        header_text::short,
        slice::{Shape, interleave, resize},
    },
};
use dicom_core::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, OpenFileOptions, Tag};
use serde_json::{Map, Value};
use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// What is kept as metadata.
const KEPT: [(Tag, &str); 11] = [
    (tags::MODALITY, "Modality"),
    (tags::SERIES_DESCRIPTION, "SeriesDescription"),
    (tags::SERIES_INSTANCE_UID, "SeriesInstanceUID"),
    (tags::PHOTOMETRIC_INTERPRETATION, "PhotometricInterpretation"),
    (tags::BITS_STORED, "BitsStored"),
    (tags::RESCALE_INTERCEPT, "RescaleIntercept"),
    (tags::RESCALE_SLOPE, "RescaleSlope"),
    (tags::RESCALE_TYPE, "RescaleType"),
    (tags::WINDOW_CENTER, "WindowCenter"),
    (tags::WINDOW_WIDTH, "WindowWidth"),
    (tags::SLICE_THICKNESS, "SliceThickness"),
];

/// A slice without its voxels.
pub struct SliceFile {
    pub path: PathBuf,
    pub series: String,
    pub shape: Shape,
    /// Where the centre of the first voxel is.
    pub position: Option<[f64; 3]>,
    /// The directions of x and of y.
    pub directions: Option<[f64; 6]>,
    /// The distance between voxels along x and along y.
    pub pixel_spacing: Option<[f64; 2]>,
    /// The distance to the next slice, as far as a single slice gives it.
    pub thickness: Option<f64>,
    pub number: Option<i64>,
    pub attributes: Map<String, Value>,
}

/// Whether a file of a folder is meant to be DICOM: by its extension, or by its first bytes.
pub fn is_dicom(path: &Path) -> bool {
    if path.file_name().is_some_and(|name| name == "DICOMDIR") {
        return false;
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dcm")) {
        return true;
    }
    let mut start = [0; 132];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start.ends_with(b"DICM")
}

impl SliceFile {
    /// Reads a file up to its voxels.
    pub fn read(path: &Path) -> Result<Self, FormatError> {
        guard::check(path)?;
        let object = OpenFileOptions::new().read_until(tags::PIXEL_DATA).open_file(path);
        let object = object.map_err(|error| guard::decoder(&error))?;
        let layout = Layout::of(&object)?;
        let mut attributes = Map::new();
        for (tag, name) in KEPT {
            let Some(element) = object.get(tag) else { continue };
            let value = match element.to_multi_float64() {
                Ok(numbers) if numbers.len() == 1 => numbers[0].into(),
                Ok(numbers) if numbers.len() > 1 => numbers.into(),
                _ => element.to_str().unwrap_or_default().chars().take(1024).collect::<String>().into(),
            };
            attributes.insert(name.to_owned(), value);
        }
        let thickness = numbers(&object, tags::SPACING_BETWEEN_SLICES)
            .or_else(|| numbers(&object, tags::SLICE_THICKNESS))
            .map(|[distance]| distance)
            .filter(|&distance| distance > 0.0);
        let text = |tag| object.get(tag).and_then(|e| e.to_str().ok()).map(|t| t.trim().to_owned());
        Ok(Self {
            path: path.to_owned(),
            series: short(&text(tags::SERIES_INSTANCE_UID).unwrap_or_default()),
            shape: layout.shape,
            position: numbers(&object, tags::IMAGE_POSITION_PATIENT),
            directions: numbers(&object, tags::IMAGE_ORIENTATION_PATIENT),
            // The file has the distance between rows first.
            pixel_spacing: numbers(&object, tags::PIXEL_SPACING).map(|[y, x]| [x, y]),
            thickness,
            number: object.get(tags::INSTANCE_NUMBER).and_then(|e| e.to_int().ok()),
            attributes,
        })
    }
}

/// How the values of a slice are stored.
struct Layout {
    shape: Shape,
    signed: bool,
    bits_stored: u32,
    high_bit: u32,
    /// Channels lie in planes, not side by side.
    in_planes: bool,
}

impl Layout {
    fn of(object: &DefaultDicomObject) -> Result<Self, FormatError> {
        let number = |tag: Tag, name: &'static str| {
            object.get(tag).and_then(|e| e.to_int::<u32>().ok()).ok_or(FormatError::Missing(name))
        };
        let unsupported = |what: String| Err(FormatError::Unsupported(what));
        let (width, height) = (number(tags::COLUMNS, "Columns")?, number(tags::ROWS, "Rows")?);
        let bits = number(tags::BITS_ALLOCATED, "BitsAllocated")?;
        let bits_stored = number(tags::BITS_STORED, "BitsStored").unwrap_or(bits);
        let high_bit = number(tags::HIGH_BIT, "HighBit").unwrap_or(bits_stored.saturating_sub(1));
        let signed = number(tags::PIXEL_REPRESENTATION, "PixelRepresentation")? == 1;
        let voxel_type = match (bits, signed) {
            (8, false) => VoxelType::U8,
            (8, true) => VoxelType::I8,
            (16, false) => VoxelType::U16,
            (16, true) => VoxelType::I16,
            _ => return unsupported(format!("a voxel of {bits} bits")),
        };
        if bits_stored == 0 || bits_stored > bits || high_bit >= bits || high_bit + 1 < bits_stored {
            return unsupported(format!("{bits_stored} bits stored up to bit {high_bit} of {bits}"));
        }
        let color = object.get(tags::PHOTOMETRIC_INTERPRETATION).and_then(|e| e.to_str().ok());
        let color = color.as_deref().unwrap_or_default().trim();
        let samples = number(tags::SAMPLES_PER_PIXEL, "SamplesPerPixel").unwrap_or(1);
        let channels = match (samples, color) {
            (1, "MONOCHROME1" | "MONOCHROME2" | "") => 1,
            (3, "RGB") => 3,
            _ => {
                let color = short(color);
                return unsupported(format!("the colour type {color:?} with {samples} samples per voxel"));
            }
        };
        let in_planes = number(tags::PLANAR_CONFIGURATION, "PlanarConfiguration").unwrap_or(0) == 1;
        if number(tags::NUMBER_OF_FRAMES, "NumberOfFrames").unwrap_or(1) != 1 {
            return unsupported("a file of several frames".to_owned());
        }
        let shape = Shape { width: width as usize, height: height as usize, voxel_type, channels };
        Ok(Self { shape, signed, bits_stored, high_bit, in_planes })
    }
}

/// Reads the voxels of a file, the least significant byte first.
pub fn read_pixels(path: &Path, bytes: &mut Vec<u8>) -> Result<Shape, FormatError> {
    let object = OpenFileOptions::new().read_to(tags::PIXEL_DATA).open_file(path);
    let object = object.map_err(|error| guard::decoder(&error))?;
    let layout = Layout::of(&object)?;
    let element = object.get(tags::PIXEL_DATA).ok_or(FormatError::Missing("PixelData"))?;
    let packing = guard::packing(object.meta().transfer_syntax()).ok_or(FormatError::Missing("PixelData"))?;
    if packing == Packing::None {
        plain(element.value().primitive().ok_or(FormatError::Missing("PixelData"))?, &layout, bytes)?;
    } else {
        let fragments = element.value().fragments().ok_or(FormatError::Missing("PixelData"))?;
        resize(bytes, layout.shape.byte_count(std::fs::metadata(path)?.len())?)?;
        match (packing, fragments) {
            (Packing::Rle, [fragment]) => rle::unpack(fragment, layout.shape, bytes)?,
            (Packing::Rle, _) => {
                return Err(FormatError::Unsupported("a slice of several RLE fragments".into()));
            }
            (_, [fragment]) => jpeg::unpack(fragment, layout.shape, bytes)?,
            (_, fragments) => jpeg::unpack(&fragments.concat(), layout.shape, bytes)?,
        }
    }
    layout.trim(bytes);
    Ok(layout.shape)
}

/// Voxels that are not packed.
fn plain(value: &PrimitiveValue, layout: &Layout, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
    match value {
        // Words, which come in this machine's order.
        PrimitiveValue::U16(words) => {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        PrimitiveValue::U8(all) => bytes.extend_from_slice(all),
        _ => return Err(FormatError::Missing("PixelData")),
    }
    let need = layout.shape.header(1)?.raw_bytes()? as usize;
    // A byte more makes the count even.
    if bytes.len() == need + 1 && need % 2 == 1 {
        bytes.pop();
    }
    if bytes.len() != need {
        let (need, have) = (need as u64, bytes.len() as u64);
        return Err(FormatError::Length { part: "PixelData", need, have });
    }
    if layout.in_planes { interleave(bytes, layout.shape) } else { Ok(()) }
}

impl Layout {
    /// Removes what is in the unused bits, such as overlays, and extends the sign there.
    fn trim(&self, bytes: &mut [u8]) {
        let bits = self.shape.voxel_type.bit_count();
        if self.bits_stored == bits {
            return;
        }
        // Shifted to the top of a word, and back with or without the sign.
        let (up, down) = (31 - self.high_bit, 32 - self.bits_stored);
        let trimmed = |value: u32| match self.signed {
            true => ((value << up) as i32 >> down) as u32,
            false => (value << up) >> down,
        };
        if bits == 8 {
            bytes.iter_mut().for_each(|byte| *byte = trimmed(u32::from(*byte)) as u8);
        } else {
            for word in bytes.as_chunks_mut::<2>().0 {
                *word = (trimmed(u16::from_le_bytes(*word).into()) as u16).to_le_bytes();
            }
        }
    }
}

/// `N` numbers, all of them finite.
fn numbers<const N: usize>(object: &DefaultDicomObject, tag: Tag) -> Option<[f64; N]> {
    let numbers = object.get(tag)?.to_multi_float64().ok()?;
    <[f64; N]>::try_from(numbers).ok().filter(|numbers| numbers.iter().all(|n| n.is_finite()))
}
