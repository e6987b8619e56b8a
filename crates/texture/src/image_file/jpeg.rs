//! JPEG decoding with the `image` crate, after a scan of the markers.
//!
//! If a file ends too early, the decoder fills the rest with grey texels. It also keeps the coefficients of
//! progressive files in memory without counting them. The markers reveal both cases, so they are walked first
//! (ITU-T T.81, annex B).

use super::{
    budget::{Budget, Layout},
    color,
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    jpeg_data, through_image,
    tracked_reader::TrackedReader,
};
use image::codecs::jpeg::JpegDecoder;
use std::io::{BufRead, Read, Seek, SeekFrom};

/// Maximum memory of rows of blocks, in bytes per texel of width: up to 4 components in 16 bits, 32 rows,
/// including the buffers of upsampling.
const ROW_BYTES: u64 = 4 * 2 * 32 * 4;

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let frame = Frame::scan(&mut source)?;
    source.seek(SeekFrom::Start(0))?;
    // The decoder keeps the whole file in memory.
    let extra = frame.coefficient_bytes() + budget.file_bytes + u64::from(frame.size[0]) * ROW_BYTES;
    let layout = if frame.components.len() == 1 { Layout::Grey8 } else { Layout::Rgb8 };
    let texel_bytes = budget.texel_bytes(frame.size, layout, extra)?;
    // Even a block of zeros takes one bit.
    budget.check_plausible(frame.size, texel_bytes.max(extra), frame.block_count() / 8, 1)?;
    let damage = jpeg_data::damage_at(&mut source)?;
    let note = |at| format!("the data are damaged at about byte {at}: texels from there on are wrong");
    source.rewind()?;
    let decoder = JpegDecoder::new(source)?;
    let color = color::assumed("JPEG without ICC profile");
    let decoded = through_image::decode_any(decoder, "JPEG", extra, budget, color)?;
    let cmyk = (frame.components.len() == 4).then(|| color::CMYK_NOTE.to_owned());
    Ok(Decoded { notes: damage.map(note).into_iter().chain(cmyk).collect(), ..decoded })
}

/// Contents of the frame header.
struct Frame {
    size: [u32; 2],
    /// Horizontal and vertical sampling factors.
    components: Vec<[u64; 2]>,
    /// True if coefficients of the whole image are kept until the last scan: in progressive files, and where
    /// scans do not interleave all components.
    keeps_coefficients: bool,
}

impl Frame {
    /// Walks the markers up to the first scan, then searches for the end of the image.
    fn scan(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let mut frame: Option<Self> = None;
        source.seek(SeekFrom::Start(2))?;
        loop {
            let mut marker = byte(source)?;
            if marker != 0xff {
                return Err(Failure::Malformed(ImageFault::NoMarker));
            }
            while marker == 0xff {
                marker = byte(source)?;
            }
            match marker {
                0x01 | 0xd0..=0xd8 => continue,
                0x00 | 0xd9 => return Err(Failure::Malformed(ImageFault::NoImage)),
                _ => {}
            }
            let length = u64::from(byte(source)?) << 8 | u64::from(byte(source)?);
            let length = length.checked_sub(2).ok_or(Failure::Malformed(ImageFault::SegmentLength))?;
            let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
            if !is_frame && marker != 0xda {
                source.seek(SeekFrom::Current(length as i64))?;
                continue;
            }
            let mut segment = Vec::new();
            source.by_ref().take(length).read_to_end(&mut segment)?;
            if marker != 0xda {
                let &[_, h1, h0, w1, w0, count, ref components @ ..] = segment.as_slice() else {
                    return Err(Failure::Malformed(ImageFault::FrameHeader));
                };
                let components: Vec<_> = components
                    .as_chunks::<3>()
                    .0
                    .iter()
                    .take(count.into())
                    .map(|&[_, sampling, _]| [u64::from(sampling >> 4), u64::from(sampling & 15)])
                    .collect();
                if components.is_empty() || components.as_flattened().iter().any(|s| !(1..=4).contains(s)) {
                    return Err(Failure::Malformed(ImageFault::Components));
                }
                let size = [[w1, w0], [h1, h0]].map(|side| u16::from_be_bytes(side).into());
                frame = Some(Self { size, components, keeps_coefficients: marker == 0xc2 });
                continue;
            }
            let mut frame = frame.ok_or(Failure::Malformed(ImageFault::NoFrameHeader))?;
            let scan_components = segment.first().copied().unwrap_or(0);
            frame.keeps_coefficients |= usize::from(scan_components) < frame.components.len();
            return if ends(source)? { Ok(frame) } else { Err(Failure::Malformed(ImageFault::Ends)) };
        }
    }

    /// Returns the number of 8×8 blocks of all components, padded to whole MCUs.
    fn block_count(&self) -> u64 {
        let most = |axis: usize| self.components.iter().map(|s| s[axis]).max().unwrap_or(1);
        let mcus =
            u64::from(self.size[0]).div_ceil(8 * most(0)) * u64::from(self.size[1]).div_ceil(8 * most(1));
        mcus * self.components.iter().map(|[h, v]| h * v).sum::<u64>()
    }

    fn coefficient_bytes(&self) -> u64 {
        if self.keeps_coefficients { self.block_count() * 64 * 2 } else { 0 }
    }
}

fn byte(source: &mut TrackedReader<'_>) -> Result<u8, Failure> {
    let mut byte = [0];
    source.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// True if an end-of-image marker follows. In entropy-coded data, 0 or a restart marker follows 0xff, so the
/// search is unambiguous.
fn ends(source: &mut TrackedReader<'_>) -> Result<bool, Failure> {
    let mut after_ff = false;
    loop {
        let buffer = source.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        for &byte in buffer {
            if after_ff && byte == 0xd9 {
                return Ok(true);
            }
            after_ff = byte == 0xff;
        }
        let count = buffer.len();
        source.consume(count);
    }
}
