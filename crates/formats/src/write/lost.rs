//! Fields of a source that the metadata keeps, but that another format cannot store.

use crate::{MrcNote, Note, NumbersNote, VolumeFormat, metaimage, mrc, nifti, nrrd};
use brickwork_volume::{Header, VoxelType};
use serde_json::Value;

/// Returns notes on the fields that `header` keeps but a file of `format` does not: keys and the measurement
/// frame of NRRD, extensions and the timing of slices of NIfTI, fields of MetaImage, labels of MRC, and
/// fields of the frames of DICOM. For MRC, also notes directions and times, which it cannot store, and u8,
/// which becomes u16; for TIFF, position and directions; for formats without half floats, that they become
/// f32; for slices, only position, directions and spacing; for all, colours and windows of channels, and for
/// all but TIFF their names. Raw voxels have no header, so nothing is noted for them. Rescaling is not
/// included.
pub fn lost_fields(header: &Header, format: VolumeFormat) -> Vec<Note> {
    if format == VolumeFormat::Folder {
        return lost_geometry(header, true).into_iter().chain(lost_channels(header, false)).collect();
    }
    let target = match format {
        VolumeFormat::Nrrd => "nrrd",
        VolumeFormat::MetaImage => "metaimage",
        VolumeFormat::Nifti | VolumeFormat::NiftiGz | VolumeFormat::NiftiZst => "nifti",
        VolumeFormat::Mrc => "mrc",
        VolumeFormat::Npy => "npy",
        VolumeFormat::Vti => "vti",
        VolumeFormat::Tiff => "tiff",
        // The first two keep all fields, raw voxels have none, and the others are not written.
        VolumeFormat::Bwv
        | VolumeFormat::Zarr
        | VolumeFormat::Raw
        | VolumeFormat::Mgh
        | VolumeFormat::Dicom
        | VolumeFormat::Folder => return Vec::new(),
    };
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let sources = [
        ("nrrd", "NRRD", nrrd::Kept::of(header).names()),
        ("nifti", "NIfTI", metadata["nifti"].as_object().map_or(Vec::new(), nifti::kept_names)),
        (
            "metaimage",
            "MetaImage",
            metadata["metaimage"].as_object().map_or(Vec::new(), metaimage::kept_names),
        ),
        ("mrc", "MRC", metadata["mrc"].as_object().map_or(Vec::new(), mrc::kept_names)),
        ("dicom", "DICOM", frame_fields(&metadata["dicom"]["frames"])),
    ];
    let mut notes = Vec::new();
    if nifti::are_displacements(header) && !matches!(target, "nifti" | "npy") {
        let is_stated = target == "nrrd" && nrrd::states_axes_of_vectors(header);
        notes.extend((!is_stated).then_some(Note::VectorAxes { format: format.title() }));
    }
    for (key, source, fields) in sources {
        if key != target && !fields.is_empty() {
            notes.push(Note::LostFields { source, fields });
        }
    }
    if header.voxel_type == VoxelType::F16 && !format.has_halves() {
        notes.push(Note::Numbers(NumbersNote::WidenedHalves { format: format.title() }));
    }
    if format == VolumeFormat::Tiff {
        notes.extend(lost_geometry(header, false));
    }
    notes.extend(lost_channels(header, format == VolumeFormat::Tiff));
    if format == VolumeFormat::Mrc {
        let lost = [
            ("directions", !mrc::stores_directions(header)),
            ("time between frames", header.frame_spacing > 0.0),
            ("labels (more than 10, longer than 80 bytes, or not ASCII)", mrc::cuts_labels(&metadata["mrc"])),
        ];
        notes.extend(lost_of(&lost));
        notes.extend((header.voxel_type == VoxelType::U8).then(|| MrcNote::BytesAsU16.into()));
    }
    notes
}

/// Returns a note on the names and looks of channels, unless there are none.
fn lost_channels(header: &Header, keeps_names: bool) -> Option<Note> {
    let lost = [
        ("channel names", !keeps_names && !header.channel_names().is_empty()),
        ("colours and windows of channels", !header.channel_looks().is_empty()),
    ];
    lost_of(&lost)
}

/// Returns a note on properties of the volume, unless none is lost.
fn lost_of(lost: &[(&str, bool)]) -> Option<Note> {
    let fields: Vec<String> =
        lost.iter().filter(|(_, is_lost)| *is_lost).map(|(name, _)| (*name).to_owned()).collect();
    (!fields.is_empty()).then_some(Note::LostFields { source: "the volume", fields })
}

/// Returns a note on position, directions and, if it is lost, spacing, unless they are those of a volume
/// without any.
fn lost_geometry(header: &Header, is_spacing_lost: bool) -> Option<Note> {
    let bare = Header::new(header.voxel_type, header.dims);
    let lost = [
        ("spacing", is_spacing_lost && header.spacing != bare.spacing),
        ("position", header.origin != bare.origin),
        ("directions", header.orientation != bare.orientation),
    ];
    lost_of(&lost)
}

/// Returns the names of the fields in which frames of DICOM differ, such as their diffusion weighting.
fn frame_fields(frames: &Value) -> Vec<String> {
    let objects = frames.as_array().into_iter().flatten().filter_map(Value::as_object);
    let mut names: Vec<String> = objects.flat_map(|fields| fields.keys().cloned()).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::Dims;

    #[test]
    fn looks_of_channels_are_lost() {
        let header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        let header =
            header.with_channels("zarr", &["a".to_owned()], &[brickwork_volume::ChannelLook::default()]);
        let text = |format| lost_fields(&header, format).iter().map(ToString::to_string).collect::<Vec<_>>();
        let of_volume = "fields of the volume that are not written: ";
        assert_eq!(text(VolumeFormat::Tiff), [format!("{of_volume}colours and windows of channels")]);
        for format in [VolumeFormat::Nrrd, VolumeFormat::Folder] {
            let both = format!("{of_volume}channel names, colours and windows of channels");
            assert_eq!(text(format), [both]);
        }
        assert!(text(VolumeFormat::Bwv).is_empty());
    }

    #[test]
    fn slices_lose_the_geometry() {
        let mut header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        header.metadata = r#"{"nrrd":{"keys":{"modality":"DWMRI"}}}"#.to_owned();
        assert_eq!(lost_fields(&header, VolumeFormat::Folder), []);
        header.spacing.z = 2.0;
        header.orientation[0] = -1.0;
        let notes = lost_fields(&header, VolumeFormat::Folder);
        assert_eq!(notes[0].to_string(), "fields of the volume that are not written: spacing, directions");
        let notes = lost_fields(&header, VolumeFormat::Tiff);
        assert_eq!(notes[0].to_string(), "fields of NRRD that are not written: modality");
        assert_eq!(notes[1].to_string(), "fields of the volume that are not written: directions");
        assert_eq!(lost_fields(&header, VolumeFormat::Raw), []);
    }

    #[test]
    fn fields_without_a_place_are_noted() {
        let mut header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        for (metadata, format, want) in [
            (r#"{"nrrd":{"kinds":"domain domain domain"}}"#, VolumeFormat::Nifti, ""),
            (
                r#"{"nrrd":{"measurement frame":"(1,0,0) (0,1,0) (0,0,1)","keys":{"modality":"DWMRI"}}}"#,
                VolumeFormat::Nifti,
                "fields of NRRD that are not written: measurement frame, modality",
            ),
            (r#"{"nrrd":{"keys":{"modality":"DWMRI"}}}"#, VolumeFormat::Nrrd, ""),
            (
                r#"{"tiff":{"channel_names":["DAPI"]}}"#,
                VolumeFormat::Nrrd,
                "fields of the volume that are not written: channel names",
            ),
            (r#"{"tiff":{"channel_names":["DAPI"]}}"#, VolumeFormat::Tiff, ""),
            // No displacements, as each voxel has one number.
            (
                r#"{"nifti":{"intent_code":1006}}"#,
                VolumeFormat::MetaImage,
                "fields of NIfTI that are not written: intent_code",
            ),
            (r#"{"nrrd":{"keys":{"modality":"DWMRI"}}}"#, VolumeFormat::Bwv, ""),
            (
                r#"{"nifti":{"slice_code":1,"xyzt_units":2,"qform_code":0}}"#,
                VolumeFormat::Vti,
                "fields of NIfTI that are not written: slice_code",
            ),
            (
                r#"{"metaimage":{"Modality":"MET_MOD_CT","CenterOfRotation":"0 0 0"}}"#,
                VolumeFormat::NiftiGz,
                "fields of MetaImage that are not written: Modality",
            ),
            (
                r#"{"mrc":{"labels":["a"],"ISPG":19}}"#,
                VolumeFormat::Nifti,
                "fields of MRC that are not written: labels, ISPG",
            ),
            (
                r#"{"mrc":{"labels":["a"]}}"#,
                VolumeFormat::Mrc,
                "u8 is written as u16 (mode 6): bytes are signed in MRC2014",
            ),
            (
                r#"{"mrc":{"labels":["Öl"]}}"#,
                VolumeFormat::Mrc,
                "fields of the volume that are not written: labels (more than 10, longer than 80 bytes, \
                 or not ASCII); u8 is written as u16 (mode 6): bytes are signed in MRC2014",
            ),
            (
                r#"{"dicom":{"frames":[{"DiffusionBValue":0},{"DiffusionBValue":9,"EchoTime":2}]}}"#,
                VolumeFormat::Nifti,
                "fields of DICOM that are not written: DiffusionBValue, EchoTime",
            ),
            (
                r#"{"nrrd":{"keys":{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":"","i":""}}}"#,
                VolumeFormat::MetaImage,
                "fields of NRRD that are not written: a, b, c, d, e, f and 3 more",
            ),
        ] {
            metadata.clone_into(&mut header.metadata);
            let notes: Vec<String> = lost_fields(&header, format).iter().map(ToString::to_string).collect();
            assert_eq!(notes.join("; "), want, "{metadata}");
        }
    }
}
