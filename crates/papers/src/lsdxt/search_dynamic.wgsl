// Search with arrays indexed by loops.

// Errors of red and green, by texel and index.
var<private> sums: array<vec4<i32>, 16>;

fn least_of(errors: vec4<i32>) -> i32 {
    return min(min(errors.x, errors.y), min(errors.z, errors.w));
}

fn add_red_and_green(colors: Palette) {
    let weight = params.rule.weight;
    for (var t = 0u; t < 16u; t++) {
        let x = centered(texels[first_texel + t]);
        let red = squared(vec4(colors[0].x, colors[1].x, colors[2].x, colors[3].x), x.x, weight.x);
        let green = squared(vec4(colors[0].y, colors[1].y, colors[2].y, colors[3].y), x.y, weight.y);
        sums[t] = vec4<i32>(red + green);
    }
}

fn least_total() -> i32 {
    var total = 0;
    for (var t = 0u; t < 16u; t++) {
        total += select(least_of(sums[t]), 0, extractBits(out, t, 1u) != 0u);
    }
    return total;
}

fn prepare(block: u32, slot: u32, lane: u32, usable: bool) {
}

fn total(blue_pair: u32, slot: u32) -> i32 {
    let value = blue_values(blue_pair);
    var total = 0;
    for (var t = 0u; t < 16u; t++) {
        let errors = sums[t] + vec4<i32>(squared(value, texel(t).z, params.rule.weight.z));
        total += select(least_of(errors), 0, extractBits(out, t, 1u) != 0u);
    }
    return total;
}
