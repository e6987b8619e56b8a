// Step 2 with one texel per thread.
// needs: subgroup.wgsl

override REFINEMENTS = 1u;

fn cost_sum_of(value: i32) -> i32 {
    var sum = value;
    sum += subgroupShuffleXor(sum, 1u);
    sum += subgroupShuffleXor(sum, 2u);
    sum += subgroupShuffleXor(sum, 4u);
    sum += subgroupShuffleXor(sum, 8u);
    return sum;
}

fn run_step(group: u32, thread: u32) {
    let block = group * 4u + thread / 16u;
    let usable = !is_done(block);
    let t = thread % 16u;
    var value = 0u;
    var ends = Endpoints(vec3(0.0), vec3(0.0));
    if usable {
        value = texels[16u * block + t];
        ends = unpack_ends(blocks[place(block)]);
    }
    let mode = block_mode(u32(cost_sum_of(select(0, 1, (value >> 24u) == CLASS_TRANSPARENT))));
    let x = centered(value);
    var best = no_best();
    // All threads take part in all rounds, because they exchange values; a block that did not improve stays
    // as it is.
    for (var round = 0u; round <= REFINEMENTS; round++) {
        let colors = palette(mode, ends);
        let c = costs(planes(colors), x);
        let is_in = (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(counts(value));
        let one = select(vec4(0.0), vec4(1.0), is_in);
        let cost = cost_sum_of(select(0, i32(min(min(c.x, c.y), min(c.z, c.w))), counts(value)));
        let buckets = Buckets(
            sum_of(vec4(x - colors[0], 1.0) * one.x),
            sum_of(vec4(x - colors[1], 1.0) * one.y),
            sum_of(vec4(x - colors[2], 1.0) * one.z),
            sum_of(vec4(x - colors[3], 1.0) * one.w),
        );
        if cost < best.cost {
            best = Best(cost, ends);
            ends = corrected(mode, ends, colors, buckets);
        }
    }
    if usable && t == 0u {
        blocks[place(block)] = pack_ends(best.ends);
    }
}
