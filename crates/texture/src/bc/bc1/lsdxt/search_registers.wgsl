// Search in registers. For each texel, it keeps the extra cost of the second, third and fourth entry over the
// first one, whose cost is linear in blue's sums. Blue's errors are computed again for every candidate: w (p
// - x)^2 is w p^2 - 2 w p x, and w x^2 is the same for all entries.
// needs: ../lanes.wgsl, ../palette.wgsl, ../total.wgsl, lsdxt.wgsl, block.wgsl, search.wgsl

// Extra cost in red and green, by texel; far above 0 where a texel is left out, so that nothing costs less.
var<private> more: array<vec3<f32>, 16>;
const FAR = 67108864.0;

// Red's and green's error with the first entry.
var<private> cost_of_first: i32;

// Blue over the texels that count: their number, their sum, and the sum of their squares.
var<private> blue_sums: vec3<i32>;

fn prepare(block: u32, slot: u32, lane: u32, usable: bool) {
    blue_sums = vec3(0);
    add_four_blue(0u);
    add_four_blue(4u);
    add_four_blue(8u);
    add_four_blue(12u);
}

fn add_blue(t: u32) {
    let x = i32(extractBits(packed[t], 16u, 8u)) - i32(CENTER);
    blue_sums += select(vec3(1, x, x * x), vec3(0), (MASKED && left_out(t)));
}

fn add_four_blue(t: u32) {
    add_blue(t);
    add_blue(t + 1u);
    add_blue(t + 2u);
    add_blue(t + 3u);
}

fn add_texel(colors: Palette, t: u32) {
    let value = texels[first_texel + t];
    let x = centered(value);
    let is_out = MASKED && !counts(value);
    let weight = params.rule.weight;
    let red = squared(vec4(colors[0].x, colors[1].x, colors[2].x, colors[3].x), x.x, weight.x);
    let green = squared(vec4(colors[0].y, colors[1].y, colors[2].y, colors[3].y), x.y, weight.y);
    let cost = red + green;
    more[t] = select(cost.yzw - vec3(cost.x), vec3(FAR), is_out);
    cost_of_first += select(i32(cost.x), 0, is_out);
}

fn add_four(colors: Palette, t: u32) {
    add_texel(colors, t);
    add_texel(colors, t + 1u);
    add_texel(colors, t + 2u);
    add_texel(colors, t + 3u);
}

fn add_red_and_green(colors: Palette) {
    cost_of_first = 0;
    add_four(colors, 0u);
    add_four(colors, 4u);
    add_four(colors, 8u);
    add_four(colors, 12u);
}

// Pair of blue codes, as the extra cost of the other entries over the first for a texel's blue. The constant
// of the second entry is subtracted from all and added to the total, so two constants remain.
struct Blue {
    slope: vec3<f32>,
    first: f32,
    third: f32,
    fourth: f32,
}

fn with_one(before: Total, blue: Blue, t: u32) -> Total {
    let others = more[t] + blue.slope * texel(t).z;
    let least = min(min(others.x, blue.first), min(others.y + blue.third, others.z + blue.fourth));
    return with_cost(before, least);
}

fn with_four(before: Total, blue: Blue, t: u32) -> Total {
    return with_one(with_one(with_one(with_one(before, blue, t), blue, t + 1u), blue, t + 2u), blue, t + 3u);
}

fn total_of(first: i32, blue: Blue) -> i32 {
    var total = Total(0.0, first);
    total = with_four(total, blue, 0u);
    total = with_four(total, blue, 4u);
    total = with_four(total, blue, 8u);
    total = with_four(total, blue, 12u);
    return whole(total);
}

// The error without blue.
fn least_total() -> i32 {
    return total_of(cost_of_first, Blue(vec3(0.0), 0.0, 0.0, 0.0));
}

fn total(blue_pair: u32, slot: u32) -> i32 {
    let value = blue_values(blue_pair);
    let weighted = params.rule.weight.z * value;
    let square = weighted * value;
    let first = i32(params.rule.weight.z) * blue_sums.z
        + i32(weighted.x) * (i32(value.x) * blue_sums.x - 2 * blue_sums.y);
    let slope = -2.0 * (weighted.yzw - vec3(weighted.x));
    let constant = square.yzw - vec3(square.x);
    let blue = Blue(slope, -constant.x, constant.y - constant.x, constant.z - constant.x);
    return total_of(cost_of_first + first + 16 * i32(constant.x), blue);
}
