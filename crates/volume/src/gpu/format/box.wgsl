// The voxels of a brick of 4×4×4 in the volume (src/brick/shape.rs), as a bit per voxel, x fastest. The
// kernel has `weights_at(i)`, entry `i` of the tables of `weights` in tables.rs.
// needs: sets.wgsl

// The voxels with bit 0 and bit 1 of x, y and z.
const X_0 = vec2u(0xaaaaaaaau);
const X_1 = vec2u(0xccccccccu);
const Y_0 = vec2u(0xf0f0f0f0u);
const Y_1 = vec2u(0xff00ff00u);
const Z_0 = vec2u(0xffff0000u);
const Z_1 = vec2u(0u, 0xffffffffu);

// The voxels whose place along an axis is below `n` of 1 to 4, from those with its bits.
fn below(n: u32, bit_0: vec2u, bit_1: vec2u) -> vec2u {
    let one_or_two = select(~bit_1, ~(bit_0 | bit_1), n == 1u);
    let three_or_four = select(vec2u(0xffffffffu), ~(bit_0 & bit_1), n == 3u);
    return select(three_or_four, one_or_two, n < 3u);
}

// Returns the voxels of the box at the first corner with these numbers of voxels along each axis.
fn box_of(inside: vec3u) -> vec2u {
    return below(inside.x, X_0, X_1) & below(inside.y, Y_0, Y_1) & below(inside.z, Z_0, Z_1);
}

// Where in the order of codes that of `voxel` is: after those of the voxels before it, which a table behind
// the predictors' weights has for both orders.
fn place_of(voxels_inside: vec2u, voxel: u32, is_sorted: bool) -> u32 {
    return count(voxels_inside & weights_at(ORDERS + voxel + select(0u, VOXELS, is_sorted)));
}
