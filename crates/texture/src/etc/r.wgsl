// Blocks of red.
// needs: eac/real_time.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    return vec4(encode_channel(0u, visible), vec2(0u));
}
