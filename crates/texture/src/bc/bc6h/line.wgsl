// Lines between two endpoints: indices of texels, and their errors (assign.rs).
// needs: numbers.wgsl, subsets.wgsl, coding.wgsl, texel.wgsl

struct Line {
    // The first endpoint, plus 1/2 for rounding.
    base: vec3<f32>,
    // Change for each 1/64 of weight.
    step: vec3<f32>,
    // Index of a texel: its scalar product with `gradient`, less `origin`.
    gradient: vec3<f32>,
    origin: f32,
}

fn line_of(subset: Subset, a: vec3<f32>, b: vec3<f32>) -> Line {
    let change = keep3(b - a);
    let scale = quotient(keep(subset.top * WIDEN), max(dot3(change, change), 1e-3));
    let gradient = keep3(change * scale);
    // Halves are rounded down, so half a unit below an endpoint becomes its half on average.
    let start = keep3(keep3(a * FINISH) - 0.5);
    return Line(keep3(a + 0.5), change * (1.0 / 64.0), gradient, dot3(start, gradient));
}

fn index_of(line: Line, subset: Subset, t: u32, texel: vec3<f32>) -> f32 {
    let place = keep(dot3(texel, line.gradient) - line.origin);
    return round(min(max(place, 0.0), highest_index(subset, t)));
}

fn weight_of(subset: Subset, index: f32) -> f32 {
    return round(index * subset.weight_step);
}

// Returns the squared error of a texel at a weight.
fn texel_error(line: Line, weight: f32, texel: vec3<f32>) -> f32 {
    // At most 16 bits before the point and 6 after it: exact.
    let errors = finished(floor(line.step * weight + line.base)) - texel;
    return dot3(errors, errors);
}

// Returns the squared error of a subset at the values of codes.
fn subset_error(block: u32, subset: Subset, coding: Coding, codes: Codes) -> f32 {
    let line = line_of(subset, values_of(coding, codes.a), values_of(coding, codes.b));
    var error = 0.0;
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let t = countTrailingZeros(rest);
        let texel = vec3<f32>(texel_of(block, t));
        let weight = weight_of(subset, index_of(line, subset, t, texel));
        error = keep(error + texel_error(line, weight, texel));
    }
    return error;
}
