// Trilinear samples in integers: the twin of sample.rs. The kernel has `gather`.
// needs: picture.wgsl

const HALF = 32768;

// The sample at a position, for lanes that want one; all lanes of the workgroup call it together.
fn sample(lane: u32, position: vec3i, is_wanted: bool) -> u32 {
    let last = vec3i((shape.voxels - vec3u(1u)) << vec3u(16u));
    let place = vec3u(clamp(position - vec3i(HALF), vec3i(0), last));
    gather(lane, place >> vec3u(16u), true, is_wanted);
    let f = (place >> vec3u(8u)) & vec3u(255u);
    // Along x, 24 bits; then along y, 32 bits, of which 8 are dropped.
    let along_x = (corners & vec4u(0xffffu)) * (256u - f.x) + (corners >> vec4u(16u)) * f.x;
    let along_y = (along_x.xz * (256u - f.y) + along_x.yw * f.y) >> vec2u(8u);
    return (along_y.x * (256u - f.z) + along_y.y * f.z) >> 8u;
}
