//! Encoding and decoding on the calling thread.

use crate::{
    failure::Failure,
    request::{Channels, EncodeRequest, format_of},
};
use brickwork_texture::{
    AlphaMode, Encoder, Image, ImageView, ImageViewMut, RoundingRule, Task, Texel, bytemuck, decode_into,
    encode_texture, half::f16,
};

/// Returns the blocks of all mip levels, the largest first. `texels` may be changed.
pub fn encode(request: &EncodeRequest, texels: &mut [u8]) -> Result<Vec<u8>, Failure> {
    match request.channels {
        Channels::Bytes => encode_channels::<u8>(request, texels),
        Channels::Halves => encode_channels::<f16>(request, texels),
        Channels::Floats => encode_channels::<f32>(request, texels),
    }
}

/// Encodes texels of four channels of a type.
fn encode_channels<C: bytemuck::Pod>(request: &EncodeRequest, texels: &mut [u8]) -> Result<Vec<u8>, Failure>
where
    [C; 3]: Texel,
    [C; 4]: Texel,
{
    let [width, height] = [request.desc.width, request.desc.height];
    let needed = (u64::from(width) * u64::from(height)).saturating_mul(size_of::<[C; 4]>() as u64);
    if needed != texels.len() as u64 {
        let given = texels.len();
        return Err(Failure::argument(format!(
            "the image needs {needed} bytes of texels, {given} are there"
        )));
    }
    let channels: &mut [C] = bytemuck::try_cast_slice_mut(texels)
        .map_err(|_| Failure::argument("the texels are not aligned to their channels"))?;
    if request.desc.alpha_mode == AlphaMode::Opaque {
        encode_image(request, &ImageView::new(without_alpha(channels), width, height)?)
    } else {
        encode_image(request, &ImageView::new(channels.as_chunks::<4>().0, width, height)?)
    }
}

/// Removes alpha. Encoders take it into account if it is there.
fn without_alpha<C: Copy>(channels: &mut [C]) -> &[[C; 3]] {
    let count = channels.len() / 4;
    for texel in 1..count {
        channels.copy_within(4 * texel..4 * texel + 3, 3 * texel);
    }
    channels[..3 * count].as_chunks().0
}

fn encode_image(request: &EncodeRequest, image: &dyn Image) -> Result<Vec<u8>, Failure> {
    let EncodeRequest { options, desc, .. } = request;
    Ok(encode_texture(&Encoder::default(), image, desc, options, &Task::new())?.into_data())
}

/// Returns texels of 8-bit RGBA.
pub fn decode(format: u32, [width, height]: [u32; 2], blocks: &[u8]) -> Result<Vec<u8>, Failure> {
    let format = format_of(format)?;
    let needed = format.image_bytes(width, height);
    if needed != blocks.len() as u64 {
        let given = blocks.len();
        return Err(Failure::argument(format!(
            "the image needs {needed} bytes of blocks, {given} are there"
        )));
    }
    // A byte of blocks becomes at most 8 bytes of texels, so the product does not overflow.
    let byte_count = 4 * u64::from(width) * u64::from(height);
    let too_large = |()| Failure::memory(byte_count);
    let length = usize::try_from(byte_count).map_err(|_| too_large(()))?;
    let mut texels: Vec<u8> = bytemuck::allocation::try_zeroed_vec(length).map_err(too_large)?;
    let mut image = ImageViewMut::new(texels.as_chunks_mut::<4>().0, width, height)?;
    decode_into(format, blocks, RoundingRule::default(), &mut image, &Task::new())?;
    Ok(texels)
}
