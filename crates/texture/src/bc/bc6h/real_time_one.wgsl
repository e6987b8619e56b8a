// Level 1 of real time: one subset.
// needs: real_time.wgsl

fn encode_block(block: Block) -> vec4<u32> {
    return words_of_whole(whole_of(block, line_through(block, all_texels(block))));
}
