// Weights of texels, and endpoints that fit weights (weights.rs).
// needs: coding.wgsl

struct Range {
    last: f32,
    step: f32,
    start: f32,
    factor: f32,
    summand: f32,
}

const RANGE_24 = Range(WEIGHTS_24[0], WEIGHTS_24[1], WEIGHTS_24[2], WEIGHTS_24[3], WEIGHTS_24[4]);
const RANGE_12 = Range(WEIGHTS_12[0], WEIGHTS_12[1], WEIGHTS_12[2], WEIGHTS_12[3], WEIGHTS_12[4]);
const RANGE_6 = Range(WEIGHTS_6[0], WEIGHTS_6[1], WEIGHTS_6[2], WEIGHTS_6[3], WEIGHTS_6[4]);

fn nearest_weight(range: Range, distance: f32) -> f32 {
    return clamp(round(distance - range.summand), 0.0, range.last);
}

// Returns the weight with the number `m` from the middle, which is positive on the upper side.
fn weight_of(range: Range, m: f32, is_high: bool) -> f32 {
    let w = floor(m * range.step + range.start);
    return select(-w, w, is_high);
}

// Returns the sum of both ends of a span, and the factor from distances to those of `nearest_weight`.
fn scale_of(range: Range, low: f32, high: f32) -> vec2<f32> {
    return vec2(low + high, keep(reciprocal(max(high - low, 1.0)) * range.factor));
}

fn weight_in_span(range: Range, scale: vec2<f32>, place: f32) -> f32 {
    let twice = 2.0 * place - scale.x;
    return weight_of(range, nearest_weight(range, keep(abs(twice) * scale.y)), twice > 0.0);
}

struct Moments {
    total: f32,
    squares: f32,
    products: vec4<f32>,
}

fn with_texel(moments: Moments, w: f32, x: vec4<f32>) -> Moments {
    return Moments(moments.total + w, moments.squares + w * w, moments.products + w * x);
}

// Returns targets of the endpoints that best fit the weights of `count` texels.
fn fitted(moments: Moments, sums: vec4<f32>, count: f32) -> Ends {
    let determinant = count * moments.squares - moments.total * moments.total;
    let of_count = reciprocal(count);
    let scale = reciprocal(max(determinant, 1.0));
    let slope = keep_all((count * moments.products - moments.total * sums) * scale);
    let reach = count * 32.0;
    let a = keep_all((sums - keep_all(slope * (moments.total + reach))) * of_count) + 128.0;
    let b = keep_all((sums - keep_all(slope * (moments.total - reach))) * of_count) + 128.0;
    return Ends(target_of(a), target_of(b));
}

fn target_of(end: vec4<f32>) -> vec4<f32> {
    return clamp(round(keep_all(end * FACTOR) + SUMMAND), vec4(0.0), vec4(1020.0));
}

fn keep_all(x: vec4<f32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) ^ vec4(params.zero));
}

struct Line {
    step: vec4<f32>,
    base: f32,
    inverse: f32,
    slope: vec4<f32>,
    start: vec4<f32>,
    // True if opaque texels take an endpoint, and if that is the second.
    keeps_opaque: bool,
    is_second: bool,
}

fn line_of(range: Range, ends: Ends) -> Line {
    let step = ends.b - ends.a;
    let both = ends.a + ends.b;
    return Line(
        step,
        dot(step, 256.0 - both) + dot(step, 255.0 - both) * BIAS,
        keep(reciprocal(max(dot(step, step), 1.0)) * range.factor),
        step * VALUE_SCALE,
        both * (32.0 * VALUE_SCALE) + (VALUE_OFFSET - 128.0),
        step.w != 0.0 && max(ends.a.w, ends.b.w) > 254.0,
        step.w > 0.0,
    );
}

fn error_of(line: Line, w: f32, x: vec4<f32>) -> f32 {
    let difference = floor(w * line.slope + line.start) - x;
    return dot(difference, difference);
}

// Weights: for each texel 2 m, plus 1 above the middle, five bits each: six texels, six, four.
struct Weights {
    packed: vec3<u32>,
    error: f32,
}

fn code_at(t: u32, code: f32) -> vec3<u32> {
    let placed = u32(code) << (5u * (t % 6u));
    return select(vec3(0u), vec3(placed), vec3(t / 6u) == vec3(0u, 1u, 2u));
}

// The weight of a texel: its code, the weight and the error.
struct Weight {
    code: f32,
    w: f32,
    error: f32,
}

// Returns the nearest weight's code.
fn nearest_code(range: Range, line: Line, x: vec4<f32>) -> f32 {
    let twice = dot(line.step, x) * 2.0 + line.base;
    let m = nearest_weight(range, keep(abs(twice) * line.inverse));
    return 2.0 * m + select(0.0, 1.0, twice > 0.0);
}

// Returns the better weight of those on both sides.
fn better_weight(range: Range, line: Line, x: vec4<f32>) -> Weight {
    let twice = dot(line.step, x) * 2.0 + line.base;
    let distance = keep(abs(twice) * line.inverse);
    // -1 is the first weight on the other side of the middle.
    var inner = clamp(floor(distance - range.summand), -1.0, range.last - 1.0);
    var outer = inner + 1.0;
    var side = select(-1.0, 1.0, twice > 0.0);
    if line.keeps_opaque && x.w > 126.0 {
        inner = range.last;
        outer = range.last;
        side = select(-1.0, 1.0, line.is_second);
    }
    let crosses = inner < 0.0;
    let near = side * select(floor(inner * range.step + range.start), -floor(range.start), crosses);
    let far = side * floor(outer * range.step + range.start);
    let near_error = error_of(line, near, x);
    let far_error = error_of(line, far, x);
    let is_far = far_error < near_error;
    let m = select(max(inner, 0.0), outer, is_far);
    let is_high = (side > 0.0) != (crosses && !is_far);
    let code = 2.0 * m + select(0.0, 1.0, is_high);
    return Weight(code, select(near, far, is_far), min(near_error, far_error));
}
