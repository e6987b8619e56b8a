// Step 1 in registers, one thread per block, with arrays indexed by values known only at run time. Section
// 5.5 of the paper warns against this; it is kept for measurements.

fn run_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    var seen = Seen(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    var count = 0.0;
    var sum = vec3(0.0);
    var product = vec3(0.0);
    for (var t = 0u; t < 16u; t++) {
        if extractBits(out, t, 1u) == 0u {
            let x = texel(t);
            count += 1.0;
            sum += x;
            product += x.xxy * x.yzz;
        }
    }
    seen.covariance = count * product - sum.xxy * sum.yzz;
    for (var channel = 0u; channel < 3u; channel++) {
        // Unique values in ascending order: each is inserted at its position unless already present.
        var unique: array<f32, 17>;
        var length = 0u;
        for (var t = 0u; t < 16u; t++) {
            if extractBits(out, t, 1u) != 0u {
                continue;
            }
            let value = texel(t)[channel];
            var at = length;
            while at > 0u && value < unique[at - 1u] {
                at--;
            }
            if at > 0u && unique[at - 1u] == value {
                continue;
            }
            for (var slot = length; slot > at; slot--) {
                unique[slot] = unique[slot - 1u];
            }
            unique[at] = value;
            length++;
        }
        seen.rank[channel] = f32(length - 1u);
        seen.range[channel] = unique[length - 1u] - unique[0];
        for (var rank = 0u; rank < length; rank++) {
            seen.sum[channel] += unique[rank];
            seen.ranked[channel] += f32(rank) * unique[rank];
        }
    }
    blocks[place(block)] = pack_ends(first_ends(seen));
    blocks[place(block) + 1u] = NONE;
}
