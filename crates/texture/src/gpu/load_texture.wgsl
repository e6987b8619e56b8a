// Loads texels from a texture, block by block. One thread per texel. The kernel contains the function that
// writes texels of one form (put_rgba8.wgsl or put_wide.wgsl).

struct TextureSource {
    // First texel and size of the encoded area.
    origin: vec2<u32>,
    size: vec2<u32>,
    // Number of blocks in a row.
    columns: u32,
    // Number of blocks in total.
    blocks: u32,
}

@group(0) @binding(0) var<uniform> params: TextureSource;
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
    put(at, texel_of(bitcast<vec4<u32>>(textureLoad(source, params.origin + position, 0))));
}
