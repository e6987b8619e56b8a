// Encodes a texture's texels into the words of a block. The kernel contains a format's `encode_block`.
// needs: params.wgsl, ../real_time/texels.wgsl, ../bc/visible_at.wgsl, ../gpu/texel_rgba8.wgsl

@group(0) @binding(1) var source: texture_2d<f32>;

// 1 if the source's texels are 8-bit numbers.
override EIGHT_BITS: u32 = 0u;

// Packs eight-bit numbers into one word, red in the lowest byte. Adding a number from 0 to 255 to 2^23 puts
// it into the lowest bits of the sum, whose highest byte is 0x4b. That byte of red is subtracted; those of
// the other channels are shifted out.
fn packed_of(texel: vec4<f32>) -> u32 {
    let bits = bitcast<vec4<u32>>(texel * 255.0 + 8388608.0);
    return bits.x + (bits.y << 8u) + (bits.z << 16u) + (bits.w << 24u) - 0x4b000000u;
}

fn words_of(block: vec2<u32>, thread: u32) -> vec4<u32> {
    own = thread;
    let last = params.size - vec2(1u);
    for (var t = 0u; t < 16u; t++) {
        let position = min(4u * block + vec2(t & 3u, t >> 2u), last);
        let texel = textureLoad(source, params.origin + position, 0);
        if EIGHT_BITS != 0u {
            keep_texel(t, packed_of(texel));
        } else {
            keep_texel(t, texel_of(bitcast<vec4<u32>>(texel)));
        }
    }
    return encode_block(visible_at(block));
}
