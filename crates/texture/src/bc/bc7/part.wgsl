// Parts, the errors of endpoints for them, and better endpoints (part.rs, line.rs, coding.rs).
// needs: params.wgsl, ../numbers.wgsl, ../visible.wgsl

struct Coding {
    // 0: no p-bits; 1: one for each endpoint; 2: one for both; 3: both set.
    p_bits: u32,
    channels: u32,
    scale: f32,
    greatest: f32,
    step: f32,
    last_code: f32,
    widen: f32,
    repeat: f32,
    last_index: f32,
    weight: f32,
    // Position of the starts for its indices in `tables`.
    starts: u32,
}

struct Part {
    // Positions of its texels, four bits each: first eight texels, then the others.
    order: vec2<u32>,
    count: u32,
    // First texel of its block.
    first: u32,
    channels: u32,
    rotation: u32,
    keeps_opaque: bool,
    // 1 for the channels that exist.
    mask: vec4<f32>,
    // Weights of distances from the line.
    weights: vec4<f32>,
    sum: vec4<f32>,
}

// Codes of two endpoints, or endpoints in 16ths.
struct Ends {
    a: vec4<f32>,
    b: vec4<f32>,
}

struct Line {
    step: vec4<f32>,
    base: f32,
    inverse: f32,
    slope: vec4<f32>,
    start: vec4<f32>,
}

struct Moments {
    error: f32,
    weight: f32,
    square: f32,
    products: vec4<f32>,
}

struct Best {
    error: f32,
    ends: Ends,
}

// Returns the kind of a candidate's part (jobs.rs).
fn kind_of(choice: u32, part: u32, info: u32) -> u32 {
    let mode = choice & 255u;
    let exchanged = choice >> 24u;
    if mode < 4u {
        return mode;
    }
    if mode == 4u {
        return 4u + select(exchanged, 3u - exchanged, part == 1u);
    }
    if mode == 5u {
        return 8u + part;
    }
    if mode == 6u {
        return select(11u, 10u, (info & HAS_ALPHA) != 0u);
    }
    return 12u;
}

fn coding_of(kind: u32) -> Coding {
    let at = CODINGS + 11u * kind;
    return Coding(
        tables[at],
        tables[at + 1u],
        table(at + 2u),
        table(at + 3u),
        table(at + 4u),
        table(at + 5u),
        table(at + 6u),
        table(at + 7u),
        table(at + 8u),
        table(at + 9u),
        tables[at + 10u],
    );
}

// Returns a texel's channels in the order of a part.
fn arranged(part: Part, values: vec4<f32>) -> vec4<f32> {
    if part.channels == 4u {
        return values;
    }
    if part.channels == 1u {
        let of_rotation = vec3(1u, 2u, 3u) == vec3(part.rotation);
        let exchanged = dot(values.xyz, vec3<f32>(of_rotation));
        return vec4(select(values.w, exchanged, part.rotation > 0u), 0.0, 0.0, 0.0);
    }
    return vec4(select(values.xyz, vec3(values.w), vec3(1u, 2u, 3u) == vec3(part.rotation)), 0.0);
}

fn place_of(part: Part, t: u32) -> u32 {
    return (select(part.order.x, part.order.y, t >= 8u) >> (4u * (t & 7u))) & 15u;
}

fn channels_of(part: Part, t: u32) -> vec4<f32> {
    let packed = texels[part.first + place_of(part, t)];
    return vec4(
        f32(packed & 255u),
        f32(extractBits(packed, 8u, 8u)),
        f32(extractBits(packed, 16u, 8u)),
        f32(packed >> 24u),
    );
}

fn texel(part: Part, t: u32) -> vec4<f32> {
    return arranged(part, channels_of(part, t));
}

fn part_of(block: u32, choice: u32, number: u32, info: u32, coding: Coding) -> Part {
    let mode = choice & 255u;
    let is_separate = mode == 4u || mode == 5u;
    let subset = subset_of(mode, (choice >> 8u) & 255u, select(number, 0u, is_separate));
    let anchor = subset >> 16u;
    var rest = subset & visible_texels(block);
    let count = countOneBits(rest);
    var order = vec2(0u);
    var at = 0u;
    if ((rest >> anchor) & 1u) != 0u {
        order.x = anchor;
        at = 1u;
        rest &= ~(1u << anchor);
    }
    while rest != 0u {
        let place = countTrailingZeros(rest);
        rest &= rest - 1u;
        let nibble = place << (4u * (at & 7u));
        order |= select(vec2(nibble, 0u), vec2(0u, nibble), at >= 8u);
        at += 1u;
    }
    let mask = vec4<f32>(vec4(0u, 1u, 2u, 3u) < vec4(coding.channels));
    let rotation = (choice >> 16u) & 255u;
    let keeps_opaque = (info & KEEPS_OPAQUE) != 0u;
    var part =
        Part(order, count, 16u * block, coding.channels, rotation, keeps_opaque, mask, vec4(0.0), vec4(0.0));
    part.weights = arranged(part, params.weights);
    for (var t = 0u; t < count; t++) {
        part.sum += texel(part, t);
    }
    return part;
}

fn widened(coding: Coding, codes: vec4<f32>) -> vec4<f32> {
    return codes * coding.widen + floor(codes * coding.repeat);
}

fn line_of(coding: Coding, part: Part, ends: Ends) -> Line {
    let a = widened(coding, ends.a) * part.mask;
    let step = widened(coding, ends.b) * part.mask - a;
    let weighted = step * part.weights;
    let inverse = keep(reciprocal(max(dot(step, weighted), 1.0)) * coding.last_index);
    return Line(weighted, -dot(a, weighted), inverse, step, a);
}

fn index_of(coding: Coding, line: Line, x: vec4<f32>) -> f32 {
    let along = line.base + dot(x, line.step);
    return round(clamp(along * line.inverse, 0.0, coding.last_index));
}

fn weight_of(coding: Coding, index: f32) -> f32 {
    return round(index * coding.weight);
}

// Returns the squared error of a texel at a weight.
fn texel_error(part: Part, line: Line, values: vec4<f32>, weight: f32) -> f32 {
    let decoded = line.start + floor((line.slope * weight + 32.0) * (1.0 / 64.0));
    let difference = decoded - arranged(part, values);
    var weights = params.weights;
    if part.keeps_opaque && values.w == 255.0 {
        weights.w = MOST + 1.0;
    }
    let errors = difference * difference * arranged(part, weights);
    return min(errors.x + errors.y + errors.z + errors.w, MOST);
}

fn error_of(coding: Coding, part: Part, ends: Ends) -> f32 {
    let line = line_of(coding, part, ends);
    var error = 0.0;
    for (var t = 0u; t < part.count; t++) {
        let values = channels_of(part, t);
        let weight = weight_of(coding, index_of(coding, line, arranged(part, values)));
        error += texel_error(part, line, values, weight);
    }
    return error;
}

// Returns the codes nearest to endpoints, with given p-bits.
fn codes_of(coding: Coding, ends: Ends, p: vec2<f32>) -> Ends {
    let a = clamp(round(ends.a * coding.scale - p.x * 0.5), vec4(0.0), vec4(coding.greatest));
    let b = clamp(round(ends.b * coding.scale - p.y * 0.5), vec4(0.0), vec4(coding.greatest));
    return Ends(a * coding.step + p.x, b * coding.step + p.y);
}

fn distance_of(coding: Coding, part: Part, end: vec4<f32>, codes: vec4<f32>) -> f32 {
    let difference = (widened(coding, codes) * 16.0 - end) * part.mask;
    return dot(difference, difference);
}

// Returns the codes nearest to endpoints, with the p-bits whose codes are nearest.
fn quantized(coding: Coding, part: Part, ends: Ends) -> Ends {
    if coding.p_bits == 0u {
        return codes_of(coding, ends, vec2(0.0));
    }
    if coding.p_bits == 3u {
        return codes_of(coding, ends, vec2(1.0));
    }
    let even = codes_of(coding, ends, vec2(0.0));
    let odd = codes_of(coding, ends, vec2(1.0));
    let of_even = vec2(distance_of(coding, part, ends.a, even.a), distance_of(coding, part, ends.b, even.b));
    let of_odd = vec2(distance_of(coding, part, ends.a, odd.a), distance_of(coding, part, ends.b, odd.b));
    if coding.p_bits == 2u {
        let is_odd = of_odd.x + of_odd.y < of_even.x + of_even.y;
        return Ends(select(even.a, odd.a, is_odd), select(even.b, odd.b, is_odd));
    }
    return Ends(select(even.a, odd.a, of_odd.x < of_even.x), select(even.b, odd.b, of_odd.y < of_even.y));
}

fn offer(best: ptr<function, Best>, error: f32, ends: Ends) -> bool {
    let better = error < (*best).error;
    if better {
        *best = Best(error, ends);
    }
    return better;
}

fn pack_codes(codes: vec4<f32>, mask: vec4<f32>) -> u32 {
    let bytes = vec4<u32>(codes * mask);
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

fn unpack_codes(packed: u32) -> vec4<f32> {
    return vec4<f32>(
        (vec4(packed) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u),
    );
}
