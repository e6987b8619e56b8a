//! WebP decoding with the `image-webp` crate, after a scan of the chunks.
//!
//! The decoder's memory limit covers only metadata, and the bitstreams inside a file have their own sizes.
//! The RIFF chunks are therefore walked first (RFC 9649). The largest bitstream of each kind is counted.

use super::{
    budget::{Budget, Layout},
    color,
    decoded::Decoded,
    exif,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    tracked_reader::TrackedReader,
    words::plain,
};
use image_webp::{DecodingError, WebPDecoder};
use std::io::{Read, Seek, SeekFrom};

/// Maximum size of metadata that is read, in bytes. ICC profiles take a few KiB, at most a few MiB with
/// tables.
const METADATA_BYTES: u64 = 8 << 20;

/// Bytes that the decoder allocates for a partition of a lossy stream before it notices that the file is
/// shorter. The partition's size has 24 bits.
const PARTITION_BYTES: u64 = 1 << 24;

/// Bytes that the decoder's tables and rows may take besides the texels.
const DECODER_BYTES: u64 = 4 << 20;

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let streams = Streams::scan(&mut source)?;
    let mut extra = streams.decoder_bytes() + DECODER_BYTES.min(budget.limit / 4);
    if streams.lossy > 0 {
        extra += PARTITION_BYTES + budget.file_bytes;
    }
    budget.check(extra)?;
    source.seek(SeekFrom::Start(0))?;
    let mut decoder = WebPDecoder::new(source)?;
    let metadata_bytes = budget.file_bytes.min(METADATA_BYTES).min(budget.limit - extra);
    decoder.set_memory_limit(usize::try_from(metadata_bytes).unwrap_or(usize::MAX));
    let size = <[u32; 2]>::from(decoder.dimensions());
    let layout = if decoder.has_alpha() { Layout::Rgba8 } else { Layout::Rgb8 };
    if decoder.is_animated() && u64::from(size[0]) * u64::from(size[1]) >= 1 << 30 {
        return Err(Failure::Unsupported(ImageFeature::AnimationSize));
    }
    budget.texel_bytes(size, layout, extra)?;
    // Damaged metadata is no reason to refuse the picture. A profile that is too large counts as damaged.
    let profile = decoder.icc_profile().unwrap_or_else(|_| Some(Vec::new()));
    let color = match profile {
        Some(profile) => color::of_profile("WebP", &profile),
        None => color::assumed("WebP without ICC profile"),
    };
    let exif = decoder.exif_metadata().unwrap_or_default();
    let xmp = decoder.xmp_metadata().unwrap_or_default();
    let orientation = exif::orientation(exif.as_deref(), xmp.as_deref());
    let texels = budget.texels(size, layout, |bytes| Ok(decoder.read_image(bytes)?))?;
    Ok(Decoded::new(size, texels, layout.has_alpha(), orientation, color))
}

impl From<DecodingError> for Failure {
    fn from(error: DecodingError) -> Self {
        match error {
            DecodingError::IoError(error) => Self::Io(error),
            DecodingError::MemoryLimitExceeded => Self::Limit(None),
            DecodingError::UnsupportedFeature(reason) => {
                Self::Unsupported(ImageFeature::Other(plain(&reason)))
            }
            other => Self::Malformed(ImageFault::Decoder(plain(&other.to_string()))),
        }
    }
}

/// Largest texel counts of the bitstreams in a file.
#[derive(Default)]
struct Streams {
    canvas: u64,
    lossy: u64,
    lossless: u64,
    has_separate_alpha: bool,
    is_animated: bool,
}

impl Streams {
    fn scan(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let mut streams = Self::default();
        let mut position = 12u64;
        while position + 8 <= source.length() {
            source.seek(SeekFrom::Start(position))?;
            // A chunk's header and the examined part of its payload, with zeros after the end of the file.
            let mut start = Vec::with_capacity(18);
            source.by_ref().take(18).read_to_end(&mut start)?;
            start.resize(18, 0);
            let Some(&header) = start.first_chunk::<18>() else { break };
            let [a, b, c, d, s0, s1, s2, s3, payload @ ..] = header;
            let side = |low: u8, middle: u8, high: u8| {
                u64::from(low) | u64::from(middle) << 8 | u64::from(high) << 16
            };
            let length = u64::from(u32::from_le_bytes([s0, s1, s2, s3]));
            match &[a, b, c, d] {
                b"VP8X" => {
                    streams.is_animated |= payload[0] & 2 != 0;
                    let [w, h] = [4, 7].map(|at| 1 + side(payload[at], payload[at + 1], payload[at + 2]));
                    streams.canvas = streams.canvas.max(w * h);
                }
                // A frame tag and a start code of three bytes each, then width and height of 14 bits each.
                // Texels are stored in blocks of 16.
                b"VP8 " => {
                    let [w, h] =
                        [6, 8].map(|at| side(payload[at], payload[at + 1] & 63, 0).next_multiple_of(16));
                    streams.lossy = streams.lossy.max(w * h);
                }
                // A signature byte, then width less one and height less one of 14 bits each.
                b"VP8L" => {
                    let bits = u32::from_le_bytes([payload[1], payload[2], payload[3], payload[4]]);
                    let [w, h] = [bits & 0x3fff, bits >> 14 & 0x3fff].map(|side| u64::from(side) + 1);
                    streams.lossless = streams.lossless.max(w * h);
                }
                b"ALPH" => streams.has_separate_alpha = true,
                b"ANMF" => {
                    // The chunks of the frame are inside, after 16 bytes.
                    position += 8 + 16;
                    continue;
                }
                _ => {}
            }
            position += 8 + length + length % 2;
        }
        Ok(streams)
    }

    /// Returns the bytes that decoding takes besides the texels. Per texel, this is 1.5 for the planes of
    /// lossy streams. Lossless streams take 4, because they are RGBA before they are RGB, and 2 for their
    /// transforms. Alpha planes take 6, because they are decoded as RGBA and then copied twice. A frame and
    /// the canvas of animations take 8.
    fn decoder_bytes(&self) -> u64 {
        let mut bytes = self.lossy * 3 / 2 + self.lossless * 6;
        if self.has_separate_alpha {
            bytes += self.lossy.max(self.canvas) * 6;
        }
        if self.is_animated {
            bytes += self.canvas * 8;
        }
        bytes
    }
}
