//! Fields of a frame as those of a slice: geometry, marks, and the attributes that are kept as metadata.

use super::{
    charset,
    fields::{CONTENT, Fields, MAX_NUMBERS, Text, text_of},
    mapping::{Line, Mapping},
    marks::{FRAME_TIME_VECTOR, Mark, TEMPORAL_POSITION},
    slice::Slice,
    slice_file::SliceFile,
    stacking::Stacking,
};
use crate::{
    FormatError,
    header::{geometry::cross, header_text::short},
};
use dicom_dictionary_std::tags;
use dicom_object::Tag;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Fields that are kept as metadata. Each has the group that contains it in files whose frames differ.
const KEPT: [(Tag, Option<Tag>, &str); 10] = [
    (tags::MODALITY, None, "Modality"),
    (tags::SERIES_DESCRIPTION, None, "SeriesDescription"),
    (tags::SERIES_INSTANCE_UID, None, "SeriesInstanceUID"),
    (tags::PHOTOMETRIC_INTERPRETATION, None, "PhotometricInterpretation"),
    (tags::BITS_STORED, None, "BitsStored"),
    (tags::RESCALE_TYPE, TRANSFORMATION, "RescaleType"),
    (tags::WINDOW_CENTER, WINDOW, "WindowCenter"),
    (tags::WINDOW_WIDTH, WINDOW, "WindowWidth"),
    (tags::VOILUT_FUNCTION, WINDOW, "VOILUTFunction"),
    (tags::SLICE_THICKNESS, MEASURES, "SliceThickness"),
];

const TRANSFORMATION: Option<Tag> = Some(tags::PIXEL_VALUE_TRANSFORMATION_SEQUENCE);
const WINDOW: Option<Tag> = Some(tags::FRAME_VOILUT_SEQUENCE);
/// Group of the distances between voxels.
pub const MEASURES: Option<Tag> = Some(tags::PIXEL_MEASURES_SEQUENCE);
const ORIENTATION: Option<Tag> = Some(tags::PLANE_ORIENTATION_SEQUENCE);
const POSITION: Option<Tag> = Some(tags::PLANE_POSITION_SEQUENCE);
/// Groups of ultrasound, in the frame of reference of the volume (PS3.3, C.8.24.6.2).
const VOLUME_ORIENTATION: Option<Tag> = Some(tags::PLANE_ORIENTATION_VOLUME_SEQUENCE);
const VOLUME_POSITION: Option<Tag> = Some(tags::PLANE_POSITION_VOLUME_SEQUENCE);

/// Fields with the distance between voxels where PixelSpacing is absent: on the detector, or on the film.
const OTHER_SPACINGS: [(Tag, &str); 3] = [
    (tags::IMAGE_PLANE_PIXEL_SPACING, "ImagePlanePixelSpacing"),
    (tags::IMAGER_PIXEL_SPACING, "ImagerPixelSpacing"),
    (tags::NOMINAL_SCANNED_PIXEL_SPACING, "NominalScannedPixelSpacing"),
];

/// Numbers of unmeasured voxels: one number, and the other end of a range.
const PADDING: [(Tag, &str); 2] = [
    (tags::PIXEL_PADDING_VALUE, "PixelPaddingValue"),
    (tags::PIXEL_PADDING_RANGE_LIMIT, "PixelPaddingRangeLimit"),
];

/// Code of the unit of regions of ultrasound.
const CENTIMETRES: u16 = 3;

impl Fields<'_> {
    /// Returns the frame as a slice.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] names a field that is present but unusable.
    pub fn slice(&self, file: &Arc<SliceFile>, stacking: &Stacking) -> Result<Slice, FormatError> {
        let (thickness, zero_thickness) = self.thickness()?;
        let stated = |group, tag, name| {
            self.text(group, tag, name).or_else(|| self.detector_text(tag, name, stacking))
        };
        let mut directions = stated(ORIENTATION, tags::IMAGE_ORIENTATION_PATIENT, "ImageOrientationPatient");
        let mut position = stated(POSITION, tags::IMAGE_POSITION_PATIENT, "ImagePositionPatient");
        let is_of_volume = directions.is_none() && position.is_none() && self.has_position_in_volume();
        if is_of_volume {
            directions =
                self.text(VOLUME_ORIENTATION, tags::IMAGE_ORIENTATION_VOLUME, "ImageOrientationVolume");
            position = self.text(VOLUME_POSITION, tags::IMAGE_POSITION_VOLUME, "ImagePositionVolume");
        }
        let directions = directions.map(|text| -> Result<[f64; 6], FormatError> {
            let directions = text.numbers()?;
            text.field().check_plane(directions)?;
            Ok(directions)
        });
        let (pixel_spacing, detector_field) = self.pixel_spacing()?;
        let (attributes, mapping_not_applied) = self.attributes(file)?;
        let location = self.numbers(None, tags::SLICE_LOCATION, "SliceLocation");
        let mut slice = Slice {
            file: file.clone(),
            frame: self.frame,
            is_empty: false,
            position: position.map(|text| text.numbers()).transpose()?,
            directions: directions.transpose()?,
            is_of_volume,
            pixel_spacing,
            aspect: self.aspect(),
            detector_field,
            thickness: thickness.map(f64::abs),
            zero_thickness,
            is_placed_by_thickness: false,
            number: self.int(None, tags::INSTANCE_NUMBER),
            stack: self.text(CONTENT, tags::STACK_ID, "StackID").map(|text| short(&text.text)),
            marks: self.marks(),
            acquired: self.acquired(),
            time_step: self.milliseconds(tags::TEMPORAL_RESOLUTION, "TemporalResolution")?,
            location: location.ok().flatten().map(|(_, [location])| location),
            mapping_not_applied,
            has_table: self.get(WINDOW, tags::VOILUT_SEQUENCE).is_some()
                && self.get(WINDOW, tags::WINDOW_CENTER).is_none(),
            attributes,
        };
        if file.frame_count > 1 && file.mosaic.is_none() {
            self.place(&mut slice, stacking, thickness)?;
        }
        Ok(slice)
    }

    /// Sets the position of one of several frames; `distance` is the signed distance between slices.
    fn place(
        &self,
        slice: &mut Slice,
        stacking: &Stacking,
        distance: Option<f64>,
    ) -> Result<(), FormatError> {
        let frame = slice.frame;
        slice.number = Some(self.in_stack_position().unwrap_or(frame as i64));
        if let Stacking::Cine { starts, .. } = stacking {
            slice.number = Some(0);
            slice.marks[TEMPORAL_POSITION] = Some(Mark::Numbers(vec![frame as f64]));
            match starts {
                Some(starts) => slice.marks[FRAME_TIME_VECTOR] = Some(Mark::Numbers(vec![starts[frame]])),
                None => slice.time_step = self.milliseconds(tags::FRAME_TIME, "FrameTime")?,
            }
            return Ok(());
        }
        if let Stacking::Vectors { slices, others } = stacking {
            slice.number = Some(slices.as_ref().map_or(0, |slices| slices[frame] as i64));
            for (place, numbers) in others {
                slice.marks[*place] = Some(Mark::Numbers(vec![numbers[frame]]));
            }
        }
        if self.has_own_position() {
            return Ok(());
        }
        // The file has the position of the first frame. The others follow along the normal, at the listed
        // offsets or at even distances.
        let (Some(first), Some([a, b, c, d, e, f])) = (slice.position, slice.directions) else {
            return Ok(());
        };
        let index = match stacking {
            Stacking::Cine { .. } | Stacking::Vectors { slices: None, .. } => return Ok(()),
            Stacking::Offsets(_) => 0.0,
            Stacking::Vectors { slices: Some(slices), .. } => slices[frame],
            Stacking::Even => frame as f64,
        };
        let along = match stacking {
            Stacking::Offsets(offsets) => offsets[frame],
            Stacking::Cine { .. } | Stacking::Vectors { .. } | Stacking::Even => {
                slice.is_placed_by_thickness = true;
                let distance = distance.unwrap_or(1.0);
                // Only in nuclear medicine is the sign the direction of the stack (PS3.3, C.8.4.15).
                let modality = self.text(None, tags::MODALITY, "Modality");
                let is_nuclear = modality.is_some_and(|modality| modality.text == "NM");
                (if is_nuclear { distance } else { distance.abs() }) * index
            }
        };
        let normal = cross([a, b, c], [d, e, f]);
        slice.position = Some([0, 1, 2].map(|axis| first[axis] + along * normal[axis]));
        Ok(())
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
        Ok((self.region_spacing(), None))
    }

    /// Returns the height of a voxel divided by its width, if both are stated without a unit (PS3.3,
    /// C.7.6.3.1.7).
    fn aspect(&self) -> Option<f64> {
        let ratio = self.numbers(None, tags::PIXEL_ASPECT_RATIO, "PixelAspectRatio").ok().flatten();
        let aspect = ratio.map(|(_, [height, width])| height / width)?;
        (aspect.is_normal() && aspect > 0.0 && aspect != 1.0).then_some(aspect)
    }

    /// Returns the text of a field of the detector that made the frame, if the file has no such field itself.
    fn detector_text(&self, tag: Tag, name: &'static str, stacking: &Stacking) -> Option<Text> {
        if !stacking.is_numbered() {
            return None;
        }
        let detectors = self.object().get(tags::DETECTOR_INFORMATION_SEQUENCE)?.items()?;
        let element = detectors.get(stacking.detector(self.frame))?.get(tag)?;
        text_of(element, name)
    }

    /// Returns the fields for the metadata, and the name of a field of physical values that is not applied.
    fn attributes(
        &self,
        file: &SliceFile,
    ) -> Result<(Map<String, Value>, Option<&'static str>), FormatError> {
        let mut attributes = Map::new();
        for (tag, group, name) in KEPT {
            let Some(element) = self.get(group, tag) else { continue };
            let value = match element.to_multi_float64() {
                Ok(numbers) if numbers.len() == 1 => numbers[0].into(),
                Ok(mut numbers) if numbers.len() > 1 => {
                    numbers.truncate(MAX_NUMBERS);
                    numbers.into()
                }
                _ => {
                    let text = charset::decoded(self.object(), &element.to_str().unwrap_or_default());
                    text.chars().take(1024).collect::<String>().into()
                }
            };
            attributes.insert(name.to_owned(), value);
        }
        let intercept = self.numbers(TRANSFORMATION, tags::RESCALE_INTERCEPT, "RescaleIntercept")?;
        let slope = self.numbers(TRANSFORMATION, tags::RESCALE_SLOPE, "RescaleSlope")?;
        let rescale = (intercept.is_some() || slope.is_some()).then(|| {
            let number = |field: &Option<(Text, [f64; 1])>| field.as_ref().map(|(_, [number])| *number);
            [number(&slope).unwrap_or(1.0), number(&intercept).unwrap_or(0.0)]
        });
        let mut line = |slope: f64, intercept: Option<f64>, unit: Option<String>| {
            attributes.insert("RescaleSlope".to_owned(), slope.into());
            attributes.extend(intercept.map(|intercept| ("RescaleIntercept".to_owned(), intercept.into())));
            attributes.extend(unit.map(|unit| ("RescaleType".to_owned(), unit.into())));
        };
        let mut not_applied = None;
        match self.mapping(&file.mapping, rescale)? {
            // Without a unit, those of CT would be taken for Hounsfield units.
            Mapping::Line(Line { slope, intercept, unit, .. }) => {
                line(slope, Some(intercept), Some(unit.unwrap_or_else(|| "US".to_owned())));
            }
            other => {
                if let Mapping::NotApplied(field) = other {
                    not_applied = Some(field);
                }
                if let Some((text, [slope])) = slope {
                    line(text.field().slope(slope)?, None, None);
                }
                if let Some((_, [intercept])) = intercept {
                    attributes.insert("RescaleIntercept".to_owned(), intercept.into());
                }
            }
        }
        // The slope of doses has a separate field.
        if let Some((text, [slope])) = self.numbers(None, tags::DOSE_GRID_SCALING, "DoseGridScaling")? {
            let unit = self.object().get(tags::DOSE_UNITS).and_then(|e| e.to_str().ok());
            let unit = match unit.as_deref().map(str::trim) {
                Some("GY") => "Gy".to_owned(),
                other => short(&other.unwrap_or_default().to_lowercase()),
            };
            attributes.insert("RescaleSlope".to_owned(), text.field().slope(slope)?.into());
            attributes.insert("RescaleType".to_owned(), unit.into());
        }
        // Fractions have no slope: the stored maximum is 1 (PS3.3, C.8.20.2).
        if let Some(maximum) = file.segments.as_ref().and_then(|segments| segments.maximum) {
            attributes.insert("MaximumFractionalValue".to_owned(), maximum.into());
            attributes.insert("RescaleSlope".to_owned(), (1.0 / maximum).into());
        }
        for (tag, name) in PADDING {
            let number = self.int(None, tag).and_then(|number| file.as_stored(number));
            attributes.extend(number.map(|number| (name.to_owned(), number.into())));
        }
        Ok((attributes, not_applied))
    }

    /// Returns the distance between voxels along x and y, in mm, of regions of ultrasound (PS3.3, C.8.5.5).
    /// `None` if they differ, or have other units than lengths.
    fn region_spacing(&self) -> Option<[f64; 2]> {
        let regions = self.object().get(tags::SEQUENCE_OF_ULTRASOUND_REGIONS)?.items()?;
        let spacings = regions.iter().filter_map(|region| {
            let is_cm = |tag: Tag| {
                region.get(tag).is_some_and(|unit| unit.to_int::<u16>().is_ok_and(|unit| unit == CENTIMETRES))
            };
            if !is_cm(tags::PHYSICAL_UNITS_X_DIRECTION) || !is_cm(tags::PHYSICAL_UNITS_Y_DIRECTION) {
                return None;
            }
            let length = |tag: Tag| {
                let millimetres = region.get(tag)?.to_float64().ok()?.abs() * 10.0;
                millimetres.is_normal().then_some(millimetres)
            };
            Some([length(tags::PHYSICAL_DELTA_X)?, length(tags::PHYSICAL_DELTA_Y)?])
        });
        let spacings: Vec<[f64; 2]> = spacings.collect();
        let first = *spacings.first()?;
        let is_near = |spacing: &[f64; 2]| spacing.iter().zip(first).all(|(a, b)| (a - b).abs() <= 1e-4 * b);
        spacings.iter().all(is_near).then_some(first)
    }
}
