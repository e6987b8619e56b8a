//! The headers of a codestream (T.800, Annex A), before the decoder gets it.

use crate::{FormatError, JpegFault, JpegFeature, SliceShape};
use brickwork_volume::VoxelType;

const START: [u8; 4] = [0xff, 0x4f, 0xff, 0x51];

/// Maximum size of a tile, and of an image with tiles: below, sums of positions have 32 bits.
const MAX_SIDE: u32 = 1 << 30;

/// Returns the codestream of an image, without the boxes that some programs write around it (Annex I).
pub fn codestream(mut stream: &[u8]) -> Result<&[u8], FormatError> {
    while !stream.starts_with(&START) {
        let Some((&[a, b, c, d, kind @ ..], content)) = stream.split_first_chunk::<8>() else {
            return Err(JpegFault::Start.into());
        };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        match (length, kind == *b"jp2c") {
            (_, true) => stream = content,
            (8.., false) if length <= stream.len() => stream = &stream[length..],
            _ => return Err(JpegFault::Start.into()),
        }
    }
    Ok(stream)
}

/// Properties of a codestream that `check` returns.
pub struct Samples {
    /// Bits per sample.
    pub precision: u32,
    pub is_signed: bool,
    /// True if blocks are coded by HTJ2K (T.814).
    pub has_fast_blocks: bool,
}

/// Checks the headers of a codestream against the slice.
///
/// # Errors
/// [`JpegFeature`] of a codestream that differs from the slice or is not supported; [`JpegFault`].
pub fn check(codestream: &[u8], shape: SliceShape) -> Result<Samples, FormatError> {
    let mut segments = Segments { rest: &codestream[2..] };
    let Some((_, siz)) = segments.next()? else { return Err(JpegFault::End.into()) };
    let mut samples = size(siz, shape)?;
    let mut tile_bytes = None;
    loop {
        let before = segments.rest.len();
        let Some((marker, segment)) = segments.next()? else { break };
        let is_of_tile = tile_bytes.is_some();
        match marker {
            // COD, COC.
            0x52 | 0x53 if is_of_tile => return unsupported("coding parameters in a tile header"),
            0x52 => {
                let [style, _, high, low, _, rest @ ..] = segment else {
                    return Err(JpegFault::SegmentEnd.into());
                };
                match u16::from_be_bytes([*high, *low]) {
                    0 => return Err(JpegFault::Parameters.into()),
                    // The decoder keeps something for each block and layer, and has this limit.
                    1..=32 => samples.has_fast_blocks |= coding(rest, style & 1 == 1)?,
                    33.. => return unsupported("more than 32 layers"),
                }
            }
            0x53 => {
                let [_, style, rest @ ..] = segment else { return Err(JpegFault::SegmentEnd.into()) };
                samples.has_fast_blocks |= coding(rest, style & 1 == 1)?;
            }
            0x5e => return unsupported("a region of interest"),
            0x5f => return unsupported("progression order changes (POC)"),
            0x60 | 0x61 => return unsupported("packed packet headers (PPM, PPT)"),
            // SOT.
            0x90 => {
                let &[_, _, a, b, c, d, ..] = segment else { return Err(JpegFault::SegmentEnd.into()) };
                let length = u32::from_be_bytes([a, b, c, d]) as usize;
                tile_bytes = Some((before, if length == 0 { before } else { length }));
            }
            // SOD.
            0x93 => {
                let Some((start, length)) = tile_bytes else { return Err(JpegFault::NoFrame.into()) };
                let used = start - segments.rest.len();
                let Some(rest) = length.checked_sub(used).and_then(|left| segments.rest.get(left..)) else {
                    return Err(JpegFault::SegmentEnd.into());
                };
                segments.rest = rest;
            }
            _ => {}
        }
    }
    Ok(samples)
}

fn unsupported<T>(what: &'static str) -> Result<T, FormatError> {
    Err(JpegFeature::Jpeg2000(what).into())
}

/// The marker segments of headers.
struct Segments<'a> {
    rest: &'a [u8],
}

impl<'a> Segments<'a> {
    /// Returns the next marker, without 0xff, and its segment. `None` at the end of the image.
    fn next(&mut self) -> Result<Option<(u8, &'a [u8])>, FormatError> {
        let (marker, rest) = match self.rest {
            [] | [0xff, 0xd9, ..] => return Ok(None),
            [0xff, marker, rest @ ..] => (*marker, rest),
            _ => return Err(JpegFault::SegmentEnd.into()),
        };
        // SOD, and markers without a segment.
        if matches!(marker, 0x93 | 0x30..=0x3f) {
            self.rest = rest;
            return Ok(Some((marker, &[])));
        }
        let length = rest.first_chunk().map_or(0, |&length| usize::from(u16::from_be_bytes(length)));
        let Some(segment) = rest.get(2..length) else { return Err(JpegFault::SegmentEnd.into()) };
        self.rest = &rest[length..];
        Ok(Some((marker, segment)))
    }
}

/// Checks the segment SIZ (A.5.1).
fn size(segment: &[u8], shape: SliceShape) -> Result<Samples, FormatError> {
    let (numbers, components) = segment.split_at_checked(36).ok_or(JpegFault::FrameEnd)?;
    let number = |at| u32::from_be_bytes(std::array::from_fn(|i| numbers[at + i]));
    let [width, height, x, y, tile_width, tile_height, tile_x, tile_y] =
        [2, 6, 10, 14, 18, 22, 26, 30].map(number);
    let SliceShape { voxel_type, channels, .. } = shape;
    if numbers[0] & 0x80 != 0 {
        return unsupported("extensions");
    }
    if [x, y, tile_x, tile_y] != [0; 4] {
        return unsupported("an image or tile offset");
    }
    if (width as usize, height as usize) != (shape.width, shape.height) {
        return Err(JpegFeature::Size { width, height, slice: shape }.into());
    }
    let count = u16::from_be_bytes([numbers[34], numbers[35]]);
    let components = components.as_chunks::<3>().0;
    if usize::from(count) != channels || components.len() != channels {
        return Err(JpegFeature::Components { count, channels }.into());
    }
    if components.iter().any(|&[depth, x, y]| (depth, x, y) != (components[0][0], 1, 1)) {
        return Err(JpegFeature::Subsampling.into());
    }
    let (bits, is_signed) = (u32::from(components[0][0] & 0x7f) + 1, components[0][0] & 0x80 != 0);
    if bits > voxel_type.bit_count() || voxel_type.byte_count() > 2 {
        return Err(JpegFeature::Precision { bits, voxel_type }.into());
    }
    if is_signed && !matches!(voxel_type, VoxelType::I8 | VoxelType::I16) {
        return Err(JpegFeature::Signed { bits, voxel_type }.into());
    }
    let is_side = |side| (1..=MAX_SIDE).contains(&side);
    if ![width, height, tile_width, tile_height].into_iter().all(is_side) {
        return unsupported("a tile without texels, or of more than 2^30");
    }
    // A tile takes more memory than its samples, if it has few.
    let tiles = u64::from(width.div_ceil(tile_width)) * u64::from(height.div_ceil(tile_height));
    if tiles > 64.max(u64::from(width) * u64::from(height) / 256) {
        return unsupported("tiles of less than 256 samples");
    }
    Ok(Samples { precision: bits, is_signed, has_fast_blocks: false })
}

/// Checks the parameters that COD and COC share (A.6.1, A.6.2), which determine the number of blocks. Returns
/// true if the blocks are coded by HTJ2K.
fn coding(parameters: &[u8], has_precincts: bool) -> Result<bool, FormatError> {
    let &[levels, block_x, block_y, style, wavelet, ref precincts @ ..] = parameters else {
        return Err(JpegFault::SegmentEnd.into());
    };
    if style & 0x80 != 0 {
        return unsupported("blocks of two kinds");
    }
    let has_fast_blocks = style & 0x40 != 0;
    // The decoder of these blocks takes the smallest number that a quantized one may be, not the middle.
    if has_fast_blocks && wavelet == 0 {
        return unsupported("the irreversible wavelet in HTJ2K");
    }
    // Exponents of a block's sides, less 2.
    if levels > 32 || [block_x, block_y].iter().any(|side| side & 15 > 8) {
        return Err(JpegFault::Parameters.into());
    }
    if has_precincts {
        if precincts.len() != usize::from(levels) + 1 {
            return Err(JpegFault::SegmentEnd.into());
        }
        if precincts.iter().any(|size| size & 15 < 3 || size >> 4 < 3) {
            return unsupported("precincts of less than 8 samples");
        }
    }
    Ok(has_fast_blocks)
}
