// Blocks of red, then of green (BC5).
// needs: channel.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    let words = texel_words();
    return vec4(encode_channel(words, 0u), encode_channel(words, 8u));
}
