// Step 1 with one texel per thread.
// needs: subgroup.wgsl

fn greatest_over_block(value: vec3<f32>) -> vec3<f32> {
    var greatest = value;
    greatest = max(greatest, subgroupShuffleXor(greatest, 1u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 2u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 4u));
    greatest = max(greatest, subgroupShuffleXor(greatest, 8u));
    return greatest;
}

fn run_step(group: u32, thread: u32) {
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
    // The first of equal values is unique; a value's rank is the number of unique values below it.
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
