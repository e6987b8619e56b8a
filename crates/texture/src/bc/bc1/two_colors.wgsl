// Blocks of two colours: two_colors.rs. A workgroup looks for them among BLOCKS blocks, one thread per block.
// Then each thread takes one task at a time: a pair of entries and a channel of one of those blocks.
// needs: params.wgsl, palette.wgsl, words.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

const RGB = 0xffffffu;

// Colours of a block, and the number of texels that count for each.
struct Colors {
    // True if there are at most two colours and no transparent texel.
    are_two: bool,
    first: u32,
    other: u32,
    // One bit per texel; 1 if it has the other colour.
    is_other: u32,
    counts: vec2<f32>,
}

var<workgroup> listed: array<u32, BLOCKS>;
var<workgroup> colors_listed: array<Colors, BLOCKS>;
var<workgroup> listed_count: atomic<u32>;
var<workgroup> to_do: u32;

// Order of green's endpoints in a block of three colours, as far as the codes of red determine it:
// `HalfOrder`.
const KEPT = 0u;
const EXCHANGED = 1u;
const ASCENDING = 2u;

// Tasks of a block: three channels of each pair. Where a half depends on the order of the endpoints, green
// also has tasks for the other two orders.
const PAIR_COUNT = PAIR_COUNT_FOUR + PAIR_COUNT_THREE;
const TASKS = 3u * PAIR_COUNT + 2u * PAIR_COUNT_THREE;

// Results of each task and listed block: the lowest error << 12 | code a << 6 | code b.
var<workgroup> found: array<u32, TASKS * BLOCKS>;

fn pair_of(rank: u32) -> vec2<u32> {
    let three = rank >= PAIR_COUNT_FOUR;
    let of_four = vec2(PAIRS_FOUR_FIRST, PAIRS_FOUR_OTHER);
    let of_three = vec2(PAIRS_THREE_FIRST, PAIRS_THREE_OTHER);
    let nibble = 4u * select(rank, rank - PAIR_COUNT_FOUR, three);
    return extractBits(select(of_four, of_three, three), nibble, 4u);
}

// Returns the task of a pair with a half, for green in an order that is not kept.
fn more_task(rank: u32, order: u32) -> u32 {
    return 3u * PAIR_COUNT + 2u * (rank - PAIR_COUNT_FOUR) + order - EXCHANGED;
}

// Returns one number for each of two entries.
fn of_entries(pair: vec2<u32>, endpoint: f32, third: f32, half: f32) -> vec2<f32> {
    let inner = select(vec2(third), vec2(half), pair == vec2(HALF));
    return select(inner, vec2(endpoint), (pair == vec2(FIRST)) | (pair == vec2(SECOND)));
}

// One channel of two entries: floor((outer * operand + inner * operand + bias) * scale).
struct Values {
    outer: vec2<f32>,
    inner: vec2<f32>,
    bias: vec2<f32>,
    scale: vec2<f32>,
    // Where the outer operand is above the inner one, or below it if the sign is -1, the sum increases by
    // `falling`, plus `step` for each unit of distance.
    sign: vec2<f32>,
    falling: vec2<f32>,
    step: vec2<f32>,
}

// Returns the values with code a as the outer one.
fn values_of(pair: vec2<u32>, order: u32, channel: u32) -> Values {
    let end = &params.rule.endpoint;
    let third = &params.rule.third;
    let half = &params.rule.half;
    let k0 = of_entries(pair, (*end).k0[channel], (*third).k0[channel], (*half).k0[channel]);
    let k1 = of_entries(pair, (*end).k1[channel], (*third).k1[channel], (*half).k1[channel]);
    let bias = of_entries(pair, (*end).bias[channel], (*third).bias[channel], (*half).bias[channel]);
    let scale = of_entries(pair, (*end).scale[channel], (*third).scale[channel], (*half).scale[channel]);
    let falling = of_entries(pair, 0.0, (*third).falling[channel], (*half).falling[channel]);
    let is_half = pair == vec2(HALF);
    let ascending = is_half & vec2(order == ASCENDING);
    let is_second = (pair == vec2(SECOND)) | (pair == vec2(NEAR_SECOND));
    let exchanged = is_second | (is_half & vec2(order == EXCHANGED));
    return Values(
        select(k0, k1, exchanged),
        select(k1, k0, exchanged),
        bias,
        scale,
        select(vec2(1.0), vec2(-1.0), exchanged),
        select(falling, vec2(0.0), ascending),
        // The lower operand is multiplied by k0, the higher one by k1.
        select(vec2(0.0), k1 - k0, ascending),
    );
}

// 2^23. An integer below it that is added appears in the lower bits of the sum.
const INTEGERS = 8388608.0;

// Numbers that are the same for all codes.
struct Search {
    values: Values,
    colors: vec2<f32>,
    counts: vec2<f32>,
    widen: f32,
    // Factors of the outer and the inner code in the packed codes.
    digits: vec2<f32>,
}

// Returns error << 12 | code a << 6 | code b.
fn tried(search: Search, outer_code: f32, inner_code: f32) -> u32 {
    let values = search.values;
    let outer = floor(outer_code * search.widen);
    let inner = floor(inner_code * search.widen);
    // The terms of the outer code alone are computed once for all inner ones.
    var sum = (outer * values.outer + values.bias) + inner * values.inner;
    if FALLING {
        let above = (outer - inner) * values.sign;
        sum += select(vec2(0.0), values.falling + values.step * above, above > vec2(0.0));
    }
    let d = floor(sum * values.scale) - search.colors;
    let error = search.counts.x * (d.x * d.x) + (search.counts.y * (d.y * d.y) + INTEGERS);
    let codes = (outer_code * search.digits.x + INTEGERS) + inner_code * search.digits.y;
    return (bitcast<u32>(error) << 12u) | (bitcast<u32>(codes) & 0xfffu);
}

const_assert INNER_COUNT == 3u;

// Returns the lowest of these for a pair of entries in one channel. Without rounding, which subtracts a half
// on average, entries are linear: code a times a slope, code b times another, plus a start. Then the error is
// a parabola over either code. Over both, its minimum is
// - where both entries meet their colours, if there are such codes;
// - else with code b there, or at its end; and with code a at its parabola's minimum, or at its end;
// - then, if code a is at its end, with code b at its parabola's minimum.
// The search tries outer codes around this point. If code a is at its end, code b is the outer one: both
// colours may be far from their entries, so that the parabola is flat and rounding decides. For each outer
// code, it tries inner codes around the parabola's minimum.
fn fit_pair(pair: vec2<u32>, order: u32, channel: u32, seen: Colors) -> u32 {
    let top = params.rule.top[channel];
    let widen = params.rule.widen[channel];
    let counts = seen.counts;
    let bytes = (vec2(seen.first, seen.other) >> vec2(8u * channel)) & vec2(0xffu);
    let colors = vec2<f32>(bytes) - vec2(CENTER);
    var values = values_of(pair, order, channel);
    let a = values.outer * values.scale * widen;
    let b = values.inner * values.scale * widen;
    let wanted = colors - (values.bias * values.scale - vec2(0.5));
    let aa = dot(counts, a * a);
    let ab = dot(counts, a * b);
    let bb = dot(counts, b * b);
    let a_wanted = dot(counts, a * wanted);
    let b_wanted = dot(counts, b * wanted);
    // If both colours take one entry, many codes are equally good: the lowest code a has the highest code b.
    let is_same = pair.x == pair.y;
    let determinant = select(a.x * b.y - a.y * b.x, 1.0, is_same);
    let both_met = (a.x * wanted.y - a.y * wanted.x) / determinant;
    let at_b = select(clamp(both_met, 0.0, top), top, is_same);
    let at_a = (a_wanted - ab * at_b) / aa;
    let end = clamp(at_a, 0.0, top);
    // Best outer code. The best inner one is start - slope * outer code.
    var middle = at_a;
    var start = b_wanted / bb;
    var slope = ab / bb;
    var digits = vec2(64.0, 1.0);
    if !is_same && end != at_a {
        middle = start - slope * end;
        start = a_wanted / aa;
        slope = ab / aa;
        digits = vec2(1.0, 64.0);
        let inner = values.outer;
        values.outer = values.inner;
        values.inner = inner;
        values.sign = -values.sign;
    }
    let is_falling = FALLING && pair.x == HALF && channel == 1u;
    let equal_count = select(EQUAL_COUNT, EQUAL_COUNT_FALLING, is_falling);
    let count = select(OUTER_COUNT, equal_count, is_same);
    let before = select(OUTER_BEFORE, EQUAL_BEFORE, is_same);
    let search = Search(values, colors, counts, widen, digits);
    var code = clamp(ceil(middle - before), 0.0, top + 1.0 - f32(count));
    var best = 0xffffffffu;
    for (var i = 0u; i < count; i++) {
        let first = clamp(ceil(start - slope * code - INNER_BEFORE), 0.0, top + 1.0 - f32(INNER_COUNT));
        best = min(best, tried(search, code, first));
        best = min(best, tried(search, code, first + 1.0));
        best = min(best, tried(search, code, first + 2.0));
        code += 1.0;
    }
    return best;
}

fn index_of(entry: u32) -> u32 {
    return select(entry, 2u, entry == HALF);
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

// Writes a listed block from its results.
fn write(at: u32, count: u32) {
    let block = listed[at];
    let seen = colors_listed[at];
    let weight = vec3<u32>(params.rule.weight.xyz);
    let pairs = select(PAIR_COUNT_FOUR, PAIR_COUNT, params.three_color != 0u);
    var least = 0xffffffffu;
    var best_pair = vec2(0u);
    var best = vec3(0u);
    for (var rank = 0u; rank < pairs; rank++) {
        let red = found[3u * rank * count + at];
        var green_task = 3u * rank + 1u;
        if FALLING && rank >= PAIR_COUNT_FOUR {
            let codes = vec2(red >> 6u, red) & vec2(63u);
            let order = select(select(ASCENDING, EXCHANGED, codes.x > codes.y), KEPT, codes.x < codes.y);
            green_task = select(green_task, more_task(rank, order), order != KEPT);
        }
        let fitted = vec3(red, found[green_task * count + at], found[(3u * rank + 2u) * count + at]);
        let errors = (fitted >> vec3(12u)) * weight;
        let error = errors.x + errors.y + errors.z;
        if error < least {
            least = error;
            best_pair = pair_of(rank);
            best = fitted;
        }
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
        if (texels[16u * block] >> 24u) != CLASS_DONE {
            let seen = colors_of(block);
            if seen.are_two {
                let at = atomicAdd(&listed_count, 1u);
                listed[at] = block;
                colors_listed[at] = seen;
            }
        }
    }
    workgroupBarrier();
    if thread == 0u {
        to_do = atomicLoad(&listed_count);
    }
    let count = workgroupUniformLoad(&to_do);
    let of_three = select(3u * PAIR_COUNT, TASKS, FALLING);
    let tasks = select(3u * PAIR_COUNT_FOUR, of_three, params.three_color != 0u);
    for (var i = thread; i < tasks * count; i += 64u) {
        let task = i / count;
        var rank = task / 3u;
        var channel = task % 3u;
        var order = KEPT;
        if FALLING && task >= 3u * PAIR_COUNT {
            let more = task - 3u * PAIR_COUNT;
            rank = PAIR_COUNT_FOUR + more / 2u;
            channel = 1u;
            order = EXCHANGED + more % 2u;
        }
        found[i] = fit_pair(pair_of(rank), order, channel, colors_listed[i - task * count]);
    }
    workgroupBarrier();
    if thread < count {
        write(thread, count);
    }
}
