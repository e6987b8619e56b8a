// `decode_all` where `decode_brick` gives all: bricks of 64 voxels. The kernel has `decode_brick`.

var<private> decoded: vec2u;

// As in runs.wgsl.
fn decode_all(lane: u32, start: u32, range: u32, inside: vec3u) {
    decoded = decode_brick(lane, start, range, inside);
}

fn own_values(voxel: u32) -> vec2u {
    return decoded;
}
