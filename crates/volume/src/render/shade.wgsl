// Light: the twin of shade.rs.

struct Light {
    normal: array<vec4f, 3>,
    world: array<vec4f, 3>,
    key: vec4f,
    halfway: vec4f,
}

// The length of a ray's step, in units.
fn step_length(along: vec3i) -> f32 {
    let moved = vec3f(along) * (1.0 / 65536.0);
    let world = view.light.world;
    let moved_in_world = vec3f(dot(world[0].xyz, moved), dot(world[1].xyz, moved), dot(world[2].xyz, moved));
    return sqrt(dot(moved_in_world, moved_in_world));
}

fn shade(color: vec3f, gradient: vec3i, fade: f32) -> vec3f {
    let change = vec3f(gradient);
    let rows = view.light.normal;
    let in_world = vec3f(dot(rows[0].xyz, change), dot(rows[1].xyz, change), dot(rows[2].xyz, change));
    let square = dot(in_world, in_world);
    let strength = square / (square + fade * fade + 1e-6);
    let normal = in_world * (1.0 / sqrt(square + 1e-6));
    let facing = abs(dot(view.light.key.xyz, normal));
    var mirror = min(abs(dot(view.light.halfway.xyz, normal)), 1.0);
    mirror *= mirror;
    mirror *= mirror;
    mirror *= mirror;
    mirror *= mirror;
    mirror *= mirror;
    let lit = FLAT + (AMBIENT + DIFFUSE * facing - FLAT) * strength;
    return color * lit + vec3f(SPECULAR * mirror * strength);
}

// 2^-x.
fn exp2_minus(exponent: f32) -> f32 {
    let x = min(exponent, 126.0);
    let whole = u32(x);
    let t = x - f32(whole);
    let p = 1.0 + t * (EXP2[0] + t * (EXP2[1] + t * (EXP2[2] + t * (EXP2[3] + t * (EXP2[4] + t * EXP2[5])))));
    return select(p * bitcast<f32>((127u - whole) << 23u), 0.0, whole >= 126u);
}
