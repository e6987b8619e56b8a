// The difference between samples one voxel after and before, along each axis, for lanes that want it. All
// lanes call it together. Needs sample.wgsl.
fn gradient_at(lane: u32, position: vec3i, is_wanted: bool) -> vec3i {
    var gradient = vec3i(0);
    for (var i = 0u; i < 6u; i++) {
        let axis = vec3i(vec3u(i >> 1u) == vec3u(0u, 1u, 2u));
        let side = select(axis, -axis, (i & 1u) == 1u);
        gradient += side * i32(sample(lane, position + side * 65536, is_wanted));
    }
    return gradient;
}
