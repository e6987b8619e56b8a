// Step 1 with one texel per thread.
// needs: local.wgsl

fn value_at(at: u32) -> vec3<f32> {
    return vec3(words[at], words[STRIDE + at], words[2u * STRIDE + at]);
}

fn run_step(group: u32, thread: u32) {
    let block = group * 4u + thread / 16u;
    let usable = !is_done(block);
    var value = 0u;
    if usable {
        value = texels[16u * block + thread % 16u];
    }
    let x = centered(value);
    let first = thread & 48u;
    put(thread, x);
    kinds[thread] = select(0u, 1u, counts(value));
    workgroupBarrier();
    // The first of equal values is unique; a value's rank is the number of unique values below it.
    var unique = vec3(counts(value));
    for (var at = first; at < thread; at++) {
        unique = unique & ((value_at(at) != x) | vec3(kinds[at] == 0u));
    }
    workgroupBarrier();
    kinds[thread] |= select(0u, 2u, unique.x) | select(0u, 4u, unique.y) | select(0u, 8u, unique.z);
    workgroupBarrier();
    if usable && thread == first {
        var seen = Seen(vec3(-1.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
        var low = vec3(CENTER);
        var high = vec3(-CENTER);
        var count = 0.0;
        var sum = vec3(0.0);
        var product = vec3(0.0);
        for (var at = first; at < first + 16u; at++) {
            let one = value_at(at);
            let kind = kinds[at];
            if (kind & 1u) == 0u {
                continue;
            }
            count += 1.0;
            sum += one;
            product += one.xxy * one.yzz;
            low = min(low, one);
            high = max(high, one);
            // Rank times value, summed: each unique value once for every unique value below it.
            let is_unique = (vec3(kind) & vec3(2u, 4u, 8u)) != vec3(0u);
            var rank = vec3(0.0);
            for (var other = first; other < first + 16u; other++) {
                let other_is_unique = (vec3(kinds[other]) & vec3(2u, 4u, 8u)) != vec3(0u);
                rank += select(vec3(0.0), vec3(1.0), other_is_unique & (value_at(other) < one));
            }
            seen.rank += select(vec3(0.0), vec3(1.0), is_unique);
            seen.sum += select(vec3(0.0), one, is_unique);
            seen.ranked += select(vec3(0.0), rank * one, is_unique);
        }
        seen.range = high - low;
        seen.covariance = count * product - sum.xxy * sum.yzz;
        blocks[place(block)] = pack_ends(first_ends(seen));
        blocks[place(block) + 1u] = NONE;
    }
}
