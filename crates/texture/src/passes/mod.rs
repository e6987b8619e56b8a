//! Rows of blocks encoded by threads (`rows.rs`), and passes after all blocks are encoded, on any device:
//! rate–distortion optimisation (`rdo_strips.rs`) and weights by alpha (here).

mod rdo_strips;
pub(crate) mod rows;

use crate::{
    ChannelType, EncodeError, EncodeOptions, Image, Stage, Task,
    bc::{BlockCoder, Codec, ImageProperties, NewRowEncoder, RowEncoder},
    block_row::RowBuffer,
    simd::AvailableLevel,
};
pub(crate) use rdo_strips::optimize;
use rows::{encode_row, encode_rows};
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the number of passes over the blocks, including the encoder's.
pub(crate) fn count(codec: &Codec, options: &EncodeOptions) -> u64 {
    1 + u64::from(weighs_by_alpha(codec, options)) + u64::from(rdo_strips::is_on(codec, options))
}

/// Returns the format's encoder. Refuses formats without one, and options that exclude each other or that
/// this build does not have.
pub(crate) fn check(codec: &Codec, options: &EncodeOptions) -> Result<NewRowEncoder, EncodeError> {
    let format = codec.name;
    let is_in_full_builds = codec.extent == [4, 4];
    let new_encoder = codec.rows.ok_or(match is_in_full_builds {
        true => EncodeError::Build { format, feature: codec.family.feature() },
        false => EncodeError::NoEncoder { format },
    })?;
    if !cfg!(feature = "second-pass") && (options.weigh_by_alpha || !options.rdo.is_off()) {
        return Err(EncodeError::NoSecondPass);
    }
    if weighs_by_alpha(codec, options) && rdo_strips::is_on(codec, options) {
        return Err(EncodeError::ByAlphaWithRdo);
    }
    Ok(new_encoder)
}

/// Refuses any pass and work of the CPU, for calls that do not wait for all blocks.
#[cfg(feature = "gpu")]
pub(crate) fn check_waits_for_none(codec: &Codec, options: &EncodeOptions) -> Result<(), EncodeError> {
    check(codec, options)?;
    if !codec.kernels.has(options) {
        return Err(EncodeError::NoKernels { format: codec.name });
    }
    if rdo_strips::is_on(codec, options) {
        return Err(EncodeError::Rdo);
    }
    if weighs_by_alpha(codec, options) {
        return Err(EncodeError::ByAlpha);
    }
    Ok(())
}

/// Encodes an image on the threads of the caller's pool: rows of blocks, then the passes that the options
/// request.
///
/// # Errors
/// [`EncodeError`]; the contents of `blocks` are then unspecified.
pub(crate) fn encode(
    image: &dyn Image,
    BlockCoder { codec, color_space }: BlockCoder,
    options: &EncodeOptions,
    simd: AvailableLevel,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    let new_encoder = check(codec, options)?;
    let [width, height] = image.size();
    let columns = width.div_ceil(4) as usize;
    let rows = height.div_ceil(4);
    let row_bytes = columns * codec.block_bytes;
    let needed = (row_bytes as u64).saturating_mul(rows.into());
    if needed != blocks.len() as u64 {
        return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
    }
    let encoder = deep(image, codec, options, simd).unwrap_or_else(|| {
        new_encoder(options, simd, ImageProperties { has_alpha: image.has_alpha(), color_space })
    });
    let total = columns as u64 * u64::from(rows) * count(codec, options);
    let done = AtomicU64::new(0);
    let step = |buffers: &mut [RowBuffer; 4], (row, blocks): (usize, &mut [u8])| {
        task.check()?;
        encode_row(image, row as u32, &encoder, buffers, blocks, task)?;
        let columns = columns as u64;
        task.report(Stage::Encoding, done.fetch_add(columns, Ordering::Relaxed) + columns, total);
        Ok(())
    };
    encode_rows(blocks, row_bytes, step, task)?;
    run(image, codec, options, simd, blocks, task)
}

/// Returns the encoder of all 16 bits of an image, if it has them, and the format and the options use them.
pub(crate) fn deep(
    image: &dyn Image,
    codec: &Codec,
    options: &EncodeOptions,
    simd: AvailableLevel,
) -> Option<RowEncoder> {
    let new_encoder = codec.deep.filter(|_| image.channel_type() == ChannelType::U16)?;
    new_encoder(options, simd).filter(|_| !rdo_strips::is_on(codec, options))
}

/// Runs the passes over the `blocks` of `image` that the options request and the format supports.
pub(crate) fn run(
    image: &dyn Image,
    codec: &Codec,
    options: &EncodeOptions,
    simd: AvailableLevel,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    weigh_by_alpha(image, codec, options, simd, blocks, task)?;
    optimize(image, codec, options, blocks, task)
}

/// Improves the `blocks` of `image` where errors are weighted by alpha, if the options request it and the
/// format supports it.
fn weigh_by_alpha(
    image: &dyn Image,
    codec: &Codec,
    options: &EncodeOptions,
    simd: AvailableLevel,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    let Some(new_encoder) = codec.by_alpha.filter(|_| weighs_by_alpha(codec, options)) else {
        return Ok(());
    };
    let encoder = new_encoder(options, simd);
    let columns = image.size()[0].div_ceil(4) as usize;
    let total = (blocks.len() / codec.block_bytes) as u64;
    let done = AtomicU64::new(total);
    let step = |buffers: &mut [RowBuffer; 4], (row, blocks): (usize, &mut [u8])| {
        task.check()?;
        if image.has_alpha() {
            encode_row(image, row as u32, &encoder, buffers, blocks, task)?;
        }
        let columns = columns as u64;
        task.report(Stage::Encoding, done.fetch_add(columns, Ordering::Relaxed) + columns, 2 * total);
        Ok(())
    };
    encode_rows(blocks, columns * codec.block_bytes, step, task)
}

/// True if blocks are encoded again with errors weighted by alpha. Formats that support it ignore it in real
/// time.
fn weighs_by_alpha(codec: &Codec, options: &EncodeOptions) -> bool {
    options.weigh_by_alpha && options.real_time.is_none() && codec.by_alpha.is_some()
}
