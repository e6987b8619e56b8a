// Blocks of 8-bit alpha, then of colours (BC3).
// needs: colors.wgsl, channel.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    let words = texel_words();
    return vec4(encode_channel(words, 24u), encode_colors(words, 0u));
}
