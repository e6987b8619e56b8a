// Blocks of two colours: two_colors.rs with the three channels side by side. A workgroup looks for them among
// eight blocks, one thread for each, then all its threads share the codes of each that was found.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

const RGB = 0xffffffu;
const BLOCKS = 8u;

// The blocks of two colours, and their colours.
var<workgroup> listed: array<u32, BLOCKS>;
var<workgroup> colors_listed: array<Colors, BLOCKS>;
var<workgroup> listed_count: atomic<u32>;
var<workgroup> to_do: u32;
// Of a pair of entries: the least of each channel.
var<workgroup> found: array<atomic<u32>, 3>;

// How the block will have the endpoints of green, as far as the codes of red tell: `HalfOrder`.
const KEPT = 0u;
const EXCHANGED = 1u;
const ASCENDING = 2u;

fn entry_value(entry: u32, order: u32, at_a: vec3<f32>, at_b: vec3<f32>) -> vec3<f32> {
    switch entry {
        case FIRST: {
            return endpoint_value(at_a);
        }
        case SECOND: {
            return endpoint_value(at_b);
        }
        case NEAR_FIRST: {
            return third_value(at_a, at_b);
        }
        case NEAR_SECOND: {
            return third_value(at_b, at_a);
        }
        default: {
            let exchanged = vec3(order == EXCHANGED) | (vec3(order == ASCENDING) & (at_b < at_a));
            return half_value(select(at_a, at_b, exchanged), select(at_b, at_a, exchanged));
        }
    }
}

// An entry, apart from rounding, as a linear function of the codes: its slopes and where it starts.
struct Line {
    a: vec3<f32>,
    b: vec3<f32>,
    start: vec3<f32>,
}

fn line_of(rule: Interpolant, exchanged: bool) -> Line {
    let unit = rule.scale.xyz * params.rule.widen.xyz;
    let a = select(rule.k0.xyz, rule.k1.xyz, exchanged);
    let b = select(rule.k1.xyz, rule.k0.xyz, exchanged);
    // Rounding down takes away a half on average.
    return Line(a * unit, b * unit, rule.bias.xyz * rule.scale.xyz - vec3(0.5));
}

fn line(entry: u32) -> Line {
    switch entry {
        case FIRST, SECOND: {
            return line_of(params.rule.endpoint, entry == SECOND);
        }
        case HALF: {
            return line_of(params.rule.half, false);
        }
        default: {
            return line_of(params.rule.third, entry == NEAR_SECOND);
        }
    }
}

// Codes b that are tried with a code a; and with 0, 31 and 63, which may be a channel's first or last, all.
const TRIES = 2u * SLACK + 2u;
const TRIES_OF_ALL = 61u * TRIES;

// The lowest errors that this thread finds of each channel for a pair of entries, error << 12 | code a << 6 |
// code b.
fn fit_some(
    thread: u32,
    pair: vec2<u32>,
    order: u32,
    colors: array<vec3<f32>, 2>,
    counts: vec2<f32>,
) -> vec3<u32> {
    let top = params.rule.top.xyz;
    let line0 = line(pair.x);
    let line1 = line(pair.y);
    // With code a, the parabola over code b is lowest at start - slope * a. Only codes around it are tried,
    // but all where code a is 0 or the top: both colours may then lie far from their entries, so that the
    // parabola is flat and rounding decides. A code more or less leaves the best among those tried.
    let pull0 = counts.x * line0.b;
    let pull1 = counts.y * line1.b;
    let scale = 1.0 / (pull0 * line0.b + pull1 * line1.b);
    let start = scale * (pull0 * (colors[0] - line0.start) + pull1 * (colors[1] - line1.start));
    let slope = scale * (pull0 * line0.a + pull1 * line1.a);
    var best = vec3(0xffffffffu);
    for (var at = thread; at < TRIES_OF_ALL + 3u * 64u; at += 64u) {
        let everywhere = at >= TRIES_OF_ALL;
        let place = at / TRIES;
        let last = at - TRIES_OF_ALL;
        let at_end = (last >> 6u) * 32u - min(last >> 6u, 1u);
        let a = select(place + select(1u, 2u, place >= 30u), at_end, everywhere);
        // Past the top, a code is tried again, to no effect.
        let code_a = min(vec3(f32(a)), top);
        let at_a = operand(code_a);
        let middle = clamp(floor(start - slope * code_a), vec3(0.0), top) - vec3(f32(SLACK));
        let tried = select(middle + vec3(f32(at - place * TRIES)), vec3(f32(last & 63u)), everywhere);
        let code_b = clamp(tried, vec3(0.0), top);
        let at_b = operand(code_b);
        let d0 = entry_value(pair.x, order, at_a, at_b) - colors[0];
        let d1 = entry_value(pair.y, order, at_a, at_b) - colors[1];
        let error = vec3<u32>(counts.x * d0 * d0 + counts.y * d1 * d1);
        best = min(best, (error << vec3(12u)) | (vec3<u32>(code_a) << vec3(6u)) | vec3<u32>(code_b));
    }
    return best;
}

// The same of all threads together. All of them call it.
fn fit_pair(
    thread: u32,
    pair: vec2<u32>,
    order: u32,
    colors: array<vec3<f32>, 2>,
    counts: vec2<f32>,
) -> vec3<u32> {
    let own = fit_some(thread, pair, order, colors, counts);
    // What was found before has been read by all.
    workgroupBarrier();
    if thread < 3u {
        atomicStore(&found[thread], 0xffffffffu);
    }
    workgroupBarrier();
    atomicMin(&found[0], own.x);
    atomicMin(&found[1], own.y);
    atomicMin(&found[2], own.z);
    workgroupBarrier();
    return vec3(atomicLoad(&found[0]), atomicLoad(&found[1]), atomicLoad(&found[2]));
}

fn index_of(entry: u32) -> u32 {
    return select(entry, 2u, entry == HALF);
}

// The colours of a block, and how many texels count of each.
struct Colors {
    // Whether there are no more than two, and no transparent texel.
    are_two: bool,
    first: u32,
    other: u32,
    // One bit per texel: which have the other colour.
    is_other: u32,
    counts: vec2<f32>,
}

fn colors_of(block: u32) -> Colors {
    let first = texels[16u * block] & RGB;
    var seen = Colors(true, first, first, 0u, vec2(0.0, 0.0));
    for (var t = 0u; t < 16u; t++) {
        let value = texels[16u * block + t];
        let color = value & RGB;
        let kind = value >> 24u;
        let is_other = color != first;
        seen.are_two = seen.are_two & (kind != CLASS_TRANSPARENT)
            & (!is_other | (seen.other == first) | (seen.other == color));
        seen.other = select(seen.other, color, is_other);
        seen.is_other |= select(0u, 1u << t, is_other);
        let counting = select(0.0, 1.0, kind == CLASS_OPAQUE);
        seen.counts += select(vec2(counting, 0.0), vec2(0.0, counting), is_other);
    }
    return seen;
}

// Encodes a listed block of two colours. All threads call it.
fn encode(thread: u32, at: u32) {
    let block = listed[at];
    let seen = colors_listed[at];
    let colors = array(centered(seen.first), centered(seen.other));
    let weight = vec3<u32>(params.rule.weight.xyz);
    let pairs = select(PAIR_COUNT_FOUR, PAIR_COUNT_FOUR + PAIR_COUNT_THREE, params.three_color != 0u);
    var least = 0xffffffffu;
    var best_pair = vec2(0u);
    var best = vec3(0u);
    for (var i = 0u; i < pairs; i++) {
        let three = i >= PAIR_COUNT_FOUR;
        let nibble = 4u * select(i, i - PAIR_COUNT_FOUR, three);
        let of_four = vec2(PAIRS_FOUR_FIRST, PAIRS_FOUR_OTHER);
        let of_three = vec2(PAIRS_THREE_FIRST, PAIRS_THREE_OTHER);
        let pair = extractBits(select(of_four, of_three, three), nibble, 4u);
        var fitted = fit_pair(thread, pair, KEPT, colors, seen.counts);
        if three && params.rule.half.falling.y != 0.0 {
            let red = vec2(fitted.x >> 6u, fitted.x) & vec2(63u);
            let order = select(select(ASCENDING, EXCHANGED, red.x > red.y), KEPT, red.x < red.y);
            fitted.y = fit_pair(thread, pair, order, colors, seen.counts).y;
        }
        let errors = (fitted >> vec3(12u)) * weight;
        let error = errors.x + errors.y + errors.z;
        if error < least {
            least = error;
            best_pair = pair;
            best = fitted;
        }
    }
    if thread > 0u {
        return;
    }
    let a = pack(vec3<f32>((best >> vec3(6u)) & vec3(63u)));
    let b = pack(vec3<f32>(best & vec3(63u)));
    let three = best_pair.x == HALF || best_pair.y == HALF;
    let swap = select(a < b, b < a, three);
    var index = vec2(index_of(best_pair.x), index_of(best_pair.y));
    if a == b {
        // Equal endpoints select three colours, where only index 3 differs.
        index = vec2(0u);
    } else if swap {
        // Exchanging the endpoints exchanges 0 with 1 and the thirds, but leaves the half.
        index = select(index ^ vec2(1u), index, (index >= vec2(2u)) & vec2(three));
    }
    var indices = 0u;
    for (var t = 0u; t < 16u; t++) {
        indices |= select(index.x, index.y, extractBits(seen.is_other, t, 1u) != 0u) << (2u * t);
    }
    blocks[place(block)] = select(a | (b << 16u), b | (a << 16u), swap);
    blocks[place(block) + 1u] = indices;
    texels[16u * block] = CLASS_DONE << 24u;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    if thread == 0u {
        atomicStore(&listed_count, 0u);
    }
    workgroupBarrier();
    let block = (group.y * groups.x + group.x) * BLOCKS + thread;
    if thread < BLOCKS && block < params.blocks {
        if (texels[16u * block] >> 24u) != CLASS_DONE && colors_of(block).are_two {
            listed[atomicAdd(&listed_count, 1u)] = block;
        }
    }
    workgroupBarrier();
    if thread == 0u {
        to_do = atomicLoad(&listed_count);
    }
    let count = workgroupUniformLoad(&to_do);
    if thread < count {
        colors_listed[thread] = colors_of(listed[thread]);
    }
    workgroupBarrier();
    for (var i = 0u; i < count; i++) {
        encode(thread, i);
    }
}
