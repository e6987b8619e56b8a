//! Formats that the `image` crate decodes.

use super::{
    budget::{Budget, Layout},
    color::{self, FileColor},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    tracked_reader::TrackedReader,
    words::plain,
};
use image::{
    ColorType, ExtendedColorType, ImageDecoder, ImageError, Limits,
    codecs::{
        gif::GifDecoder,
        pnm::{PnmDecoder, PnmSubtype, SampleEncoding},
    },
    error::{LimitErrorKind, UnsupportedErrorKind},
};
use std::{
    error::Error as _,
    io::{self, BufRead as _, Read, Seek, SeekFrom},
};

/// Maximum memory of a decoder's rows and tables, besides the texels, in bytes per texel of width.
pub(super) const ROW_BYTES: u64 = 32;

pub(super) fn decode_gif(source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let mut decoder = GifDecoder::new(source)?;
    // A 12-bit LZW code represents up to 4096 texels.
    check_plausible(&decoder, 1, 4096, budget)?;
    let extra = rows(&decoder);
    let [width, height] = <[u32; 2]>::from(decoder.dimensions());
    let texel_bytes = budget.texel_bytes([width, height], Layout::Rgba8, extra)?;
    // Memory that the frame may take if it is narrower than the picture.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(budget.limit - texel_bytes - extra);
    decoder.set_limits(limits)?;
    let decoded = decode_any(Box::new(decoder), "GIF", extra, budget, color::assumed("GIF"));
    let mut decoded = decoded.map_err(|failure| match failure {
        // The decoder's message for a frame without texels.
        Failure::Malformed(ImageFault::Decoder(text)) if text == "odd-sized buffer" => {
            Failure::Malformed(ImageFault::NoFrameTexels)
        }
        other => other,
    })?;
    decoded.has_alpha = !decoded.texels.is_opaque();
    Ok(decoded)
}

/// Maximum length of a PAM header, in bytes. The decoder reads it line by line into memory.
const PAM_HEADER_BYTES: u64 = 1 << 16;

pub(super) fn decode_pnm(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let mut header = Vec::new();
    source.by_ref().take(2).read_to_end(&mut header)?;
    if header == b"P7" {
        source.by_ref().take(PAM_HEADER_BYTES).read_to_end(&mut header)?;
        if !header.windows(6).any(|window| window == b"ENDHDR") {
            return Err(Failure::Malformed(ImageFault::NoHeaderEnd));
        }
    }
    source.seek(SeekFrom::Start(0))?;
    let decoder = PnmDecoder::new(source.again())?;
    // At least one bit per sample.
    check_plausible(&decoder, 1, 8, budget)?;
    let extra = rows(&decoder);
    let assumed = color::assumed("PNM says nothing about colour");
    let mut decoded = decode_any(Box::new(decoder), "PNM", extra, budget, assumed)?;
    decoded.notes.extend(note_of_rest(source)?);
    Ok(decoded)
}

/// Returns a note about the bytes after the first image of a PNM file, at which `source` is. Files of binary
/// images may have several (<https://netpbm.sourceforge.net/doc/ppm.html>).
fn note_of_rest(mut source: TrackedReader<'_>) -> io::Result<Option<String>> {
    skip_space(&mut source)?;
    let (length, rest_bytes) = (source.length(), source.length().saturating_sub(source.position()));
    let mut images = 0u64;
    while source.position() < length {
        let Ok(decoder) = PnmDecoder::new(source.again().take(PAM_HEADER_BYTES)) else { break };
        let [width, height] = <[u32; 2]>::from(decoder.dimensions()).map(u64::from);
        let (is_text, raster_bytes) = match decoder.subtype() {
            PnmSubtype::Bitmap(SampleEncoding::Binary) => (false, width.div_ceil(8).saturating_mul(height)),
            PnmSubtype::Bitmap(encoding) | PnmSubtype::Graymap(encoding) | PnmSubtype::Pixmap(encoding) => {
                (encoding == SampleEncoding::Ascii, decoder.total_bytes())
            }
            PnmSubtype::ArbitraryMap => (false, decoder.total_bytes()),
        };
        let end = source.position().saturating_add(raster_bytes);
        if end > length && !is_text {
            break;
        }
        images += 1;
        // The length of text is not known.
        if is_text {
            break;
        }
        source.seek(SeekFrom::Start(end))?;
        skip_space(&mut source)?;
    }
    let further = match images {
        0 => String::new(),
        1 => ", among them 1 further image".to_owned(),
        _ => format!(", among them {images} further images"),
    };
    let bytes = if rest_bytes == 1 { "byte" } else { "bytes" };
    let note = format!("not read: {rest_bytes} {bytes} after the first image{further}");
    Ok((rest_bytes > 0).then_some(note))
}

/// Moves to the next byte that is no space.
fn skip_space(source: &mut TrackedReader<'_>) -> io::Result<()> {
    loop {
        let buffer = source.fill_buf()?;
        let count = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_end = count < buffer.len() || buffer.is_empty();
        source.consume(count);
        if is_end {
            return Ok(());
        }
    }
}

/// Returns the bytes that the decoder's rows and tables may take.
pub(super) fn rows(decoder: &dyn ImageDecoder) -> u64 {
    u64::from(decoder.dimensions().0) * ROW_BYTES
}

/// Calls [`Budget::check_plausible`] for a decoder that expands a byte of the file to at most `ratio` bytes,
/// with `raw_texel_bytes` per texel.
pub(super) fn check_plausible(
    decoder: &dyn ImageDecoder,
    raw_texel_bytes: u64,
    ratio: u64,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let (width, height) = decoder.dimensions();
    let raw_bytes = (u64::from(width) * u64::from(height)).saturating_mul(raw_texel_bytes);
    budget.check_plausible([width, height], decoder.total_bytes(), raw_bytes, ratio)
}

/// Decodes the picture if its texels and `extra_bytes` for the decoder fit the budget. The colour space is
/// that of the ICC profile if there is one, else `assumed`. The orientation is not applied.
pub(super) fn decode_any(
    mut decoder: Box<dyn ImageDecoder + '_>,
    format: &str,
    extra_bytes: u64,
    budget: &Budget<'_>,
    assumed: FileColor,
) -> Result<Decoded, Failure> {
    let size = <[u32; 2]>::from(decoder.dimensions());
    let layout = layout(decoder.color_type())?;
    budget.texel_bytes(size, layout, extra_bytes)?;
    // A damaged profile or tag is no reason to refuse the picture.
    let profile = decoder.icc_profile().unwrap_or_else(|_| Some(Vec::new()));
    let color = profile.map_or(assumed, |profile| color::of_profile(format, &profile));
    let texels = budget.texels(size, layout, |bytes| Ok(decoder.read_image(bytes)?))?;
    Ok(Decoded::upright(size, texels, layout.has_alpha(), color))
}

pub(super) fn layout(color_type: ColorType) -> Result<Layout, Failure> {
    Ok(match color_type {
        ColorType::L8 => Layout::Grey8,
        ColorType::La8 => Layout::GreyAlpha8,
        ColorType::Rgb8 => Layout::Rgb8,
        ColorType::Rgba8 => Layout::Rgba8,
        ColorType::L16 => Layout::Grey16,
        ColorType::La16 => Layout::GreyAlpha16,
        ColorType::Rgb16 => Layout::Rgb16,
        ColorType::Rgba16 => Layout::Rgba16,
        ColorType::Rgb32F | ColorType::Rgba32F => {
            return Err(Failure::Unsupported(ImageFeature::Numbers { bits: 32, kind: "numbers" }));
        }
        _ => return Err(Failure::Unsupported(ImageFeature::OtherTexels)),
    })
}

impl From<ImageError> for Failure {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::IoError(error) => Self::Io(error),
            ImageError::Unsupported(error) => match error.kind() {
                // No file contains more texels than 64 bits can count.
                UnsupportedErrorKind::GenericFeature(reason) if reason.ends_with("are too large") => {
                    Self::Malformed(ImageFault::Decoder(plain(&reason)))
                }
                UnsupportedErrorKind::GenericFeature(reason) => {
                    Self::Unsupported(ImageFeature::Other(plain(&reason)))
                }
                UnsupportedErrorKind::Color(ExtendedColorType::Unknown(bits)) => {
                    Self::Unsupported(ImageFeature::TexelBits { channels: None, bits: bits.into() })
                }
                UnsupportedErrorKind::Color(color) => {
                    let (channels, bits) =
                        (Some(color.channel_count().into()), color.bits_per_pixel().into());
                    Self::Unsupported(ImageFeature::TexelBits { channels, bits })
                }
                _ => Self::Unsupported(ImageFeature::Other(plain(&error.to_string()))),
            },
            // The introductory words are left out.
            ImageError::Decoding(error) => {
                let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                if reason.eq_ignore_ascii_case("unexpected end of file") {
                    return Self::Io(io::ErrorKind::UnexpectedEof.into());
                }
                Self::Malformed(ImageFault::Decoder(plain(&reason)))
            }
            ImageError::Limits(error) if error.kind() == LimitErrorKind::InsufficientMemory => {
                Self::Limit(None)
            }
            other => Self::Malformed(ImageFault::Decoder(plain(&other.to_string()))),
        }
    }
}
