// The loop over a search's texels, unrolled so that the sums stay in registers.

fn add_texel(colors: Palette, t: u32) {
    let x = texel(t);
    let weight = params.rule.weight;
    let red = squared(vec4(colors[0].x, colors[1].x, colors[2].x, colors[3].x), x.x, weight.x);
    let green = squared(vec4(colors[0].y, colors[1].y, colors[2].y, colors[3].y), x.y, weight.y);
    // Nothing for a texel that is left out.
    sums[t] = select(vec4<i32>(red + green), vec4(0), extractBits(out, t, 1u) != 0u);
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
