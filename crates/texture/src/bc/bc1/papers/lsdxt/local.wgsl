// Steps 1 and 2 with one texel a thread, 4 blocks a workgroup, the paper's section 4. Local memory holds one array a
// channel, and these lie 68 words apart, not 64: threads that read one texel of four channels or two blocks at a time
// then never want two words of one bank (the paper's figure 3).

override REFINEMENTS = 1u;

const STRIDE = 68u;

// Channels of values, later of errors; then what is summed.
var<workgroup> words: array<f32, 272>;
var<workgroup> costs_of: array<i32, 64>;
// The class of a texel, later the index of its nearest colour or 4.
var<workgroup> kinds: array<u32, 64>;
var<workgroup> totals: array<f32, 64>;

// lanes.wgsl asks for it; nothing here calls what uses it.
fn texel(t: u32) -> vec3<f32> {
    return vec3(0.0);
}

fn put(thread: u32, value: vec3<f32>) {
    words[thread] = value.x;
    words[STRIDE + thread] = value.y;
    words[2u * STRIDE + thread] = value.z;
}

fn value_at(at: u32) -> vec3<f32> {
    return vec3(words[at], words[STRIDE + at], words[2u * STRIDE + at]);
}

fn first_step(group: u32, thread: u32) {
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
    // Of equal values the first is unique; a value's rank is how many unique ones are below it.
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

fn bucket_at(at: u32) -> vec4<f32> {
    return vec4(totals[at], totals[at + 1u], totals[at + 2u], totals[at + 3u]);
}

fn refine_step(group: u32, thread: u32) {
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
    // All threads go through all rounds, because they wait for each other; a block that got no better stays as it is.
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
