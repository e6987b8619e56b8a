// Colours that follow from a block's endpoints (`palette` of lanes.rs), and packing of endpoints into one
// word.
// needs: lanes.wgsl

// True if the bias changes where the second operand is below the first.
override FALLING = true;

alias Palette = array<vec3<f32>, 4>;

fn operand(code: vec3<f32>) -> vec3<f32> {
    return floor(code * params.rule.widen.xyz);
}

// The two inner colours of four are third(a, b) and third(b, a). The one of three is half(a, b).
fn third_value(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.third;
    var sum = a * rule.k0.xyz + (b * rule.k1.xyz + rule.bias.xyz);
    if FALLING {
        sum += select(vec3(0.0), rule.falling.xyz, b < a);
    }
    return floor(sum * rule.scale.xyz);
}

fn half_value(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.half;
    var sum = a * rule.k0.xyz + (b * rule.k1.xyz + rule.bias.xyz);
    if FALLING {
        sum += select(vec3(0.0), rule.falling.xyz, b < a);
    }
    return floor(sum * rule.scale.xyz);
}

fn endpoint_value(a: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.endpoint;
    return floor((a * rule.k0.xyz + rule.bias.xyz) * rule.scale.xyz);
}

// Returns the centred palette. In mode THREE, the last entry repeats the first: no texel prefers it.
fn palette(mode: u32, ends: Endpoints) -> Palette {
    let a = operand(ends.a);
    let b = operand(ends.b);
    let first = endpoint_value(a);
    let second = endpoint_value(b);
    if mode == FOUR {
        return Palette(first, second, third_value(a, b), third_value(b, a));
    }
    let last = select(vec3(-CENTER), first, mode == THREE);
    // The endpoints are taken in the block's order: NVIDIA's green half is not symmetric.
    let order = vec3(2048.0, 32.0, 1.0);
    let falls = dot(ends.b, order) < dot(ends.a, order);
    return Palette(first, second, half_value(select(a, b, falls), select(b, a, falls)), last);
}

fn pack(codes: vec3<f32>) -> u32 {
    let c = vec3<u32>(codes);
    return (c.x << 11u) | (c.y << 5u) | c.z;
}

fn pack_ends(ends: Endpoints) -> u32 {
    return pack(ends.a) | (pack(ends.b) << 16u);
}

fn unpack_ends(packed: u32) -> Endpoints {
    let bits = vec3(packed) >> vec3(11u, 5u, 0u);
    let codes = vec3(31u, 63u, 31u);
    return Endpoints(vec3<f32>(bits & codes), vec3<f32>((bits >> vec3(16u)) & codes));
}
