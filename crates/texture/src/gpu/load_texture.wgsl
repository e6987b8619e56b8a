// Texels of a texture as 8-bit RGBA in the order of blocks. One texel a thread.

struct Source {
    // The first texel of what is encoded, and its size.
    origin: vec2<u32>,
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    // Blocks in all.
    blocks: u32,
}

@group(0) @binding(0) var<uniform> params: Source;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let block = at >> 4u;
    if block >= params.blocks {
        return;
    }
    let corner = 4u * vec2(block % params.columns, block / params.columns);
    let position = min(corner + vec2(at & 3u, (at >> 2u) & 3u), params.size - vec2(1u));
    let value = textureLoad(source, params.origin + position, 0);
    let rgba = vec4<u32>(round(clamp(value, vec4(0.0), vec4(1.0)) * 255.0));
    texels[at] = rgba.x | rgba.y << 8u | rgba.z << 16u | rgba.w << 24u;
}
