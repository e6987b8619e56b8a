// Second stage of cluster fit (cluster_fit.rs): every clustering of the sorted texels is scored. The best
// ones of different first choices become the starts. One thread per family and block: four colours, three,
// and three and black for each of the two orderings.
// needs: params.wgsl, lanes.wgsl, families.wgsl, running.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// Sums of the first 1, 2, .., 16 sorted texels of each ordering (running.wgsl).
@group(0) @binding(3) var<storage, read> sorted: array<vec4<u32>>;
// Cuts of each start, in descending order of score; later its cost and endpoints.
@group(0) @binding(4) var<storage, read_write> starts: array<vec2<u32>>;
// 1 / D of clusterings of sixteen texels. Those of four clusters come first, ordered by j, then i; those of
// three follow, ordered by j. Each has four fours, for k = 1, 2, .., 16, and 0 where k < j.
@group(0) @binding(5) var<uniform> gains: array<Gains, GAIN_ROWS>;

struct Gains {
    fours: array<vec4<f32>, 4>,
}

// Twice the sums of k, k + 1, k + 2 and k + 3 sorted texels, and the squares of the sums' lengths.
struct Sums {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    half_square: vec4<f32>,
}

fn sums_from(at: u32) -> Sums {
    let half = f32(params.block_rows) * 0.125;
    let a = normalized_of(sorted[at]);
    let b = normalized_of(sorted[at + 1u]);
    let c = normalized_of(sorted[at + 2u]);
    let d = normalized_of(sorted[at + 3u]);
    let x = vec4(a.x, b.x, c.x, d.x);
    let y = vec4(a.y, b.y, c.y, d.y);
    let z = vec4(a.z, b.z, c.z, d.z);
    return Sums(x, y, z, half * (x * x + (y * y + z * z)));
}

// Sum of two prefix sums, and half the square of its length.
struct Two {
    sum: vec3<f32>,
    half_square: f32,
}

fn two_of(sum: vec3<f32>) -> Two {
    return Two(sum, 0.5 * dot(sum, sum));
}

var<private> to_4: Sums;
var<private> to_8: Sums;
var<private> to_12: Sums;
var<private> to_16: Sums;

// Returns the sum of the first `end` sorted texels.
fn sum_to(first: u32, end: u32) -> vec3<f32> {
    return select(normalized_of(sorted[first + max(end, 1u) - 1u]), vec3(0.0), end == 0u);
}

// Clustering: its score, and i | j << 5 | the first k of its group of four << 10.
struct Scored {
    score: f32,
    cuts: u32,
}

// Returns the scores of clusterings, where `two` is the sum of the first two prefix sums: |two + end|² ·
// gain. The square is multiplied out. All its parts are integers below 2^24.
fn scores_of(two: Two, ends: Sums, gain: vec4<f32>) -> vec4<f32> {
    let x = two.sum.x * ends.x;
    let y = two.sum.y * ends.y;
    let z = two.sum.z * ends.z;
    return ((((ends.half_square + vec4(two.half_square)) + x) + y) + z) * gain;
}

// Scores four clusterings, and keeps the best score with the cuts of the four, except k.
fn score_four(best: ptr<function, Scored>, two: Two, ends: Sums, gain: vec4<f32>, cuts: u32) {
    keep_best(best, scores_of(two, ends, gain), cuts);
}

fn keep_best(best: ptr<function, Scored>, scores: vec4<f32>, cuts: u32) {
    let greatest = max(max(scores.x, scores.y), max(scores.z, scores.w));
    (*best).cuts = select((*best).cuts, cuts, (*best).score < greatest);
    (*best).score = max((*best).score, greatest);
}

// Score the clusterings with this first cut and k from 13 on, from 9 on, and likewise for the others.
fn score_last(best: ptr<function, Scored>, two: Two, i: u32, place: u32) {
    score_four(best, two, to_16, gains[place].fours[3], i | (13u << 10u));
}

fn score_two_fours(best: ptr<function, Scored>, two: Two, i: u32, j: u32, place: u32) {
    if j <= 12u {
        score_four(best, two, to_12, gains[place].fours[2], i | (9u << 10u));
    }
    score_last(best, two, i, place);
}

fn score_three_fours(best: ptr<function, Scored>, two: Two, i: u32, j: u32, place: u32) {
    if j <= 8u {
        score_four(best, two, to_8, gains[place].fours[1], i | (5u << 10u));
    }
    score_two_fours(best, two, i, j, place);
}

fn score_four_fours(best: ptr<function, Scored>, two: Two, i: u32, j: u32, place: u32) {
    if j <= 4u {
        score_four(best, two, to_4, gains[place].fours[0], i | (1u << 10u));
    }
    score_three_fours(best, two, i, j, place);
}

// Scores all clusterings of four clusters with this second cut.
fn score_all(best: ptr<function, Scored>, at_j: vec3<f32>, j: u32, place: u32) {
    if j >= 1u {
        score_four_fours(best, two_of(at_j + vec3(to_4.x.x, to_4.y.x, to_4.z.x)), 1u, j, place + 1u);
    }
    if j >= 2u {
        score_four_fours(best, two_of(at_j + vec3(to_4.x.y, to_4.y.y, to_4.z.y)), 2u, j, place + 2u);
    }
    if j >= 3u {
        score_four_fours(best, two_of(at_j + vec3(to_4.x.z, to_4.y.z, to_4.z.z)), 3u, j, place + 3u);
    }
    if j >= 4u {
        score_four_fours(best, two_of(at_j + vec3(to_4.x.w, to_4.y.w, to_4.z.w)), 4u, j, place + 4u);
    }
    if j >= 5u {
        score_three_fours(best, two_of(at_j + vec3(to_8.x.x, to_8.y.x, to_8.z.x)), 5u, j, place + 5u);
    }
    if j >= 6u {
        score_three_fours(best, two_of(at_j + vec3(to_8.x.y, to_8.y.y, to_8.z.y)), 6u, j, place + 6u);
    }
    if j >= 7u {
        score_three_fours(best, two_of(at_j + vec3(to_8.x.z, to_8.y.z, to_8.z.z)), 7u, j, place + 7u);
    }
    if j >= 8u {
        score_three_fours(best, two_of(at_j + vec3(to_8.x.w, to_8.y.w, to_8.z.w)), 8u, j, place + 8u);
    }
    if j >= 9u {
        score_two_fours(best, two_of(at_j + vec3(to_12.x.x, to_12.y.x, to_12.z.x)), 9u, j, place + 9u);
    }
    if j >= 10u {
        score_two_fours(best, two_of(at_j + vec3(to_12.x.y, to_12.y.y, to_12.z.y)), 10u, j, place + 10u);
    }
    if j >= 11u {
        score_two_fours(best, two_of(at_j + vec3(to_12.x.z, to_12.y.z, to_12.z.z)), 11u, j, place + 11u);
    }
    if j >= 12u {
        score_two_fours(best, two_of(at_j + vec3(to_12.x.w, to_12.y.w, to_12.z.w)), 12u, j, place + 12u);
    }
    if j >= 13u {
        score_last(best, two_of(at_j + vec3(to_16.x.x, to_16.y.x, to_16.z.x)), 13u, place + 13u);
    }
    if j >= 14u {
        score_last(best, two_of(at_j + vec3(to_16.x.y, to_16.y.y, to_16.z.y)), 14u, place + 14u);
    }
    if j >= 15u {
        score_last(best, two_of(at_j + vec3(to_16.x.z, to_16.y.z, to_16.z.z)), 15u, place + 15u);
    }
    if j >= 16u {
        score_last(best, two_of(at_j + vec3(to_16.x.w, to_16.y.w, to_16.z.w)), 16u, place + 16u);
    }
}

// True if blocks may have fewer than sixteen sorted texels.
override MASKED = true;

// Returns true if the gains are those of fewer than sixteen texels. (With many starts, both ways in one
// kernel would take too many registers.)
fn is_part(count: u32) -> bool {
    return MASKED && (STARTS > 4u || count < 16u);
}

// Returns 1 / D of four clusterings of fewer than sixteen texels.
fn gain_of_part(four: bool, count: u32, i: u32, j: u32, last: u32) -> vec4<f32> {
    let k = vec4(last) + vec4(0u, 1u, 2u, 3u);
    let weight = select(vec4(j) + k, vec4(i + j) + k, four);
    let square = select(vec4(3u * j) + k, vec4(5u * i + 3u * j) + k, four);
    let is_there = (k >= vec4(j)) & (k <= vec4(count));
    let at = select(vec4(0u), count * square - weight * weight, is_there);
    return vec4(tables[GAINS + at.x], tables[GAINS + at.y], tables[GAINS + at.z], tables[GAINS + at.w]);
}

// Scores four of these clusterings and keeps the best. (With the square not multiplied out, there are fewer
// numbers to keep.)
fn score_four_of_part(best: ptr<function, Scored>, two: vec3<f32>, ends: Sums, cuts: u32, gain: vec4<f32>) {
    let x = two.x + ends.x;
    let y = two.y + ends.y;
    let z = two.z + ends.z;
    keep_best(best, (x * x + (y * y + z * z)) * (0.5 * gain), cuts);
}

// Scores all of these clusterings with this second cut.
fn score_part(best: ptr<function, Scored>, four: bool, count: u32, first: u32, at_j: vec3<f32>, j: u32) {
    for (var i = 0u; i <= select(0u, j, four); i++) {
        let two = at_j + sum_to(first, i);
        if j <= 4u {
            score_four_of_part(best, two, to_4, i | (1u << 10u), gain_of_part(four, count, i, j, 1u));
        }
        if j <= 8u {
            score_four_of_part(best, two, to_8, i | (5u << 10u), gain_of_part(four, count, i, j, 5u));
        }
        if j <= 12u {
            score_four_of_part(best, two, to_12, i | (9u << 10u), gain_of_part(four, count, i, j, 9u));
        }
        score_four_of_part(best, two, to_16, i | (13u << 10u), gain_of_part(four, count, i, j, 13u));
    }
}

// Returns the cuts of a clustering, given its score and the first of its four k's. The last cut is the first
// k with this score.
fn with_last_cut(four: bool, count: u32, first: u32, found: vec2<u32>) -> u32 {
    let i = found.x & 31u;
    let j = (found.x >> 5u) & 31u;
    let last = found.x >> 10u;
    if last == 0u {
        return 0u;
    }
    let score = bitcast<f32>(found.y);
    let row = select(THREE_ROWS + j, ((j * (j + 1u)) >> 1u) + i, four);
    let two = two_of(sum_to(first, j) + sum_to(first, i));
    var gain = gains[row].fours[last >> 2u];
    if is_part(count) {
        gain = gain_of_part(four, count, i, j, last);
    }
    let scores = scores_of(two, sums_from(first + last - 1u), gain);
    var k = select(last + 3u, last + 2u, scores.z == score);
    k = select(k, last + 1u, scores.y == score);
    k = select(k, last, scores.x == score) << 10u;
    return select(j | (k >> 5u), found.x & 1023u, four) | k;
}

// Best clusterings of different second cuts (with three clusters, first cuts), in descending order of score.
// STARTS are in use.
var<private> found: array<Scored, 17>;

// Inserts a clustering before the first one that is worse. The others move on, so that equal ones stay in
// order. (This is not a loop: loops count their steps, even where they are unrolled.)
fn put(fresh: Scored) {
    let moved = put_four(fresh, fresh, 0u);
    if STARTS > 4u {
        let last = put_four(fresh, put_four(fresh, put_four(fresh, moved, 4u), 8u), 12u);
        found[16] = choose(found[16], last, found[16].score < fresh.score);
    }
}

fn choose(a: Scored, b: Scored, second: bool) -> Scored {
    return Scored(select(a.score, b.score, second), select(a.cuts, b.cuts, second));
}

// Returns the clustering that moves on.
fn put_four(fresh: Scored, moved: Scored, n: u32) -> Scored {
    return put_one(fresh, put_one(fresh, put_one(fresh, put_one(fresh, moved, n), n + 1u), n + 2u), n + 3u);
}

fn put_one(fresh: Scored, moved: Scored, n: u32) -> Scored {
    let old = found[n];
    let is_worse = old.score < fresh.score;
    found[n] = choose(old, moved, is_worse);
    return choose(moved, old, is_worse);
}

fn store_four(task: u32, n: u32) {
    store_one(task, n);
    store_one(task, n + 1u);
    store_one(task, n + 2u);
    store_one(task, n + 3u);
}

fn store_one(task: u32, n: u32) {
    if n < STARTS {
        starts[place_of_start(n, task)] = vec2(found[n].cuts, bitcast<u32>(found[n].score));
    }
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
    let four = mode_of(family) == FOUR;
    to_4 = sums_from(first);
    to_8 = sums_from(first + 4u);
    to_12 = sums_from(first + 8u);
    to_16 = sums_from(first + 12u);
    var place = select(THREE_ROWS, 0u, four);
    for (var j = 0u; j <= 16u; j++) {
        var best = Scored(0.0, 0u);
        let at_j = sum_to(first, j);
        // Four clusters: every first cut i. Three: their cuts are j and k.
        if is_part(count) {
            score_part(&best, four, count, first, at_j, j);
        } else {
            score_four_fours(&best, two_of(at_j), 0u, j, place);
            if four {
                score_all(&best, at_j, j, place);
            }
        }
        place += select(1u, j + 1u, four);
        best.cuts |= select(0u, j << 5u, best.cuts != 0u);
        put(best);
    }
    store_four(task, 0u);
    if STARTS > 4u {
        store_four(task, 4u);
        store_four(task, 8u);
        store_four(task, 12u);
        store_one(task, 16u);
    }
    for (var n = 0u; n < params.starts; n++) {
        let at = place_of_start(n, task);
        starts[at].x = with_last_cut(four, count, first, starts[at]);
    }
}
