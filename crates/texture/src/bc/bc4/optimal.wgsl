// Search for the endpoints with the smallest possible error (optimal.rs). One thread per channel of a block.
// The order is that of the Rust version. Unlike there, errors are computed instead of looked up, and one
// endpoint is tried at a time. Bounds are estimates that exclude no better endpoints: they do not change the
// result.
// needs: params.wgsl, ../visible.wgsl, task.wgsl, line.wgsl, found.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: array<u32>;

// Each thread has a column of each array.
// Sources that count, sorted.
var<workgroup> sorted: array<f32, 1024>;
// Prefix sums of the inner texels less the first, in the lower 20 bits of each word, and of their squares
// above.
var<workgroup> sums: array<u32, 1024>;
// Smallest errors of the inner texels up to each, in the current number of clusters.
var<workgroup> best_up_to: array<f32, 1024>;
// Smallest errors of the inner texels in 2, 3, .., 8 clusters, in squared steps of the grid.
var<workgroup> bounds: array<f32, 576>;

fn at(t: u32, thread: u32) -> u32 {
    return 64u * t + thread;
}

// Sorts by counting the texels that come before. Returns the number of texels that count.
fn sort(task: Task, visible: u32, thread: u32) -> u32 {
    for (var t = 0u; t < 16u; t++) {
        let v = source(task, t);
        var rank = 0u;
        for (var other = 0u; other < 16u; other++) {
            let w = source(task, other);
            let is_before = w < v || (w == v && other < t);
            rank += select(0u, 1u, is_before && extractBits(visible, other, 1u) != 0u);
        }
        if extractBits(visible, t, 1u) != 0u {
            sorted[at(rank, thread)] = v;
        }
    }
    return countOneBits(visible);
}

// Returns the error of the inner texels `a` to `e` in one cluster; 1 is the first texel.
fn cluster_error(a: u32, e: u32, thread: u32) -> f32 {
    let part = sums[at(e, thread)] - sums[at(a - 1u, thread)];
    let sum = f32(part >> 20u);
    return f32(part & 0xfffffu) - sum * sum * tables[DETERMINANTS + e - a + 1u];
}

// Initializes `best_up_to` for one cluster.
fn one_cluster(thread: u32) {
    let origin = sorted[at(1u, thread)];
    var sum = 0u;
    sums[at(0u, thread)] = sum;
    for (var e = 1u; e < 15u; e++) {
        let w = u32(sorted[at(e, thread)] - origin);
        sum += (w << 20u) | (w * w);
        sums[at(e, thread)] = sum;
        best_up_to[at(e, thread)] = cluster_error(1u, e, thread);
    }
}

// Updates `best_up_to` for one more cluster.
fn another_cluster(thread: u32) {
    for (var e = 14u; e > 0u; e--) {
        var least = cluster_error(1u, e, thread);
        for (var a = 2u; a <= e; a++) {
            least = min(least, best_up_to[at(a - 1u, thread)] + cluster_error(a, e, thread));
        }
        best_up_to[at(e, thread)] = least;
    }
}

// Returns the cost of all texels, or some cost that is not less than `limit`. The ends are the most
// informative and come first.
fn cost_of(six: bool, low: f32, high: f32, count: u32, limit: vec2<f32>, thread: u32) -> vec2<f32> {
    let line = line_of(six, low, high);
    var cost = vec2(0.0);
    for (var i = 0u; i < count; i++) {
        let t = select(i >> 1u, count - 1u - (i >> 1u), (i & 1u) != 0u);
        let v = texel_of(sorted[at(t, thread)]);
        var d = error_of(line, v.position, nearest(line, v.position));
        let extreme = extreme_of(v);
        if six && is_smaller(v, extreme, d) {
            d = extreme;
        }
        cost = add_error(cost, v, d);
        if !is_less(cost, limit) {
            return cost;
        }
    }
    return cost;
}

// Returns a source in steps of the grid.
fn exact_position(source: f32) -> f32 {
    return source * params.position_scale;
}

// Returns the smallest bound on squared steps that excludes all encodings of at least this cost. Σr² <
// 16·25².
fn limit_of(cost: vec2<f32>) -> f32 {
    return select(cost.x, cost.x + cost.y * (2.0 / 51.0) + 10000.0 / 2601.0, HAS_RESTS);
}

// Tries all endpoints that bounds do not exclude. The line reaches from `ends.x` or below to `ends.y` or
// above, in codes.
fn spans(
    six: bool,
    is_bounded: bool,
    ends: vec2<f32>,
    count: u32,
    best: ptr<function, Found>,
    thread: u32,
) {
    let steps = select(EIGHT_STEPS, SIX_STEPS, six);
    let range = max(ends.y - ends.x, 0.0);
    // Where texels may take the ends of the code range, nothing bounds the clusters.
    let is_unbounded = six && (!is_bounded || bounds[at(2u, thread)] == 0.0);
    var span = 0.0;
    for (var used = u32(steps); used > 0u; used--) {
        let least = select(0.0, bounds[at(used + 1u, thread)], is_bounded);
        loop {
            let limit = limit_of((*best).cost);
            if limit <= least {
                return;
            }
            // Without rests, errors are whole steps. What is added exceeds the rounding errors.
            let root = sqrt(limit - least) + 0.01;
            let reach = select(floor(root), root, HAS_RESTS) / params.grid + 0.001;
            // Rounded up. A surplus span only takes time.
            let most = ceil((range + 2.0 * reach + params.slack) * steps / f32(used));
            let longest = select(min(most, params.top), params.top, is_unbounded);
            span = max(span, ceil(range - 2.0 * reach));
            if span > longest {
                break;
            }
            let to = min(floor(ends.x + reach), params.top - span);
            for (var low = max(ceil(ends.y - reach) - span, 0.0); low <= to; low += 1.0) {
                let cost = cost_of(six, low, low + span, count, (*best).cost, thread);
                if is_less(cost, (*best).cost) {
                    *best = Found(cost, low, low + span, six);
                }
            }
            span += 1.0;
        }
    }
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
    var best = unpack_found(found[task.place]);
    let count = sort(task, visible_texels(task.block), thread);
    best.cost = cost_of(best.six, best.low, best.high, count, vec2(NO_COST, 0.0), thread);
    if best.cost.x == 0.0 {
        return;
    }
    let is_bounded = count == 16u;
    if is_bounded {
        one_cluster(thread);
        for (var clusters = 2u; clusters < 9u; clusters++) {
            another_cluster(thread);
            let bound = max(floor(best_up_to[at(14u, thread)] - 1.0), 0.0);
            bounds[at(clusters, thread)] = bound * params.position_scale * params.position_scale;
        }
    }
    let least = sorted[at(0u, thread)];
    let greatest = sorted[at(count - 1u, thread)];
    let scale = select(1.0, SIGNED_SCALE, HAS_RESTS);
    spans(false, is_bounded, vec2(least, greatest) * scale, count, &best, thread);
    // The smallest and largest texels that may be on the line of six values. Sums may be rounded.
    let limit = 1.0001 * limit_of(best.cost);
    let top = params.top * params.grid;
    var ends = vec2(least, greatest);
    var below = 0.0;
    for (var t = 0u; t < count && below < limit; t++) {
        ends.x = sorted[at(t, thread)];
        let distance = exact_position(ends.x);
        below += distance * distance;
    }
    var above = 0.0;
    for (var t = count; t > 0u && above < limit; t--) {
        ends.y = sorted[at(t - 1u, thread)];
        let distance = top - exact_position(ends.y);
        above += distance * distance;
    }
    let nearer = vec2(exact_position(least), exact_position(greatest));
    let extremes = min(nearer, top - nearer);
    let has_inner_ends = min(extremes.x * extremes.x, extremes.y * extremes.y) >= limit;
    spans(true, is_bounded && has_inner_ends, ends * scale, count, &best, thread);
    found[task.place] = pack_found(best);
}
