// Endpoints along the principal axis of a subset (`Start` of fit.rs).
// needs: moments.wgsl, subsets.wgsl, coding.wgsl, texel.wgsl

// 16-bit values of a subset's endpoints.
struct Ends {
    a: vec3<f32>,
    b: vec3<f32>,
}

fn start_of(block: u32, subset: Subset, extension: vec2<f32>) -> Ends {
    let middle = texel_of(block, 16u);
    var moments = Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let x = vec3<f32>(texel_of(block, countTrailingZeros(rest)) - middle);
        moments.count += 1.0;
        moments.sums += x;
        moments.of_red = keep3(moments.of_red + keep3(x.xxx * x));
        moments.others = keep3(moments.others + keep3(x.yyz * x.yzz));
    }
    let matrix = covariance_of(moments);
    var axis = scaled(matrix.row);
    for (var step = 0u; step < AXIS_STEPS; step++) {
        axis = scaled(product_of(matrix, axis));
    }
    var low = 1e9;
    var high = -1e9;
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let x = vec3<f32>(texel_of(block, countTrailingZeros(rest)) - middle);
        let place = dot3(keep3(x - matrix.mean), axis);
        low = min(low, place);
        high = max(high, place);
    }
    if subset.members == 0u {
        low = 0.0;
        high = 0.0;
    }
    let of_anchor = vec3<f32>(texel_of(block, subset.anchor) - middle);
    let anchor = dot3(keep3(of_anchor - matrix.mean), axis);
    // The anchor's index has no highest bit, so the anchor is nearer to the first endpoint.
    let is_turned = keep(low + high) < anchor + anchor;
    let first = select(low, high, is_turned);
    let last = select(high, low, is_turned);
    let length = keep(last - first);
    let inverse = quotient(1.0, max(dot3(axis, axis), 1e-3));
    let a = keep(keep(first - keep(length * extension.x)) * inverse);
    let b = keep(keep(last + keep(length * extension.y)) * inverse);
    let origin = keep3(matrix.mean + vec3<f32>(middle));
    return Ends(
        widened(keep3(origin + keep3(axis * a))),
        widened(keep3(origin + keep3(axis * b))),
    );
}
