// Errors of bit patterns, for unsigned halves (assign.rs, fit.rs).
// needs: numbers.wgsl, texel.wgsl, line.wgsl

struct Texel {
    value: vec3<f32>,
}

struct Line {
    // The first endpoint, plus 1/2 for rounding.
    base: vec3<f32>,
    // Change for each 1/64 of weight.
    step: vec3<f32>,
    // Index of a texel: its scalar product with `gradient`, less `origin`.
    gradient: vec3<f32>,
    origin: f32,
}

// Integers below 2²⁴. Weights are those of the second endpoint.
struct Sums {
    count: f32,
    weights: f32,
    squares: f32,
    values: vec3<f32>,
    weighted: vec3<f32>,
}

// Endpoints of a subset by least squares, and the growth of its squared error with the distances x and y of
// its endpoints from them: `first`·x² + 2·`both`·x·y + `second`·y².
struct Fit {
    ends: Ends,
    first: f32,
    both: f32,
    second: f32,
    // Distance of one endpoint that makes up best for one of the other.
    second_of_first: f32,
    first_of_second: f32,
    is_empty: bool,
}

fn texel_at(block: u32, t: u32) -> Texel {
    return Texel(vec3<f32>(texel_of(block, t)));
}

// Returns the codes that a block may have: all.
fn limited(block: u32, coding: Coding) -> Coding {
    return coding;
}

// Returns a texel in the space of errors.
fn point_of(block: u32, t: u32, middle: vec3<i32>) -> vec3<f32> {
    return vec3<f32>(texel_of(block, t) - middle);
}

// Returns the endpoints of a line through texels, extended by shares of its length.
fn ends_of(block: u32, extent: Extent, extension: vec2<f32>) -> Ends {
    let length = keep(extent.last - extent.first);
    let inverse = quotient(1.0, max(dot3(extent.axis, extent.axis), 1e-3));
    let a = keep(keep(extent.first - keep(length * extension.x)) * inverse);
    let b = keep(keep(extent.last + keep(length * extension.y)) * inverse);
    let origin = keep3(extent.mean + vec3<f32>(extent.middle));
    return Ends(
        widened(keep3(origin + keep3(extent.axis * a))),
        widened(keep3(origin + keep3(extent.axis * b))),
    );
}

fn line_of(subset: Subset, ends: Ends) -> Line {
    let change = keep3(ends.b - ends.a);
    let scale = quotient(keep(subset.top * WIDEN), max(dot3(change, change), 1e-3));
    let gradient = keep3(change * scale);
    // Halves are rounded down, so half a unit below an endpoint becomes its half on average.
    let start = keep3(keep3(ends.a * FINISH) - 0.5);
    return Line(keep3(ends.a + 0.5), change * (1.0 / 64.0), gradient, dot3(start, gradient));
}

// Returns the place of a texel on a line, as an index that is not rounded.
fn place_on(line: Line, subset: Subset, texel: Texel) -> f32 {
    return keep(dot3(texel.value, line.gradient) - line.origin);
}

fn texel_error(line: Line, weight: f32, texel: Texel) -> f32 {
    let errors = decoded(line.base, line.step, weight) - texel.value;
    return dot3(errors, errors);
}

fn choice_of(line: Line, subset: Subset, t: u32, texel: Texel) -> Choice {
    let index = round(clamped(subset, t, place_on(line, subset, texel)));
    return Choice(index, texel_error(line, weight_of(subset, index), texel));
}

fn with_texel(sums: Sums, texel: Texel, centered: vec3<f32>, weight: f32) -> Sums {
    return Sums(
        sums.count + 1.0,
        sums.weights + weight,
        sums.squares + weight * weight,
        sums.values + centered,
        sums.weighted + weight * centered,
    );
}

fn regression(sums: Sums, middle: vec3<f32>) -> Ends {
    let determinant = sums.count * sums.squares - sums.weights * sums.weights;
    // With one index there is no slope.
    let inverse = select(quotient(1.0, max(determinant, 1.0)), 0.0, determinant < 0.5);
    let of_count = quotient(1.0, max(sums.count, 1.0));
    let products = keep3(keep3(sums.count * sums.weighted) - keep3(sums.weights * sums.values));
    let slope = keep3(products * inverse);
    let first = keep3(keep3(keep3(sums.values - keep3(slope * sums.weights)) * of_count) + middle);
    return Ends(widened(first), widened(keep3(first + slope * 64.0)));
}

fn fit_from(sums: Sums, ends: Ends) -> Fit {
    let second = sums.squares * (1.0 / 4096.0);
    let both = sums.weights * (1.0 / 64.0) - second;
    let first = sums.count - sums.weights * (1.0 / 32.0) + second;
    // At least a quarter of a texel.
    let of_first = -quotient(both, max(second, 0.25));
    return Fit(ends, first, both, second, of_first, -quotient(both, max(first, 0.25)), false);
}
