//! Reads a file up to its voxels, as slices.

use super::{
    charset,
    fields::Fields,
    guard::{self, MAX_OTHER_BYTES},
    layout::Layout,
    lookup::Lookup,
    meta::{self, fits},
    mosaic::Mosaic,
    segments::Segments,
    slice::Slice,
    slice_file::{SeriesHead, SliceFile, open, text_of},
    stacking::Stacking,
    tiles,
    transfer_syntax::{self, Packing},
};
use crate::{DicomFeature, FormatError, opened::source::Source, slices::slice::name_of};
use dicom_dictionary_std::tags;
use std::sync::Arc;

/// Maximum number of frames in a file.
const MAX_FRAMES: u32 = 1 << 20;

impl SliceFile {
    /// Reads a file up to its voxels. Returns its slices in the order of its frames, or none if it has no
    /// voxels.
    pub fn read(source: Source) -> Result<Vec<Slice>, FormatError> {
        let meta = meta::read(&source)?;
        let Some(pixels) = guard::check(&source, &meta)? else { return Ok(Vec::new()) };
        let object = open(&source, &meta, |options| options.read_until(tags::PIXEL_DATA))?;
        let layout = Layout::of(&object, pixels.packing)?;
        let image = layout.shape;
        let frames = Fields::of(&object, 0).frame_count()?;
        if frames == 0 || frames > MAX_FRAMES {
            return Err(DicomFeature::Frames(frames).into());
        }
        let mosaic = if frames == 1 { Mosaic::of(&object, image)? } else { None };
        let frame_count = mosaic.map_or(frames as usize, |mosaic| mosaic.count);
        let shape = mosaic.map_or(image, |mosaic| mosaic.tile(image));
        if layout.is_bits && pixels.packing.is_jpeg() {
            return Err(DicomFeature::Bits(1).into());
        }
        // By the standard (PS3.5, 8.1.1) the lower word is first; pydicom and its files have the upper first.
        if pixels.swap && layout.shape.voxel_type.byte_count() > 2 {
            return Err(DicomFeature::WideBigEndian.into());
        }
        if tiles::are_in(&object, frames) {
            return Err(DicomFeature::Tiles.into());
        }
        let stacking = Stacking::of(&object, frames as usize)?;
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
            if pixels.deflated_at.is_none() {
                fits(pixels.start + need, source.byte_count()?)?;
            }
            surplus_bytes = pixels.byte_count - need.next_multiple_of(2).min(pixels.byte_count);
        }
        let name = match &source {
            Source::File(path) => name_of(path),
            Source::Memory(_) => "the file".to_owned(),
        };
        let series = SeriesHead::of(&object);
        let instance = text_of(&object, tags::SOP_INSTANCE_UID).unwrap_or_default();
        let instance_number = text_of(&object, tags::INSTANCE_NUMBER).and_then(|number| number.parse().ok());
        let is_lossless = text_of(&object, tags::LOSSY_IMAGE_COMPRESSION).is_some_and(|text| text == "00");
        let may_be_lossy = !is_lossless && transfer_syntax::may_be_lossy(&meta.syntax);
        let total = text_of(&object, tags::IN_CONCATENATION_TOTAL_NUMBER).and_then(|text| text.parse().ok());
        let concatenation = text_of(&object, tags::CONCATENATION_UID).zip(total);
        let file = Arc::new(Self {
            source,
            meta,
            name,
            series,
            instance,
            instance_number,
            shape,
            frame_count,
            pixels,
            layout,
            palette,
            segments,
            mosaic,
            mapping: Fields::of(&object, 0).mapping_of_file(layout.stored_range()),
            charset_note: charset::note(&object),
            has_damaged_times: frames > 1 && stacking.has_damaged_times(),
            may_be_lossy,
            surplus_bytes,
            concatenation,
        });
        if let Some(mosaic) = mosaic {
            let tile = |tile| Ok(Fields::of(&object, 0).slice(&file, &stacking)?.of_tile(&mosaic, tile));
            return (0..frame_count).map(tile).collect();
        }
        let mut slices = Vec::new();
        let mut slice_bytes = 0;
        for frame in 0..frame_count {
            let slice = Fields::of(&object, frame).slice(&file, &stacking)?;
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
