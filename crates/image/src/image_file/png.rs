//! PNG decoding with the `png` crate, which gives access to the colour chunks.

use super::{
    budget::{Budget, Layout},
    color::{self, FileColor},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    gamma::of_gammas,
    patched::Patched,
    png_chunks::Chunks,
    png_palette::Palette,
    primaries::Primaries,
    tracked_reader::{BufReadSeek, TrackedReader},
    words::plain,
};
use crate::ColorSpace;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Maximum number of bytes of texels per byte of a deflate stream: a match of 258 bytes in 2 bits.
const DEFLATE_RATIO: u64 = 1032;

/// Bytes that the decoder's rows, windows and tables may take besides the texels.
const DECODER_BYTES: u64 = 1 << 20;

/// One of this number of bytes of the limit may be a chunk of metadata: three are held, with unpacked copies.
const METADATA_SHARE: u64 = 8;

/// The chunk at the end of a file.
const IEND: &[u8; 12] = b"\0\0\0\0IEND\xae\x42\x60\x82";

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let chunks = Chunks::scan(&mut source, budget.limit / METADATA_SHARE)?;
    source.rewind()?;
    match decode_patched(source.again(), Vec::new(), chunks, budget) {
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let ends = || Failure::MalformedAt(budget.file_bytes, ImageFault::Ends);
            let end = missing_end(&mut source)?;
            if end.is_empty() {
                return Err(ends());
            }
            source.rewind()?;
            let mut decoded =
                decode_patched(source, end, chunks, budget).map_err(|failure| match failure {
                    Failure::Malformed(_) => ends(),
                    other => other,
                })?;
            decoded.notes.push("the chunk at the end of the file is missing; no texel is".to_owned());
            Ok(decoded)
        }
        decoded => decoded,
    }
}

/// Decodes the file with these bytes after its end.
fn decode_patched(
    mut source: TrackedReader<'_>,
    end: Vec<u8>,
    chunks: Chunks,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let bad_transparency = chunks.transparency.and_then(|chunk| Some((chunk.name_at, chunk.fault()?)));
    if end.is_empty() && chunks.forbidden_matrix.is_none() && bad_transparency.is_none() {
        return decode_from(&mut source, chunks, budget);
    }
    // The crate would refuse a file with a forbidden matrix. With allowed values, the check sum of the chunk
    // is wrong, and the crate leaves the chunk out. It would apply the start of a tRNS chunk that is too
    // long, and leaves out chunks of unknown names.
    let matrix = chunks.forbidden_matrix.map(|at| (at, vec![0, 1]));
    let transparency = bad_transparency.as_ref().map(|(name_at, _)| (*name_at, b"trNS".to_vec()));
    let mut patches: Vec<_> = matrix.into_iter().chain(transparency).collect();
    patches.sort();
    let mut source = BufReader::new(Patched::new(source, patches).with_end(end));
    let mut decoded = decode_from(&mut source, chunks, budget)?;
    if chunks.forbidden_matrix.is_some() {
        let note =
            "the cICP chunk has matrix coefficients or a range that PNG does not allow; it is not applied";
        decoded.color.ignored.push(note.to_owned());
    }
    if let Some((_, fault)) = bad_transparency {
        decoded.notes.push(format!("the tRNS chunk {fault}; it is not applied"));
    }
    Ok(decoded)
}

/// Returns the bytes that are missing at the end of a file which ends after the data of an `IDAT` chunk, or
/// in the chunk after it. The check sum of the data may be missing, too.
fn missing_end(source: &mut TrackedReader<'_>) -> io::Result<Vec<u8>> {
    let length = source.length();
    let (mut at, mut is_after_data) = (8, false);
    loop {
        source.seek(SeekFrom::Start(at))?;
        let mut start = Vec::new();
        source.by_ref().take(IEND.len() as u64).read_to_end(&mut start)?;
        if is_after_data && start.len() < IEND.len() && IEND.starts_with(&start) {
            return Ok(IEND[start.len()..].to_vec());
        }
        let Some((&[l0, l1, l2, l3, name @ ..], _)) = start.split_first_chunk::<8>() else {
            return Ok(Vec::new());
        };
        let data_bytes = u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
        let data_end = at + 8 + data_bytes;
        is_after_data = name == *b"IDAT";
        at = data_end + 4;
        if name == *b"IEND" || data_end > length {
            return Ok(Vec::new());
        }
        if is_after_data && at > length {
            source.seek(SeekFrom::Start(data_end - data_bytes - 4))?;
            let sum = check_sum(source.by_ref().take(data_bytes + 4))?;
            return Ok([&sum[(length - data_end) as usize..], IEND].concat());
        }
    }
}

/// Returns the CRC of all bytes (PNG specification, third edition, 5.5 and annex D).
fn check_sum(bytes: impl Read) -> io::Result<[u8; 4]> {
    let mut sum = u32::MAX;
    for byte in BufReader::new(bytes).bytes() {
        sum ^= u32::from(byte?);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    Ok((!sum).to_be_bytes())
}

fn decode_from(
    source: &mut dyn BufReadSeek,
    chunks: Chunks,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let limit = usize::try_from(budget.limit).unwrap_or(usize::MAX);
    let mut decoder = png::Decoder::new_with_limits(source, png::Limits { bytes: limit });
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(png::Transformations::EXPAND);
    let header = decoder.read_header_info()?;
    let size = [header.width, header.height];
    let is_indexed = header.color_type == png::ColorType::Indexed;
    let raw_bits = u64::from(header.width) * u64::from(header.height);
    let raw_bytes = raw_bits.saturating_mul(header.bits_per_pixel() as u64) / 8;
    // Texels are at least grey. The exact size is checked once the palette's alpha is known.
    let least = budget.texel_bytes(size, Layout::Grey8, 0)?;
    budget.check_plausible(size, least, raw_bytes, DEFLATE_RATIO)?;
    if is_indexed {
        decoder.set_transformations(png::Transformations::IDENTITY);
    }
    let mut reader = decoder.read_info()?;
    let palette = Palette::of(reader.info())?;
    let layout = match reader.output_color_type() {
        (png::ColorType::Grayscale, png::BitDepth::Eight) => Layout::Grey8,
        (png::ColorType::Grayscale, png::BitDepth::Sixteen) => Layout::Grey16,
        (png::ColorType::GrayscaleAlpha, png::BitDepth::Eight) => Layout::GreyAlpha8,
        (png::ColorType::GrayscaleAlpha, png::BitDepth::Sixteen) => Layout::GreyAlpha16,
        (png::ColorType::Rgb, png::BitDepth::Eight) => Layout::Rgb8,
        (png::ColorType::Rgb, png::BitDepth::Sixteen) => Layout::Rgb16,
        (png::ColorType::Rgba, png::BitDepth::Eight) => Layout::Rgba8,
        (png::ColorType::Rgba, png::BitDepth::Sixteen) => Layout::Rgba16,
        (png::ColorType::Indexed, _) if palette.has_alpha() => Layout::Rgba8,
        (png::ColorType::Indexed, _) => Layout::Rgb8,
        (color, depth) => {
            let (channels, bits) = (color.samples() as u64, depth as u64);
            return Err(Failure::Unsupported(ImageFeature::ChannelBits { channels, bits }));
        }
    };
    // A row of RGBA16 is unfiltered in a separate buffer; a few rows are kept.
    let row_bytes = u64::from(size[0]) * 8 * 4;
    // The decoder keeps the profile.
    let profile_bytes = reader.info().icc_profile.as_ref().map_or(0, |profile| profile.len() as u64);
    let extra_bytes = DECODER_BYTES.min(budget.limit / 4) + row_bytes + profile_bytes;
    let texel_bytes = budget.texel_bytes(size, layout, extra_bytes)?;
    budget.check_plausible(size, texel_bytes, raw_bytes, DEFLATE_RATIO)?;
    let mut color = color_of(reader.info());
    if chunks.has_icc_profile && reader.info().icc_profile.is_none() {
        color.ignored.push(color::damaged_profile("PNG"));
    }
    let is_wide = matches!(layout, Layout::Grey16 | Layout::GreyAlpha16 | Layout::Rgb16 | Layout::Rgba16);
    let mut notes = Vec::new();
    let texels = budget.texels(size, layout, |bytes| {
        if is_indexed {
            let unfilled = bytes.len() - palette.index_bytes(size);
            reader.next_frame(&mut bytes[unfilled..])?;
            notes.extend(palette.expand(size, bytes));
            return Ok(());
        }
        reader.next_frame(bytes)?;
        if is_wide {
            for value in bytes.as_chunks_mut::<2>().0 {
                *value = u16::from_be_bytes(*value).to_ne_bytes();
            }
        }
        Ok(())
    })?;
    if chunks.transparency.is_some_and(|chunk| chunk.fault().is_none()) && reader.info().trns.is_none() {
        notes.push("the tRNS chunk is damaged; it is not applied".to_owned());
    }
    let decoded = Decoded::new(size, texels, layout.has_alpha(), chunks.orientation, color);
    Ok(Decoded { notes, ..decoded })
}

impl From<png::DecodingError> for Failure {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::IoError(error) => Self::Io(error),
            png::DecodingError::LimitsExceeded => Self::Limit(None),
            error @ (png::DecodingError::Format(_) | png::DecodingError::Parameter(_)) => {
                Self::Malformed(ImageFault::Decoder(reason(&error.to_string())))
            }
        }
    }
}

/// Returns the crate's message in plain words.
fn reason(text: &str) -> String {
    let text = plain(text);
    if let Some((crc, chunk)) = text.rsplit_once(" while decoding ")
        && crc.starts_with("CRC error")
    {
        return format!("the check sum of the {chunk} is wrong");
    }
    // The name of the decoder's error follows the period.
    match text.split_once(". ") {
        Some((reason @ "corrupt deflate stream", _)) => reason.to_owned(),
        _ => text,
    }
}

/// Returns the colour space. The order of precedence is that of the PNG specification, third edition, 4.3:
/// cICP, iCCP, sRGB, gAMA.
fn color_of(info: &png::Info<'_>) -> FileColor {
    if let Some(stated) = &info.coding_independent_code_points {
        let numbers = [stated.color_primaries, stated.transfer_function];
        return color::of_code_points("PNG cICP chunk", numbers, stated.is_video_full_range_image);
    }
    if let Some(profile) = &info.icc_profile {
        return color::of_profile("PNG", profile);
    }
    if info.srgb.is_some() {
        return (ColorSpace::Srgb, "PNG sRGB chunk".to_owned()).into();
    }
    let primaries = info.chrm_chunk.map(|stated| {
        let point = |(x, y): (png::ScaledFloat, png::ScaledFloat)| {
            // As in libpng, the numbers are signed: blue of ACES AP0 has a negative y.
            [x, y].map(|value| f64::from(value.into_scaled().cast_signed()) / 100_000.0)
        };
        let [red, green, blue, white] = [stated.red, stated.green, stated.blue, stated.white].map(point);
        (Primaries { red, green, blue, white }, "PNG cHRM")
    });
    if let Some(gamma) = info.gama_chunk {
        // Numbers are light raised to this power.
        let inverse = f64::from(gamma.into_scaled()) / 100_000.0;
        let is_linear = (inverse - 1.0).abs() < 0.005;
        let source = if is_linear { "PNG gAMA 1.0".to_owned() } else { format!("PNG gAMA {inverse:.5}") };
        return of_gammas(source, &[1.0 / inverse], primaries);
    }
    let depth = if info.bit_depth == png::BitDepth::Sixteen { "16-bit " } else { "" };
    let mut color = color::assumed(&format!("{depth}PNG without a colour chunk"));
    if let Some((points, source)) = primaries {
        color.set_primaries(points, source);
    }
    color
}
