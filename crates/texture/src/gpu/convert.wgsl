// Floats as integers between 0 and `greatest`, as texel.rs has them.

// Rounded to nearest; the product is not added to, because a compiler might fuse that and round differently.
fn of_float(value: f32, greatest: f32) -> u32 {
    return u32(round(clamp(value * greatest, 0.0, greatest)));
}

// Not a number is 0, recognized by its bits: a compiler may assume that floats are numbers.
fn of_single(bits: u32, greatest: f32) -> u32 {
    return select(of_float(bitcast<f32>(bits), greatest), 0u, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn of_half(bits: u32, greatest: f32) -> u32 {
    return select(of_float(unpack2x16float(bits).x, greatest), 0u, (bits & 0x7fffu) > 0x7c00u);
}
