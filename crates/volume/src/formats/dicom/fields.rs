//! Fields of a frame: its own, those shared by all frames, and those of the file (PS3.3, C.7.6.16).

use super::{
    marks::{Mark, TEMPORAL_POSITION},
    slice_file::{Slice, SliceFile},
};
use crate::formats::{
    FormatError,
    geometry::{Field, cross},
    header_text::short,
};
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, InMemDicomObject, Tag, mem::InMemElement};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Fields that are kept as metadata. Each has the group that contains it in files whose frames differ.
const KEPT: [(Tag, Option<Tag>, &str); 9] = [
    (tags::MODALITY, None, "Modality"),
    (tags::SERIES_DESCRIPTION, None, "SeriesDescription"),
    (tags::SERIES_INSTANCE_UID, None, "SeriesInstanceUID"),
    (tags::PHOTOMETRIC_INTERPRETATION, None, "PhotometricInterpretation"),
    (tags::BITS_STORED, None, "BitsStored"),
    (tags::RESCALE_TYPE, TRANSFORMATION, "RescaleType"),
    (tags::WINDOW_CENTER, WINDOW, "WindowCenter"),
    (tags::WINDOW_WIDTH, WINDOW, "WindowWidth"),
    (tags::SLICE_THICKNESS, MEASURES, "SliceThickness"),
];

const TRANSFORMATION: Option<Tag> = Some(tags::PIXEL_VALUE_TRANSFORMATION_SEQUENCE);
const WINDOW: Option<Tag> = Some(tags::FRAME_VOILUT_SEQUENCE);
const MEASURES: Option<Tag> = Some(tags::PIXEL_MEASURES_SEQUENCE);
const ORIENTATION: Option<Tag> = Some(tags::PLANE_ORIENTATION_SEQUENCE);
const POSITION: Option<Tag> = Some(tags::PLANE_POSITION_SEQUENCE);
const CONTENT: Option<Tag> = Some(tags::FRAME_CONTENT_SEQUENCE);

/// Maximum count of a field's numbers that a slice keeps.
pub const MAX_NUMBERS: usize = 64;

/// Fields with the distance between voxels where PixelSpacing is absent: on the detector, or on the film.
const OTHER_SPACINGS: [(Tag, &str); 2] = [
    (tags::IMAGER_PIXEL_SPACING, "ImagerPixelSpacing"),
    (tags::NOMINAL_SCANNED_PIXEL_SPACING, "NominalScannedPixelSpacing"),
];

/// Fields of one frame.
pub struct Fields<'a> {
    object: &'a DefaultDicomObject,
    groups: [Option<&'a InMemDicomObject>; 2],
    frame: usize,
}

/// A field that is present: its name and its text. Backslashes separate several values.
pub struct Text {
    name: &'static str,
    pub text: String,
}

impl Text {
    fn field(&self) -> Field<'_> {
        Field { name: self.name, text: &self.text }
    }

    fn numbers<const N: usize>(&self) -> Result<[f64; N], FormatError> {
        let mut numbers = [0.0; N];
        numbers.copy_from_slice(&self.field().finite_numbers(N, '\\')?);
        Ok(numbers)
    }
}

impl<'a> Fields<'a> {
    pub fn of(object: &'a DefaultDicomObject, frame: usize) -> Self {
        let item = |sequence: Tag, index: usize| object.get(sequence)?.items()?.get(index);
        let own = item(tags::PER_FRAME_FUNCTIONAL_GROUPS_SEQUENCE, frame);
        let shared = item(tags::SHARED_FUNCTIONAL_GROUPS_SEQUENCE, 0);
        Self { object, groups: [own, shared], frame }
    }

    /// Returns a field from its group, else from the top level.
    fn get(&self, group: Option<Tag>, tag: Tag) -> Option<&'a InMemElement> {
        let grouped =
            |item: &Option<&'a InMemDicomObject>| item.as_ref()?.get(group?)?.items()?.first()?.get(tag);
        self.groups.iter().find_map(grouped).or_else(|| self.object.get(tag))
    }

    /// Returns the text of a field; `None` if it is absent or empty, which means unknown in DICOM.
    pub fn text(&self, group: Option<Tag>, tag: Tag, name: &'static str) -> Option<Text> {
        let text = match self.get(group, tag)?.value().primitive() {
            None => "a sequence".to_owned(),
            Some(PrimitiveValue::Empty) => return None,
            // The value representation is unknown.
            Some(PrimitiveValue::U8(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            Some(value @ (PrimitiveValue::Str(_) | PrimitiveValue::Strs(_))) => value.to_str().into_owned(),
            Some(value) => match value.to_multi_float64() {
                Ok(numbers) => numbers.iter().map(f64::to_string).collect::<Vec<_>>().join("\\"),
                Err(_) => value.to_str().into_owned(),
            },
        };
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned();
        (!text.is_empty()).then_some(Text { name, text })
    }

    /// Returns the numbers of a field.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] if the field is present but does not contain `N` finite numbers.
    fn numbers<const N: usize>(
        &self,
        group: Option<Tag>,
        tag: Tag,
        name: &'static str,
    ) -> Result<Option<(Text, [f64; N])>, FormatError> {
        let Some(text) = self.text(group, tag, name) else { return Ok(None) };
        let numbers = text.numbers()?;
        Ok(Some((text, numbers)))
    }

    fn int(&self, group: Option<Tag>, tag: Tag) -> Option<i64> {
        self.get(group, tag)?.to_int().ok()
    }

    /// Returns the number of frames in the file.
    pub fn frame_count(&self) -> Result<u32, FormatError> {
        let Some(text) = self.text(None, tags::NUMBER_OF_FRAMES, "NumberOfFrames") else { return Ok(1) };
        let [count] = text.numbers()?;
        if count.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&count) {
            return Ok(count as u32);
        }
        Err(FormatError::Number { field: text.name.to_owned(), value: short(&text.text) })
    }

    /// Returns the frame as a slice.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] names a field that is present but unusable.
    pub fn slice(&self, file: &Arc<SliceFile>) -> Result<Slice, FormatError> {
        let (thickness, zero_thickness) = self.thickness()?;
        let directions =
            self.numbers(ORIENTATION, tags::IMAGE_ORIENTATION_PATIENT, "ImageOrientationPatient")?;
        if let Some((text, directions)) = &directions {
            text.field().check_plane(*directions)?;
        }
        let position = self.numbers(POSITION, tags::IMAGE_POSITION_PATIENT, "ImagePositionPatient")?;
        let (pixel_spacing, detector_field) = self.pixel_spacing()?;
        let mut slice = Slice {
            file: file.clone(),
            frame: self.frame,
            is_empty: false,
            position: position.map(|(_, position)| position),
            directions: directions.map(|(_, directions)| directions),
            pixel_spacing,
            detector_field,
            thickness: thickness.map(f64::abs),
            zero_thickness,
            is_placed_by_thickness: false,
            number: self.int(None, tags::INSTANCE_NUMBER),
            stack: self.text(CONTENT, tags::STACK_ID, "StackID").map(|text| short(&text.text)),
            marks: self.marks(),
            time_step: self.milliseconds(tags::TEMPORAL_RESOLUTION, "TemporalResolution")?,
            attributes: self.attributes()?,
        };
        if file.frame_count > 1 && file.mosaic.is_none() {
            self.place(&mut slice, thickness)?;
        }
        Ok(slice)
    }

    /// Returns the signed distance to the next slice, or the name of the field that states zero.
    fn thickness(&self) -> Result<(Option<f64>, Option<&'static str>), FormatError> {
        let between = self.numbers(MEASURES, tags::SPACING_BETWEEN_SLICES, "SpacingBetweenSlices")?;
        let own = self.numbers(MEASURES, tags::SLICE_THICKNESS, "SliceThickness")?;
        if let Some((text, [thickness])) = &own {
            text.field().duration(*thickness)?;
        }
        let mut zero = None;
        for (text, [distance]) in [between, own].into_iter().flatten() {
            if distance != 0.0 {
                text.field().length(distance.abs())?;
                return Ok((Some(distance), None));
            }
            zero = zero.or(Some(text.name));
        }
        Ok((None, zero))
    }

    /// Returns the distance between voxels along x and y. Also returns the name of the field that states it,
    /// unless that is PixelSpacing.
    fn pixel_spacing(&self) -> Result<(Option<[f64; 2]>, Option<&'static str>), FormatError> {
        let pixel = (MEASURES, tags::PIXEL_SPACING, "PixelSpacing");
        let others = OTHER_SPACINGS.map(|(tag, name)| (None, tag, name));
        for (group, tag, name) in std::iter::once(pixel).chain(others) {
            // The file lists the distance between rows first.
            if let Some((text, [y, x])) = self.numbers(group, tag, name)? {
                let spacing = [text.field().length(x)?, text.field().length(y)?];
                return Ok((Some(spacing), Some(name).filter(|name| *name != "PixelSpacing")));
            }
        }
        Ok((None, None))
    }

    /// Returns a field's time, given in milliseconds, in seconds.
    fn milliseconds(&self, tag: Tag, name: &'static str) -> Result<Option<f64>, FormatError> {
        let Some((text, [step])) = self.numbers(None, tag, name)? else { return Ok(None) };
        text.field().duration(step / 1000.0).map(Some)
    }

    /// Sets the position of one of several frames; `distance` is the signed distance between slices.
    fn place(&self, slice: &mut Slice, distance: Option<f64>) -> Result<(), FormatError> {
        let frame = self.frame as i64;
        slice.number = Some(self.int(CONTENT, tags::IN_STACK_POSITION_NUMBER).unwrap_or(frame));
        let is_cine = matches!(
            self.object.get(tags::FRAME_INCREMENT_POINTER).and_then(|e| e.value().primitive()?.tag().ok()),
            Some(tags::FRAME_TIME | tags::FRAME_TIME_VECTOR)
        );
        if is_cine {
            slice.number = Some(0);
            slice.marks[TEMPORAL_POSITION] = Some(Mark::Numbers(vec![frame as f64]));
            slice.time_step = self.milliseconds(tags::FRAME_TIME, "FrameTime")?;
            return Ok(());
        }
        if self.groups[0].is_some_and(|own| own.get(tags::PLANE_POSITION_SEQUENCE).is_some()) {
            return Ok(());
        }
        // The file has the position of the first frame. The others follow along the normal, at the listed
        // offsets or at even distances.
        let (Some(first), Some([a, b, c, d, e, f])) = (slice.position, slice.directions) else {
            return Ok(());
        };
        let along = match self.text(None, tags::GRID_FRAME_OFFSET_VECTOR, "GridFrameOffsetVector") {
            Some(text) => {
                let offsets = text.field().finite_numbers(slice.file.frame_count, '\\')?;
                offsets[self.frame] - offsets[0]
            }
            None => {
                slice.is_placed_by_thickness = true;
                let distance = distance.unwrap_or(1.0);
                // Only in nuclear medicine is the sign the direction of the stack (PS3.3, C.8.4.15).
                let modality = self.text(None, tags::MODALITY, "Modality");
                let is_nuclear = modality.is_some_and(|modality| modality.text == "NM");
                (if is_nuclear { distance } else { distance.abs() }) * self.frame as f64
            }
        };
        let normal = cross([a, b, c], [d, e, f]);
        slice.position = Some([0, 1, 2].map(|axis| first[axis] + along * normal[axis]));
        Ok(())
    }

    fn attributes(&self) -> Result<Map<String, Value>, FormatError> {
        let mut attributes = Map::new();
        for (tag, group, name) in KEPT {
            let Some(element) = self.get(group, tag) else { continue };
            let value = match element.to_multi_float64() {
                Ok(numbers) if numbers.len() == 1 => numbers[0].into(),
                Ok(mut numbers) if numbers.len() > 1 => {
                    numbers.truncate(MAX_NUMBERS);
                    numbers.into()
                }
                _ => element.to_str().unwrap_or_default().chars().take(1024).collect::<String>().into(),
            };
            attributes.insert(name.to_owned(), value);
        }
        let intercept = self.numbers(TRANSFORMATION, tags::RESCALE_INTERCEPT, "RescaleIntercept")?;
        if let Some((_, [intercept])) = intercept {
            attributes.insert("RescaleIntercept".to_owned(), intercept.into());
        }
        if let Some((text, [slope])) = self.numbers(TRANSFORMATION, tags::RESCALE_SLOPE, "RescaleSlope")? {
            attributes.insert("RescaleSlope".to_owned(), text.field().slope(slope)?.into());
        }
        // The slope of doses has a separate field.
        if let Some((text, [slope])) = self.numbers(None, tags::DOSE_GRID_SCALING, "DoseGridScaling")? {
            let unit = self.object.get(tags::DOSE_UNITS).and_then(|e| e.to_str().ok());
            let unit = match unit.as_deref().map(str::trim) {
                Some("GY") => "Gy".to_owned(),
                other => short(&other.unwrap_or_default().to_lowercase()),
            };
            attributes.insert("RescaleSlope".to_owned(), text.field().slope(slope)?.into());
            attributes.insert("RescaleType".to_owned(), unit.into());
        }
        Ok(attributes)
    }
}
