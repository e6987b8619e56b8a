// A texel's nearest colour, exactly (`CostPlanes` and `Choice` of assign.rs).
// needs: palette.wgsl

// Palette in the form that errors use: cost = x . slope + constant.
struct Planes {
    slope0: vec3<f32>,
    slope1: vec3<f32>,
    slope2: vec3<f32>,
    slope3: vec3<f32>,
    constant: vec4<f32>,
}

fn planes(colors: Palette) -> Planes {
    let w0 = colors[0] * params.rule.weight.xyz;
    let w1 = colors[1] * params.rule.weight.xyz;
    let w2 = colors[2] * params.rule.weight.xyz;
    let w3 = colors[3] * params.rule.weight.xyz;
    let constant = vec4(dot(colors[0], w0), dot(colors[1], w1), dot(colors[2], w2), dot(colors[3], w3));
    return Planes(-2.0 * w0, -2.0 * w1, -2.0 * w2, -2.0 * w3, constant);
}

fn costs(p: Planes, x: vec3<f32>) -> vec4<f32> {
    return vec4(dot(x, p.slope0), dot(x, p.slope1), dot(x, p.slope2), dot(x, p.slope3)) + p.constant;
}

// Returns the index with the lowest cost; the lower index in a tie.
fn nearest(c: vec4<f32>) -> u32 {
    let lower = select(0u, 1u, c.y < c.x);
    let upper = select(2u, 3u, c.w < c.z);
    return select(lower, upper, min(c.z, c.w) < min(c.x, c.y));
}

// Returns the cost of a texel with its nearest colour.
fn least_cost(p: Planes, x: vec3<f32>) -> i32 {
    let c = costs(p, x);
    return i32(min(min(c.x, c.y), min(c.z, c.w)));
}
