// A texel's contribution to the cost and to the clusters (assign.rs), where several threads share a block.
// needs: group.wgsl

fn cost_of_texel(p: Planes, t: u32, out: u32) -> i32 {
    return select(least_cost(p, texel(t)), 0, has_texel(out, t));
}

struct Assigned {
    cost: i32,
    clusters: Clusters,
}

fn assign_texel(found: ptr<function, Assigned>, p: Planes, t: u32, out: u32) {
    let x = texel(t);
    let c = costs(p, x);
    let counts = !has_texel(out, t);
    let one = select(vec4(0.0), vec4(1.0), (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(counts));
    (*found).cost += select(0, i32(min(min(c.x, c.y), min(c.z, c.w))), counts);
    (*found).clusters.count += one;
    (*found).clusters.sum0 += one.x * x;
    (*found).clusters.sum1 += one.y * x;
    (*found).clusters.sum2 += one.z * x;
    (*found).clusters.sum3 += one.w * x;
}
