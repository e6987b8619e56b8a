// Blocks of colours with 1-bit alpha (BC1).
// needs: colors.wgsl

// Texels with a lower alpha are transparent.
override ALPHA_THRESHOLD: u32 = 128u;

// Returns a mask of the transparent texels, two bits each. In their place, it keeps the texel before them
// that is not transparent, or the first one.
fn hide_transparent() -> u32 {
    var transparent = 0u;
    for (var t = 0u; t < 16u; t++) {
        transparent |= select(0u, 3u << (2u * t), (block_texel(t) >> 24u) < ALPHA_THRESHOLD);
    }
    if transparent != 0u {
        var kept = block_texel(min(countTrailingZeros(~transparent) / 2u, 15u));
        for (var t = 0u; t < 16u; t++) {
            if ((transparent >> (2u * t)) & 1u) == 0u {
                kept = block_texel(t);
            } else {
                keep_texel(t, kept);
            }
        }
    }
    return transparent;
}

fn encode_block(visible: u32) -> vec4<u32> {
    let transparent = hide_transparent();
    return vec4(encode_colors(texel_words(), transparent), vec2(0u));
}
