// Blocks of colours: etc2/real_time.wgsl.
// needs: etc2/real_time.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    return vec4(encode_colors(visible), vec2(0u));
}
