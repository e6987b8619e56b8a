//! The conversion to physical values that an output format cannot hold.

use brickwork_formats::VolumeFormat;
use brickwork_volume::{Header, Rescale};
use std::fmt;

/// The part of the conversion to physical values that a format cannot hold. It is displayed in one line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LostRescaling {
    /// The format holds one slope and intercept, and the slices have different ones.
    Different,
    /// The format cannot hold the slope and intercept.
    Uniform {
        /// The format.
        format: VolumeFormat,
        /// The slope and intercept.
        rescale: Rescale,
    },
    /// The format holds the slope and intercept, but ITK, and the programs that use it, ignore them.
    Ignored {
        /// The format.
        format: VolumeFormat,
        /// The slope and intercept.
        rescale: Rescale,
    },
    /// The format cannot hold the slopes and intercepts of the slices.
    Slices {
        /// The format.
        format: VolumeFormat,
    },
}

impl LostRescaling {
    /// Returns the part of the volume's conversion that `format` cannot hold; `None` if it holds all, or no
    /// conversion is known.
    pub fn of(header: &Header, format: VolumeFormat) -> Option<Self> {
        let rescaling = header.rescaling()?;
        let uniform = rescaling.uniform();
        match format {
            VolumeFormat::Bwv | VolumeFormat::Zarr => None,
            VolumeFormat::MetaImage if !header.metadata.contains("\"metaimage\"") => {
                Some(uniform.map_or(Self::Different, |rescale| Self::Ignored { format, rescale }))
            }
            VolumeFormat::MetaImage
            | VolumeFormat::Nifti
            | VolumeFormat::NiftiGz
            | VolumeFormat::NiftiZst => uniform.is_none().then_some(Self::Different),
            _ => Some(match uniform {
                Some(rescale) => Self::Uniform { format, rescale },
                None => Self::Slices { format },
            }),
        }
    }
}

impl fmt::Display for LostRescaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Different => f.write_str("the slices' different slopes or intercepts are lost"),
            Self::Uniform { format, rescale: Rescale { slope, intercept } } => {
                let format = format.title();
                write!(f, "{format} cannot hold the rescale slope {slope} and intercept {intercept}")
            }
            Self::Ignored { format, rescale: Rescale { slope, intercept } } => {
                let format = format.title();
                write!(
                    f,
                    "{format} holds the rescale slope {slope} and intercept {intercept}, but ITK ignores them"
                )
            }
            Self::Slices { format } => {
                write!(f, "{} cannot hold the slices' rescale slopes and intercepts", format.title())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

    #[test]
    fn formats_without_a_place_lose_the_rescaling() {
        let lost = |metadata: &str, format| {
            let mut header = Header::new(VoxelType::I16, Dims::new(1, 1, 2));
            metadata.clone_into(&mut header.metadata);
            LostRescaling::of(&header, format).map_or_else(String::new, |lost| lost.to_string())
        };
        let one = r#"{"dicom":{"RescaleSlope":2,"RescaleIntercept":-1024}}"#;
        assert_eq!(lost(one, VolumeFormat::Nrrd), "NRRD cannot hold the rescale slope 2 and intercept -1024");
        assert!(lost(one, VolumeFormat::MetaImage).ends_with("ITK ignores them"));
        let own = r#"{"metaimage":{"ElementToIntensityFunctionSlope":"2"}}"#;
        assert_eq!(lost(own, VolumeFormat::MetaImage), "");
        for format in [VolumeFormat::Bwv, VolumeFormat::Nifti] {
            assert_eq!(lost(one, format), "");
            assert_eq!(lost("{}", VolumeFormat::Vti), "");
        }
        let two = r#"{"dicom":{"RescaleSlope":[2,3],"RescaleIntercept":[0,1]}}"#;
        assert_eq!(lost(two, VolumeFormat::Nifti), "the slices' different slopes or intercepts are lost");
        assert_eq!(
            lost(two, VolumeFormat::Folder),
            "slices cannot hold the slices' rescale slopes and intercepts"
        );
        assert_eq!(
            (lost(two, VolumeFormat::Bwv), lost(two, VolumeFormat::Zarr)),
            (String::new(), String::new())
        );
    }
}
