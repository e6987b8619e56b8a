// Lines on which a part of the values is between the smallest and the largest texel (`spread` of encode.rs).
// The kernel binds `params` and `tables`.

// Returns the line on which value `i` is `ends.x` and value `i + used` is `ends.y`.
fn spread(six: bool, used: f32, i: f32, ends: vec2<f32>) -> vec2<f32> {
    let steps = select(EIGHT_STEPS, SIX_STEPS, six);
    let span = ends.y - ends.x;
    let numerators = vec2(ends.x * used - span * i, ends.x * used + span * (steps - i));
    let half = tables[HALVES + u32(used)];
    let codes = floor((2.0 * numerators + used + 0.25) * half);
    return clamp(codes, vec2(0.0), vec2(params.top));
}
