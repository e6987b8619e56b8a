// Logarithmic errors, for signed halves (assign.rs, fit.rs). Texels have weights in each channel.
// needs: numbers.wgsl, texel.wgsl, level.wgsl, line.wgsl

struct Texel {
    value: vec3<f32>,
    levels: vec3<f32>,
    weights: vec3<f32>,
}

struct Line {
    // The first endpoint, plus 1/2 for rounding.
    base: vec3<f32>,
    // Change for each 1/64 of weight.
    step: vec3<f32>,
    // The first endpoint and the change to the second, as values of halves.
    start: vec3<f32>,
    change: vec3<f32>,
}

struct Sums {
    count: vec3<f32>,
    weights: vec3<f32>,
    squares: vec3<f32>,
    values: vec3<f32>,
    weighted: vec3<f32>,
}

// As in unsigned.wgsl, for each channel.
struct Fit {
    ends: Ends,
    first: vec3<f32>,
    both: vec3<f32>,
    second: vec3<f32>,
    second_of_first: vec3<f32>,
    first_of_second: vec3<f32>,
    // True without texels. The second endpoint's codes are then 0.
    is_empty: bool,
}

fn quotient3(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3(quotient(a.x, b.x), quotient(a.y, b.y), quotient(a.z, b.z));
}

fn texel_at(block: u32, t: u32) -> Texel {
    let at = VALUE_PAIRS * block + 17u + 3u * t;
    let first = bitcast<vec2<f32>>(values[at]);
    let second = bitcast<vec2<f32>>(values[at + 1u]);
    let third = bitcast<vec2<f32>>(values[at + 2u]);
    return Texel(vec3<f32>(texel_of(block, t)), vec3(first, second.x), vec3(second.y, third));
}

// Leaves out the codes whose values exceed the block's limit.
fn limited(block: u32, coding: Coding) -> Coding {
    var of_block = coding;
    let limit = widened(vec3(f32(values[VALUE_PAIRS * block + 16u].y >> 16u))).x;
    let code = floor(keep(keep(limit - coding.offset) * coding.inverse));
    of_block.end = clamp(code, 0.0, coding.top);
    return of_block;
}

fn point_of(block: u32, t: u32, middle: vec3<i32>) -> vec3<f32> {
    return texel_at(block, t).levels;
}

fn ends_of(block: u32, extent: Extent, extension: vec2<f32>) -> Ends {
    var first = vec3<f32>(texel_of(block, extent.first_texel));
    var last = vec3<f32>(texel_of(block, extent.last_texel));
    if extent.is_empty {
        first = vec3(0.0);
        last = vec3(0.0);
    }
    let length = last - first;
    return Ends(
        widened(keep3(first - keep3(length * extension.x))),
        widened(keep3(last + keep3(length * extension.y))),
    );
}

fn line_of(subset: Subset, ends: Ends) -> Line {
    let change = keep3(ends.b - ends.a);
    // Halves are rounded to zero, so half a unit below an endpoint becomes its half on average.
    let bias = select(vec3(0.5), vec3(-0.5), ends.a < vec3(0.0));
    let start = keep3(keep3(ends.a * FINISH) - bias);
    return Line(keep3(ends.a + 0.5), change * (1.0 / 64.0), start, keep3(change * FINISH));
}

fn place_on(line: Line, subset: Subset, texel: Texel) -> f32 {
    let changes = keep3(line.change * texel.weights);
    let length = max(dot3(changes, line.change), 1e-9);
    return quotient(keep(dot3(changes, keep3(texel.value - line.start)) * subset.top), length);
}

fn texel_error(line: Line, weight: f32, texel: Texel) -> f32 {
    let errors = keep3(level_of(decoded(line.base, line.step, weight)) - texel.levels);
    return dot3(errors, errors);
}

// Chooses between the indices around a texel's place by the decoded colours.
fn choice_of(line: Line, subset: Subset, t: u32, texel: Texel) -> Choice {
    let place = clamped(subset, t, place_on(line, subset, texel));
    let near = round(place);
    let far = min(2.0 * floor(place) + 1.0 - near, highest_index(subset, t));
    var choice = Choice(near, 0.0);
    for (var i = 0u; i < 2u; i++) {
        let index = select(far, near, i == 0u);
        let error = texel_error(line, weight_of(subset, index), texel);
        if i == 0u || error < keep(choice.error * SMALLER) {
            choice = Choice(index, error);
        }
    }
    return choice;
}

fn with_texel(sums: Sums, texel: Texel, centered: vec3<f32>, weight: f32) -> Sums {
    let share = keep3(weight * texel.weights);
    return Sums(
        keep3(sums.count + texel.weights),
        keep3(sums.weights + share),
        keep3(sums.squares + keep3(share * weight)),
        keep3(sums.values + keep3(texel.weights * centered)),
        keep3(sums.weighted + keep3(share * centered)),
    );
}

fn regression(sums: Sums, middle: vec3<f32>) -> Ends {
    let squares = keep3(sums.count * sums.squares);
    let determinant = keep3(squares - keep3(sums.weights * sums.weights));
    // With one index there is no slope.
    let is_flat = (determinant < keep3(squares * 1e-4)) | (determinant < vec3(1e-30));
    let inverse = select(quotient3(vec3(1.0), max(determinant, vec3(1e-30))), vec3(0.0), is_flat);
    let of_count = quotient3(vec3(1.0), max(sums.count, vec3(1e-12)));
    let products = keep3(keep3(sums.count * sums.weighted) - keep3(sums.weights * sums.values));
    let slope = keep3(products * inverse);
    let first = keep3(keep3(keep3(sums.values - keep3(slope * sums.weights)) * of_count) + middle);
    return Ends(widened(first), widened(keep3(first + slope * 64.0)));
}

fn fit_from(sums: Sums, ends: Ends) -> Fit {
    let second = sums.squares * (1.0 / 4096.0);
    let both = keep3(sums.weights * (1.0 / 64.0) - second);
    let first = keep3(keep3(sums.count - sums.weights * (1.0 / 32.0)) + second);
    let is_empty = sums.count.x == 0.0;
    // At least 1/64 of the texels' weight.
    let least = select(sums.count * (1.0 / 64.0), vec3(1.0), is_empty);
    let of_first = -quotient3(both, max(second, least));
    return Fit(ends, first, both, second, of_first, -quotient3(both, max(first, least)), is_empty);
}
