// Steps 1 and 2 in registers, one block a thread: whatever is indexed is indexed by constants, and nothing branches (the
// paper's section 5.5).

override REFINEMENTS = 1u;

var<private> sorted: array<vec3<f32>, 16>;

// A comparator of the sorting network; the three channels are sorted side by side.
fn compare(lower: u32, upper: u32) {
    let a = sorted[lower];
    let b = sorted[upper];
    sorted[lower] = min(a, b);
    sorted[upper] = max(a, b);
}

fn left_out(t: u32) -> bool {
    return extractBits(out, t, 1u) != 0u;
}

fn least_of_four(t: u32) -> vec3<f32> {
    let high = vec3(CENTER);
    return min(
        min(select(texel(t), high, left_out(t)), select(texel(t + 1u), high, left_out(t + 1u))),
        min(select(texel(t + 2u), high, left_out(t + 2u)), select(texel(t + 3u), high, left_out(t + 3u))),
    );
}

// Texels that are left out repeat the least of the others.
fn put_four(t: u32, least: vec3<f32>) {
    sorted[t] = select(texel(t), least, left_out(t));
    sorted[t + 1u] = select(texel(t + 1u), least, left_out(t + 1u));
    sorted[t + 2u] = select(texel(t + 2u), least, left_out(t + 2u));
    sorted[t + 3u] = select(texel(t + 3u), least, left_out(t + 3u));
}

fn see_value(seen: ptr<function, Seen>, t: u32) {
    let value = sorted[t];
    let is_new = sorted[t - 1u] < value;
    (*seen).rank += select(vec3(0.0), vec3(1.0), is_new);
    (*seen).sum += select(vec3(0.0), value, is_new);
    (*seen).ranked += select(vec3(0.0), (*seen).rank * value, is_new);
}

fn see_four(seen: ptr<function, Seen>, t: u32) {
    see_value(seen, t);
    see_value(seen, t + 1u);
    see_value(seen, t + 2u);
    see_value(seen, t + 3u);
}

struct Sums {
    count: f32,
    x: vec3<f32>,
    product: vec3<f32>,
}

fn sum_texel(sums: ptr<function, Sums>, t: u32) {
    let x = select(texel(t), vec3(0.0), left_out(t));
    (*sums).count += select(1.0, 0.0, left_out(t));
    (*sums).x += x;
    (*sums).product += x.xxy * x.yzz;
}

fn sum_four(sums: ptr<function, Sums>, t: u32) {
    sum_texel(sums, t);
    sum_texel(sums, t + 1u);
    sum_texel(sums, t + 2u);
    sum_texel(sums, t + 3u);
}

fn first_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    let least = min(
        min(least_of_four(0u), least_of_four(4u)),
        min(least_of_four(8u), least_of_four(12u)),
    );
    put_four(0u, least);
    put_four(4u, least);
    put_four(8u, least);
    put_four(12u, least);
    sort_values();
    var seen = Seen(vec3(0.0), sorted[0], vec3(0.0), sorted[15] - sorted[0], vec3(0.0));
    see_value(&seen, 1u);
    see_value(&seen, 2u);
    see_value(&seen, 3u);
    see_four(&seen, 4u);
    see_four(&seen, 8u);
    see_four(&seen, 12u);
    var sums = Sums(0.0, vec3(0.0), vec3(0.0));
    sum_four(&sums, 0u);
    sum_four(&sums, 4u);
    sum_four(&sums, 8u);
    sum_four(&sums, 12u);
    seen.covariance = sums.count * sums.product - sums.x.xxy * sums.x.yzz;
    blocks[place(block)] = pack_ends(first_ends(seen));
    blocks[place(block) + 1u] = NONE;
}

struct Gathered {
    cost: i32,
    buckets: Buckets,
}

// Puts a texel's error into the bucket of its nearest colour: into each, times 1 or 0.
fn gather_texel(to: ptr<function, Gathered>, colors: Palette, p: Planes, t: u32) {
    let x = texel(t);
    let c = costs(p, x);
    let is_in = (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(!left_out(t));
    let one = select(vec4(0.0), vec4(1.0), is_in);
    (*to).cost += select(i32(min(min(c.x, c.y), min(c.z, c.w))), 0, left_out(t));
    (*to).buckets[0] += vec4(x - colors[0], 1.0) * one.x;
    (*to).buckets[1] += vec4(x - colors[1], 1.0) * one.y;
    (*to).buckets[2] += vec4(x - colors[2], 1.0) * one.z;
    (*to).buckets[3] += vec4(x - colors[3], 1.0) * one.w;
}

fn gather_four(to: ptr<function, Gathered>, colors: Palette, p: Planes, t: u32) {
    gather_texel(to, colors, p, t);
    gather_texel(to, colors, p, t + 1u);
    gather_texel(to, colors, p, t + 2u);
    gather_texel(to, colors, p, t + 3u);
}

fn refine_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    let mode = block_mode(transparent);
    var ends = unpack_ends(blocks[place(block)]);
    var best = no_best();
    for (var round = 0u; round <= REFINEMENTS; round++) {
        let colors = palette(mode, ends);
        let p = planes(colors);
        var found = Gathered(0, Buckets(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)));
        gather_four(&found, colors, p, 0u);
        gather_four(&found, colors, p, 4u);
        gather_four(&found, colors, p, 8u);
        gather_four(&found, colors, p, 12u);
        if found.cost >= best.cost {
            break;
        }
        best = Best(found.cost, ends);
        ends = corrected(mode, ends, colors, found.buckets);
    }
    blocks[place(block)] = pack_ends(best.ends);
}
