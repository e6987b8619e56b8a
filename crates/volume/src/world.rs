//! World coordinates of origin and directions. Their axes point left, posterior and superior, like those of
//! DICOM and MetaImage.

use crate::Header;
use serde_json::Value;

/// Returns 1 for each axis, or -1 if the axis of the NRRD space `space` points the other way. Returns `None`
/// if the space is not anatomical. The name may be long or short, with or without time.
pub fn space_signs(space: &str) -> Option<[f64; 3]> {
    let space = space.to_ascii_lowercase();
    let is = |long: &str, short: &str| {
        let rest = space.strip_prefix(long).or_else(|| space.strip_prefix(short));
        matches!(rest, Some("" | "-time" | "t"))
    };
    if is("right-anterior-superior", "ras") {
        Some([-1.0, -1.0, 1.0])
    } else if is("left-anterior-superior", "las") {
        Some([1.0, -1.0, 1.0])
    } else if is("left-posterior-superior", "lps") {
        Some([1.0; 3])
    } else {
        None
    }
}

impl Header {
    /// Returns the place in the world of a position in voxels along x, y and z: 0 is the centre of the first
    /// one.
    pub fn world_position(&self, at: [f64; 3]) -> [f64; 3] {
        let spacing = [self.spacing.x, self.spacing.y, self.spacing.z];
        [0, 1, 2].map(|world| {
            let step = |axis: usize| self.orientation[3 * axis + world] * spacing[axis] * at[axis];
            self.origin[world] + step(0) + step(1) + step(2)
        })
    }

    /// True for a stack of images, TIFF pages or a folder of slices, whose rows run down. The metadata says
    /// it, also in a `.bwv` file.
    pub fn is_image_stack(&self) -> bool {
        let metadata: Value = serde_json::from_str(&self.metadata).unwrap_or_default();
        metadata["tiff"].is_object() || metadata["images"].is_object()
    }

    /// True if origin and directions are those of a patient: the world's axes point to the left, to the back
    /// and up. The metadata's fields of the source format decide.
    pub fn is_anatomical(&self) -> bool {
        let metadata: Value = serde_json::from_str(&self.metadata).unwrap_or_default();
        let nifti = |name: &str| metadata["nifti"][name].as_i64().is_some_and(|code| code > 0);
        let anatomical = metadata["metaimage"]["AnatomicalOrientation"].as_str();
        let is_absent = |field: &Value| field == "ImageOrientationPatient";
        let has_directions =
            !metadata["dicom"]["not_stated"].as_array().is_some_and(|all| all.iter().any(is_absent));
        metadata["dicom"].is_object() && has_directions
            || metadata["mgh"]["goodRASFlag"] == 1
            || nifti("sform_code")
            || nifti("qform_code")
            || metadata["nrrd"]["space"].as_str().is_some_and(|space| space_signs(space).is_some())
            || anatomical.is_some_and(|letters| !letters.contains('?'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};

    #[test]
    fn spaces_have_long_and_short_names() {
        for (space, want) in [
            ("right-anterior-superior", Some([-1.0, -1.0, 1.0])),
            ("RAS", Some([-1.0, -1.0, 1.0])),
            ("LAS", Some([1.0, -1.0, 1.0])),
            ("Left-Posterior-Superior", Some([1.0; 3])),
            ("LPST", Some([1.0; 3])),
            ("right-anterior-superior-time", Some([-1.0, -1.0, 1.0])),
            ("scanner-xyz", None),
            ("3D-right-handed", None),
            ("lpsx", None),
            ("", None),
        ] {
            assert_eq!(space_signs(space), want, "{space}");
        }
    }

    #[test]
    fn an_anatomical_world_is_known_by_its_source() {
        let mut header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        for (metadata, want) in [
            ("", false),
            (r#"{"nrrd":{"space":"RAS"}}"#, true),
            (r#"{"nrrd":{"space":"scanner-xyz"}}"#, false),
            (r#"{"nifti":{"sform_code":0,"qform_code":0}}"#, false),
            (r#"{"nifti":{"sform_code":0,"qform_code":1}}"#, true),
            (r#"{"dicom":{}}"#, true),
            (r#"{"metaimage":{"AnatomicalOrientation":"RAI"}}"#, true),
            (r#"{"metaimage":{"AnatomicalOrientation":"????"}}"#, false),
        ] {
            metadata.clone_into(&mut header.metadata);
            assert_eq!(header.is_anatomical(), want, "{metadata}");
        }
    }
}
