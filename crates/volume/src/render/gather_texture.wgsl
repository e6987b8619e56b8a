// Voxels of an uncompressed volume, ordinals in a 3D texture, each lane for itself: what the cache is
// measured against. Needs display.wgsl.

@group(0) @binding(6) var ordinals: texture_3d<u32>;

// Nothing is missing.
const is_blocked = false;

// Counts of the cache, of which there is none.
var<private> requests: u32;
var<private> misses: u32;
var<private> decoded_bricks: u32;

// As in cache.wgsl.
var<private> corners_near: vec4u;
var<private> corners_far: vec4u;

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
    corners_near.x = voxel_at(voxel);
    if is_cell {
        corners_near.y = voxel_at(voxel + vec3u(1u, 0u, 0u));
        corners_near.z = voxel_at(voxel + vec3u(0u, 1u, 0u));
        corners_near.w = voxel_at(voxel + vec3u(1u, 1u, 0u));
        corners_far.x = voxel_at(voxel + vec3u(0u, 0u, 1u));
        corners_far.y = voxel_at(voxel + vec3u(1u, 0u, 1u));
        corners_far.z = voxel_at(voxel + vec3u(0u, 1u, 1u));
        corners_far.w = voxel_at(voxel + vec3u(1u));
    }
}
