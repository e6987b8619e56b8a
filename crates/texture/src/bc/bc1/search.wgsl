// The second stage of cluster fit (cluster_fit.rs): every clustering of the sorted texels is scored, and the
// best ones of different first choices become the starts. One thread per family and block: four colours,
// three, and three and black for each of the two orderings.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// Sums of the first 1, 2, .., 16 sorted texels of each ordering (running.wgsl).
@group(0) @binding(3) var<storage, read> sorted: array<vec4<u32>>;
// The cuts of each start, in descending order of score; then its cost and endpoints.
@group(0) @binding(4) var<storage, read_write> starts: array<vec2<u32>>;
// 1 / D of clusterings of sixteen texels: those of four clusters by j, then i, then those of three by j; four
// fours of each, for k = 1, 2, .., 16, and 0 where k < j.
@group(0) @binding(5) var<uniform> gains: array<vec4<f32>, GAIN_FOURS>;

// The sums of k, k + 1, k + 2 and k + 3 sorted texels.
struct Sums {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn sums_from(at: u32) -> Sums {
    let a = normalized_of(sorted[at]);
    let b = normalized_of(sorted[at + 1u]);
    let c = normalized_of(sorted[at + 2u]);
    let d = normalized_of(sorted[at + 3u]);
    return Sums(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y), vec4(a.z, b.z, c.z, d.z));
}

// The sum of the first `end` sorted texels.
fn sum_to(first: u32, end: u32) -> vec3<f32> {
    return select(normalized_of(sorted[first + max(end, 1u) - 1u]), vec3(0.0), end == 0u);
}

// A clustering: its score, and its cuts, i | j << 5 | k << 10.
struct Scored {
    score: f32,
    cuts: u32,
}

// Scores four clusterings with these first two cuts, i | j << 5, and k = `last`, .., `last` + 3.
fn score_four(
    best: ptr<function, Scored>,
    two: vec3<f32>,
    ends: Sums,
    gain: vec4<f32>,
    cuts: u32,
    last: u32,
) {
    let x = two.x + ends.x;
    let y = two.y + ends.y;
    let z = two.z + ends.z;
    let scores = (x * x + (y * y + z * z)) * gain;
    var k = 0u;
    k = select(k, last << 10u, (*best).score < scores.x);
    (*best).score = max((*best).score, scores.x);
    k = select(k, (last + 1u) << 10u, (*best).score < scores.y);
    (*best).score = max((*best).score, scores.y);
    k = select(k, (last + 2u) << 10u, (*best).score < scores.z);
    (*best).score = max((*best).score, scores.z);
    k = select(k, (last + 3u) << 10u, (*best).score < scores.w);
    (*best).score = max((*best).score, scores.w);
    (*best).cuts = select((*best).cuts, cuts | k, k != 0u);
}

// 1 / D of four clusterings of less than sixteen texels.
fn gain_of_part(mode: u32, count: u32, i: u32, j: u32, last: u32) -> vec4<f32> {
    let k = vec4(last) + vec4(0u, 1u, 2u, 3u);
    let three = mode != FOUR;
    let weight = select(vec4(i + j) + k, vec4(j) + k, three);
    let square = select(vec4(5u * i + 3u * j) + k, vec4(3u * j) + k, three);
    let is_there = (k >= vec4(j)) & (k <= vec4(count));
    let at = select(vec4(0u), count * square - weight * weight, is_there);
    return vec4(tables[GAINS + at.x], tables[GAINS + at.y], tables[GAINS + at.z], tables[GAINS + at.w]);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = (group.y * groups.x + group.x) * 64u + thread;
    let block = task % params.blocks;
    let family = task / params.blocks;
    if family >= params.families {
        return;
    }
    let first = 16u * (ordering_of(family) * params.blocks + block);
    let state = sorted[first].w;
    let count = state & ~HIDDEN;
    if count == 0u || !is_wanted((state & HIDDEN) != 0u, family) {
        return;
    }
    let mode = mode_of(family);
    let four = mode == FOUR;
    let all = count == 16u;
    let to_4 = sums_from(first);
    let to_8 = sums_from(first + 4u);
    let to_12 = sums_from(first + 8u);
    let to_16 = sums_from(first + 12u);
    // The best clusterings of different first choices, in descending order of score.
    var found: array<Scored, STARTS>;
    for (var n = 0u; n < STARTS; n++) {
        found[n] = Scored(-1.0, 0u);
    }
    var place = select(THREE_GAINS, 0u, four);
    for (var j = 0u; j <= 16u; j++) {
        var best = Scored(0.0, 0u);
        let at_j = sum_to(first, j);
        // Four clusters: every first cut i. Three: their cuts are j and k.
        for (var i = 0u; i <= select(0u, j, four); i++) {
            let two = at_j + sum_to(first, i);
            let cuts = i | (j << 5u);
            if j <= 4u {
                var gain = gains[place];
                if !all {
                    gain = gain_of_part(mode, count, i, j, 1u);
                }
                score_four(&best, two, to_4, gain, cuts, 1u);
            }
            if j <= 8u {
                var gain = gains[place + 1u];
                if !all {
                    gain = gain_of_part(mode, count, i, j, 5u);
                }
                score_four(&best, two, to_8, gain, cuts, 5u);
            }
            if j <= 12u {
                var gain = gains[place + 2u];
                if !all {
                    gain = gain_of_part(mode, count, i, j, 9u);
                }
                score_four(&best, two, to_12, gain, cuts, 9u);
            }
            var gain = gains[place + 3u];
            if !all {
                gain = gain_of_part(mode, count, i, j, 13u);
            }
            score_four(&best, two, to_16, gain, cuts, 13u);
            place += 4u;
        }
        // Before the first one that is worse; the others move on, so that equal ones stay in order.
        var is_put = false;
        for (var n = 0u; n < STARTS; n++) {
            let other = found[n];
            is_put = is_put || other.score < best.score;
            if is_put {
                found[n] = best;
                best = other;
            }
        }
    }
    for (var n = 0u; n < STARTS; n++) {
        let cuts = found[n].cuts;
        let taken = select((cuts >> 5u) | (cuts & 0x7c00u), cuts, four);
        starts[n * params.blocks * params.families + task].x = taken;
    }
}
