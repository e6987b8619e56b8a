// Voxels of an uncompressed volume, as ordinals in a 3D texture; each lane reads separately. The cache is
// compared with this variant.

@group(0) @binding(6) var ordinals: texture_3d<u32>;

// Nothing is missing.
const is_blocked = false;

// Counts of the cache, of which there is none.
var<private> requests: u32;
var<private> misses: u32;
var<private> decoded_bricks: u32;

fn empty_cache() {}

fn least(lane: u32, own: u32) -> u32 {
    return own;
}

fn voxel_at(voxel: vec3u) -> u32 {
    return display(textureLoad(ordinals, min(voxel, shape.voxels - vec3u(1u)), 0).x);
}

fn gather(lane: u32, voxel: vec3u, is_cell: bool, is_wanted: bool) {
    if !is_wanted {
        return;
    }
    corners.x = lower_half(corners.x, voxel_at(voxel));
    if is_cell {
        corners.x = upper_half(corners.x, voxel_at(voxel + vec3u(1u, 0u, 0u)));
        corners.y = lower_half(corners.y, voxel_at(voxel + vec3u(0u, 1u, 0u)));
        corners.y = upper_half(corners.y, voxel_at(voxel + vec3u(1u, 1u, 0u)));
        corners.z = lower_half(corners.z, voxel_at(voxel + vec3u(0u, 0u, 1u)));
        corners.z = upper_half(corners.z, voxel_at(voxel + vec3u(1u, 0u, 1u)));
        corners.w = lower_half(corners.w, voxel_at(voxel + vec3u(0u, 1u, 1u)));
        corners.w = upper_half(corners.w, voxel_at(voxel + vec3u(1u)));
    }
}
