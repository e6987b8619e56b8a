//! An image and its mip levels, encoded one after the other.

use crate::{device::Stop, exit::Exit, failure::Failure};
use brickwork_texture::{
    EncodeOptions, Encoder, ImageView, Progress, Texel, Texture,
    mips::{MipFilter, MipLevel, next_level},
};
use std::time::{Duration, Instant};

/// Fills `data`, the blocks of all levels of `texture`, and gives the time that `encoder` took. `tell` is told of blocks
/// done and blocks in all.
///
/// # Errors
/// [`Stop`]; `data` is then unspecified.
pub fn encode<T: Texel>(
    encoder: &(impl Encoder<T> + Encoder<[u8; 4]>),
    image: &ImageView<'_, T>,
    options: &EncodeOptions,
    texture: &Texture,
    data: &mut [u8],
    tell: &(dyn Fn(u64, u64) + Sync),
) -> Result<Duration, Stop> {
    let (color_space, alpha_mode) = (texture.color_space, texture.alpha_mode);
    let block_bytes = options.format.block_bytes() as u64;
    let total = data.len() as u64 / block_bytes;
    let mut time = Duration::ZERO;
    let mut rest = data;
    let mut level_above: Option<MipLevel> = None;
    for level in 0..texture.levels {
        let done_before = total - rest.len() as u64 / block_bytes;
        let (blocks, after) = std::mem::take(&mut rest).split_at_mut(texture.level_bytes(level) as usize);
        rest = after;
        let callback = |done: u64, _: u64| tell(done_before + done, total);
        let progress = Progress::none().with_callback(&callback);
        if level == 0 {
            let start = Instant::now();
            encoder.encode_with(image, options, blocks, &progress)?;
            time += start.elapsed();
            continue;
        }
        let mip = match &level_above {
            None => next_level(image, color_space, alpha_mode, MipFilter::Box),
            Some(above) => next_level(&view_of(above)?, color_space, alpha_mode, MipFilter::Box),
        };
        let start = Instant::now();
        encoder.encode_with(&view_of(&mip)?, options, blocks, &progress)?;
        time += start.elapsed();
        level_above = Some(mip);
    }
    Ok(time)
}

fn view_of(level: &MipLevel) -> Result<ImageView<'_, [u8; 4]>, Stop> {
    ImageView::new(&level.texels, level.width, level.height)
        .map_err(|error| Stop::Other(Failure::new(Exit::Runtime, error)))
}
