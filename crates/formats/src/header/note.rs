//! Notes on a volume: facts that its user should know although nothing failed.

use super::{mrc_note::MrcNote, numbers_note::NumbersNote, parts_note::PartsNote};
use crate::words::list;
use std::fmt;

/// Note on a volume that was opened, or is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Spacing that DICOM states on the detector or the film only. In the patient it is smaller, by the
    /// unknown magnification.
    DetectorSpacing {
        /// Name of the field.
        field: &'static str,
    },
    /// Fields of the geometry that DICOM files do not state. Defaults are used: 1 mm, origin 0, unknown
    /// directions.
    NotStated {
        /// Names of the fields.
        fields: Vec<&'static str>,
        /// Name of the field that gives the distance between slices in place of their positions, if one does.
        distance: Option<&'static str>,
    },
    /// Physical values that a field of DICOM states otherwise than by one slope and intercept, or beside
    /// another slope. They are not used.
    MappingNotApplied {
        /// Name of the field.
        field: &'static str,
    },
    /// DICOM's table from stored numbers to grey, without a window. It is not used.
    TableNotApplied,
    /// Width and height of a pixel as a ratio, without a unit.
    PixelAspect {
        /// Height divided by width, as text.
        aspect: String,
    },
    /// Unknown unit. Its numbers are taken as millimetres or seconds.
    UnknownUnit {
        /// Name of the field.
        field: &'static str,
        /// Name of the unit.
        unit: String,
    },
    /// Time without a unit, taken as seconds.
    NoTimeUnit {
        /// Name of the field.
        field: &'static str,
    },
    /// SPM's origin in Analyze, which is not used: directions are unknown.
    SpmOrigin {
        /// Indices of the voxel along x, y and z, from 1, as text.
        voxel: String,
    },
    /// Unknown distance between slices, taken as 1 mm: the named field is zero.
    NoSliceDistance {
        /// Name of the field.
        field: &'static str,
    },
    /// Unknown distances between voxels, which are taken as those along another axis.
    AssumedSpacing {
        /// Names of the axes, such as `z` or `x and y`.
        axes: String,
        /// The distance in millimetres, as text.
        millimetres: String,
    },
    /// Different distances between slices, of which the first is taken.
    UnevenSlices {
        /// Name of the field.
        field: &'static str,
        /// The distance in millimetres, as text.
        millimetres: String,
    },
    /// ImageJ's function from stored numbers to physical values, which is not a line or not for such voxels.
    CalibrationFunction {
        /// ImageJ's number of the function.
        number: u32,
    },
    /// Slices of a folder that state other distances, physical values or orientation than the first.
    SliceTexts {
        /// Name of the first such slice.
        file: String,
    },
    /// Time of the first frame, which is not kept.
    TimeOffset {
        /// Name of the field.
        field: &'static str,
        /// The time in seconds, as text.
        seconds: String,
    },
    /// Uneven times of frames. Their distances are not kept.
    UnevenFrames {
        /// Name of the field that states the times.
        field: &'static str,
        /// Shortest distance between frames in seconds, as text.
        shortest: String,
        /// Longest distance between frames in seconds, as text.
        longest: String,
    },
    /// Times of day without dates at both ends of the day. Those of the evening are taken as the earlier.
    OverMidnight,
    /// Arrays of a file that are not read.
    OtherArrays {
        /// Names of the arrays.
        names: Vec<String>,
        /// Name of the array that is read.
        taken: String,
    },
    /// Distances between the pixels of a TIFF file by its resolution, which are not used.
    Resolution {
        /// Distance along x in millimetres, as text.
        x: String,
        /// Distance along y in millimetres, as text.
        y: String,
    },
    /// Bytes after the voxels that are not read.
    BytesAfterVoxels {
        /// Number of bytes.
        count: u64,
    },
    /// Files of a DICOM series without voxels, such as reports, which are left out.
    NoVoxels {
        /// Names of the files.
        files: Vec<String>,
    },
    /// Files beside a DICOM series that cannot be read, and whose series is unknown. They are left out.
    UnreadableFiles {
        /// Names of the files, and the reasons.
        files: Vec<String>,
    },
    /// Copies of other files of a DICOM series, which are left out.
    Copies {
        /// Names of the copies.
        files: Vec<String>,
    },
    /// Slices whose names do not belong to those of the volume, which are left out.
    OtherNames {
        /// Names of the files.
        files: Vec<String>,
        /// Pattern of the names that are taken, with `#` for the number; empty for names without numbers.
        taken: String,
    },
    /// Slices that are missing by the numbers in their names. The slices beside them are joined.
    MissingNumbers {
        /// Pattern of the names, with `#` for the number.
        name: String,
        /// Missing numbers, as text.
        missing: String,
    },
    /// Slices that are missing. The slices beside them are joined.
    Gaps {
        /// Names of the slices before and after each gap.
        places: Vec<[String; 2]>,
    },
    /// Slices at the same positions, which are frames.
    Frames {
        /// Number of frames.
        count: usize,
        /// Names of the fields in which they differ.
        fields: Vec<&'static str>,
    },
    /// Fields of the source that the format to write cannot store.
    LostFields {
        /// Name of the source's format.
        source: &'static str,
        /// Names of the fields.
        fields: Vec<String>,
    },
    /// Extensions of a NIfTI file that break the format's rules, or are too large. They are not kept.
    DamagedExtensions,
    /// NIfTI file whose sform is all zero. Position and directions are those of the qform.
    ZeroSform,
    /// The format does not state the directions of a patient, so left and right are unknown.
    UnknownDirections {
        /// Name of the format.
        format: &'static str,
    },
    /// Voxels are indices of a palette, whose colours are in the metadata.
    Palette,
    /// Voxels are red, green and blue, computed from the file's luma and differences of colour (YCbCr).
    FromYbr,
    /// Slices are JPEG files, which are not exact.
    LossySlices,
    /// Frames of a DICOM file are compressed in a way that may be lossy, and the file does not state that it
    /// is not.
    LossyFrames,
    /// Voxels are stored numbers of a TIFF file where 0 is white.
    WhiteIsZero,
    /// Thumbnails among the pages of a TIFF file, which are left out.
    Thumbnails {
        /// Number of thumbnails.
        count: usize,
    },
    /// Masks of transparency among the pages of a TIFF file, which are left out.
    Masks {
        /// Number of masks.
        count: usize,
    },
    /// Orientation in which an image is to be shown. Voxels are not turned.
    Orientation {
        /// Name of the field.
        field: &'static str,
        /// Value of the field, 2 to 8 (TIFF 6.0, section 8).
        value: u64,
    },
    /// Vectors along the axes of NIfTI's world (intent 1006), written where vectors are taken along others.
    VectorAxes {
        /// Name of the format that is written.
        format: &'static str,
    },
    /// Character set of DICOM whose name is unknown or has a mistake, in a file with letters beyond ASCII.
    CharacterSet {
        /// Name as stated; empty if absent.
        stated: String,
        /// Name of the set that is taken, if the name has a mistake.
        taken: Option<String>,
    },
    /// Fields of the source that are not kept.
    FieldsNotKept {
        /// Name of the source's format.
        source: &'static str,
        /// Names of the fields.
        fields: Vec<String>,
    },
    /// Zarr array without a file of a chunk. All of its voxels have the fill value.
    NoChunks {
        /// Path of the array's metadata in the folder, such as `0/zarr.json`.
        array: String,
    },
    /// Files and folders of a Zarr array that are not read: their names are not keys of its chunks.
    NotChunks {
        /// Paths in the folder.
        files: Vec<String>,
    },
    /// Axes that a TIFF file does not name are taken for one axis of slices.
    UnnamedAxes {
        /// Sizes along all axes.
        shape: String,
    },
    /// Slices and frames that a stack of Zeiss states, whose product is not the number of pages. All pages
    /// are taken as slices.
    OtherPages {
        /// Number of slices.
        slices: usize,
        /// Number of frames.
        frames: usize,
        /// Number of pages, without thumbnails.
        pages: usize,
    },
    /// Note on an MRC file.
    Mrc(MrcNote),
    /// Note on parts of the volume.
    Parts(PartsNote),
    /// Note on the type or the axes of the numbers.
    Numbers(NumbersNote),
}

impl From<MrcNote> for Note {
    fn from(note: MrcNote) -> Self {
        Self::Mrc(note)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DetectorSpacing { field } => {
                write!(f, "the spacing is {field}, on the detector: there is no PixelSpacing")
            }
            Self::NotStated { fields, distance } => {
                write!(f, "not stated: {}", fields.join(", "))?;
                let is_length = |field: &&str| matches!(*field, "PixelSpacing" | "SliceThickness");
                if fields.iter().any(is_length) {
                    f.write_str("; 1 mm is taken")?;
                }
                if !fields.iter().all(is_length) {
                    f.write_str("; position and directions are unknown")?;
                }
                match distance {
                    Some(field) => write!(f, "; the distance between slices is from {field}"),
                    None => Ok(()),
                }
            }
            Self::MappingNotApplied { field } => {
                write!(f, "{field} is not applied: its physical values are no single slope and intercept")?;
                f.write_str(", or differ from RescaleSlope and RescaleIntercept")
            }
            Self::TableNotApplied => {
                f.write_str("VOILUTSequence is not applied: renderings differ from it in contrast")
            }
            Self::PixelAspect { aspect } => {
                write!(
                    f,
                    "by PixelAspectRatio, a pixel is {aspect} times as high as wide; the unit is unknown"
                )
            }
            Self::UnknownUnit { field, unit } => {
                write!(f, "{field} has the unknown unit {unit:?}: its numbers are taken as they are")
            }
            Self::NoTimeUnit { field } => {
                write!(f, "{field} has no unit (xyzt_units): its number is taken as seconds")
            }
            Self::SpmOrigin { voxel } => {
                write!(f, "originator states SPM's origin, voxel {voxel} from 1, which is not used")
            }
            Self::NoSliceDistance { field } => {
                write!(f, "{field} is 0: the distance between slices is taken as 1 mm")
            }
            Self::AssumedSpacing { axes, millimetres } => {
                write!(
                    f,
                    "the distance between voxels along {axes} is unknown: it is taken as {millimetres} mm"
                )
            }
            Self::UnevenSlices { field, millimetres } => {
                write!(
                    f,
                    "{field} has different distances between slices: the first, {millimetres} mm, is taken"
                )
            }
            Self::CalibrationFunction { number } => {
                write!(
                    f,
                    "ImageJ's calibration function {number} is not applied: physical values are unknown"
                )
            }
            Self::SliceTexts { file } => {
                write!(
                    f,
                    "{file} states other distances, physical values or orientation than the first slice,"
                )?;
                f.write_str(" which count")
            }
            Self::TimeOffset { field, seconds } => {
                write!(f, "{field}: the first frame is at {seconds} s; this time is not kept")
            }
            Self::UnevenFrames { field, shortest, longest } => {
                write!(f, "by {field}, frames are {shortest} to {longest} s apart: no distance is kept")
            }
            Self::OverMidnight => {
                f.write_str("AcquisitionTime has no dates: times after midnight are taken as the next day's")
            }
            Self::OtherArrays { names, taken } => {
                write!(f, "the array {taken:?} is read; left out: ")?;
                f.write_str(&list(names, ", "))
            }
            Self::Resolution { x, y } => {
                write!(f, "XResolution and YResolution state {x} x {y} mm between pixels, which is not used")
            }
            Self::BytesAfterVoxels { count } => {
                write!(f, "{count} bytes after the voxels are not read: more than the header states")
            }
            Self::NoVoxels { files } => {
                write!(f, "left out, as they have no voxels: ")?;
                f.write_str(&list(files, ", "))
            }
            Self::UnreadableFiles { files } => {
                write!(f, "left out, as they cannot be read: ")?;
                f.write_str(&list(files, ", "))
            }
            Self::Copies { files } => {
                write!(f, "left out, as they are copies of other files: ")?;
                f.write_str(&list(files, ", "))
            }
            Self::OtherNames { files, taken } => {
                let taken = if taken.is_empty() { "names without a number" } else { taken };
                write!(f, "left out, as their names differ from {taken}: ")?;
                f.write_str(&list(files, ", "))
            }
            Self::MissingNumbers { name, missing } => {
                write!(f, "{name} has no number {missing}: the slices on both sides of the gap are joined")
            }
            Self::Gaps { places } => {
                let places: Vec<String> =
                    places.iter().map(|[before, after]| format!("{before} and {after}")).collect();
                f.write_str("slices are missing, and those beside them are joined: between ")?;
                f.write_str(&list(&places, ", "))
            }
            Self::Frames { count, fields } => {
                let fields = fields.join(", ");
                write!(f, "slices in the same places differ in {fields}: they are {count} frames")
            }
            Self::LostFields { source, fields } => {
                write!(f, "fields of {source} that are not written: ")?;
                f.write_str(&list(fields, ", "))
            }
            Self::DamagedExtensions => f.write_str("an extension is damaged or too large, and is not kept"),
            Self::UnknownDirections { format } => {
                write!(f, "{format} states no directions here: left and right of a patient are unknown")
            }
            Self::Palette => {
                f.write_str("the voxels are indices of a palette; its colours are kept in the metadata")
            }
            Self::FromYbr => f.write_str("colours are stored as YCbCr and converted to RGB"),
            Self::LossySlices => f.write_str("JPEG slices are lossy: their noise becomes part of the volume"),
            Self::LossyFrames => {
                f.write_str("the compression of the file may be lossy: its errors become part of the volume")
            }
            Self::WhiteIsZero => f.write_str("0 is white: the voxels are the stored numbers, not inverted"),
            Self::Thumbnails { count } => write!(f, "left out: {count} thumbnails among the pages"),
            Self::Masks { count } => write!(f, "left out: {count} masks among the pages"),
            Self::Orientation { field, value } => {
                write!(f, "{field} is {value}: the voxels are as stored, not turned")
            }
            Self::VectorAxes { format } => {
                f.write_str(
                    "displacements of NIfTI are along right, anterior and superior, and are written",
                )?;
                write!(f, " unchanged, but the world of the {format} file is left, posterior and superior")
            }
            Self::CharacterSet { stated, taken: Some(taken) } => {
                write!(f, "SpecificCharacterSet is {stated:?}: {taken} is taken")
            }
            Self::CharacterSet { stated, taken: None } => {
                match stated.is_empty() {
                    true => f.write_str("SpecificCharacterSet is absent")?,
                    false => write!(f, "SpecificCharacterSet is {stated:?}, which is unknown")?,
                }
                f.write_str(": letters beyond ASCII may be wrong")
            }
            Self::FieldsNotKept { source, fields } => {
                write!(f, "fields of {source} that are not kept: ")?;
                f.write_str(&list(fields, ", "))
            }
            Self::NoChunks { array } => {
                write!(f, "{array}: no file of its chunks exists: all voxels have the fill value")
            }
            Self::NotChunks { files } => {
                write!(f, "not read, as their names are not keys of chunks: ")?;
                f.write_str(&list(files, ", "))
            }
            Self::UnnamedAxes { shape } => {
                write!(f, "the axes of the shape {shape} are not named: all pages are taken as slices")
            }
            Self::OtherPages { slices, frames, pages } => {
                write!(
                    f,
                    "CZ_LSMINFO states {slices} slices and {frames} frames, but the pages are {pages}:"
                )?;
                f.write_str(" all are taken as slices")
            }
            Self::Mrc(note) => note.fmt(f),
            Self::Parts(note) => note.fmt(f),
            Self::Numbers(note) => note.fmt(f),
            Self::ZeroSform => f.write_str("the sform is all zero: the qform is used"),
        }
    }
}
