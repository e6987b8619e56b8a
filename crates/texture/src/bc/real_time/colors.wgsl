// Colours in real time: colors.rs. Tables have a number for each channel.
// needs: ../numbers.wgsl, ../power_scale.wgsl, sixteen.wgsl

const TOPS = vec3(TOP_CODES[0], TOP_CODES[1], TOP_CODES[2]);
const CODES = vec3(CODES_PER_VALUE[0], CODES_PER_VALUE[1], CODES_PER_VALUE[2]);
const VALUES = vec3(VALUES_PER_CODE[0], VALUES_PER_CODE[1], VALUES_PER_CODE[2]);
const MEAN_CODES = vec3(CODES_PER_SUM[0], CODES_PER_SUM[1], CODES_PER_SUM[2]);

struct Colors {
    r: Sixteen,
    g: Sixteen,
    b: Sixteen,
}

// Codes of two endpoints, halves of the places, and the error.
struct ColorBlock {
    a: vec3<f32>,
    b: vec3<f32>,
    halves: vec2<f32>,
    error: i32,
}

fn greatest_of(v: vec3<f32>) -> f32 {
    return max(max(v.x, v.y), max(v.z, 1.0));
}

// Returns a row's products with a direction, plus `start`.
fn row_along(r: vec4<f32>, g: vec4<f32>, b: vec4<f32>, direction: vec3<f32>, start: f32) -> vec4<f32> {
    return r * direction.x + (g * direction.y + (b * direction.z + start));
}

fn along(x: Colors, direction: vec3<f32>, start: f32) -> Sixteen {
    return Sixteen(
        row_along(x.r.a, x.g.a, x.b.a, direction, start),
        row_along(x.r.b, x.g.b, x.b.b, direction, start),
        row_along(x.r.c, x.g.c, x.b.c, direction, start),
        row_along(x.r.d, x.g.d, x.b.d, direction, start),
    );
}

fn color_axis(x: Colors, sums: vec3<f32>, squares: vec3<f32>) -> vec3<f32> {
    let variances = squares * 16.0 - sums * sums;
    let mixed = vec3(dot_of(x.r, x.g), dot_of(x.g, x.b), dot_of(x.b, x.r));
    let scale = power_scale(greatest_of(variances), 10u);
    let own = round(variances * scale);
    // Red and green, green and blue, blue and red.
    let others = round((mixed * 16.0 - sums * sums.yzx) * scale);
    let red = vec3(own.x, others.x, others.z);
    let green = vec3(others.x, own.y, others.y);
    let blue = vec3(others.z, others.y, own.z);
    let of_two = select(green, red, variances.x > variances.y);
    let row = select(of_two, blue, variances.z > max(variances.x, variances.y));
    let turned = vec3(dot(red, row), dot(green, row), dot(blue, row));
    return round(turned * power_scale(greatest_of(abs(turned)), 8u));
}

// Returns the encoding in which every texel has place 1, near the mean.
fn around_mean(sums: vec3<f32>, squares: vec3<f32>, last: f32) -> ColorBlock {
    let is_four = last > 2.5;
    let codes = round(sums * (last * MEAN_CODES));
    let a = floor(select(codes * 0.5, (codes + 1.0) * THIRD, is_four));
    let value = floor(codes * (select(0.5, ONE_THIRD, is_four) * VALUES) + HALF);
    let error = squares + value * (value * 16.0 - 2.0 * sums);
    let whole = i32(last);
    let scaled_error = i32(error.x + error.y + error.z) * whole * whole;
    return ColorBlock(a, codes - a * (last - 1.0), vec2(ONES), scaled_error);
}

// Returns the best encoding whose places on the line are 0 to `last`.
fn best_colors(x: Colors, last: f32) -> ColorBlock {
    let sums = vec3(sum(x.r), sum(x.g), sum(x.b));
    let squares = vec3(dot_of(x.r, x.r), dot_of(x.g, x.g), dot_of(x.b, x.b));
    var best = around_mean(sums, squares, last);
    let projections = along(x, color_axis(x, sums, squares), 0.0);
    let low = least(projections);
    let high = greatest(projections);
    let offsets = scaled(projections, PARTS, -(low * (PARTS - 1.0) + high));
    var at = places_of(offsets, keep(reciprocal(max(high - low, 1.0)) * (last * FIRST_SCALE)), last);
    for (var round_of_fit = 0u; round_of_fit < LEVEL; round_of_fit++) {
        let weight = sum(at);
        let square = dot_of(at, at);
        let weighted = vec3(dot_of(at, x.r), dot_of(at, x.g), dot_of(at, x.b));
        let determinant = square * 16.0 - weight * weight;
        let scale = reciprocal(max(determinant, 1.0)) * CODES;
        let of_a = square * sums - weight * weighted;
        let of_b = last * (weighted * 16.0 - weight * sums) + of_a;
        let a = round(clamp(of_a * scale, vec3(0.0), TOPS));
        let b = round(clamp(of_b * scale, vec3(0.0), TOPS));
        let values = floor(a * VALUES + HALF);
        let step = floor(b * VALUES + HALF) - values;
        let length = dot(step, step);
        let offsets = along(x, step, -dot(values, step));
        at = places_of(offsets, keep(reciprocal(max(length, 1.0)) * last), last);
        // last² times the error.
        let from_a = squares + values * (values * 16.0 - 2.0 * sums);
        let whole = i32(last);
        let of_places = 2 * i32(dot_of(at, offsets));
        let of_length = i32(length) * i32(dot_of(at, at));
        let error = (i32(from_a.x + from_a.y + from_a.z) * whole - of_places) * whole + of_length;
        if determinant > 0.0 && error < best.error {
            best = ColorBlock(a, b, digits_of(at, 4.0), error);
        }
    }
    return best;
}

fn packed_codes(end: vec3<f32>) -> u32 {
    return u32(end.x * 2048.0 + (end.y * 32.0 + end.z));
}

// Returns the colours' two words. Texels with two bits in `transparent` are transparent.
fn encode_colors(words: Words, transparent: u32) -> vec2<u32> {
    let has_transparent = transparent != 0u;
    let x = Colors(bytes_at(words, 0u), bytes_at(words, 8u), bytes_at(words, 16u));
    let best = best_colors(x, select(3.0, 2.0, has_transparent));
    let a = packed_codes(best.a);
    let b = packed_codes(best.b);
    let halves = vec2<u32>(best.halves);
    let places = halves.x | (halves.y << 16u);
    // Four colours need c0 > c1, three c0 <= c1.
    let is_swapped = select(a < b, b < a, has_transparent);
    var low = places & 0x55555555u;
    var high = (places >> 1u) & 0x55555555u;
    // Places 0 to 3 are indices 0, 2, 3, 1. Of three, 0 to 2 are indices 0, 2, 1.
    let differ = select(low ^ high, low, has_transparent);
    if is_swapped {
        // Place k of four becomes 3 - k, of three 2 - k.
        high = select(high, low | high, has_transparent) ^ 0x55555555u;
    }
    let indices = select(high | (differ << 1u), 0u, a == b) | transparent;
    let ends = select(a | (b << 16u), b | (a << 16u), is_swapped);
    return vec2(select(ends, 0u, transparent == 0xffffffffu), indices);
}
