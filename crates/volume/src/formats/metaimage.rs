//! MetaImage: `Key = value` lines up to `ElementDataFile`, then raw voxels (.mha) or the name of their file (.mhd).
//!
//! <https://itk.org/Wiki/ITK/MetaIO/Documentation>. Three axes of one channel are taken, and uncompressed voxels only.

use super::{FormatError, Source, Voxels, line, short};
use crate::{ByteOrder, Dims, Header, Spacing, VoxelType};
use std::io::{self, BufRead, Write};

/// Reads a header, and leaves `source` at the voxels where they follow it.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead) -> Result<Source, FormatError> {
    let (mut read, mut number) = (0, 0);
    let (mut dims, mut voxel_type, mut order) = (None, None, ByteOrder::Little);
    let (mut spacing, mut origin, mut orientation) = (None, None, None);
    let mut skip = 0;
    let mut others = serde_json::Map::new();
    while let Some(text) = line(source, &mut read)? {
        number += 1;
        let Some((key, value)) = text.split_once('=') else {
            return Err(FormatError::Other("MetaImage"));
        };
        let (key, value) = (key.trim(), value.trim());
        let bad = || FormatError::Value { line: number, field: short(key), text: short(value) };
        let unsupported = || FormatError::Unsupported(format!("{} = {}", short(key), short(value)));
        match key {
            "ObjectType" if value != "Image" => return Err(unsupported()),
            "NDims" if value != "3" => return Err(unsupported()),
            "CompressedData" if !value.eq_ignore_ascii_case("false") => return Err(unsupported()),
            "BinaryData" if !value.eq_ignore_ascii_case("true") => return Err(unsupported()),
            "ElementNumberOfChannels" if value != "1" => return Err(unsupported()),
            "ObjectType" | "NDims" | "CompressedData" | "BinaryData" | "ElementNumberOfChannels" => {}
            "BinaryDataByteOrderMSB" | "ElementByteOrderMSB" => {
                let big = value.eq_ignore_ascii_case("true");
                order = if big { ByteOrder::Big } else { ByteOrder::Little };
            }
            "DimSize" => {
                let [x, y, z] = numbers(value).ok_or_else(bad)?;
                let all = Dims::new(x, y, z);
                all.voxel_count().map_err(|_| bad())?;
                dims = Some(all);
            }
            "ElementType" => voxel_type = Some(self::voxel_type(value).ok_or_else(unsupported)?),
            "ElementSpacing" => spacing = Some(numbers(value).ok_or_else(bad)?),
            "Offset" | "Position" | "Origin" => origin = Some(numbers(value).ok_or_else(bad)?),
            "TransformMatrix" | "Rotation" | "Orientation" => {
                orientation = Some(numbers(value).ok_or_else(bad)?)
            }
            "HeaderSize" if value.starts_with('-') => return Err(unsupported()),
            "HeaderSize" => skip = value.parse().map_err(|_| bad())?,
            "ElementDataFile" => {
                if value.starts_with("LIST") || value.contains('%') {
                    return Err(unsupported());
                }
                let voxels = match value {
                    "LOCAL" | "Local" | "local" => Voxels::Attached,
                    name => Voxels::Detached { name: name.to_owned(), skip },
                };
                let mut header = Header::new(
                    voxel_type.ok_or(FormatError::Missing("ElementType"))?,
                    dims.ok_or(FormatError::Missing("DimSize"))?,
                );
                if let Some([x, y, z]) = spacing {
                    header.spacing = Spacing { x, y, z };
                }
                header.origin = origin.unwrap_or(header.origin);
                header.orientation = orientation.unwrap_or(header.orientation);
                if !others.is_empty() {
                    header.metadata = serde_json::json!({ "metaimage": others }).to_string();
                }
                return Ok(Source { header, order, voxels });
            }
            _ => {
                others.insert(key.to_owned(), value.into());
            }
        }
    }
    Err(if number == 0 { FormatError::Other("MetaImage") } else { FormatError::Missing("ElementDataFile") })
}

/// `N` numbers with white space between.
fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let numbers: Option<Vec<T>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    numbers?.try_into().ok()
}

fn voxel_type(name: &str) -> Option<VoxelType> {
    Some(match name {
        "MET_UCHAR" => VoxelType::U8,
        "MET_CHAR" => VoxelType::I8,
        "MET_USHORT" => VoxelType::U16,
        "MET_SHORT" => VoxelType::I16,
        "MET_UINT" => VoxelType::U32,
        "MET_INT" => VoxelType::I32,
        "MET_FLOAT" => VoxelType::F32,
        "MET_ULONG_LONG" => VoxelType::U64,
        "MET_LONG_LONG" => VoxelType::I64,
        "MET_DOUBLE" => VoxelType::F64,
        _ => return None,
    })
}

/// Writes the header of an .mha file, which raw little-endian voxels follow.
///
/// # Errors
/// From `sink`.
pub fn write_header(header: &Header, sink: &mut dyn Write) -> io::Result<()> {
    let name = match header.voxel_type {
        VoxelType::U8 => "MET_UCHAR",
        VoxelType::I8 => "MET_CHAR",
        VoxelType::U16 => "MET_USHORT",
        VoxelType::I16 => "MET_SHORT",
        VoxelType::U32 => "MET_UINT",
        VoxelType::I32 => "MET_INT",
        VoxelType::F32 => "MET_FLOAT",
        VoxelType::U64 => "MET_ULONG_LONG",
        VoxelType::I64 => "MET_LONG_LONG",
        VoxelType::F64 => "MET_DOUBLE",
    };
    let joined = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let Dims { x, y, z } = header.dims;
    let spacing = joined(&[header.spacing.x, header.spacing.y, header.spacing.z]);
    write!(
        sink,
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
         CompressedData = False\nTransformMatrix = {}\nOffset = {}\nElementSpacing = {spacing}\n\
         DimSize = {x} {y} {z}\nElementType = {name}\nElementDataFile = LOCAL\n",
        joined(&header.orientation),
        joined(&header.origin),
    )
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{posed, read_back},
        *,
    };

    #[test]
    fn what_is_written_is_read() {
        let header = posed(VoxelType::F32, Dims::new(3, 4, 5));
        let source = read_back(&header, write_header, read_header);
        assert_eq!(source, Source { header, order: ByteOrder::Little, voxels: Voxels::Attached });
    }

    #[test]
    fn headers_that_make_no_sense_are_refused() {
        let good = "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nBinaryDataByteOrderMSB = True\n\
                    ElementType = MET_SHORT\nElementDataFile = a.raw\n";
        let source = read_header(&mut good.as_bytes()).expect("sound");
        assert_eq!(source.order, ByteOrder::Big);
        assert_eq!(source.voxels, Voxels::Detached { name: "a.raw".to_owned(), skip: 0 });
        for (old, new, reason) in [
            ("NDims = 3", "NDims = 2", "NDims = 2 is not supported"),
            ("2 3 4", "2 0 4", "line 3 of the header, \"DimSize\": \"2 0 4\" is not allowed"),
            ("MET_SHORT", "MET_OTHER", "ElementType = MET_OTHER is not supported"),
            ("ElementDataFile = a.raw\n", "", "the header has no field \"ElementDataFile\""),
            ("ObjectType = Image", "rubbish", "is no MetaImage file"),
            ("NDims = 3", "CompressedData = True", "CompressedData = True is not supported"),
        ] {
            let error = read_header(&mut good.replace(old, new).as_bytes()).expect_err(new).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
