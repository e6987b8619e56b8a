//! Stacks of Zeiss (LSM): a TIFF file with a thumbnail after each page. The samples of a page are channels. A
//! private tag of the first directory, CZ_LSMINFO, states sizes, distances and times. (tifffile and
//! Bio-Formats describe its fields.)

use super::pages::{PageOrder, Pages, filled};
use crate::{FormatError, Note, opened::source::Source};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};

pub const INFO: u64 = 34412;

/// Starts of CZ_LSMINFO, in its two releases.
const MAGIC: [u32; 2] = [0x0300_494c, 0x0400_494c];

/// Bytes up to the last field that is read.
const BYTES: usize = 120;

/// Reads the description of a stack of `page_count` pages. `info` has the count and the position of the tag's
/// bytes, which are little-endian. Returns `None` if the file is no such stack.
///
/// # Errors
/// [`FormatError::Io`].
pub fn read(
    source: &Source,
    info: Option<(u64, u64)>,
    page_count: usize,
) -> Result<Option<Pages>, FormatError> {
    let Some((_, at)) = info.filter(|&(count, _)| count >= BYTES as u64) else { return Ok(None) };
    let mut bytes = [0; BYTES];
    let mut file = source.open()?;
    file.seek(SeekFrom::Start(at))?;
    match file.read_exact(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("within the tag"));
    let number = |at: usize| {
        let number = f64::from_le_bytes(*bytes[at..].first_chunk().expect("within the tag"));
        Some(number).filter(|number| number.is_normal() && *number > 0.0)
    };
    if !MAGIC.contains(&word(0)) {
        return Ok(None);
    }
    let [slices, frames] = [16, 24].map(|at| word(at) as usize);
    let mut notes = Vec::new();
    // Distances are in metres. A product would round twice.
    let millimetres = |at: usize| number(at).and_then(|metres| format!("{metres}e3").parse().ok());
    let spacing = filled([40, 48, 56].map(millimetres), page_count, &mut notes);
    // Other axes, such as positions and tiles, also have pages.
    let is_whole = slices.checked_mul(frames) == Some(page_count);
    notes.extend((!is_whole).then_some(Note::OtherPages { slices, frames, pages: page_count }));
    let (slices, frames) = if is_whole { (slices, frames) } else { (page_count, 1) };
    Ok(Some(Pages {
        slices,
        channels: 1,
        frames,
        order: PageOrder::Steps([1, 1, slices]),
        spacing,
        frame_spacing: number(112),
        notes,
        ..Pages::default()
    }))
}
