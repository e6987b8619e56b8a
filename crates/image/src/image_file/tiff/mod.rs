//! TIFF decoding with the `image` and `tiff` crates, after a scan of the directories.
//!
//! The decoder keeps each value of a tag in 32 bytes. It allocates memory for the number of values that the
//! file claims before limits can be set. The directories are therefore walked first (TIFF 6.0, section 2;
//! BigTIFF has wider fields).
//!
//! The `image` crate decodes common texels. It refuses [`palette`]s and some [`samples`], which are decoded
//! here.

mod chunk_guard;
mod color_tags;
mod directory;
mod numbers;
mod packed;
mod palette;
mod samples;

use super::{
    budget::Budget,
    color::{self, FileColor},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    patched::Patched,
    through_image,
    tracked_reader::{BufReadSeek, TrackedReader},
    words::plain,
};
use crate::{AlphaProduct, ColorSpace};
use ::tiff::{
    TiffError,
    decoder::{Decoder, Limits},
    tags::Tag,
};
use directory::{BLACK_IS_ZERO, Directory};
use image::{ImageDecoder, codecs::tiff::TiffDecoder};
use std::io::{self, BufReader};

/// Maximum memory of a tag's value, in bytes: the decoder's 32, and its copy as a number.
const VALUE_BYTES: u64 = 64;

/// Reason for the colour space of files without a profile.
const NO_PROFILE: &str = "TIFF without ICC profile";

/// Maximum number of texels per byte of the file. Deflate expands a byte to up to 1032 bytes, others to more.
const RATIO: u64 = 1 << 16;

/// Note on a file whose directories are all thumbnails. That of the picture is not in their list.
const THUMBNAIL_NOTE: &str =
    "the picture is a smaller version of another, which is not read (NewSubfileType)";

/// Note on inks whose numbers have another range.
const DOT_RANGE_NOTE: &str = "the DotRange of the inks is not applied";

pub(super) fn decode(
    mut source: TrackedReader<'_>,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let directory = Directory::scan(&mut source)?;
    let mut decoded = texels(source, &directory, keeps_singles, budget)?;
    let has_other_inks = directory.is_cmyk() && directory.has_dot_range();
    decoded.notes.extend(directory.is_thumbnail().then(|| THUMBNAIL_NOTE.to_owned()));
    decoded.notes.extend(has_other_inks.then(|| DOT_RANGE_NOTE.to_owned()));
    Ok(decoded)
}

fn texels(
    mut source: TrackedReader<'_>,
    directory: &Directory,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let value_bytes = directory.greatest_value_count.saturating_mul(VALUE_BYTES);
    chunk_guard::check(&mut source, directory, value_bytes, budget)?;
    if let Some(photometric) = directory.photometric.filter(|_| directory.has_palette()) {
        let grey = directory.patch(photometric, BLACK_IS_ZERO);
        let patches = grey.into_iter().chain(directory.whole_width_patch()).collect();
        return palette::decode(Patched::new(source, patches), directory, value_bytes, budget);
    }
    directory.check_texels()?;
    if directory.is_unusual() {
        return samples::decode(source, directory, value_bytes, keeps_singles, budget);
    }
    let mut decoder = TiffDecoder::new(&mut source as &mut dyn BufReadSeek)?;
    let size = <[u32; 2]>::from(decoder.dimensions());
    let texel_bytes = u64::from(decoder.color_type().bytes_per_pixel());
    // The crate decodes into its own buffer before it copies. For CMYK, that buffer has one more channel.
    let texel_count = u64::from(size[0]) * u64::from(size[1]);
    let own_bytes = texel_count.saturating_mul(texel_bytes + texel_bytes.div_ceil(3));
    let extra = own_bytes.saturating_add(value_bytes).saturating_add(through_image::rows(&decoder));
    through_image::check_plausible(&decoder, texel_bytes, RATIO, budget)?;
    let layout = through_image::layout(decoder.color_type())?;
    let texel_bytes = budget.texel_bytes(size, layout, extra)?;
    // With the limits below, the crate would ignore profiles that are large for a small picture.
    let color = match decoder.icc_profile() {
        Ok(Some(profile)) => color::of_profile("TIFF", &profile),
        _ if directory.has_profile => color::of_profile("TIFF", &[]),
        // Primaries are those of red, green and blue.
        _ if directory.is_cmyk() => color::assumed(NO_PROFILE),
        _ => directory.color_tags.apply(color::assumed(NO_PROFILE)),
    };
    let mut limits = image::Limits::no_limits();
    limits.max_alloc = Some(budget.limit - texel_bytes);
    decoder.set_limits(limits)?;
    let decoded = through_image::decode_any(Box::new(decoder), "TIFF", extra, budget, color);
    let decoded = decoded.map_err(|failure| match failure {
        Failure::Io(error)
            if error.kind() == io::ErrorKind::UnexpectedEof && directory.whole_width().is_some() =>
        {
            Failure::Unsupported(ImageFeature::CutLzwTiles)
        }
        other => other,
    })?;
    let premultiplied = directory.is_premultiplied().then_some(AlphaProduct::Stored);
    let notes = directory.is_cmyk().then(|| color::CMYK_NOTE.to_owned()).into_iter().collect();
    Ok(Decoded { premultiplied, notes, orientation: directory.orientation(), ..decoded })
}

/// The one reader for which decoders are compiled.
type Source<'a> = &'a mut dyn BufReadSeek;

/// Returns a reader without a buffer, for decoders that demand one and do not use it. The position in the
/// file is that of the decoder.
fn unbuffered(source: Patched<'_>) -> BufReader<Patched<'_>> {
    BufReader::with_capacity(0, source)
}

/// Opens a file at a directory.
fn open<'a>(source: Source<'a>, directory: &Directory) -> Result<Decoder<Source<'a>>, Failure> {
    let mut decoder = Decoder::new(source)?;
    if directory.index > 0 {
        decoder.seek_to_image(directory.index)?;
    }
    Ok(decoder)
}

/// Returns limits of `bytes` for each buffer.
fn limits_of(bytes: u64) -> Limits {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    (limits.decoding_buffer_size, limits.intermediate_buffer_size, limits.ifd_value_size) =
        (bytes, bytes, bytes);
    limits
}

/// Returns the colour space. A damaged tag is no reason to refuse the picture.
fn color_of(decoder: &mut Decoder<Source<'_>>, directory: &Directory) -> FileColor {
    match decoder.get_tag_u8_vec(Tag::IccProfile) {
        Ok(profile) => color::of_profile("TIFF", &profile),
        Err(_) if directory.has_profile => color::of_profile("TIFF", &[]),
        Err(_) if directory.is_float() => {
            let reason = "TIFF of floats without ICC profile: linear assumed".to_owned();
            directory.color_tags.apply((ColorSpace::Linear, reason).into())
        }
        Err(_) => directory.color_tags.apply(color::assumed(NO_PROFILE)),
    }
}

impl From<TiffError> for Failure {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) => Self::Io(error),
            TiffError::LimitsExceeded => Self::Limit(None),
            TiffError::UnsupportedError(error) => {
                Self::Unsupported(ImageFeature::Other(plain(&error.to_string())))
            }
            other => Self::Malformed(ImageFault::Decoder(plain(&other.to_string()))),
        }
    }
}
