// Kernel of a test, with one thread per block. It is joined to a part that defines `encode`.

struct Params {
    // Blocks of this dispatch.
    first_block: u32,
    end_block: u32,
    // Place of the region's first block, blocks in a row, and pitch of the rows of blocks.
    target_block: u32,
    columns: u32,
    pitch: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> texels: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = params.first_block + (group.y * groups.x + group.x) * 64u + thread;
    if block < params.end_block {
        encode(block, params.target_block + block / params.columns * params.pitch + block % params.columns);
    }
}
