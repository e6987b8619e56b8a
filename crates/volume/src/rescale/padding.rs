//! Numbers of voxels that were not measured, as DICOM states them (PS3.3, C.7.5.1.1.2).

use crate::Header;
use serde_json::{Map, Value};

/// Fields of the metadata with the number, and with the other end of a range of numbers.
const FIELDS: [&str; 2] = ["PixelPaddingValue", "PixelPaddingRangeLimit"];

impl Header {
    /// Returns the smallest and the largest stored number of voxels that were not measured; `None` if none is
    /// stated.
    pub fn padding(&self) -> Option<[f64; 2]> {
        let metadata: Value = serde_json::from_str(&self.metadata).ok()?;
        let [value, limit] = FIELDS.map(|name| metadata["dicom"][name].as_f64());
        let limit = limit.or(value)?;
        value.map(|value| [value.min(limit), value.max(limit)])
    }
}

/// Replaces the numbers by `convert`, or removes them where it gives none.
pub fn convert(fields: &mut Map<String, Value>, convert: impl Fn(f64) -> Option<f64>) {
    for name in FIELDS {
        if let Some(value) = fields.remove(name).and_then(|value| convert(value.as_f64()?)) {
            fields.insert(name.to_owned(), value.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dims, Header, VoxelType};

    #[test]
    fn padding_is_a_range_and_follows_the_numbers() {
        let header = |metadata: &str| Header {
            metadata: metadata.to_owned(),
            ..Header::new(VoxelType::I16, Dims::new(1, 1, 2))
        };
        for (metadata, want, physical) in [
            (r#"{"dicom":{"PixelPaddingValue":-2000}}"#, Some([-2000.0; 2]), Some([-2000.0; 2])),
            (
                r#"{"dicom":{"PixelPaddingValue":9,"PixelPaddingRangeLimit":4,"RescaleSlope":-2}}"#,
                Some([4.0, 9.0]),
                Some([-18.0, -8.0]),
            ),
            (r#"{"dicom":{"PixelPaddingValue":9,"RescaleSlope":[1,2]}}"#, Some([9.0; 2]), None),
            (r#"{"dicom":{"PixelPaddingRangeLimit":4}}"#, None, None),
            ("", None, None),
        ] {
            let header = header(metadata);
            assert_eq!(header.padding(), want, "{metadata}");
            assert_eq!(header.with_physical_values().padding(), physical, "{metadata}");
        }
    }
}
