// One block a thread: encode.rs as it stands, lanes being threads.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// 16 a block, red in the lowest byte, the class in the highest.
@group(0) @binding(2) var<storage, read> texels: array<u32>;
// Two words a block.
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

override GROUP = 64u;
// How far this quality goes: see Effort in encode.rs.
override RANGE_ONLY = false;
override STARTS = 1u;
override ROUNDS = 2u;
override RESTARTS = 0u;

var<private> packed: array<u32, 16>;
var<private> sorted: array<u32, 16>;
// Sums of the first 0, 1, .., 16 sorted texels: normalized and centred.
var<private> prefix_y: array<vec3<f32>, 17>;
var<private> prefix_x: array<vec3<f32>, 17>;
// The best clustering of each first choice.
var<private> scores: array<f32, 17>;
var<private> cuts: array<u32, 17>;

fn texel(t: u32) -> vec3<f32> {
    return centered(packed[t]);
}

// How many texels outside a mask there are, and their sum.
struct Counted {
    count: f32,
    sum: vec3<f32>,
    by: Normalizer,
}

fn count_texels(out: u32) -> Counted {
    var count = 0.0;
    var sum = vec3(0.0);
    var low = vec3(CENTER);
    var high = vec3(-CENTER);
    for (var t = 0u; t < 16u; t++) {
        if extractBits(out, t, 1u) == 0u {
            let x = texel(t);
            count += 1.0;
            sum += x;
            low = min(low, x);
            high = max(high, x);
        }
    }
    return Counted(count, sum, normalizer(count, sum, low, high));
}

fn covariance(by: Normalizer, out: u32) -> Covariance {
    var matrix = Covariance(vec3(0.0), vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        if extractBits(out, t, 1u) == 0u {
            let y = normalized(by, texel(t));
            matrix.square += y * y;
            matrix.mixed += y.xxy * y.yzz;
        }
    }
    return shortened(matrix);
}

// Range fit (range_fit.rs): the thirds' Voronoi cells on the axis, then on the line through the rounded endpoints.
fn range_fit(all: Counted, axis: vec3<f32>) -> Endpoints {
    var low = 16777216.0;
    var high = -16777216.0;
    for (var t = 0u; t < 16u; t++) {
        let projection = dot(normalized(all.by, texel(t)), axis);
        low = min(low, projection);
        high = max(high, projection);
    }
    var found = Clusters(vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        let x = texel(t);
        let at = 6.0 * dot(normalized(all.by, x), axis);
        put(&found, x, vec3(low * 5.0 + high, (low + high) * 3.0, high * 5.0 + low) < vec3(at));
    }
    let ends = fit(FOUR, false, found, mean(all.sum, 16.0));

    let colors = palette(FOUR, ends);
    let line = shorten((colors[1] - colors[0]) * params.rule.weight.xyz);
    let along = vec4(dot(line, colors[0]), dot(line, colors[1]), dot(line, colors[2]), dot(line, colors[3]));
    found = Clusters(vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        let x = texel(t);
        put(&found, x, along.xzw + along.zwy < vec3(2.0 * dot(line, x)));
    }
    return fit(FOUR, true, found, ends);
}

// Puts a texel into the cluster that the cuts it is past select: index 0, 2, 3, 1 from the first endpoint on.
fn put(found: ptr<function, Clusters>, x: vec3<f32>, past: vec3<bool>) {
    let steps = select(vec3(0.0), vec3(1.0), past);
    // Whether it is past none, the first, two, all; the cuts need not rise, so these are sums and differences.
    let one = vec4(1.0 - steps.x, steps.z, steps.x - steps.y, steps.y - steps.z);
    (*found).count += one;
    (*found).sum0 += one.x * x;
    (*found).sum1 += one.y * x;
    (*found).sum2 += one.z * x;
    (*found).sum3 += one.w * x;
}

// Sorts the texels outside the mask by their projection and sums them up.
fn sort(all: Counted, axis: vec3<f32>, out: u32) {
    var keys: array<i32, 16>;
    for (var t = 0u; t < 16u; t++) {
        let projection = dot(normalized(all.by, texel(t)), axis);
        let left_out = extractBits(out, t, 1u) != 0u;
        keys[t] = select(i32(projection) << 4u, 2147483631, left_out) + i32(t);
    }
    for (var t = 0u; t < 16u; t++) {
        var rank = 0u;
        for (var other = 0u; other < 16u; other++) {
            rank += select(0u, 1u, keys[other] < keys[t]);
        }
        sorted[rank] = packed[t];
    }
    var sum_y = vec3(0.0);
    var sum_x = vec3(0.0);
    prefix_y[0] = sum_y;
    prefix_x[0] = sum_x;
    let count = u32(all.count);
    for (var t = 0u; t < 16u; t++) {
        if t < count {
            let x = centered(sorted[t]);
            sum_x += x;
            sum_y += normalized(all.by, x);
        }
        prefix_y[t + 1u] = sum_y;
        prefix_x[t + 1u] = sum_x;
    }
}

// Scores every clustering of the sorted texels (cluster_fit.rs).
fn score_clusterings(mode: u32, count: u32) {
    for (var j = 0u; j <= 16u; j++) {
        var best = 0.0;
        var best_cuts = 0u;
        if j <= count {
            // Four clusters: i goes over all cuts before j, k over all from j on. Three: i is the first cut, j the
            // second, and there is no other.
            let rows = select(0u, j, mode == FOUR);
            for (var i = 0u; i <= rows; i++) {
                let two = prefix_y[j] + prefix_y[i];
                for (var k = j; k <= count; k++) {
                    let sum = two + prefix_y[k];
                    var score = dot(sum, sum);
                    if mode == FOUR {
                        score *= gain(mode, count, i, j, k);
                    } else {
                        score *= gain(mode, count, j, k, k);
                    }
                    if best < score {
                        best = score;
                        best_cuts = select(j | k << 5u | k << 10u, i | j << 5u | k << 10u, mode == FOUR);
                    }
                }
            }
        }
        scores[j] = best;
        cuts[j] = best_cuts;
    }
}

// The cuts of the best clustering left, which is then taken away.
fn take_best() -> u32 {
    var best = -1.0;
    var at = 0u;
    for (var first = 0u; first <= 16u; first++) {
        if best < scores[first] {
            best = scores[first];
            at = first;
        }
    }
    scores[at] = -2.0;
    return cuts[at];
}

fn try_moves(mode: u32, out: u32, count: u32, best: ptr<function, Best>) {
    for (var index = 0u; index < count; index++) {
        let ends = moved((*best).ends, index);
        offer(best, mode, cost_of(mode, ends, out), ends);
    }
}

fn climb(mode: u32, out: u32, best: ptr<function, Best>) {
    loop {
        let before = (*best).cost;
        try_moves(mode, out, MOVE_COUNT, best);
        let ends = (*best).ends;
        let assigned = assign(mode, ends, out);
        descend(mode, out, assigned.clusters, ends, 2u, best);
        if (*best).cost >= before {
            break;
        }
    }
}

// The best encoding in a mode, from clusterings of the texels that `all` counted; `out` are those without an error.
fn search(mode: u32, all: Counted, out: u32) -> Best {
    score_clusterings(mode, u32(all.count));
    var best = no_best();
    var restarted = no_best();
    let from_mean = mean(all.sum, all.count);
    for (var start = 0u; start < STARTS; start++) {
        let cut = take_best();
        let clusters = clusters_of(
            mode, cut, all.count, all.sum,
            prefix_x[cut & 31u], prefix_x[(cut >> 5u) & 31u], prefix_x[cut >> 10u],
        );
        var own = no_best();
        descend(mode, out, clusters, from_mean, ROUNDS, &own);
        offer(&best, mode, own.cost, own.ends);
        if start + 1u == SHORT_CLIMB_AT {
            try_moves(mode, out, SINGLE_MOVE_COUNT, &best);
        }
        if start < RESTARTS {
            climb(mode, out, &own);
            offer(&restarted, mode, own.cost, own.ends);
        }
        if start + 1u == LONG_CLIMB_AT {
            climb(mode, out, &best);
        }
    }
    offer(&best, mode, restarted.cost, restarted.ends);
    return best;
}

fn cluster(axis_of: Counted, matrix: Covariance, start: vec3<f32>, steps: u32, out: u32) {
    var axis = start;
    for (var step = 0u; step < steps; step++) {
        axis = next_axis(matrix, axis);
    }
    sort(axis_of, axis, out);
}

// Three colours and black: clusterings of the texels that are not darker than `parts` 256ths of the mean.
fn with_black(all: Counted, out: u32, parts: f32, best: ptr<function, Best>) {
    let total = all.sum.x + all.sum.y + all.sum.z + all.count * (3.0 * CENTER);
    let bound = total * (parts / 256.0);
    var dark = 0u;
    for (var t = 0u; t < 16u; t++) {
        let x = texel(t);
        let sum = x.x + x.y + x.z + 3.0 * CENTER;
        if sum * all.count < bound && extractBits(out, t, 1u) == 0u {
            dark |= 1u << t;
        }
    }
    if dark == 0u {
        return;
    }
    let bright = count_texels(out | dark);
    let matrix = covariance(bright.by, out | dark);
    cluster(bright, matrix, first_axis(matrix), AXIS_STEPS, out | dark);
    let found = search(THREE_BLACK, bright, out);
    offer(best, THREE_BLACK, found.cost, found.ends);
}

fn encode(out: u32, transparent: bool) -> Best {
    var best = no_best();
    let all = count_texels(out);
    let matrix = covariance(all.by, out);
    var axis = first_axis(matrix);
    var steps = AXIS_STEPS;
    if out == 0u {
        for (var step = 0u; step < RANGE_AXIS_STEPS; step++) {
            axis = next_axis(matrix, axis);
        }
        steps -= RANGE_AXIS_STEPS;
        let ends = range_fit(all, axis);
        if RANGE_ONLY {
            return Best(0, FOUR, ends);
        }
        offer(&best, FOUR, cost_of(FOUR, ends, out), ends);
    }
    cluster(all, matrix, axis, steps, out);
    if !transparent {
        let found = search(FOUR, all, out);
        offer(&best, FOUR, found.cost, found.ends);
    }
    if transparent || params.three_color != 0u {
        let found = search(THREE, all, out);
        offer(&best, THREE, found.cost, found.ends);
    }
    if !transparent && params.transparent_black != 0u {
        with_black(all, out, 128.0, &best);
        with_black(all, out, 32.0, &best);
    }
    return best;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let block = (group.y * params.row + group.x) * GROUP + thread;
    if block >= params.blocks {
        return;
    }
    var out = 0u;
    var transparent = 0u;
    for (var t = 0u; t < 16u; t++) {
        let value = texels[16u * block + t];
        packed[t] = value;
        let kind = value >> 24u;
        out |= select(0u, 1u << t, kind != CLASS_OPAQUE);
        transparent |= select(0u, 3u << (2u * t), kind == CLASS_TRANSPARENT);
    }
    if (packed[0] >> 24u) == CLASS_DONE {
        return;
    }
    let finished = finish(encode(out, transparent != 0u));
    let p = planes(finished.colors);
    var indices = 0u;
    for (var t = 0u; t < 16u; t++) {
        indices |= nearest(costs(p, texel(t))) << (2u * t);
    }
    blocks[place(block)] = finished.endpoints;
    blocks[place(block) + 1u] = indices | transparent;
}
