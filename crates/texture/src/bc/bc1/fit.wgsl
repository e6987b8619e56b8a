// Endpoints for given clusters (fit.rs). Needs palette.wgsl and clusters.wgsl, and the tables as `tables`.

// Error of texels of one index, less a constant, for a value of each channel.
fn part(count: f32, sum: vec3<f32>, value: vec3<f32>) -> vec3<f32> {
    return value * (count * value - 2.0 * sum);
}

// Least squares for the indices of the clusters; then, if `exact`, the best of the four code pairs around the
// result, channel by channel, else the nearest codes. `old` where the indices determine no endpoints.
fn fit(mode: u32, exact: bool, clusters: Clusters, old: Endpoints) -> Endpoints {
    let four = mode == FOUR;
    let parts = select(2.0, 3.0, four);
    var n = clusters.count;
    var sum3 = clusters.sum3;
    if !four {
        // Texels of index 3 are black or transparent whatever the endpoints.
        n.w = 0.0;
        sum3 = vec3(0.0);
    }
    let shares = select(vec4(2.0, 0.0, 1.0, 0.0), vec4(3.0, 0.0, 2.0, 1.0), four);
    let count = n.x + n.y + n.z + n.w;
    let weight = dot(n, shares);
    let square = dot(n, shares * shares);
    let determinant = count * square - weight * weight;
    if determinant < 1.0 {
        return old;
    }
    let at = u32(determinant);
    let scale_5 = tables[CODE_SCALES_5 + at];
    let scale = vec3(scale_5, tables[CODE_SCALES_6 + at], scale_5);
    let sum = clusters.sum0 + clusters.sum1 + clusters.sum2 + sum3;
    let weighted = shares.x * clusters.sum0 + shares.z * clusters.sum2 + shares.w * sum3;
    let offset = determinant * CENTER;
    let a = ((square - parts * weight) * sum + ((parts * count - weight) * weighted + vec3(offset))) * scale;
    let b = (square * sum + (vec3(offset) - weight * weighted)) * scale;
    let top = params.rule.top.xyz;
    if !exact {
        return Endpoints(clamp(round(a), vec3(0.0), top), clamp(round(b), vec3(0.0), top));
    }
    let last = top - vec3(1.0);
    let a0 = clamp(floor(a), vec3(0.0), last);
    let b0 = clamp(floor(b), vec3(0.0), last);
    var ends = Endpoints(a0, b0);
    var least = vec3(16777216.0);
    for (var i = 0u; i < 4u; i++) {
        let code_a = a0 + vec3(f32(i >> 1u));
        let code_b = b0 + vec3(f32(i & 1u));
        let at_a = operand(code_a);
        let at_b = operand(code_b);
        var cost = part(n.x, clusters.sum0, endpoint_value(at_a))
            + part(n.y, clusters.sum1, endpoint_value(at_b));
        if four {
            cost += part(n.z, clusters.sum2, third_value(at_a, at_b))
                + part(n.w, sum3, third_value(at_b, at_a));
        } else {
            cost += part(n.z, clusters.sum2, half_value(at_a, at_b));
        }
        let better = cost < least;
        least = min(least, cost);
        ends.a = select(ends.a, code_a, better);
        ends.b = select(ends.b, code_b, better);
    }
    return ends;
}

// Both endpoints at the mean of `count` >= 1 texels.
fn mean(sum: vec3<f32>, count: f32) -> Endpoints {
    let at = u32(count);
    let scale_5 = tables[CODE_SCALES_5 + at];
    let codes = round((sum + vec3(count * CENTER)) * vec3(scale_5, tables[CODE_SCALES_6 + at], scale_5));
    return Endpoints(codes, codes);
}
