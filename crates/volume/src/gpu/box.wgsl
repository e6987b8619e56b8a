// Which voxels of a brick lie in the volume (src/brick/shape.rs), as a bit per voxel.

fn count(bits_of: vec2u) -> u32 {
    return countOneBits(bits_of.x) + countOneBits(bits_of.y);
}

// The first `n` of 64.
fn first_of(n: u32) -> vec2u {
    let low = select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 32u);
    let high = select(select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 64u), 0u, n < 32u);
    return vec2u(low, high);
}

fn bit_of(bits_of: vec2u, i: u32) -> u32 {
    return (select(bits_of.x, bits_of.y, i >= 32u) >> (i & 31u)) & 1u;
}

// The voxels of the box at the first corner with so many along each axis.
fn box_of(inside: vec3u) -> vec2u {
    let row = (1u << inside.x) - 1u;
    let slice = row * (0x1111u & ((1u << (4u * inside.y)) - 1u));
    return vec2u(
        slice | select(0u, slice << 16u, inside.z > 1u),
        select(0u, slice, inside.z > 2u) | select(0u, slice << 16u, inside.z > 3u),
    );
}

// Where in the order of codes that of `voxel` is: after those of the voxels before it, or sorted.
fn place_of(voxels_inside: vec2u, voxel: u32, is_sorted: bool) -> u32 {
    var before = first_of(voxel);
    if is_sorted {
        // Those with neighbours along fewer axes, and of those with as many the ones before it.
        let axes = u32((voxel & 3u) != 0u) + u32((voxel & 12u) != 0u) + u32((voxel & 48u) != 0u);
        before = with_fewer_axes(axes) | (before & with_fewer_axes(axes + 1u));
    }
    return count(voxels_inside & before);
}

// The voxels with neighbours along fewer than so many axes.
fn with_fewer_axes(axes: u32) -> vec2u {
    let x = vec2u(0xeeeeeeeeu);
    let y = vec2u(0xfff0fff0u);
    let z = vec2u(0xffff0000u, 0xffffffffu);
    let none = ~(x | y | z);
    let one_at_most = ~((x & y) | (x & z) | (y & z));
    let two_at_most = ~(x & y & z);
    let some = select(select(two_at_most, one_at_most, axes == 2u), none, axes == 1u);
    return select(select(some, vec2u(0u), axes == 0u), vec2u(0xffffffffu), axes > 3u);
}
