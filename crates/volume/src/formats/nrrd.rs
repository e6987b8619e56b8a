//! NRRD: text fields, an empty line, raw voxels (<https://teem.sourceforge.net/nrrd/format.html>). NHDR is the header alone.
//!
//! Three axes of voxels are taken, and encodings `raw` only.

use super::{FormatError, Source, Voxels, line, short};
use crate::{ByteOrder, Dims, Header, Spacing, VoxelType};
use std::{
    fmt::Write as _,
    io::{self, BufRead, Write},
};

/// Reads a header, and leaves `source` at the voxels where they follow it.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead) -> Result<Source, FormatError> {
    let mut read = 0;
    let magic = line(source, &mut read)?.unwrap_or_default();
    if !magic.starts_with("NRRD000") {
        return Err(FormatError::Other("NRRD"));
    }
    let mut fields = Fields::default();
    let mut number = 1;
    while let Some(text) = line(source, &mut read)? {
        number += 1;
        if text.is_empty() {
            break;
        }
        fields.take(number, &text)?;
    }
    fields.finish()
}

#[derive(Default)]
struct Fields {
    dims: Option<Dims>,
    voxel_type: Option<VoxelType>,
    order: Option<ByteOrder>,
    raw: Option<bool>,
    spacing: Option<[f64; 3]>,
    directions: Option<[[f64; 3]; 3]>,
    origin: Option<[f64; 3]>,
    data_file: Option<String>,
    skip: u64,
    others: serde_json::Map<String, serde_json::Value>,
}

impl Fields {
    fn take(&mut self, number: usize, text: &str) -> Result<(), FormatError> {
        if text.starts_with('#') {
            return Ok(());
        }
        if let Some((key, value)) = text.split_once(":=") {
            self.others.insert(key.to_owned(), value.into());
            return Ok(());
        }
        let bad = |field: &str, value: &str| FormatError::Value {
            line: number,
            field: short(field),
            text: short(value),
        };
        let Some((field, value)) = text.split_once(": ") else { return Err(bad(text, "")) };
        let value = value.trim();
        let ok = match field {
            "type" => {
                self.voxel_type = voxel_type(value);
                if self.voxel_type.is_none() {
                    return Err(FormatError::Unsupported(format!("the type {:?}", short(value))));
                }
                true
            }
            "dimension" if value != "3" => {
                return Err(FormatError::Unsupported(format!("a dimension of {}", short(value))));
            }
            "sizes" => {
                let sides: Option<Vec<usize>> = value.split_whitespace().map(|n| n.parse().ok()).collect();
                self.dims =
                    sides.and_then(|s| <[usize; 3]>::try_from(s).ok()).map(|[x, y, z]| Dims::new(x, y, z));
                self.dims.is_some_and(|dims| dims.voxel_count().is_ok())
            }
            "endian" => {
                self.order = match value {
                    "little" => Some(ByteOrder::Little),
                    "big" => Some(ByteOrder::Big),
                    _ => None,
                };
                self.order.is_some()
            }
            "encoding" if value == "raw" => {
                self.raw = Some(true);
                true
            }
            "encoding" => return Err(FormatError::Unsupported(format!("the encoding {:?}", short(value)))),
            "spacings" => {
                let numbers: Option<Vec<f64>> = value.split_whitespace().map(|n| n.parse().ok()).collect();
                self.spacing = numbers.and_then(|numbers| numbers.try_into().ok());
                self.spacing.is_some()
            }
            "space directions" => {
                self.directions = (|| {
                    let vectors: Option<Vec<[f64; 3]>> = value.split_whitespace().map(vector).collect();
                    vectors?.try_into().ok()
                })();
                self.directions.is_some()
            }
            "space origin" => {
                self.origin = vector(value);
                self.origin.is_some()
            }
            "data file" | "datafile" => {
                if value.starts_with("LIST") || value.contains('%') {
                    return Err(FormatError::Unsupported("a list of data files".to_owned()));
                }
                self.data_file = Some(value.to_owned());
                true
            }
            "byte skip" | "byteskip" => {
                if value == "-1" {
                    return Err(FormatError::Unsupported("a byte skip of -1".to_owned()));
                }
                self.skip = value.parse().unwrap_or(u64::MAX);
                self.skip < u64::MAX
            }
            "line skip" | "lineskip" if value != "0" => {
                return Err(FormatError::Unsupported("a line skip".to_owned()));
            }
            "dimension" => true,
            _ => {
                self.others.insert(field.to_owned(), value.into());
                true
            }
        };
        if ok { Ok(()) } else { Err(bad(field, value)) }
    }

    fn finish(self) -> Result<Source, FormatError> {
        let dims = self.dims.ok_or(FormatError::Missing("sizes"))?;
        let voxel_type = self.voxel_type.ok_or(FormatError::Missing("type"))?;
        self.raw.ok_or(FormatError::Missing("encoding"))?;
        if voxel_type.byte_count() > 1 && self.order.is_none() {
            return Err(FormatError::Missing("endian"));
        }
        let mut header = Header::new(voxel_type, dims);
        if let Some([x, y, z]) = self.spacing {
            header.spacing = Spacing { x, y, z };
        }
        if let Some(directions) = self.directions {
            let lengths = directions.map(|v| v.iter().map(|c| c * c).sum::<f64>().sqrt());
            header.spacing = Spacing { x: lengths[0], y: lengths[1], z: lengths[2] };
            for (i, part) in header.orientation.iter_mut().enumerate() {
                *part = directions[i / 3][i % 3] / lengths[i / 3];
            }
        }
        header.origin = self.origin.unwrap_or_default();
        if !self.others.is_empty() {
            header.metadata = serde_json::json!({ "nrrd": self.others }).to_string();
        }
        let voxels = match self.data_file {
            None => Voxels::Attached,
            Some(name) => Voxels::Detached { name, skip: self.skip },
        };
        Ok(Source { header, order: self.order.unwrap_or_default(), voxels })
    }
}

/// `(a,b,c)`.
fn vector(text: &str) -> Option<[f64; 3]> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let numbers: Option<Vec<f64>> = inner.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn voxel_type(name: &str) -> Option<VoxelType> {
    Some(match name {
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => VoxelType::U8,
        "signed char" | "int8" | "int8_t" => VoxelType::I8,
        "ushort" | "unsigned short" | "unsigned short int" | "uint16" | "uint16_t" => VoxelType::U16,
        "short" | "short int" | "signed short" | "signed short int" | "int16" | "int16_t" => VoxelType::I16,
        "uint" | "unsigned int" | "uint32" | "uint32_t" => VoxelType::U32,
        "int" | "signed int" | "int32" | "int32_t" => VoxelType::I32,
        "float" => VoxelType::F32,
        "ulonglong" | "unsigned long long" | "unsigned long long int" | "uint64" | "uint64_t" => {
            VoxelType::U64
        }
        "longlong"
        | "long long"
        | "long long int"
        | "signed long long"
        | "signed long long int"
        | "int64"
        | "int64_t" => VoxelType::I64,
        "double" => VoxelType::F64,
        _ => return None,
    })
}

/// Writes a header that raw little-endian voxels follow.
///
/// # Errors
/// From `sink`.
pub fn write_header(header: &Header, sink: &mut dyn Write) -> io::Result<()> {
    let name = match header.voxel_type {
        VoxelType::U8 => "uint8",
        VoxelType::I8 => "int8",
        VoxelType::U16 => "uint16",
        VoxelType::I16 => "int16",
        VoxelType::U32 => "uint32",
        VoxelType::I32 => "int32",
        VoxelType::F32 => "float",
        VoxelType::U64 => "uint64",
        VoxelType::I64 => "int64",
        VoxelType::F64 => "double",
    };
    let Dims { x, y, z } = header.dims;
    let lengths = [header.spacing.x, header.spacing.y, header.spacing.z];
    let mut directions = String::new();
    for (direction, length) in header.orientation.as_chunks::<3>().0.iter().zip(lengths) {
        let [a, b, c] = direction.map(|part| part * length);
        let _ = write!(directions, " ({a},{b},{c})");
    }
    let [a, b, c] = header.origin;
    write!(
        sink,
        "NRRD0004\ntype: {name}\ndimension: 3\nspace dimension: 3\nsizes: {x} {y} {z}\n\
         space directions:{directions}\nspace origin: ({a},{b},{c})\nkinds: domain domain domain\n\
         endian: little\nencoding: raw\n\n"
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
        let header = posed(VoxelType::I16, Dims::new(3, 4, 5));
        let source = read_back(&header, write_header, read_header);
        assert_eq!((source.order, source.voxels), (ByteOrder::Little, Voxels::Attached));
        let metadata = source.header.metadata.clone();
        assert!(metadata.contains("kinds"), "{metadata}");
        assert_eq!(Header { metadata: String::new(), ..source.header }, header);
    }

    #[test]
    fn headers_that_make_no_sense_are_refused() {
        let good = "NRRD0005\ntype: short\ndimension: 3\nsizes: 2 3 4\nendian: big\nencoding: raw\n\n";
        assert_eq!(read_header(&mut good.as_bytes()).expect("sound").order, ByteOrder::Big);
        for (old, new, reason) in [
            ("NRRD0005", "nrrd", "is no NRRD file"),
            ("short", "block", "the type \"block\" is not supported"),
            ("2 3 4", "2 3", "line 4 of the header, \"sizes\": \"2 3\" is not allowed"),
            ("2 3 4", "2 0 4", "line 4 of the header, \"sizes\": \"2 0 4\" is not allowed"),
            ("2 3 4", "99999999999 99999999999 4", "is not allowed"),
            ("encoding: raw", "encoding: gzip", "the encoding \"gzip\" is not supported"),
            ("endian: big\n", "", "the header has no field \"endian\""),
            ("dimension: 3", "dimension: 4", "a dimension of 4 is not supported"),
            ("endian: big", "endian", "line 5 of the header, \"endian\": \"\" is not allowed"),
        ] {
            let error = read_header(&mut good.replace(old, new).as_bytes()).expect_err(new).to_string();
            assert!(error.contains(reason), "{error}");
        }
        let endless = format!("NRRD0004\n{}", "#\n".repeat(1 << 20));
        assert!(matches!(read_header(&mut endless.as_bytes()), Err(FormatError::Long)));
    }
}
