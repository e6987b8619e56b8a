// Blocks of red (BC4).
// needs: channel.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    return vec4(encode_channel(texel_words(), 0u), vec2(0u));
}
