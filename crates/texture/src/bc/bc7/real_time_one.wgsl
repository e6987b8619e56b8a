// Level 1 of real time: mode 6 alone.
// needs: real_time.wgsl

// Returns the block of the kept texels.
fn encode_block(visible: u32) -> vec4<u32> {
    let m = all_moments();
    let axis = axis_of(m);
    return mode_6_words(encoding(ends_on(m, axis, range_on(axis)), alphas().y == 255u, visible));
}
