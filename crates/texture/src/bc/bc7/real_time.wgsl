// Mode 6, and sums over texels: real_time.rs, moments.rs.
// needs: ../../real_time/texels.wgsl, ../numbers.wgsl, ../power_scale.wgsl

const LAST = 15.0;

// 8-bit values of two endpoints; the lowest bit is the p-bit.
struct Ends {
    a: vec4<f32>,
    b: vec4<f32>,
}

struct Encoding {
    ends: Ends,
    indices: vec2<u32>,
    error: f32,
}

// Sums over some texels: of channels, of their squares, of red and green, green and blue, blue and red, and
// of each colour and alpha.
struct Moments {
    count: f32,
    sums: vec4<f32>,
    squares: vec4<f32>,
    mixed: vec3<f32>,
    with_alpha: vec3<f32>,
}

fn keep4(x: vec4<f32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) ^ vec4(params.zero));
}

fn no_moments() -> Moments {
    return Moments(0.0, vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0));
}

// Returns the sums with `count` more texels; `x` is 0 if that is 0.
fn with_texel(m: Moments, x: vec4<f32>, count: f32) -> Moments {
    return Moments(
        m.count + count,
        m.sums + x,
        m.squares + x * x,
        m.mixed + x.xyz * x.yzx,
        m.with_alpha + x.xyz * x.w,
    );
}

// Returns the row of the covariance matrix with the greatest variance, after one step of the power method.
fn axis_of(m: Moments) -> vec4<f32> {
    let v = m.squares * m.count - m.sums * m.sums;
    let mixed = m.mixed * m.count - m.sums.xyz * m.sums.yzx;
    let with_alpha = m.with_alpha * m.count - m.sums.xyz * m.sums.w;
    let red = vec4(v.x, mixed.x, mixed.z, with_alpha.x);
    let green = vec4(mixed.x, v.y, mixed.y, with_alpha.y);
    let blue = vec4(mixed.z, mixed.y, v.z, with_alpha.z);
    let alpha = vec4(with_alpha, v.w);
    let of_two = max(v.x, v.y);
    let of_three = max(of_two, v.z);
    var row = select(red, green, v.y > v.x);
    row = select(row, blue, v.z > of_two);
    row = select(row, alpha, v.w > of_three);
    let scale = power_scale(max(max(of_three, v.w), 1.0), 10u);
    row = round(row * scale);
    let turned = vec4(
        dot(round(red * scale), row),
        dot(round(green * scale), row),
        dot(round(blue * scale), row),
        dot(round(alpha * scale), row),
    );
    let size = abs(turned);
    let longest = max(max(max(size.x, size.y), max(size.z, size.w)), 1.0);
    return round(turned * power_scale(longest, 8u));
}

// Returns the point on the line through the mean with this projection, in 8 bits.
fn point_of(m: Moments, axis: vec4<f32>, projection: f32) -> vec4<f32> {
    let part = reciprocal(max(m.count, 1.0));
    let scale = keep(reciprocal(max(dot(axis, axis), 1.0)) * part);
    let distance = keep((projection * m.count - dot(axis, m.sums)) * scale);
    let value = keep4(m.sums * part) + keep4(axis * distance);
    return round(clamp(value, vec4(0.0), vec4(255.0)));
}

// Returns the ends of a range of projections.
fn ends_on(m: Moments, axis: vec4<f32>, range: vec2<f32>) -> Ends {
    return Ends(point_of(m, axis, range.x), point_of(m, axis, range.y));
}

fn all_moments() -> Moments {
    var m = no_moments();
    for (var t = 0u; t < 16u; t++) {
        m = with_texel(m, bytes(block_texel(t)), 1.0);
    }
    return m;
}

// Returns the smallest and the largest projection.
fn range_on(axis: vec4<f32>) -> vec2<f32> {
    var low = dot(bytes(block_texel(0u)), axis);
    var high = low;
    for (var t = 1u; t < 16u; t++) {
        let projection = dot(bytes(block_texel(t)), axis);
        low = min(low, projection);
        high = max(high, projection);
    }
    return vec2(low, high);
}

// Returns the smallest and the largest alpha.
fn alphas() -> vec2<u32> {
    var least = 255u;
    var greatest = 0u;
    for (var t = 0u; t < 16u; t++) {
        let alpha = block_texel(t) >> 24u;
        least = min(least, alpha);
        greatest = max(greatest, alpha);
    }
    return vec2(least, greatest);
}

// Returns the nearest endpoint that has one p-bit for all channels.
fn quantized(end: vec4<f32>) -> vec4<f32> {
    let odd = end - floor(end * 0.5) * 2.0;
    var p = select(0.0, 1.0, odd.x + odd.y + odd.z + odd.w > 2.0);
    p = select(select(p, 0.0, end.w < 1.0), 1.0, end.w > 254.0);
    return min(floor((end + (1.0 - p)) * 0.5), vec4(127.0)) * 2.0 + p;
}

fn encoding(found: Ends, has_opaque: bool, visible: u32) -> Encoding {
    var ends = found;
    // One endpoint must have the alpha of opaque texels.
    let of_b = ends.a.w < ends.b.w;
    ends.a.w = select(ends.a.w, 255.0, has_opaque && !of_b);
    ends.b.w = select(ends.b.w, 255.0, has_opaque && of_b);
    ends = Ends(quantized(ends.a), quantized(ends.b));
    let step = ends.b - ends.a;
    let inverse = keep(reciprocal(max(dot(step, step), 1.0)) * LAST);
    // Opaque texels take the opaque endpoint, where the two differ in alpha.
    let of_opaque = select(0.0, LAST, ends.a.w < ends.b.w);
    let differs = has_opaque && ends.a.w != ends.b.w;
    var indices = vec2(0u);
    var error = 0.0;
    for (var t = 0u; t < 16u; t++) {
        let x = bytes(block_texel(t));
        let along = keep(dot(x - ends.a, step) * inverse);
        let index = select(round(clamp(along, 0.0, LAST)), of_opaque, differs && x.w > 254.0);
        let nibble = u32(index) << (4u * (t & 7u));
        indices |= select(vec2(nibble, 0u), vec2(0u, nibble), t >= 8u);
        if LEVEL > 1u {
            let weight = floor((index * 64.0 + 7.5) * (1.0 / LAST));
            let difference = floor((step * weight + (ends.a * 64.0 + 32.0)) * (1.0 / 64.0)) - x;
            error += select(0.0, dot(difference, difference), extractBits(visible, t, 1u) != 0u);
        }
    }
    return Encoding(ends, indices, error);
}

// Returns the words of a block of mode 6.
fn mode_6_words(best: Encoding) -> vec4<u32> {
    // The first index lacks its highest bit: if that is set, the endpoints change places.
    let exchanged = (best.indices.x & 8u) != 0u;
    let indices = select(best.indices, ~best.indices, exchanged);
    let a = vec4<u32>(select(best.ends.a, best.ends.b, exchanged));
    let b = vec4<u32>(select(best.ends.b, best.ends.a, exchanged));
    let c = a >> vec4(1u);
    let d = b >> vec4(1u);
    return vec4(
        0x40u | (c.x << 7u) | (d.x << 14u) | (c.y << 21u) | (d.y << 28u),
        (d.y >> 4u) | (c.z << 3u) | (d.z << 10u) | (c.w << 17u) | (d.w << 24u) | (a.x << 31u),
        (b.x & 1u) | ((indices.x & 7u) << 1u) | (indices.x & 0xfffffff0u),
        indices.y,
    );
}
