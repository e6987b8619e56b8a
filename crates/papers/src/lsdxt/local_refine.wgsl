// Step 2 with one texel per thread.
// needs: local.wgsl

override REFINEMENTS = 1u;

var<workgroup> costs_of: array<i32, 64>;
var<workgroup> totals: array<f32, 64>;

fn bucket_at(at: u32) -> vec4<f32> {
    return vec4(totals[at], totals[at + 1u], totals[at + 2u], totals[at + 3u]);
}

fn run_step(group: u32, thread: u32) {
    let block = group * 4u + thread / 16u;
    let usable = !is_done(block);
    let first = thread & 48u;
    let t = thread % 16u;
    var value = 0u;
    var ends = Endpoints(vec3(0.0), vec3(0.0));
    if usable {
        value = texels[16u * block + t];
        ends = unpack_ends(blocks[place(block)]);
    }
    kinds[thread] = value >> 24u;
    workgroupBarrier();
    var transparent = 0u;
    for (var at = first; at < first + 16u; at++) {
        transparent |= select(0u, 1u, kinds[at] == CLASS_TRANSPARENT);
    }
    let mode = block_mode(transparent);
    let x = centered(value);
    var best = no_best();
    // All threads take part in all rounds, because they wait for each other; a block that did not improve
    // stays as it is.
    for (var round = 0u; round <= REFINEMENTS; round++) {
        let colors = palette(mode, ends);
        let c = costs(planes(colors), x);
        let index = nearest(c);
        var nearest_color = select(colors[0], colors[1], index == 1u);
        nearest_color = select(nearest_color, colors[2], index == 2u);
        nearest_color = select(nearest_color, colors[3], index == 3u);
        workgroupBarrier();
        put(thread, x - nearest_color);
        words[3u * STRIDE + thread] = 1.0;
        costs_of[thread] = select(0, i32(min(min(c.x, c.y), min(c.z, c.w))), counts(value));
        kinds[thread] = select(4u, index, counts(value));
        workgroupBarrier();
        // Each of a block's threads sums one channel, or ones, of one bucket.
        let bucket = t / 4u;
        let component = t % 4u;
        var total = 0.0;
        var cost = 0;
        for (var at = first; at < first + 16u; at++) {
            total += select(0.0, words[component * STRIDE + at], kinds[at] == bucket);
            cost += costs_of[at];
        }
        totals[thread] = total;
        workgroupBarrier();
        let buckets =
            Buckets(bucket_at(first), bucket_at(first + 4u), bucket_at(first + 8u), bucket_at(first + 12u));
        if cost < best.cost {
            best = Best(cost, ends);
            ends = corrected(mode, ends, colors, buckets);
        }
    }
    if usable && t == 0u {
        blocks[place(block)] = pack_ends(best.ends);
    }
}
