// Axes other than the principal one (other_axes.rs).
// needs: axis.wgsl

// Returns a vector orthogonal to both vectors.
fn across(v: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    return shorten(cross(v, shorten(normal)));
}

fn farther(v: vec3<f32>, other: vec3<f32>) -> vec3<f32> {
    return select(v, other, greatest_of(abs(v)) < greatest_of(abs(other)));
}

// Returns, for a block whose principal axis is `v`, the second axis or one of the two half way to it.
fn other_axis(matrix: Covariance, v: vec3<f32>, number: u32) -> vec3<f32> {
    var normal = cross(vec3(matrix.square.x, matrix.mixed.x, matrix.mixed.y), v);
    normal = farther(normal, cross(vec3(matrix.mixed.x, matrix.square.y, matrix.mixed.z), v));
    normal = farther(normal, cross(vec3(matrix.mixed.y, matrix.mixed.z, matrix.square.z), v));
    var second = across(v, normal);
    for (var step = 0u; step < OTHER_AXIS_STEPS; step++) {
        second = across(v, cross(next_axis(matrix, second), v));
    }
    let half_way = shorten(select(v - second, v + second, number == 1u));
    return select(half_way, second, number == 0u);
}
