// Step 2 in registers, one thread per block: see dynamic_first.wgsl.

override REFINEMENTS = 1u;

fn run_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    let mode = block_mode(transparent);
    var ends = unpack_ends(blocks[place(block)]);
    var best = no_best();
    for (var round = 0u; round <= REFINEMENTS; round++) {
        var colors = palette(mode, ends);
        let p = planes(colors);
        var cost = 0;
        var buckets = Buckets(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
        for (var t = 0u; t < 16u; t++) {
            if extractBits(out, t, 1u) == 0u {
                let x = texel(t);
                let c = costs(p, x);
                let index = nearest(c);
                cost += i32(c[index]);
                buckets[index] += vec4(x - colors[index], 1.0);
            }
        }
        if cost >= best.cost {
            break;
        }
        best = Best(cost, ends);
        ends = corrected(mode, ends, colors, buckets);
    }
    blocks[place(block)] = pack_ends(best.ends);
}
