// Mode 6 alone: real_time.rs.
// needs: ../../real_time/texels.wgsl, ../numbers.wgsl

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

// Returns the corners of the texels' bounding box.
fn bounding_box() -> Ends {
    var low = vec4(255.0);
    var high = vec4(0.0);
    for (var t = 0u; t < 16u; t++) {
        let x = bytes(block_texel(t));
        low = min(low, x);
        high = max(high, x);
    }
    // The channel with the widest range determines which channels fall while it rises.
    let range = high - low;
    let middle = low + high;
    let green = range.x < range.y;
    let blue = max(range.x, range.y) < range.z;
    let alpha = max(max(range.x, range.y), range.z) < range.w;
    var covariance = vec4(0.0);
    for (var t = 0u; t < 16u; t++) {
        let x = bytes(block_texel(t));
        let apart = x + x - middle;
        let of_widest = select(select(select(apart.x, apart.y, green), apart.z, blue), apart.w, alpha);
        covariance += apart * of_widest;
    }
    let falls = covariance < vec4(0.0);
    return Ends(select(low, high, falls), select(high, low, falls));
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

// Returns 128 + 15 numerator / determinant, rounded to nearest, as 8 bits.
fn endpoint(numerator: vec4<i32>, determinant: i32, scale: f32) -> vec4<f32> {
    let estimate = round(clamp(vec4<f32>(numerator) * scale, vec4(-512.0), vec4(512.0)));
    let twice = 2 * determinant;
    let rest = numerator * 30 + determinant - vec4<i32>(estimate) * twice;
    let raised = select(estimate, estimate + 1.0, rest >= vec4(twice));
    let corrected = select(raised, estimate - 1.0, rest < vec4(0));
    return clamp(corrected + 128.0, vec4(0.0), vec4(255.0));
}

// Returns the endpoints that best fit the indices; the old ones if the indices are all equal.
fn least_squares(old: Encoding) -> Ends {
    var moments = vec3(0.0);
    var ux = vec4(0.0);
    var wx = vec4(0.0);
    for (var t = 0u; t < 16u; t++) {
        let w = f32((select(old.indices.x, old.indices.y, t >= 8u) >> (4u * (t & 7u))) & 15u);
        let u = LAST - w;
        moments += vec3(u * u, u * w, w * w);
        let x = bytes(block_texel(t)) - 128.0;
        ux += u * x;
        wx += w * x;
    }
    let m = vec3<i32>(moments);
    let determinant = m.x * m.z - m.y * m.y;
    if determinant <= 0 {
        return old.ends;
    }
    let scale = keep(reciprocal(f32(determinant)) * LAST);
    let iu = vec4<i32>(ux);
    let iw = vec4<i32>(wx);
    return Ends(
        endpoint(m.z * iu - m.y * iw, determinant, scale),
        endpoint(m.x * iw - m.y * iu, determinant, scale),
    );
}

// Returns the block of the kept texels. The error of texels that are not visible does not count.
fn encode_block(visible: u32) -> vec4<u32> {
    var greatest = 0u;
    for (var t = 0u; t < 16u; t++) {
        greatest = max(greatest, block_texel(t) >> 24u);
    }
    let has_opaque = greatest == 255u;
    var best = encoding(bounding_box(), has_opaque, visible);
    if LEVEL > 1u {
        var last = best;
        for (var round = 0u; round < ROUNDS; round++) {
            last = encoding(least_squares(last), has_opaque, visible);
            if last.error < best.error {
                best = last;
            }
        }
    }
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
