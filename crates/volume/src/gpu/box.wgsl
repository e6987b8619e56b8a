// Which voxels of a brick of 4×4×4 lie in the volume (src/brick/shape.rs), as a bit per voxel in Morton order
// (src/brick/order.rs): the bits of x, y and z in turn, from the lowest on. Needs sets.wgsl.

// The voxels with bit 0 and bit 1 of x, y and z.
const X_0 = vec2u(0xaaaaaaaau);
const X_1 = vec2u(0xff00ff00u);
const Y_0 = vec2u(0xccccccccu);
const Y_1 = vec2u(0xffff0000u);
const Z_0 = vec2u(0xf0f0f0f0u);
const Z_1 = vec2u(0u, 0xffffffffu);

// The voxels whose place along an axis is below `n` of 1 to 4, from those with its bits.
fn below(n: u32, bit_0: vec2u, bit_1: vec2u) -> vec2u {
    let one_or_two = select(~bit_1, ~(bit_0 | bit_1), n == 1u);
    let three_or_four = select(vec2u(0xffffffffu), ~(bit_0 & bit_1), n == 3u);
    return select(three_or_four, one_or_two, n < 3u);
}

// The voxels of the box at the first corner with so many along each axis.
fn box_of(inside: vec3u) -> vec2u {
    return below(inside.x, X_0, X_1) & below(inside.y, Y_0, Y_1) & below(inside.z, Z_0, Z_1);
}

// The place in Morton order of voxel `i`, x fastest.
fn morton(i: u32) -> u32 {
    return (i & 0x21u) | ((i >> 1u) & 2u) | ((i >> 2u) & 4u) | ((i << 2u) & 8u) | ((i << 1u) & 16u);
}

// Where in the order of codes that of `voxel`, a place in Morton order, is: after those of the voxels before
// it, or sorted.
fn place_of(voxels_inside: vec2u, voxel: u32, is_sorted: bool) -> u32 {
    var before = first_of(voxel);
    if is_sorted {
        // Those with neighbours along fewer axes, and of those with as many the ones before it.
        let axes = bit_of(X_0 | X_1, voxel) + bit_of(Y_0 | Y_1, voxel) + bit_of(Z_0 | Z_1, voxel);
        before = with_fewer_axes(axes) | (before & with_fewer_axes(axes + 1u));
    }
    return count(voxels_inside & before);
}

// The voxels with neighbours along fewer than so many axes.
fn with_fewer_axes(axes: u32) -> vec2u {
    let x = X_0 | X_1;
    let y = Y_0 | Y_1;
    let z = Z_0 | Z_1;
    let none = ~(x | y | z);
    let one_at_most = ~((x & y) | (x & z) | (y & z));
    let two_at_most = ~(x & y & z);
    let some = select(select(two_at_most, one_at_most, axes == 2u), none, axes == 1u);
    return select(select(some, vec2u(0u), axes == 0u), vec2u(0xffffffffu), axes > 3u);
}

// How many steps it takes from the first voxel to voxel `i`.
fn distance_of(i: u32) -> u32 {
    return (i & 3u) + extractBits(i, 2u, 2u) + (i >> 4u);
}
