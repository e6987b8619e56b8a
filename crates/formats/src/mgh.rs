//! FreeSurfer's volumes (`.mgh`, packed `.mgz`): a header of 284 bytes, big-endian, then voxels, then
//! parameters of the scan. <https://surfer.nmr.mgh.harvard.edu/fswiki/FsTutorial/MghFormat>

use crate::{
    FormatError, FormatHeader, GeometryFault, MghFeature, Note, StorageOrder, VoxelEncoding, VoxelLocation,
    header::{format_header::set_metadata, geometry::Field},
};
use brickwork_volume::{BufReadSeek, ByteOrder, Dims, Header, Spacing, VoxelType};
use std::io::{self, BufRead, Read as _, SeekFrom};

const HEADER_BYTES: usize = 284;
const VERSION: i32 = 1;

/// True if a file that starts so is of this format: it has no other magic number than its version.
pub fn is_start(start: &[u8]) -> bool {
    let number = |at: usize| Some(i32::from_be_bytes(*start.get(at..)?.first_chunk()?));
    let sizes = || [4, 8, 12, 16].map(number).iter().all(|size| size.is_some_and(|size| size > 0));
    let has_geometry = start.get(28..30).is_some_and(|flag| matches!(flag, [0, 0 | 1]));
    number(0) == Some(VERSION)
        && sizes()
        && number(20).is_some_and(|kind| voxel_type(kind).is_ok())
        && has_geometry
}

fn voxel_type(kind: i32) -> Result<VoxelType, FormatError> {
    match kind {
        0 => Ok(VoxelType::U8),
        1 => Ok(VoxelType::I32),
        3 => Ok(VoxelType::F32),
        4 => Ok(VoxelType::I16),
        10 => Ok(VoxelType::U16),
        _ => Err(MghFeature::Type(kind).into()),
    }
}

/// Reads an unpacked header, and leaves `source` at the voxels.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead) -> Result<FormatHeader, FormatError> {
    let mut bytes = [0; HEADER_BYTES];
    source.read_exact(&mut bytes)?;
    let number = |at: usize| i32::from_be_bytes(*bytes[at..].first_chunk().expect("four bytes"));
    if number(0) != VERSION {
        return Err(FormatError::Other("MGH"));
    }
    let size = |name: &str, at: usize| {
        let value = number(at);
        let wrong = || FormatError::Number { field: name.to_owned(), value: value.to_string() };
        usize::try_from(value).ok().filter(|&size| size > 0).ok_or_else(wrong)
    };
    let dims = Dims::new(size("width", 4)?, size("height", 8)?, size("depth", 12)?);
    let frames = size("nframes", 16)?;
    let mut header = Header::new(voxel_type(number(20))?, dims).with(|header| header.frames = frames);
    header.raw_bytes()?;
    let has_geometry = bytes[28..30] != [0, 0];
    if has_geometry {
        place(&bytes[30..], &mut header)?;
    }
    set_metadata(&mut header, serde_json::json!({ "mgh": { "goodRASFlag": i32::from(has_geometry) } }));
    Ok(FormatHeader {
        header,
        order: ByteOrder::Big,
        voxels: VoxelLocation::Attached,
        encoding: VoxelEncoding::Raw,
        skipped_lines: 0,
        storage_order: StorageOrder::FramesLast,
        notes: if has_geometry { Vec::new() } else { vec![Note::UnknownDirections { format: "MGH" }] },
    })
}

/// Returns the time between frames in seconds, which is the first number after `byte_count` bytes of voxels
/// (TR, in milliseconds); 0 if the file has none or it cannot be read. Leaves `voxels` at the first voxel.
/// A packed file is unpacked up to this number, and again when its voxels are read.
///
/// # Errors
/// Errors of `voxels` that prevent its return to the first voxel.
pub fn frame_spacing(voxels: &mut dyn BufReadSeek, byte_count: u64) -> io::Result<f64> {
    let start = voxels.stream_position()?;
    let mut bytes = Vec::new();
    // Voxels that are missing are an error when they are read.
    let read = voxels
        .seek(SeekFrom::Start(start.saturating_add(byte_count)))
        .and_then(|_| (&mut *voxels).take(4).read_to_end(&mut bytes));
    voxels.seek(SeekFrom::Start(start))?;
    let time = read.ok().and_then(|_| Some(f32::from_be_bytes(*bytes.first_chunk()?)));
    let time = time.filter(|time| time.is_normal() && *time > 0.0).unwrap_or(0.0);
    Ok(time.to_string().parse::<f64>().unwrap_or(0.0) / 1000.0)
}

/// Sets spacing, directions and origin: the file has the distances, the directions, and the place of the
/// middle, in a world that points right, anterior and superior.
fn place(bytes: &[u8], header: &mut Header) -> Result<(), FormatError> {
    let floats = |at: usize| -> [f64; 3] {
        [0, 1, 2].map(|i| {
            let float = f32::from_be_bytes(*bytes[4 * (at + i)..].first_chunk().expect("four bytes"));
            // The number of fewest digits.
            float.to_string().parse().unwrap_or(f64::from(float))
        })
    };
    let text = |numbers: [f64; 3]| format!("{numbers:?}");
    let spacing = floats(0);
    let spacing_text = text(spacing);
    let field = Field { name: "spacing", text: &spacing_text };
    let [x, y, z] = spacing.map(|length| field.length(length));
    header.spacing = Spacing { x: x?, y: y?, z: z? };
    // Zero keeps its sign.
    let turned = |[x, y, z]: [f64; 3]| {
        [x, y].map(|part| if part == 0.0 { part } else { -part }).into_iter().chain([z])
    };
    let directions: Vec<f64> = [3, 6, 9].into_iter().flat_map(|at| turned(floats(at))).collect();
    header.orientation.copy_from_slice(&directions);
    let directions_text = format!("{directions:?}");
    Field { name: "Mdc", text: &directions_text }.check_orientation(&header.orientation)?;
    let middle = floats(12);
    let middle_text = text(middle);
    if middle.iter().any(|part| !part.is_finite()) {
        return Err(Field { name: "c_ras", text: &middle_text }.refused(GeometryFault::NotFinite));
    }
    let half = [
        header.dims.x as f64 / 2.0 * header.spacing.x,
        header.dims.y as f64 / 2.0 * header.spacing.y,
        header.dims.z as f64 / 2.0 * header.spacing.z,
    ];
    for (axis, middle) in turned(middle).enumerate() {
        let offset = |column: usize| header.orientation[3 * column + axis] * half[column];
        header.origin[axis] = middle - offset(0) - offset(1) - offset(2);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of 4×6×8 voxels, in the order of FreeSurfer's conformed volumes.
    fn file(kind: i32, has_geometry: u8, spacing: f32) -> Vec<u8> {
        let mut bytes: Vec<u8> = [1, 4, 6, 8, 2, kind, 0].into_iter().flat_map(i32::to_be_bytes).collect();
        bytes.extend([0, has_geometry]);
        let directions = [-1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0];
        let floats = [[spacing, 0.5, 2.0].as_slice(), &directions, &[5.0, -7.5, 9.0]].concat();
        bytes.extend(floats.into_iter().flat_map(f32::to_be_bytes));
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend(b"voxels");
        bytes
    }

    #[test]
    fn the_middle_and_directions_place_the_volume() {
        let bytes = file(4, 1, 0.1);
        assert!(is_start(&bytes));
        let mut rest = bytes.as_slice();
        let found = read_header(&mut rest).expect("a header");
        assert_eq!((rest, found.order), (&b"voxels"[..], ByteOrder::Big));
        let header = found.header;
        assert_eq!((header.dims, header.frames, header.voxel_type), (Dims::new(4, 6, 8), 2, VoxelType::I16));
        assert_eq!(header.spacing, Spacing { x: 0.1, y: 0.5, z: 2.0 });
        assert_eq!(header.orientation, [1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, -1.0, 0.0]);
        // nibabel: Mdc · (−half) + c_ras = (5.2, −15.5, 10.5) in its world.
        assert_eq!(header.origin, [-5.2, 15.5, 10.5]);
        assert!(header.is_anatomical());
    }

    #[test]
    fn unusable_numbers_are_refused() {
        let error = read_header(&mut file(4, 1, 0.0).as_slice()).expect_err("no spacing");
        assert!(error.to_string().contains("spacing"), "{error}");
        let error = read_header(&mut file(7, 1, 1.0).as_slice()).expect_err("no such type");
        assert!(error.to_string().contains("type 7"), "{error}");
        assert!(!is_start(&file(7, 1, 1.0)));
        let header = read_header(&mut file(0, 0, 0.0).as_slice()).expect("no geometry").header;
        assert_eq!((header.spacing.x, header.is_anatomical()), (1.0, false));
    }
}
