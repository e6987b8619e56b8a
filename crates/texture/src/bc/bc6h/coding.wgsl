// Codes of endpoints and their values (coding.rs).
// needs: params.wgsl, numbers.wgsl

struct Coding {
    scale: f32,
    inverse: f32,
    offset: f32,
    // Highest code of the mode, and of the block.
    top: f32,
    end: f32,
    // Lowest and highest differences from the first endpoint.
    least: vec3<f32>,
    most: vec3<f32>,
}

// Codes of a subset's endpoints.
struct Codes {
    a: vec3<f32>,
    b: vec3<f32>,
}

// Returns the 16-bit values of codes.
fn values_of(coding: Coding, codes: vec3<f32>) -> vec3<f32> {
    let magnitude = select(codes, abs(codes), vec3(SIGNED));
    var value = select(magnitude * coding.scale + coding.offset, vec3(0.0), magnitude < vec3(0.5));
    value = select(value, vec3(TOP), magnitude > vec3(coding.top - 0.5));
    return select(value, -value, vec3(SIGNED) & (codes < vec3(0.0)));
}

// Returns the codes with the nearest values, or those beside them near the ends of the range.
fn codes_of(coding: Coding, value: vec3<f32>) -> vec3<f32> {
    let magnitude = select(max(value, vec3(0.0)), abs(value), vec3(SIGNED));
    let place = keep3(keep3(magnitude - coding.offset) * coding.inverse + 0.5);
    let codes = clamp(floor(place), vec3(0.0), vec3(coding.end));
    return select(codes, -codes, vec3(SIGNED) & (value < vec3(0.0)));
}

// Returns the nearest codes whose differences from `base` can be stored.
fn within_reach(coding: Coding, codes: vec3<f32>, base: vec3<f32>) -> vec3<f32> {
    return min(max(codes, base + coding.least), base + coding.most);
}

fn is_out_of_reach(coding: Coding, codes: vec3<f32>, base: vec3<f32>) -> vec3<bool> {
    let difference = codes - base;
    return (difference < coding.least) | (difference > coding.most);
}

// Returns the 16-bit values in the middle of those that become the values of halves.
fn widened(halves: vec3<f32>) -> vec3<f32> {
    let wide = keep3(keep3(select(halves, abs(halves), vec3(SIGNED)) + 0.5) * WIDEN);
    let limited = min(max(wide, vec3(0.0)), vec3(TOP));
    return select(limited, -limited, vec3(SIGNED) & (halves < vec3(0.0)));
}

// Returns the values of halves from interpolated 16-bit values.
fn finished(value: vec3<f32>) -> vec3<f32> {
    let scaled = value * FINISH;
    return select(floor(scaled), trunc(scaled), vec3(SIGNED));
}
