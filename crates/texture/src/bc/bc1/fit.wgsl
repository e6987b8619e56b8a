// Endpoints for given clusters (fit.rs). The kernel binds the tables as `tables`.
// needs: lanes.wgsl, palette.wgsl, clusters.wgsl

// Returns the error of texels of one index, minus a constant, for a value of each channel.
fn part(count: f32, sum: vec3<f32>, value: vec3<f32>) -> vec3<f32> {
    return value * (count * value - 2.0 * sum);
}

// Texels of the palette's inner colours: two, or one.
struct Inner {
    four: bool,
    count: vec2<f32>,
    sum2: vec3<f32>,
    sum3: vec3<f32>,
}

fn inner_cost(inner: Inner, a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    if inner.four {
        return part(inner.count.x, inner.sum2, third_value(a, b))
            + part(inner.count.y, inner.sum3, third_value(b, a));
    }
    return part(inner.count.x, inner.sum2, half_value(a, b));
}

// Best codes of each channel so far.
struct Codes {
    least: vec3<f32>,
    ends: Endpoints,
}

fn offer_codes(found: ptr<function, Codes>, cost: vec3<f32>, a: vec3<f32>, b: vec3<f32>) {
    let better = cost < (*found).least;
    (*found).least = min((*found).least, cost);
    (*found).ends.a = select((*found).ends.a, a, better);
    (*found).ends.b = select((*found).ends.b, b, better);
}

// Returns the least-squares endpoints for the indices of the clusters. If `exact`, they are the best of the
// four code pairs around the result, channel by channel; otherwise the nearest codes. Returns `old` where the
// indices determine no endpoints.
fn fit(mode: u32, exact: bool, clusters: Clusters, old: Endpoints) -> Endpoints {
    let four = mode == FOUR;
    let parts = select(2.0, 3.0, four);
    var n = clusters.count;
    var sum3 = clusters.sum3;
    if !four {
        // Texels of index 3 are black or transparent with any endpoints.
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
    let a1 = a0 + vec3(1.0);
    let b1 = b0 + vec3(1.0);
    let at_a0 = operand(a0);
    let at_a1 = operand(a1);
    let at_b0 = operand(b0);
    let at_b1 = operand(b1);
    let cost_a0 = part(n.x, clusters.sum0, endpoint_value(at_a0));
    let cost_a1 = part(n.x, clusters.sum0, endpoint_value(at_a1));
    let cost_b0 = part(n.y, clusters.sum1, endpoint_value(at_b0));
    let cost_b1 = part(n.y, clusters.sum1, endpoint_value(at_b1));
    let inner = Inner(four, n.zw, clusters.sum2, sum3);
    var found = Codes(vec3(16777216.0), Endpoints(a0, b0));
    offer_codes(&found, cost_a0 + cost_b0 + inner_cost(inner, at_a0, at_b0), a0, b0);
    offer_codes(&found, cost_a0 + cost_b1 + inner_cost(inner, at_a0, at_b1), a0, b1);
    offer_codes(&found, cost_a1 + cost_b0 + inner_cost(inner, at_a1, at_b0), a1, b0);
    offer_codes(&found, cost_a1 + cost_b1 + inner_cost(inner, at_a1, at_b1), a1, b1);
    return found.ends;
}

// Returns both endpoints at the mean of `count` >= 1 texels.
fn mean(sum: vec3<f32>, count: f32) -> Endpoints {
    let at = u32(count);
    let scale_5 = tables[CODE_SCALES_5 + at];
    let codes = round((sum + vec3(count * CENTER)) * vec3(scale_5, tables[CODE_SCALES_6 + at], scale_5));
    return Endpoints(codes, codes);
}
