//! Writes headers.

use super::{TIME_STEP, kept::Kept, place::turned, type_name};
use crate::{header::format_header::frame_step, nifti};
use brickwork_volume::{Dims, Header, VolumeWriteError, space_signs};
use std::{fmt::Write as _, io::Write};

/// Axes of NIfTI's world in Brickwork's space, by the fields of NRRD.
const AXES_OF_NIFTI: &str = "measurement frame: (-1,0,0) (0,-1,0) (0,0,1)\n";

/// True if the header that is written states that vectors are along the axes of NIfTI's world.
pub(crate) fn states_axes_of_vectors(header: &Header) -> bool {
    nifti::are_displacements(header)
        && (header.channels, header.frames) == (3, 1)
        && frame_step(header).is_none()
}

/// Writes a header. Little-endian voxels must follow, compressed by gzip if `packed`. Channels are the first
/// axis, of kind `vector`. Frames are the last axis, of kind `time`. An unknown distance between them is 1
/// there, as SimpleITK reads no other files, and a key states that it is unknown. The fields of a source in
/// NRRD are written again: the space with its own directions, kinds, measurement frame, keys and other fields
/// that still hold.
///
/// # Errors
/// [`VolumeWriteError::Shape`], and errors of `sink`.
pub fn write_header(header: &Header, packed: bool, sink: &mut dyn Write) -> Result<(), VolumeWriteError> {
    header.raw_bytes()?;
    let kept = Kept::of(header);
    let Dims { x, y, z } = header.dims;
    let has_channels = header.channels > 1;
    let step = frame_step(header);
    let has_frames = header.frames > 1 || step.is_some();
    let kinds = kept.kinds(has_channels, has_frames);
    let last = kinds.as_ref().and_then(|kinds| kinds.last()).filter(|_| has_frames);
    // Frames that are not times need no axis of the world.
    let has_time = has_frames && (step.is_some() || last.is_none_or(|kind| *kind == "time"));
    let space = Space::of(header, &kept, has_time);

    let mut sizes = format!("{x} {y} {z}");
    let mut default_kinds = "domain domain domain".to_owned();
    let mut directions = String::new();
    // Each vector has a fourth part for time, as SimpleITK expects.
    let still = if has_time { ",0" } else { "" };
    let lengths = [header.spacing.x, header.spacing.y, header.spacing.z];
    for (direction, length) in header.orientation.as_chunks::<3>().0.iter().zip(lengths) {
        let [a, b, c] = turned(direction.map(|part| part * length), space.signs);
        let _ = write!(directions, " ({a},{b},{c}{still})");
    }
    if has_channels {
        sizes = format!("{} {sizes}", header.channels);
        default_kinds = format!("vector {default_kinds}");
        directions = format!(" none{directions}");
    }
    if has_frames {
        let _ = write!(sizes, " {}", header.frames);
        default_kinds.push_str(" time");
        match has_time {
            true => drop(write!(directions, " (0,0,0,{})", step.unwrap_or(1.0))),
            false => directions.push_str(" none"),
        }
    }
    let kinds = kinds.map_or(default_kinds, |kinds| kinds.join(" "));
    let axis_count = 3 + usize::from(has_channels) + usize::from(has_frames);
    let [a, b, c] = turned(header.origin, space.signs);
    write!(
        sink,
        "NRRD0005\ntype: {}\ndimension: {axis_count}\n{}\nsizes: {sizes}\n\
         space directions:{directions}\nspace origin: ({a},{b},{c}{still})\nkinds: {kinds}\n\
         endian: little\nencoding: {}\n{}{}{}{}\n",
        type_name(header.voxel_type),
        space.line,
        if packed { "gzip" } else { "raw" },
        kept.field_lines(axis_count, 3 + usize::from(has_time)),
        if states_axes_of_vectors(header) { AXES_OF_NIFTI } else { "" },
        if has_time && step.is_none() {
            format!("{}:={}\n", TIME_STEP.0, TIME_STEP.1)
        } else {
            String::new()
        },
        kept.key_lines(),
    )?;
    Ok(())
}

/// Space of the written vectors.
struct Space {
    /// Field that names the space, or states its dimension.
    line: String,
    /// Signs that convert Brickwork's vectors to this space.
    signs: [f64; 3],
}

impl Space {
    /// Returns the space of a source in NRRD. For other sources, returns Brickwork's space if the world is
    /// anatomical.
    fn of(header: &Header, kept: &Kept, has_time: bool) -> Self {
        let ours = "left-posterior-superior";
        let (name, signs) = match kept.field("space") {
            Some(name) if space_signs(name).is_some() => {
                let base = name.strip_suffix("-time").unwrap_or(name);
                // "RAST" is "RAS" with time.
                let base = if base.len() == 4 { &base[..3] } else { base };
                (Some(base), space_signs(name).unwrap_or([1.0; 3]))
            }
            Some(name) if !has_time => return Self { line: format!("space: {name}"), signs: [1.0; 3] },
            Some(_) => (None, [1.0; 3]),
            None => (header.is_anatomical().then_some(ours), [1.0; 3]),
        };
        let line = match (name, has_time) {
            (Some(name), false) => format!("space: {name}"),
            (Some(name), true) if name.len() == 3 => format!("space: {name}T"),
            (Some(name), true) => format!("space: {name}-time"),
            (None, false) => "space dimension: 3".to_owned(),
            (None, true) => "space dimension: 4".to_owned(),
        };
        Self { line, signs }
    }
}
