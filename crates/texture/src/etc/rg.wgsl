// Blocks of red, then of green.
// needs: eac/real_time.wgsl

fn encode_block(visible: u32) -> vec4<u32> {
    var words: vec4<u32>;
    for (var channel = 0u; channel < 2u; channel++) {
        words = vec4(words.zw, encode_channel(8u * channel, visible));
    }
    return words;
}
