// Lines between two endpoints: indices of texels, and errors of subsets (assign.rs). The kernel contains the
// functions for one kind of errors (unsigned.wgsl or signed.wgsl).
// needs: ../numbers.wgsl, subsets.wgsl, coding.wgsl

// 16-bit values of a subset's endpoints.
struct Ends {
    a: vec3<f32>,
    b: vec3<f32>,
}

// Extent of a subset's texels along their axis, from the end that is nearer to the anchor.
struct Extent {
    mean: vec3<f32>,
    middle: vec3<i32>,
    axis: vec3<f32>,
    first: f32,
    last: f32,
    // Texels at the ends.
    first_texel: u32,
    last_texel: u32,
    is_empty: bool,
}

// Index of a texel, and its squared error.
struct Choice {
    index: f32,
    error: f32,
}

fn clamped(subset: Subset, t: u32, place: f32) -> f32 {
    return min(max(place, 0.0), highest_index(subset, t));
}

fn weight_of(subset: Subset, index: f32) -> f32 {
    return round(index * subset.weight_step);
}

// Returns the halves at a weight of a line between integers. `base` is the first endpoint plus 1/2, `step`
// the change for each 1/64.
fn decoded(base: vec3<f32>, step: vec3<f32>, weight: f32) -> vec3<f32> {
    // At most 16 bits before the point and 6 after it: exact.
    return finished(floor(step * weight + base));
}

// Returns the line between the values of codes.
fn coded_line(subset: Subset, coding: Coding, codes: Codes) -> Line {
    return line_of(subset, Ends(values_of(coding, codes.a), values_of(coding, codes.b)));
}

// Returns the squared error of a subset with these codes.
fn subset_error(block: u32, subset: Subset, coding: Coding, codes: Codes) -> f32 {
    let line = coded_line(subset, coding, codes);
    var error = 0.0;
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let t = countTrailingZeros(rest);
        error = keep(error + choice_of(line, subset, t, texel_at(block, t)).error);
    }
    return error;
}
