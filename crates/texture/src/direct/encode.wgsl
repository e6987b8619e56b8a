// The words of a block: encoded from a texture's texels. The kernel has a format's `encode_block`.
// needs: params.wgsl, ../bc/visible_at.wgsl, ../gpu/texel_rgba8.wgsl

@group(0) @binding(1) var source: texture_2d<f32>;

// Whether the source's texels are 8-bit numbers.
override EIGHT_BITS: u32 = 0u;

// Eight-bit numbers as one word, red in its lowest byte. A number from 0 to 255 added to 2^23 is the lowest
// bits of the sum, whose highest byte is 0x4b: of red's it is taken away, the others' are shifted out.
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
