// Writes lights as 8-bit texels.
// needs: ../put_rgba8.wgsl, ../transfer.wgsl, single.wgsl

fn store(at: u32, lights: vec4<u32>) {
    let values = integers_of(lights, vec4(65535u, 65535u, 65535u, 255u));
    let rgb = vec3(value_of(values.x), value_of(values.y), value_of(values.z));
    put(at, rgb.x | (rgb.y << 8u) | (rgb.z << 16u) | (values.w << 24u));
}
