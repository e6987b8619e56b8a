// Steps 1 and 2 with one texel a thread, a block in 16 threads of a subgroup that exchange values without any memory:
// what the paper's section 5.1 misses in OpenCL 1.2. For subgroups of at least 16.

override REFINEMENTS = 1u;

// lanes.wgsl asks for it; nothing here calls what uses it.
fn texel(t: u32) -> vec3<f32> {
    return vec3(0.0);
}

// Sums over a block's 16 threads; the sum is exact, so the order does not matter.
fn sum_of(value: vec4<f32>) -> vec4<f32> {
    var sum = value;
    sum += subgroupShuffleXor(sum, 1u);
    sum += subgroupShuffleXor(sum, 2u);
    sum += subgroupShuffleXor(sum, 4u);
    sum += subgroupShuffleXor(sum, 8u);
    return sum;
}

fn cost_sum_of(value: i32) -> i32 {
    var sum = value;
    sum += subgroupShuffleXor(sum, 1u);
    sum += subgroupShuffleXor(sum, 2u);
    sum += subgroupShuffleXor(sum, 4u);
    sum += subgroupShuffleXor(sum, 8u);
    return sum;
}

fn greatest_over_block(value: vec3<f32>) -> vec3<f32> {
    var greatest = value;
    greatest = max(greatest, subgroupShuffleXor(greatest, 1u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 2u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 4u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 8u));
    return greatest;
}

fn first_step(group: u32, thread: u32) {
    let block = group * 4u + thread / 16u;
    let usable = !is_done(block);
    let t = thread % 16u;
    var value = 0u;
    if usable {
        value = texels[16u * block + t];
    }
    let counting = counts(value);
    let one = select(0.0, 1.0, counting);
    let x = centered(value) * one;
    // Of equal values the first is unique; a value's rank is how many unique ones are below it.
    var unique = vec3(one);
    for (var other = 1u; other < 16u; other++) {
        let theirs = subgroupShuffleXor(vec4(x, one), other);
        let repeats = (theirs.xyz == x) & vec3(theirs.w > 0.0 && (t ^ other) < t);
        unique = select(unique, vec3(0.0), repeats);
    }
    var rank = vec3(0.0);
    for (var other = 1u; other < 16u; other++) {
        let theirs = subgroupShuffleXor(x, other);
        let they_are_unique = subgroupShuffleXor(unique, other);
        rank += select(vec3(0.0), they_are_unique, theirs < x);
    }
    var seen: Seen;
    let counted = sum_of(vec4(unique, one));
    seen.rank = counted.xyz - vec3(1.0);
    seen.sum = sum_of(vec4(unique * x, 0.0)).xyz;
    seen.ranked = sum_of(vec4(unique * rank * x, 0.0)).xyz;
    let high = greatest_over_block(select(vec3(-CENTER), x, counting));
    let low = greatest_over_block(select(vec3(-CENTER), -x, counting));
    seen.range = high + low;
    let sum = sum_of(vec4(x, 0.0)).xyz;
    seen.covariance = counted.w * sum_of(vec4(x.xxy * x.yzz, 0.0)).xyz - sum.xxy * sum.yzz;
    if usable && t == 0u {
        blocks[place(block)] = pack_ends(first_ends(seen));
        blocks[place(block) + 1u] = NONE;
    }
}

fn refine_step(group: u32, thread: u32) {
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
    // All threads go through all rounds, because they exchange values; a block that got no better stays as it is.
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
