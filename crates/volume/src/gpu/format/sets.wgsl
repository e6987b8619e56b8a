// Sets of codes or voxels: a bit for each of 64.

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
