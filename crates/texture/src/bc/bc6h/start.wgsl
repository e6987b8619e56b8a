// Endpoints along the principal axis of a subset (`Start` of fit.rs).
// needs: numbers.wgsl, moments.wgsl, texel.wgsl, line.wgsl

fn start_of(block: u32, subset: Subset, extension: vec2<f32>) -> Ends {
    let middle = texel_of(block, 16u);
    var moments = Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let x = point_of(block, countTrailingZeros(rest), middle);
        moments.count += 1.0;
        moments.sums = keep3(moments.sums + x);
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
    var texels = vec2(0u);
    for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
        let t = countTrailingZeros(rest);
        let place = dot3(keep3(point_of(block, t, middle) - matrix.mean), axis);
        texels = select(texels, vec2(t), vec2(low > place, high < place));
        low = min(low, place);
        high = max(high, place);
    }
    let is_empty = subset.members == 0u;
    low = select(low, 0.0, is_empty);
    high = select(high, 0.0, is_empty);
    let anchor = dot3(keep3(point_of(block, subset.anchor, middle) - matrix.mean), axis);
    // The anchor's index has no highest bit, so the anchor is nearer to the first endpoint.
    let is_turned = keep(low + high) < anchor + anchor;
    let places = select(vec2(low, high), vec2(high, low), is_turned);
    texels = select(texels, texels.yx, is_turned);
    let extent =
        Extent(matrix.mean, middle, axis, places.x, places.y, texels.x, texels.y, is_empty);
    return ends_of(block, extent, extension);
}
