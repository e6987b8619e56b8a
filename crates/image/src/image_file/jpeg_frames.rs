//! Sizes of JPEG images in parts of other files. Decoders allocate as many texels as the image states, which
//! may be more than its part has.

use super::{failure::Failure, fault::ImageFault};
use std::io::{self, Read};

/// Greatest size of the blocks of JPEG, to whose multiple a side may be rounded.
const BLOCK: u32 = 16;

/// The reason why a JPEG image is not decoded as a part of a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum JpegFrameError {
    /// A marker is missing.
    NoMarker,
    /// The image is larger than its part.
    Size {
        /// Width and height of the image.
        size: [u32; 2],
        /// Width and height of the part.
        chunk: [u32; 2],
    },
    /// The reader's error.
    Io(io::Error),
}

impl From<io::Error> for JpegFrameError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<JpegFrameError> for Failure {
    fn from(error: JpegFrameError) -> Self {
        match error {
            JpegFrameError::NoMarker => Self::Malformed(ImageFault::NoMarker),
            JpegFrameError::Size { size, chunk } => Self::Malformed(ImageFault::JpegSize { size, chunk }),
            JpegFrameError::Io(error) => Self::Io(error),
        }
    }
}

/// Checks the size in each frame header of a JPEG image before its first scan. Returns true if there is one.
///
/// # Errors
/// [`JpegFrameError`] if a size is larger than the part's `width` and `height`, rounded up to whole blocks.
pub fn check_frames(image: &mut dyn Read, chunk: [u32; 2]) -> Result<bool, JpegFrameError> {
    let mut has_frame = false;
    let mut start = [0; 2];
    image.read_exact(&mut start)?;
    loop {
        let mut head = [0; 4];
        if image.read_exact(&mut head[..2]).is_err() {
            return Ok(has_frame);
        }
        // Fill bytes precede markers.
        while head[..2] == [0xff, 0xff] {
            image.read_exact(&mut head[1..2])?;
        }
        match head {
            [0xff, 0xd9 | 0xda, ..] => return Ok(has_frame),
            [0xff, ..] => image.read_exact(&mut head[2..])?,
            _ => return Err(JpegFrameError::NoMarker),
        }
        let mut length = u64::from(u16::from_be_bytes([head[2], head[3]])).saturating_sub(2);
        if matches!(head[1], 0xc0..=0xcf) && !matches!(head[1], 0xc4 | 0xc8 | 0xcc) {
            let mut frame = [0; 5];
            image.read_exact(&mut frame)?;
            length = length.saturating_sub(5);
            let [_, y1, y0, x1, x0] = frame;
            let size = [[x1, x0], [y1, y0]].map(|side| u32::from(u16::from_be_bytes(side)));
            let fits =
                |(have, most): (u32, u32)| u64::from(have) <= u64::from(most).next_multiple_of(BLOCK.into());
            if !size.into_iter().zip(chunk).all(fits) {
                return Err(JpegFrameError::Size { size, chunk });
            }
            has_frame = true;
        }
        io::copy(&mut image.take(length), &mut io::sink())?;
    }
}
