// Blocks of alpha, then of colours.
// needs: eac/real_time.wgsl, etc2/real_time.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    return vec4(encode_channel(24u, visible), encode_colors(visible));
}
