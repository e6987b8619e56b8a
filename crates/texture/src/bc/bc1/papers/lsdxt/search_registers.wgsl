// Blue's errors, computed anew for every candidate: w (p - x)^2 is w p^2 - 2 w p x + w x^2.

fn prepare(block: u32, slot: u32, lane: u32, usable: bool) {
}

fn texel_total(t: u32, slope: vec4<i32>, constant: vec4<i32>) -> i32 {
    let x = i32(texel(t).z);
    let weight = i32(params.rule.weight.z);
    let least = least_of(sums[t] + slope * x + constant) + weight * x * x;
    return select(least, 0, extractBits(out, t, 1u) != 0u);
}

fn four_total(t: u32, slope: vec4<i32>, constant: vec4<i32>) -> i32 {
    return texel_total(t, slope, constant) + texel_total(t + 1u, slope, constant)
        + (texel_total(t + 2u, slope, constant) + texel_total(t + 3u, slope, constant));
}

fn total(blue_pair: u32, slot: u32) -> i32 {
    let value = vec4<i32>(blue_values(blue_pair));
    let weighted = i32(params.rule.weight.z) * value;
    let slope = -2 * weighted;
    let constant = weighted * value;
    return four_total(0u, slope, constant) + four_total(4u, slope, constant)
        + (four_total(8u, slope, constant) + four_total(12u, slope, constant));
}
