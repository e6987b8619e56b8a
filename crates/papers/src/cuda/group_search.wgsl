// Second and third stage of cluster fit (search.wgsl, descend.wgsl) with several threads per family and
// block. First clusterings, then starts are distributed over them.
// needs: group.wgsl, group_assign.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> sorted: array<u32>;
// Cost and endpoints of each start.
@group(0) @binding(4) var<storage, read_write> starts: array<vec2<u32>>;

// Clusterings of four clusters with the same first two cuts (i, j), where 0 <= i <= j <= 16.
const ROWS = 153u;

var<workgroup> ordered: array<u32, 16 * BLOCKS>;
// Sums of the first 0, 1, .., 16 sorted texels, normalized.
var<workgroup> prefix: array<vec3<f32>, 17 * BLOCKS>;
// The best clusterings of each row and of each first choice, and those of the starts.
var<workgroup> row_scores: array<f32, ROWS * BLOCKS>;
var<workgroup> row_cuts: array<u32, ROWS * BLOCKS>;
var<workgroup> scores: array<f32, 17 * BLOCKS>;
var<workgroup> cuts: array<u32, 17 * BLOCKS>;
var<workgroup> start_cuts: array<u32, 17 * BLOCKS>;

// Computes the prefix sums of the sorted texels.
fn add_up(count: u32) {
    var sum = vec3(0.0);
    var low = vec3(CENTER);
    var high = vec3(-CENTER);
    for (var t = 0u; t < count; t++) {
        let x = centered(ordered[16u * slot + t]);
        sum += x;
        low = min(low, x);
        high = max(high, x);
    }
    let by = normalizer(f32(count), sum, low, high);
    for (var end = lane; end < 17u; end += THREADS) {
        var running = vec3(0.0);
        for (var t = 0u; t < min(end, count); t++) {
            running += normalized(by, centered(ordered[16u * slot + t]));
        }
        prefix[17u * slot + end] = running;
    }
}

// Returns the position of the row with cuts (i, j). The rows of j and of 16 - j share a line of 18 columns.
fn row_of(i: u32, j: u32) -> u32 {
    return select(18u * j + i, 18u * (16u - j) + (17u - j) + i, j > 8u);
}

// Returns the first two cuts of a row.
fn cuts_of_row(row: u32) -> vec2<u32> {
    let line = row / 18u;
    let column = row % 18u;
    return select(vec2(column - line - 1u, 16u - line), vec2(column, line), column <= line);
}

// Finds the best clustering of each row. Three clusters have rows (0, j), where j is the first cut.
fn score_rows(mode: u32, count: u32) {
    let rows = select(17u, ROWS, mode == FOUR);
    for (var row = lane; row < rows; row += THREADS) {
        let first = select(vec2(0u, row), cuts_of_row(row), mode == FOUR);
        let i = first.x;
        let j = first.y;
        let two = prefix[17u * slot + j] + prefix[17u * slot + i];
        var best = 0.0;
        var best_cuts = 0u;
        for (var k = j; k <= count; k++) {
            let sum = two + prefix[17u * slot + k];
            let at = select(vec3(j, k, k), vec3(i, j, k), mode == FOUR);
            let score = dot(sum, sum) * gain(mode, count, at.x, at.y, at.z);
            if best < score {
                best = score;
                best_cuts = at.x | (at.y << 5u) | (k << 10u);
            }
        }
        row_scores[ROWS * slot + row_of(i, j)] = best;
        row_cuts[ROWS * slot + row_of(i, j)] = best_cuts;
    }
}

// Chooses the best clustering of each j.
fn choose_clusterings(mode: u32) {
    for (var j = lane; j < 17u; j += THREADS) {
        var best = 0.0;
        var best_cuts = 0u;
        for (var i = 0u; i <= select(0u, j, mode == FOUR); i++) {
            let at = ROWS * slot + row_of(i, j);
            if best < row_scores[at] {
                best = row_scores[at];
                best_cuts = row_cuts[at];
            }
        }
        scores[17u * slot + j] = best;
        cuts[17u * slot + j] = best_cuts;
    }
}

// Ranks the clusterings. The first ones are the starts.
fn rank_clusterings() {
    for (var j = lane; j < 17u; j += THREADS) {
        let mine = scores[17u * slot + j];
        var rank = 0u;
        for (var other = 0u; other < 17u; other++) {
            let score = scores[17u * slot + other];
            rank += select(0u, 1u, mine < score || (mine == score && other < j));
        }
        start_cuts[17u * slot + rank] = cuts[17u * slot + j];
    }
}

// Fits endpoints to a start's clusters and reassigns texels, several times.
fn descend(mode: u32, count: u32, cuts: u32, out: u32) -> vec2<u32> {
    let end = vec3(cuts, cuts >> 5u, cuts >> 10u) & vec3(31u);
    var before_i = vec3(0.0);
    var before_j = vec3(0.0);
    var before_k = vec3(0.0);
    var all = vec3(0.0);
    for (var t = 0u; t < count; t++) {
        let x = centered(ordered[16u * slot + t]);
        before_i += select(vec3(0.0), x, t < end.x);
        before_j += select(vec3(0.0), x, t < end.y);
        before_k += select(vec3(0.0), x, t < end.z);
        all += x;
    }
    var clusters = clusters_of(mode, cuts, f32(count), all, before_i, before_j, before_k);
    var ends = mean(all, f32(count));
    var best = no_best();
    for (var round = 0u; round < params.rounds; round++) {
        ends = fit(mode, true, clusters, ends);
        // This is a loop, because texels in workgroup memory are not in registers anyway.
        let p = planes(palette(mode, ends));
        var assigned = Assigned(0, no_clusters());
        for (var t = 0u; t < 16u; t++) {
            assign_texel(&assigned, p, t, out);
        }
        offer(&best, assigned.cost, ends);
        clusters = assigned.clusters;
    }
    return vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

@compute @workgroup_size(THREADS * BLOCKS)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_place(thread);
    let task = (group.y * groups.x + group.x) * BLOCKS + slot;
    let block = task % params.blocks;
    let family = min(task / params.blocks, params.families - 1u);
    let mode = mode_of(family);
    load_texels(block);
    let source = 16u * (ordering_of(family) * params.blocks + block);
    if lane < 16u {
        ordered[16u * slot + lane] = sorted[source + lane];
    }
    workgroupBarrier();
    let kinds = classes();
    let count = ordered[16u * slot] >> 24u;
    add_up(count);
    workgroupBarrier();
    score_rows(mode, count);
    workgroupBarrier();
    choose_clusterings(mode);
    workgroupBarrier();
    rank_clusterings();
    workgroupBarrier();
    let is_family = task / params.blocks < params.families && !kinds.done
        && select(family != 1u || params.three_color != 0u, family == 1u, kinds.transparent);
    for (var start = lane; start < params.starts && is_family; start += THREADS) {
        var found = vec2(NO_COST, 0u);
        if count > 0u {
            found = descend(mode, count, start_cuts[17u * slot + start], kinds.out);
        }
        starts[(start * params.families + family) * params.blocks + block] = found;
    }
}
