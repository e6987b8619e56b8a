// Loads texels of any channel type from an image in a buffer, block by block. One thread per texel. The
// kernel contains the functions that read and write texels of one form (source_rgba8.wgsl and put_rgba8.wgsl,
// or those for wide texels).

struct BufferSource {
    // Size of the encoded area in texels: a whole image or a band of its rows.
    size: vec2<u32>,
    // Number of blocks in a row.
    columns: u32,
    // Number of blocks in total.
    blocks: u32,
    // Offset of the first texel and distance between rows, in bytes.
    offset: u32,
    pitch: u32,
    // Channels per texel, 1 to 4.
    channels: u32,
    // Channel type: 0 is u8, 1 is u16, 2 is f16, 3 is f32.
    channel_type: u32,
}

@group(0) @binding(0) var<uniform> params: BufferSource;
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
    put(at, texel_at(position));
}
