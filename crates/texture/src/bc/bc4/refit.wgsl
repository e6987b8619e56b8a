// Refits blocks to the values of NVIDIA GPUs (refit.rs). One thread per channel of a block.
// needs: params.wgsl, ../visible.wgsl, task.wgsl, spread.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// Units, weights and steps.
@group(0) @binding(2) var<storage, read> units: array<i32>;
@group(0) @binding(3) var<storage, read> texels: array<u32>;
@group(0) @binding(4) var<storage, read_write> blocks: array<u32>;

// Codes of `r0` and `r1`.
alias Ends = vec2<i32>;

// Endpoints and the sum of their squared errors: the upper bits, then 24 bits.
struct Refit {
    error: vec2<u32>,
    ends: Ends,
}

struct Palette {
    low: vec4<i32>,
    high: vec4<i32>,
}

// Returns the extra step of a signed endpoint: its sign, if it is at least 64 from 0.
fn half_of(code: i32) -> i32 {
    return select(0, select(select(0, -1, code < 64), 1, code > 190), params.is_signed != 0u);
}

// Returns the values of indices 0 to 7 in units.
fn palette_of(ends: Ends) -> Palette {
    let is_eight = ends.x > ends.y;
    let difference = ends.x - ends.y;
    let unit = units[UNIT];
    let of_a = units[ADDITION] + half_of(ends.x);
    let of_b = units[ADDITION] + half_of(ends.y);
    let of_five = select(of_b, of_a, is_eight);
    let first = select(SIX_WEIGHTS, EIGHT_WEIGHTS, is_eight);
    let weights = vec4(units[first], units[first + 1u], units[first + 2u], units[first + 3u]);
    let last = vec2(units[EIGHT_WEIGHTS + 4u], units[EIGHT_WEIGHTS + 5u]);
    let bits = u32(units[DROPPED_BITS]);
    let bias = units[BIAS];
    let start = ends.y * unit;
    let between = ((weights * difference + bias) >> vec4(bits)) + start + vec4(of_a, of_a, of_b, of_five);
    let last_between = ((last * difference + bias) >> vec2(bits)) + start + of_b;
    let factor = units[FACTOR];
    let high = vec4(between.zw, select(vec2(0), last_between, is_eight)) * factor;
    let low = vec4(ends.x * unit + of_a, start + of_b, between.xy) * factor;
    return Palette(low, select(high, vec4(high.xyz, units[TOP]), vec4(!is_eight)));
}

// Returns texel `t` in units.
fn in_units(task: Task, t: u32) -> i32 {
    return i32(extractBits(texels[16u * task.block + t], task.bit, 8u)) * units[BYTE];
}

fn measure(task: Task, visible: u32, ends: Ends) -> Refit {
    let palette = palette_of(ends);
    // Sums of products of the distances' two digits of 12 bits, below 2²⁸.
    var sums = vec3(0u);
    for (var t = 0u; t < 16u; t++) {
        let source = in_units(task, t);
        let pairs = min(abs(palette.low - source), abs(palette.high - source));
        let two = min(pairs.xy, pairs.zw);
        let least = u32(min(two.x, two.y));
        let digits = vec2(least >> 12u, least & 0xfffu);
        let products = digits.xxy * digits.xyy;
        sums += select(vec3(0u), products, extractBits(visible, t, 1u) != 0u);
    }
    let lower = sums.z + ((sums.y & 0x7ffu) << 13u);
    let upper = sums.x + (sums.y >> 11u) + (lower >> 24u);
    return Refit(vec2(upper, lower & 0xffffffu), ends);
}

fn is_smaller_error(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Moves endpoints by each step in turn, and keeps each improvement immediately.
fn climb(task: Task, visible: u32, from_ends: Refit) -> Refit {
    var best = from_ends;
    let top = i32(params.top);
    for (var step = 0u; step < u32(units[STEP_COUNT]); step++) {
        for (var m = 0u; m < MOVE_COUNT; m++) {
            let direction = vec2(tables[MOVES + 2u * m], tables[MOVES + 2u * m + 1u]);
            let ends = clamp(best.ends + vec2<i32>(direction) * units[STEPS + step], vec2(0), vec2(top));
            let moved = measure(task, visible, ends);
            if is_smaller_error(moved.error, best.error) {
                best = moved;
            }
        }
    }
    return best;
}

// Returns the code nearest to a number of units. None is halfway between two codes.
fn code_of_units(source: i32) -> f32 {
    return round(f32(source) * bitcast<f32>(units[CODES]));
}

fn search(task: Task, visible: u32, ends: Ends) -> Refit {
    var best = measure(task, visible, ends);
    if all(best.error == vec2(0u)) {
        return best;
    }
    let is_best = params.quality > HIGH;
    var second = Refit(vec2(0xffffffffu), ends);
    var outer = vec2(units[TOP], 0);
    var inner = outer;
    for (var t = 0u; t < 16u; t++) {
        let source = in_units(task, t);
        outer = vec2(min(outer.x, source), max(outer.y, source));
        if source > 0 && source < units[TOP] {
            inner = vec2(min(inner.x, source), max(inner.y, source));
        }
    }
    if inner.y < inner.x {
        inner = outer;
    }
    if is_best {
        best = climb(task, visible, best);
    }
    for (var j = 0u; j < 1u + 2u * SPREAD_COUNT; j++) {
        var start_ends = ends.yx;
        if j > 0u {
            let used = tables[SPREADS + ((j - 1u) & ~1u)];
            let i = tables[SPREADS + ((j - 1u) | 1u)];
            let six = (j & 1u) == 0u;
            if six && used + i > SIX_STEPS {
                continue;
            }
            let range = select(outer, inner, six);
            let line = vec2<i32>(spread(six, used, i, vec2(code_of_units(range.x), code_of_units(range.y))));
            start_ends = select(line.yx, line, six);
        }
        var start = measure(task, visible, start_ends);
        if is_best {
            start = climb(task, visible, start);
        }
        if is_smaller_error(start.error, best.error) {
            second = best;
            best = start;
        } else if is_smaller_error(best.error, start.error) && is_smaller_error(start.error, second.error) {
            second = start;
        }
    }
    if !is_best {
        best = climb(task, visible, best);
    }
    if params.quality == HIGH {
        second = climb(task, visible, second);
        if is_smaller_error(second.error, best.error) {
            best = second;
        }
    }
    return best;
}

// Returns the index of the value nearest to a source: the lower index of equal distances.
fn nearest_index(palette: Palette, source: i32) -> u32 {
    let low = abs(palette.low - source);
    let high = abs(palette.high - source);
    let pairs = select(low, high, high < low);
    let pair_indices = select(vec4(0u, 1u, 2u, 3u), vec4(4u, 5u, 6u, 7u), high < low);
    let least = min(min(pairs.x, pairs.y), min(pairs.z, pairs.w));
    let candidates = select(vec4(8u), pair_indices, pairs == vec4(least));
    return min(min(candidates.x, candidates.y), min(candidates.z, candidates.w));
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = task_of((group.y * groups.x + group.x) * 64u + thread);
    if task.block >= params.end_block {
        return;
    }
    let offset = select(0u, 127u, params.is_signed != 0u);
    let word = blocks[task.words];
    var ends = vec2<i32>((vec2(word, word >> 8u) + offset) & vec2(255u));
    if params.quality >= NORMAL {
        ends = search(task, visible_texels(task.block), ends).ends;
    }
    let palette = palette_of(ends);
    var halves = vec2(0u);
    for (var t = 0u; t < 16u; t++) {
        let index = nearest_index(palette, in_units(task, t));
        halves |= select(vec2(index, 0u), vec2(0u, index), t >= 8u) << vec2(3u * (t & 7u));
    }
    let r = (vec2<u32>(ends) - offset) & vec2(255u);
    blocks[task.words] = r.x | (r.y << 8u) | (halves.x << 16u);
    blocks[task.words + 1u] = (halves.x >> 16u) | (halves.y << 8u);
}
