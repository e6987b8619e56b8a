// The second stage of cluster fit (cluster_fit.rs): every clustering of the sorted texels is scored, and the
// best ones of different first choices become the starts. One thread per family and block: four colours,
// three, and three and black for each of the two orderings.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> sorted: array<u32>;
// The cuts of each start, in descending order of score; then its cost and endpoints.
@group(0) @binding(4) var<storage, read_write> starts: array<vec2<u32>>;

// Sums of the first 0, 1, .., 16 sorted texels, normalized.
var<private> prefix: array<vec3<f32>, 17>;
// The best clustering of each first choice.
var<private> scores: array<f32, 17>;
var<private> cuts: array<u32, 17>;

// Scores every clustering of the sorted texels (cluster_fit.rs).
fn score_clusterings(mode: u32, count: u32) {
    for (var j = 0u; j <= 16u; j++) {
        var best = 0.0;
        var best_cuts = 0u;
        if j <= count {
            // Four clusters: i takes every cut up to j, k every cut from j on. Three: i is the first cut, j
            // the second, and there is no third.
            let rows = select(0u, j, mode == FOUR);
            for (var i = 0u; i <= rows; i++) {
                let two = prefix[j] + prefix[i];
                for (var k = j; k <= count; k++) {
                    let sum = two + prefix[k];
                    var score = dot(sum, sum);
                    if mode == FOUR {
                        score *= gain(mode, count, i, j, k);
                    } else {
                        score *= gain(mode, count, j, k, k);
                    }
                    if best < score {
                        best = score;
                        best_cuts = select(j | (k << 5u), i | (j << 5u), mode == FOUR) | (k << 10u);
                    }
                }
            }
        }
        scores[j] = best;
        cuts[j] = best_cuts;
    }
}

// Removes the best clustering left and returns its cuts.
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

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = (group.y * groups.x + group.x) * 64u + thread;
    let block = task % params.blocks;
    let family = task / params.blocks;
    if family >= params.families || !is_wanted(block, family) {
        return;
    }
    let mine = 16u * (ordering_of(family) * params.blocks + block);
    let count = sorted[mine] >> 24u;
    if count == 0u {
        return;
    }
    var sum = vec3(0.0);
    var low = vec3(CENTER);
    var high = vec3(-CENTER);
    for (var t = 0u; t < count; t++) {
        let x = centered(sorted[mine + t]);
        sum += x;
        low = min(low, x);
        high = max(high, x);
    }
    let by = normalizer(f32(count), sum, low, high);
    var running = vec3(0.0);
    prefix[0] = running;
    for (var t = 0u; t < 16u; t++) {
        if t < count {
            running += normalized(by, centered(sorted[mine + t]));
        }
        prefix[t + 1u] = running;
    }
    score_clusterings(mode_of(family), count);
    for (var start = 0u; start < params.starts; start++) {
        starts[start * params.blocks * params.families + task] = vec2(take_best(), 0u);
    }
}
