// The order in which predictions of bricks of 4×4×4 are undone.

// How many steps it takes from the first voxel to voxel `i`.
fn distance_of(i: u32) -> u32 {
    return (i & 3u) + extractBits(i, 2u, 2u) + (i >> 4u);
}
