// The cost of endpoints, and the clusters they make (assign.rs). Needs nearest.wgsl, clusters.wgsl and, from
// the kernel:
//   fn texel(t: u32) -> vec3<f32>   the centred texel t

// What follows goes over the texels in fours, without a loop: this keeps them in registers, and does not
// count towards the 65,535 loop iterations after which lavapipe stops a thread.

fn cost_of_texel(p: Planes, t: u32, out: u32) -> i32 {
    return select(least_cost(p, texel(t)), 0, extractBits(out, t, 1u) != 0u);
}

fn cost_of_four(p: Planes, t: u32, out: u32) -> i32 {
    return cost_of_texel(p, t, out) + cost_of_texel(p, t + 1u, out)
        + (cost_of_texel(p, t + 2u, out) + cost_of_texel(p, t + 3u, out));
}

// The cost of endpoints when every texel outside the mask `out` takes its nearest colour.
fn cost_of(mode: u32, ends: Endpoints, out: u32) -> i32 {
    let p = planes(palette(mode, ends));
    return cost_of_four(p, 0u, out) + cost_of_four(p, 4u, out)
        + (cost_of_four(p, 8u, out) + cost_of_four(p, 12u, out));
}

struct Assigned {
    cost: i32,
    clusters: Clusters,
}

fn assign_texel(found: ptr<function, Assigned>, p: Planes, t: u32, out: u32) {
    let x = texel(t);
    let c = costs(p, x);
    let counts = extractBits(out, t, 1u) == 0u;
    let one = select(vec4(0.0), vec4(1.0), (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(counts));
    (*found).cost += select(0, i32(min(min(c.x, c.y), min(c.z, c.w))), counts);
    (*found).clusters.count += one;
    (*found).clusters.sum0 += one.x * x;
    (*found).clusters.sum1 += one.y * x;
    (*found).clusters.sum2 += one.z * x;
    (*found).clusters.sum3 += one.w * x;
}

fn assign_four(found: ptr<function, Assigned>, p: Planes, t: u32, out: u32) {
    assign_texel(found, p, t, out);
    assign_texel(found, p, t + 1u, out);
    assign_texel(found, p, t + 2u, out);
    assign_texel(found, p, t + 3u, out);
}

// The same, with the clusters.
fn assign(mode: u32, ends: Endpoints, out: u32) -> Assigned {
    let p = planes(palette(mode, ends));
    var found = Assigned(0, no_clusters());
    assign_four(&found, p, 0u, out);
    assign_four(&found, p, 4u, out);
    assign_four(&found, p, 8u, out);
    assign_four(&found, p, 12u, out);
    return found;
}
