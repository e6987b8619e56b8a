// Clusterings and their scores (cluster_fit.rs). The kernel binds the tables as `tables`.
// needs: lanes.wgsl, clusters.wgsl

// Three cuts, i | j << 5 | k << 10, and the prefix sums at them give the weight of each texel of a clustering
// and the clusters' sums.
fn clusters_of(
    mode: u32,
    cuts: u32,
    count: f32,
    all: vec3<f32>,
    at_i: vec3<f32>,
    at_j: vec3<f32>,
    at_k: vec3<f32>,
) -> Clusters {
    let i = f32(cuts & 31u);
    let j = f32((cuts >> 5u) & 31u);
    let k = f32(cuts >> 10u);
    if mode == FOUR {
        return Clusters(vec4(i, count - k, j - i, k - j), at_i, all - at_k, at_j - at_i, at_k - at_j);
    }
    return Clusters(vec4(i, count - j, j - i, 0.0), at_i, all - at_j, at_j - at_i, vec3(0.0));
}

// Returns 1 / D of the clustering with these cuts: see cluster_fit.rs.
fn gain(mode: u32, count: u32, i: u32, j: u32, k: u32) -> f32 {
    var weight = i + j + k;
    var square = 5u * i + 3u * j + k;
    if mode != FOUR {
        weight = i + j;
        square = 3u * i + j;
    }
    return tables[GAINS + count * square - weight * weight];
}
