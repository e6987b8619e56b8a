// Writes a block from the endpoints and the winning candidate. One thread per block.
// needs: ../palette.wgsl, ../nearest.wgsl, ../words.wgsl, lsdxt.wgsl, block.wgsl

override SIDE = 1u;

fn step_of(number: u32) -> vec2<f32> {
    return vec2<f32>(vec2(number / SIDE, number % SIDE)) - vec2(f32(SIDE / 2u));
}

fn run_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    var ends = unpack_ends(blocks[place(block)]);
    let winner = blocks[place(block) + 1u];
    if winner != NONE {
        let pairs = SIDE * SIDE;
        let red = step_of(winner / (pairs * pairs));
        let green = step_of(winner / pairs % pairs);
        let blue = step_of(winner % pairs);
        let top = params.rule.top.xyz;
        ends.a = clamp(ends.a + vec3(red.x, green.x, blue.x), vec3(0.0), top);
        ends.b = clamp(ends.b + vec3(red.y, green.y, blue.y), vec3(0.0), top);
    }
    let finished = finish(block_mode(transparent), ends);
    let p = planes(finished.colors);
    var indices = 0u;
    for (var t = 0u; t < 16u; t++) {
        let index = select(nearest(costs(p, texel(t))), 3u, extractBits(transparent, t, 1u) != 0u);
        indices |= index << (2u * t);
    }
    blocks[place(block)] = finished.endpoints;
    blocks[place(block) + 1u] = indices;
}
