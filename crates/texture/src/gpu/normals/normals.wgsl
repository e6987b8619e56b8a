// Changes the texels of a normal map in place. Value v of red, green and blue means 2v/255 - 1. One thread
// per texel. The kernel contains unit_length.wgsl, blue.wgsl or z.wgsl, which define `change`.

struct Normals {
    // Columns and rows.
    size: vec2<u32>,
    // Distance between rows, in texels.
    pitch: u32,
}

@group(0) @binding(0) var<uniform> params: Normals;
// 8-bit RGBA.
@group(0) @binding(1) var<storage, read_write> texels: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    if at >= params.size.x * params.size.y {
        return;
    }
    change((at / params.size.x) * params.pitch + at % params.size.x);
}
