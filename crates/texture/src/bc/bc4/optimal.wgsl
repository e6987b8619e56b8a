// Search for the endpoints with the smallest possible error (optimal.rs). One thread per channel of a block.
// Bounds and order are those of the Rust version. Unlike there, errors are computed instead of looked up, and
// one endpoint is tried at a time.
// needs: params.wgsl, ../visible.wgsl, task.wgsl, line.wgsl, found.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: array<vec2<u32>>;

// Each thread has a column of each array.
// Texels that count, sorted.
var<workgroup> sorted: array<f32, 1024>;
// Prefix sums of the inner texels less the first, in the lower 20 bits of each word, and of their squares
// above.
var<workgroup> sums: array<u32, 1024>;
// Smallest errors of the inner texels up to each, in the current number of clusters.
var<workgroup> best_up_to: array<f32, 1024>;
// Smallest errors of the inner texels in 2, 3, .., 8 clusters.
var<workgroup> bounds: array<f32, 576>;

fn at(t: u32, thread: u32) -> u32 {
    return 64u * t + thread;
}

// Sorts by counting the texels that come before. Returns the number of texels that count.
fn sort(task: Task, visible: u32, thread: u32) -> u32 {
    for (var t = 0u; t < 16u; t++) {
        let v = code(task, t);
        var rank = 0u;
        for (var other = 0u; other < 16u; other++) {
            let w = code(task, other);
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

// Returns the error of all texels, or some error of at least `limit`. The ends are the most informative and
// come first.
fn cost_of(six: bool, low: f32, high: f32, count: u32, limit: f32, thread: u32) -> f32 {
    let line = line_of(six, low, high);
    var cost = 0.0;
    for (var i = 0u; i < count; i++) {
        let t = select(i >> 1u, count - 1u - (i >> 1u), (i & 1u) != 0u);
        let v = sorted[at(t, thread)];
        let error = error_of(line, v, nearest(line, v));
        let square = error * error;
        cost += select(square, min(square, extreme_error(v)), six);
        if cost >= limit {
            return cost;
        }
    }
    return cost;
}

// Tries all endpoints that bounds do not exclude. The line reaches from `ends.x` or below to `ends.y` or
// above.
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
            if (*best).cost <= least {
                return;
            }
            let reach = floor(sqrt((*best).cost - least) + 0.01);
            // Rounded up. A surplus span only takes time.
            let most = ceil((range + 2.0 * reach + 1.0) * steps / f32(used));
            let longest = select(min(most, params.top), params.top, is_unbounded);
            span = max(span, range - 2.0 * reach);
            if span > longest {
                break;
            }
            let to = min(ends.x + reach, params.top - span);
            for (var low = max(ends.y - reach - span, 0.0); low <= to; low += 1.0) {
                let cost = cost_of(six, low, low + span, count, (*best).cost, thread);
                if cost < (*best).cost {
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
    if best.cost == 0.0 {
        return;
    }
    let count = sort(task, visible_texels(task.block), thread);
    let is_bounded = count == 16u;
    if is_bounded {
        one_cluster(thread);
        for (var clusters = 2u; clusters < 9u; clusters++) {
            another_cluster(thread);
            bounds[at(clusters, thread)] = max(floor(best_up_to[at(14u, thread)] - 1.0), 0.0);
        }
    }
    let least = sorted[at(0u, thread)];
    let greatest = sorted[at(count - 1u, thread)];
    spans(false, is_bounded, vec2(least, greatest), count, &best, thread);
    // The smallest and largest texels that may be on the line of six values.
    var ends = vec2(least, greatest);
    var below = 0.0;
    for (var t = 0u; t < count && below < best.cost; t++) {
        ends.x = sorted[at(t, thread)];
        below += ends.x * ends.x;
    }
    var above = 0.0;
    for (var t = count; t > 0u && above < best.cost; t--) {
        ends.y = sorted[at(t - 1u, thread)];
        above += (params.top - ends.y) * (params.top - ends.y);
    }
    let has_inner_ends = min(extreme_error(least), extreme_error(greatest)) >= best.cost;
    spans(true, is_bounded && has_inner_ends, ends, count, &best, thread);
    found[task.place] = pack_found(best);
}
