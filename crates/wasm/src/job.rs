//! Encoding and decoding on the calling thread.

use crate::{
    failure::Failure,
    request::{Channels, EncodeRequest, codec_of},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, Encoder, Image, ImageView, ImageViewMut, RoundingRule, Task, Texel, TexelsMut,
    bytemuck, half::f16, mips::restored_z, one_codec::FormatCodec,
};

/// Returns the blocks of all mip levels, the largest first. `texels` may be changed.
pub fn encode(request: &EncodeRequest, texels: &mut [u8]) -> Result<Vec<u8>, Failure> {
    match request.channels {
        Channels::Bytes => {
            if request.options.normals {
                restore_z(texels);
            }
            encode_channels::<u8>(request, texels)
        }
        Channels::Halves => encode_channels::<f16>(request, texels),
        Channels::Floats => encode_channels::<f32>(request, texels),
    }
}

/// Computes blue from red and green if it is the same in all texels of RGBA, as in normal maps that store x
/// and y only. The program does the same.
fn restore_z(texels: &mut [u8]) {
    let texels = texels.as_chunks_mut::<4>().0;
    if texels.windows(2).all(|pair| pair[0][2] == pair[1][2]) {
        texels.iter_mut().for_each(|[x, y, z, _]| *z = restored_z(*x, *y));
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
    let EncodeRequest { codec, options, desc, .. } = request;
    Ok(codec.encode_texture(&Encoder::default(), image, desc, options, &Task::new())?.into_data())
}

/// Returns RGBA texels. Their channels have 8 bits, where −1 to 1 of signed blocks are 0 to 255, or are half
/// floats with the numbers that shaders read from a texture of the blocks.
pub fn decode(format: u32, channels: u32, size: [u32; 2], blocks: &[u8]) -> Result<Vec<u8>, Failure> {
    let codec = codec_of(format)?;
    match Channels::new(channels)? {
        Channels::Bytes => Ok(decode_channels::<u8>(codec, size, blocks)?.into_flattened()),
        Channels::Halves => match codec.format() {
            BlockFormat::Bc4Snorm | BlockFormat::EacR11Snorm => {
                signed::<1>(&decode_channels::<f32>(codec, size, blocks)?)
            }
            BlockFormat::Bc5Snorm | BlockFormat::EacRg11Snorm => {
                signed::<2>(&decode_channels::<f32>(codec, size, blocks)?)
            }
            _ => copied(bytemuck::cast_slice(&decode_channels::<f16>(codec, size, blocks)?)),
        },
        Channels::Floats => Err(Failure::argument("blocks are not decoded to single floats")),
    }
}

fn decode_channels<C: bytemuck::Pod>(
    codec: FormatCodec,
    [width, height]: [u32; 2],
    blocks: &[u8],
) -> Result<Vec<[C; 4]>, Failure>
where
    for<'a> TexelsMut<'a>: From<&'a mut [[C; 4]]>,
{
    let needed = codec.format().image_bytes(width, height);
    if needed != blocks.len() as u64 {
        let given = blocks.len();
        return Err(Failure::argument(format!(
            "the image needs {needed} bytes of blocks, {given} are there"
        )));
    }
    // A byte of blocks becomes at most two texels, so the products do not overflow.
    let count = u64::from(width) * u64::from(height);
    let too_large = |()| Failure::memory(count * size_of::<[C; 4]>() as u64);
    let length = usize::try_from(count).map_err(|_| too_large(()))?;
    let mut texels: Vec<[C; 4]> = bytemuck::allocation::try_zeroed_vec(length).map_err(too_large)?;
    let mut image = ImageViewMut::new(&mut texels[..], width, height)?;
    codec.decode_into(blocks, RoundingRule::default(), &mut image, &Task::new())?;
    Ok(texels)
}

/// Returns half floats. The first `COUNT` channels are numbers of 0 to 1, as decoders return for signed
/// blocks; they become those of −1 to 1 that they represent. (Half floats near 0.5 are too coarse for this.)
fn signed<const COUNT: usize>(texels: &[[f32; 4]]) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let byte_count = texels.len() * size_of::<[f16; 4]>();
    bytes.try_reserve_exact(byte_count).map_err(|_| Failure::memory(byte_count as u64))?;
    for texel in texels {
        for (i, &number) in texel.iter().enumerate() {
            let number = if i < COUNT { 2.0 * number - 1.0 } else { number };
            bytes.extend(f16::from_f32(number).to_le_bytes());
        }
    }
    Ok(bytes)
}

/// Returns a copy of bytes. A vector of wider numbers cannot become one of bytes.
fn copied(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| Failure::memory(bytes.len() as u64))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}
