//! Writing a header.

use super::type_name;
use crate::{
    Dims, Header, VolumeWriteError,
    formats::{format_header::frame_step, world},
};
use std::{fmt::Write as _, io::Write};

/// Writes a header that little-endian voxels follow, `packed` by gzip or raw. Channels are a first axis
/// of kind `vector`, frames a last one of kind `time`; where the distance between them is not known, it is 1.
///
/// # Errors
/// [`VolumeWriteError::Shape`], or from `sink`.
pub fn write_header(header: &Header, packed: bool, sink: &mut dyn Write) -> Result<(), VolumeWriteError> {
    header.raw_bytes()?;
    let Dims { x, y, z } = header.dims;
    let has_time = header.frames > 1 || frame_step(header).is_some();
    let (mut sizes, mut kinds) = (format!("{x} {y} {z}"), "domain domain domain".to_owned());
    let mut directions = String::new();
    // A fourth part of each vector, for time, as SimpleITK expects.
    let still = if has_time { ",0" } else { "" };
    let lengths = [header.spacing.x, header.spacing.y, header.spacing.z];
    for (direction, length) in header.orientation.as_chunks::<3>().0.iter().zip(lengths) {
        let [a, b, c] = direction.map(|part| part * length);
        let _ = write!(directions, " ({a},{b},{c}{still})");
    }
    if header.channels > 1 {
        sizes = format!("{} {sizes}", header.channels);
        kinds = format!("vector {kinds}");
        directions = format!(" none{directions}");
    }
    if has_time {
        let step = frame_step(header).unwrap_or(1.0);
        let _ = write!(sizes, " {}", header.frames);
        kinds.push_str(" time");
        let _ = write!(directions, " (0,0,0,{step})");
    }
    let dimension = 3 + usize::from(header.channels > 1) + usize::from(has_time);
    let space = match (world::is_known(header), has_time) {
        (true, false) => "space: left-posterior-superior",
        (true, true) => "space: left-posterior-superior-time",
        (false, false) => "space dimension: 3",
        (false, true) => "space dimension: 4",
    };
    let [a, b, c] = header.origin;
    let encoding = if packed { "gzip" } else { "raw" };
    write!(
        sink,
        "NRRD0004\ntype: {}\ndimension: {dimension}\n{space}\nsizes: {sizes}\n\
         space directions:{directions}\nspace origin: ({a},{b},{c}{still})\nkinds: {kinds}\n\
         endian: little\nencoding: {encoding}\n\n",
        type_name(header.voxel_type),
    )?;
    Ok(())
}
