// Step 1 in registers, one thread per block: every index is a constant and nothing branches (the paper's
// section 5.5). `sort_values` is generated from `SORT` of bc/order.rs.
// needs: ../palette.wgsl, ../words.wgsl, lsdxt.wgsl, block.wgsl

var<private> sorted: array<vec3<f32>, 16>;

// A comparator of the sorting network; the three channels are sorted side by side.
fn compare(lower: u32, upper: u32) {
    let a = sorted[lower];
    let b = sorted[upper];
    sorted[lower] = min(a, b);
    sorted[upper] = max(a, b);
}

fn least_of_four(t: u32) -> vec3<f32> {
    let high = vec3(CENTER);
    return min(
        min(select(texel(t), high, left_out(t)), select(texel(t + 1u), high, left_out(t + 1u))),
        min(select(texel(t + 2u), high, left_out(t + 2u)), select(texel(t + 3u), high, left_out(t + 3u))),
    );
}

// Texels that are left out repeat the lowest of the others.
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

fn run_step(group: u32, thread: u32) {
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
