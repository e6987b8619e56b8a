//! JPEG decoding with the `image` crate, after a scan of the markers.
//!
//! If a file ends too early, the decoder fills the rest with grey texels. It also keeps the coefficients of
//! progressive files in memory without counting them. The markers reveal both cases, so they are walked first
//! (ITU-T T.81, annex B). A file may lack its last marker if [`jpeg_data`] finds that no texel is missing.

use super::{
    budget::{Budget, Layout},
    color,
    decoded::Decoded,
    exif,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    gamma::adobe_rgb,
    jpeg_data::{self, DataState},
    patched::{Patch, Patched},
    through_image,
    tracked_reader::{BufReadSeek, TrackedReader},
};
use image::{ImageDecoder, codecs::jpeg::JpegDecoder};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

/// Maximum memory of rows of blocks, in bytes per texel of width: up to 4 components in 16 bits, 32 rows,
/// including the buffers of upsampling.
const ROW_BYTES: u64 = 4 * 2 * 32 * 4;

/// Note about a file without its end-of-image marker.
const NO_END: &str = "the marker at the end of the file is missing; no texel is";

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let frame = Frame::scan(&mut source)?;
    source.seek(SeekFrom::Start(0))?;
    // The decoder keeps the whole file in memory. A buffer without a known size may be twice as large.
    let patches = frame.transform_patches();
    let file_bytes = if patches.is_empty() { budget.file_bytes } else { 3 * budget.file_bytes };
    let extra = frame.coefficient_bytes() + file_bytes + u64::from(frame.size[0]) * ROW_BYTES;
    let layout = if frame.components.len() == 1 { Layout::Grey8 } else { Layout::Rgb8 };
    let texel_bytes = budget.texel_bytes(frame.size, layout, extra)?;
    // Even a block of zeros takes one bit.
    budget.check_plausible(frame.size, texel_bytes.max(extra), frame.block_count() / 8, 1)?;
    let state = jpeg_data::examine(&mut source)?;
    if !frame.has_end && state != DataState::NoEnd {
        return Err(Failure::MalformedAt(budget.file_bytes, ImageFault::Ends));
    }
    let note = match state {
        DataState::Sound => None,
        DataState::NoEnd => Some(NO_END.to_owned()),
        DataState::Damage(at) => {
            Some(format!("the data are damaged at about byte {at}: texels from there on are wrong"))
        }
    };
    source.rewind()?;
    let decoded = if patches.is_empty() {
        decode_from(&mut source, extra, budget)?
    } else {
        decode_from(&mut BufReader::new(Patched::new(source, patches)), extra, budget)?
    };
    let cmyk = (frame.components.len() == 4).then(|| color::CMYK_NOTE.to_owned());
    Ok(Decoded { notes: note.into_iter().chain(cmyk).collect(), ..decoded })
}

fn decode_from(
    source: &mut dyn BufReadSeek,
    extra_bytes: u64,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let mut decoder = Box::new(JpegDecoder::new(source)?);
    // Damaged metadata are no reason to refuse the picture.
    let exif = decoder.exif_metadata().unwrap_or_default();
    let xmp = decoder.xmp_metadata().unwrap_or_default();
    let orientation = exif::orientation(exif.as_deref(), xmp.as_deref());
    let color = match exif.as_deref().is_some_and(exif::is_adobe_rgb) {
        true => adobe_rgb("JPEG Exif colour space"),
        false => color::assumed("JPEG without ICC profile"),
    };
    let decoded = through_image::decode_any(decoder, "JPEG", extra_bytes, budget, color)?;
    Ok(Decoded { orientation, ..decoded })
}

/// Contents of the frame header, and of the segments before it that concern colours.
struct Frame {
    size: [u32; 2],
    /// Horizontal and vertical sampling factors.
    components: Vec<[u64; 2]>,
    /// True if coefficients of the whole image are kept until the last scan: in progressive files, and where
    /// scans do not interleave all components.
    keeps_coefficients: bool,
    is_jfif: bool,
    /// Positions and values of the colour transform in segments of Adobe.
    transforms: Vec<(u64, u8)>,
    /// True if there is an end-of-image marker.
    has_end: bool,
}

impl Frame {
    /// Walks the markers up to the first scan, then searches for the end of the image.
    fn scan(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let mut frame: Option<Self> = None;
        let (mut is_jfif, mut transforms) = (false, Vec::new());
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
            let start = source.position();
            let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
            let is_used = is_frame || matches!(marker, 0xda | 0xe0 | 0xee | 0xf7);
            if !is_used {
                source.seek(SeekFrom::Current(length as i64))?;
                continue;
            }
            let mut segment = Vec::new();
            source.by_ref().take(length).read_to_end(&mut segment)?;
            match (marker, segment.as_slice()) {
                (0xda, _) => {
                    let mut frame = frame.ok_or(Failure::Malformed(ImageFault::NoFrameHeader))?;
                    let scan_components = segment.first().copied().unwrap_or(0);
                    frame.keeps_coefficients |= usize::from(scan_components) < frame.components.len();
                    let has_end = ends(source)?;
                    return Ok(Self { is_jfif, transforms, has_end, ..frame });
                }
                (0xe0, segment) => is_jfif |= segment.starts_with(b"JFIF\0"),
                (0xee, &[b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, transform, ..]) => {
                    transforms.push((start + 11, transform));
                }
                (0xee, _) => {}
                _ => frame = Some(Self::of(marker, &segment)?),
            }
        }
    }

    /// Returns the contents of a frame header.
    fn of(marker: u8, segment: &[u8]) -> Result<Self, Failure> {
        let precision = segment.first().copied().unwrap_or(0);
        if let Some(name) = unread_process(marker, precision) {
            return Err(Failure::Unsupported(ImageFeature::Format { name }));
        }
        let &[_, h1, h0, w1, w0, count, ref components @ ..] = segment else {
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
        let keeps_coefficients = marker == 0xc2;
        let (is_jfif, transforms, has_end) = (false, Vec::new(), false);
        Ok(Self { size, components, keeps_coefficients, is_jfif, transforms, has_end })
    }

    /// Returns the patches of colour transforms that the decoder takes otherwise than libjpeg does
    /// (`default_decompress_parms` in `jdapimin.c`), which other programs follow: JFIF is YCbCr with any
    /// transform, and transforms without a meaning are YCbCr and YCCK.
    fn transform_patches(&self) -> Vec<Patch> {
        let meant = |transform| match (self.components.len(), transform) {
            (3, 0) if !self.is_jfif => 0,
            (3, _) => 1,
            (4, 0) => 0,
            (4, _) => 2,
            // The decoder ignores the transform of grey, if it knows it.
            (_, transform @ 0..=2) => transform,
            (_, 3..) => 1,
        };
        let other = self.transforms.iter().filter(|&&(_, transform)| meant(transform) != transform);
        other.map(|&(at, transform)| (at, vec![meant(transform)])).collect()
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

/// Returns the name of a coding process that is not read (ITU-T T.81, table B.1; T.87), by the marker of its
/// frame header and the bits per sample.
fn unread_process(marker: u8, precision: u8) -> Option<String> {
    Some(match marker {
        0xc3 => "lossless JPEG".to_owned(),
        0xc5..=0xc7 => "hierarchical JPEG".to_owned(),
        0xc9 | 0xca => "JPEG with arithmetic coding".to_owned(),
        0xcb => "lossless JPEG with arithmetic coding".to_owned(),
        0xcd..=0xcf => "hierarchical JPEG with arithmetic coding".to_owned(),
        0xf7 => "JPEG-LS".to_owned(),
        _ if precision != 8 && precision != 0 => format!("JPEG of {precision} bits per sample"),
        _ => return None,
    })
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
