// Levels 2 and 3 of real time: mode 6 and, if all texels are opaque, mode 1 (real_time_two.rs).
// needs: real_time.wgsl, ../index_words.wgsl

// Line of a subset: endpoints in 8 bits, codes without the p-bit, places per product with `step`, product of
// `a`.
struct Line {
    a: vec3<f32>,
    step: vec3<f32>,
    scale: f32,
    start: f32,
    first: vec3<f32>,
    last: vec3<f32>,
    p: f32,
}

// Returns the endpoints that best fit places between the ends of the projections, less 1/64 at each end.
fn fitted(m: Moments, axis: vec4<f32>, range: vec2<f32>) -> Ends {
    let scale = keep(reciprocal(max(range.y - range.x, 1.0)) * FIRST_SCALE);
    var weight = 0.0;
    var square = 0.0;
    var weighted = vec4(0.0);
    for (var t = 0u; t < 16u; t++) {
        let x = bytes(block_texel(t));
        let place = keep((dot(x, axis) - range.x) * scale) - FIRST_PLACE;
        let at = round(clamp(place, 0.0, LAST));
        weight += at;
        square += at * at;
        weighted += at * x;
    }
    return solved(m, weight, square, weighted);
}

// Returns the endpoints that best fit an encoding's indices.
fn refitted(m: Moments, found: Encoding) -> Ends {
    var weight = 0.0;
    var square = 0.0;
    var weighted = vec4(0.0);
    for (var t = 0u; t < 16u; t++) {
        let at = f32((select(found.indices.x, found.indices.y, t >= 8u) >> (4u * (t & 7u))) & 15u);
        weight += at;
        square += at * at;
        weighted += at * bytes(block_texel(t));
    }
    return solved(m, weight, square, weighted);
}

// Returns the endpoints that best fit places, by their sums.
fn solved(m: Moments, weight: f32, square: f32, weighted: vec4<f32>) -> Ends {
    let determinant = square * 16.0 - weight * weight;
    if determinant <= 0.0 {
        let x = bytes(block_texel(0u));
        return Ends(x, x);
    }
    let inverse = reciprocal(determinant);
    let of_a = square * m.sums - weight * weighted;
    let of_b = (weighted * 16.0 - weight * m.sums) * LAST + of_a;
    return Ends(
        round(clamp(of_a * inverse, vec4(0.0), vec4(255.0))),
        round(clamp(of_b * inverse, vec4(0.0), vec4(255.0))),
    );
}

// Returns the codes nearest to a point in 7 bits, without the p-bit.
fn codes_of(point: vec3<f32>, p: f32) -> vec3<f32> {
    let seven = keep4(vec4(point * SEVEN_BITS, 0.0)).xyz;
    return clamp(round((seven - p) * 0.5), vec3(0.0), vec3(63.0));
}

// Returns 7 bits as 8.
fn values_of(codes: vec3<f32>, p: f32) -> vec3<f32> {
    let bits = codes * 2.0 + p;
    return bits * 2.0 + floor(bits * (1.0 / 64.0));
}

fn moved(codes: vec3<f32>, p: f32, point: vec3<f32>) -> f32 {
    let difference = values_of(codes, p) - point;
    return dot(difference, difference);
}

// Returns the line between two points, with the p-bit that moves them less.
fn line_of(a: vec3<f32>, b: vec3<f32>) -> Line {
    let a0 = codes_of(a, 0.0);
    let b0 = codes_of(b, 0.0);
    let a1 = codes_of(a, 1.0);
    let b1 = codes_of(b, 1.0);
    let odd = moved(a1, 1.0, a) + moved(b1, 1.0, b) < moved(a0, 0.0, a) + moved(b0, 0.0, b);
    let first = select(a0, a1, odd);
    let last = select(b0, b1, odd);
    let p = select(0.0, 1.0, odd);
    let values = values_of(first, p);
    let step = values_of(last, p) - values;
    let scale = keep(reciprocal(max(dot(step, step), 1.0)) * 7.0);
    return Line(values, step, scale, dot(values, step), first, last, p);
}

// Returns three bits for each of eight bits.
fn spread(eight: u32) -> u32 {
    var bits = (eight | (eight << 8u)) & 0x00f00fu;
    bits = (bits | (bits << 4u)) & 0x0c30c3u;
    bits = (bits | (bits << 2u)) & 0x249249u;
    return bits * 7u;
}

fn codes_of_channel(a: Line, b: Line, exchanged: vec2<bool>, c: u32) -> u32 {
    let first = select(vec2(a.first[c], b.first[c]), vec2(a.last[c], b.last[c]), exchanged);
    let last = select(vec2(a.last[c], b.last[c]), vec2(a.first[c], b.first[c]), exchanged);
    let pairs = vec2<u32>(first) | (vec2<u32>(last) << vec2(6u));
    return pairs.x | (pairs.y << 12u);
}

// Returns the words of a block of mode 1.
fn mode_1_words(key: u32, a: Line, b: Line, found: vec2<u32>) -> vec4<u32> {
    let anchor = (key >> 16u) & 15u;
    let is_late = anchor > 7u;
    let seconds = vec2(spread(key & 255u), spread((key >> 8u) & 255u));
    // The anchors' indices lack their highest bits: if one is set, the subset's endpoints change places.
    let place = 3u * (anchor & 7u) + 2u;
    let of_anchor = (select(found.x, found.y, is_late) >> place) & 1u;
    let exchanged = vec2((found.x & 4u) != 0u, of_anchor != 0u);
    let of_first = select(vec2(0u), vec2(0xffffffu) ^ seconds, exchanged.xx);
    let inverted = found ^ (of_first | select(vec2(0u), seconds, exchanged.yy));
    let last = index_words(key, inverted);
    let blue = codes_of_channel(a, b, exchanged, 2u);
    return vec4(
        2u | ((key >> 20u) << 2u) | (codes_of_channel(a, b, exchanged, 0u) << 8u),
        codes_of_channel(a, b, exchanged, 1u) | (blue << 24u),
        (blue >> 8u) | (u32(a.p) << 16u) | (u32(b.p) << 17u) | last.x,
        last.y,
    );
}

// Words of a block, and its error.
struct Found {
    words: vec4<u32>,
    error: f32,
}

// Returns the block with the partition of this key, if its error is smaller than that of `best`; else `best`.
fn better_of(best: Found, m: Moments, key: u32, visible: u32) -> Found {
    var second = no_moments();
    for (var t = 0u; t < 16u; t++) {
        let count = f32((key >> t) & 1u);
        second = with_texel(second, bytes(block_texel(t)) * count, count);
    }
    let first = Moments(
        m.count - second.count,
        m.sums - second.sums,
        m.squares - second.squares,
        m.mixed - second.mixed,
        m.with_alpha - second.with_alpha,
    );
    let first_axis = axis_of(first);
    let second_axis = axis_of(second);
    var low = vec2(FAR);
    var high = vec2(-FAR);
    for (var t = 0u; t < 16u; t++) {
        let is_second = ((key >> t) & 1u) != 0u;
        let projection = dot(bytes(block_texel(t)), select(first_axis, second_axis, is_second));
        let used = vec2(!is_second, is_second);
        low = min(low, select(vec2(FAR), vec2(projection), used));
        high = max(high, select(vec2(-FAR), vec2(projection), used));
    }
    let a = line_of(point_of(first, first_axis, low.x).xyz, point_of(first, first_axis, high.x).xyz);
    let b = line_of(point_of(second, second_axis, low.y).xyz, point_of(second, second_axis, high.y).xyz);
    var indices = vec2(0u);
    var error = 0.0;
    for (var t = 0u; t < 16u; t++) {
        let x = bytes(block_texel(t)).xyz;
        let is_second = ((key >> t) & 1u) != 0u;
        let step = select(a.step, b.step, is_second);
        let along = dot(x, step) - select(a.start, b.start, is_second);
        let index = round(clamp(along * select(a.scale, b.scale, is_second), 0.0, 7.0));
        let bits = u32(index) << (3u * (t & 7u));
        indices |= select(vec2(bits, 0u), vec2(0u, bits), t >= 8u);
        // The weight is 64·index/7, to nearest.
        let weight = floor((index * 64.0 + 3.5) * (1.0 / 7.0));
        let start = select(a.a, b.a, is_second) * 64.0 + 32.0;
        let difference = floor((step * weight + start) * (1.0 / 64.0)) - x;
        error += select(0.0, dot(difference, difference), ((visible >> t) & 1u) != 0u);
    }
    if error < best.error {
        return Found(mode_1_words(key, a, b, indices), error);
    }
    return best;
}

// Returns the sides of the mean on the axis, a bit for each texel.
fn sides_of(axis: vec4<f32>, center: f32) -> u32 {
    var sides = 0u;
    for (var t = 0u; t < 16u; t++) {
        let is_past = dot(bytes(block_texel(t)), axis) * 16.0 > center;
        sides |= select(0u, 1u << t, is_past);
    }
    return sides;
}

// Returns the block of the kept texels. The error of texels that are not visible does not count.
fn encode_block(visible: u32) -> vec4<u32> {
    let m = all_moments();
    let axis = axis_of(m);
    let found = alphas();
    let range = range_on(axis);
    var best = encoding(ends_on(m, axis, range), found.y == 255u, visible);
    var of_fit = encoding(fitted(m, axis, range), found.y == 255u, visible);
    if of_fit.error < best.error {
        best = of_fit;
    }
    if found.x < 255u {
        for (var i = 0u; i < ROUNDS; i++) {
            of_fit = encoding(refitted(m, of_fit), found.y == 255u, visible);
            if of_fit.error < best.error {
                best = of_fit;
            }
        }
    }
    var block = Found(mode_6_words(best), best.error);
    if found.x == 255u {
        let keys = nearest_partitions(sides_of(axis, dot(axis, m.sums)));
        for (var i = 0u; i < ROUNDS; i++) {
            block = better_of(block, m, keys[i], visible);
        }
    }
    return block.words;
}
