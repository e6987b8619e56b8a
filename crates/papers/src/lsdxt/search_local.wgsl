// Blue's errors for all codes and texels, computed once and kept in workgroup memory: threads that search one
// block read the same word at a time, which every GPU broadcasts.

// Errors of red and green, by texel and index.
var<private> sums: array<vec4<i32>, 16>;

// Errors of index 0, then of index 1: by slot, code and texel.
var<workgroup> end_errors: array<i32, 384>;
// Errors of index 2 and 3: by slot, pair of codes and texel.
var<workgroup> inner_errors: array<vec2<i32>, 1296>;

fn prepare(block: u32, slot: u32, lane: u32, usable: bool) {
    let pairs = SIDE * SIDE;
    if usable {
        for (var at = lane; at < 16u * pairs; at += THREADS) {
            let pair = at / 16u;
            let t = at % 16u;
            let value = texels[16u * block + t];
            let errors = squared(blue_values(pair), centered(value).z, params.rule.weight.z);
            let kept = select(vec4(0), vec4<i32>(errors), counts(value));
            inner_errors[slot * pairs * 16u + at] = kept.zw;
            let first = pair / SIDE;
            let second = pair % SIDE;
            if second == 0u {
                end_errors[slot * SIDE * 32u + first * 16u + t] = kept.x;
            }
            if first == 0u {
                end_errors[slot * SIDE * 32u + (SIDE + second) * 16u + t] = kept.y;
            }
        }
    }
    workgroupBarrier();
}

fn texel_total(first: u32, second: u32, inner: u32, t: u32) -> i32 {
    return least_of(sums[t] + vec4(end_errors[first + t], end_errors[second + t], inner_errors[inner + t]));
}

fn four_total(first: u32, second: u32, inner: u32, t: u32) -> i32 {
    return texel_total(first, second, inner, t) + texel_total(first, second, inner, t + 1u)
        + (texel_total(first, second, inner, t + 2u) + texel_total(first, second, inner, t + 3u));
}

fn total(blue_pair: u32, slot: u32) -> i32 {
    let first = slot * SIDE * 32u + blue_pair / SIDE * 16u;
    let second = slot * SIDE * 32u + (SIDE + blue_pair % SIDE) * 16u;
    let inner = (slot * SIDE * SIDE + blue_pair) * 16u;
    return four_total(first, second, inner, 0u) + four_total(first, second, inner, 4u)
        + (four_total(first, second, inner, 8u) + four_total(first, second, inner, 12u));
}

// The following functions are unrolled so that the sums stay in registers.

fn add_texel(colors: Palette, t: u32) {
    let value = texels[first_texel + t];
    let x = centered(value);
    let weight = params.rule.weight;
    let red = squared(vec4(colors[0].x, colors[1].x, colors[2].x, colors[3].x), x.x, weight.x);
    let green = squared(vec4(colors[0].y, colors[1].y, colors[2].y, colors[3].y), x.y, weight.y);
    // Nothing for a texel that is left out.
    sums[t] = select(vec4<i32>(red + green), vec4(0), !counts(value));
}

fn add_four(colors: Palette, t: u32) {
    add_texel(colors, t);
    add_texel(colors, t + 1u);
    add_texel(colors, t + 2u);
    add_texel(colors, t + 3u);
}

fn add_red_and_green(colors: Palette) {
    add_four(colors, 0u);
    add_four(colors, 4u);
    add_four(colors, 8u);
    add_four(colors, 12u);
}

fn least_of(errors: vec4<i32>) -> i32 {
    return min(min(errors.x, errors.y), min(errors.z, errors.w));
}

fn least_four(t: u32) -> i32 {
    return least_of(sums[t]) + least_of(sums[t + 1u]) + (least_of(sums[t + 2u]) + least_of(sums[t + 3u]));
}

// The error without blue.
fn least_total() -> i32 {
    return least_four(0u) + least_four(4u) + (least_four(8u) + least_four(12u));
}
