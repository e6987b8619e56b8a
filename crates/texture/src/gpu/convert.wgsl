// Converts floats to integers between 0 and `greatest`, as texel.rs does.

// Rounds to nearest. Nothing is added to the product, because a compiler might fuse the two and round
// differently.
fn of_float(value: f32, greatest: f32) -> u32 {
    return u32(round(clamp(value * greatest, 0.0, greatest)));
}

// NaN becomes 0. It is recognized by its bits, because a compiler may assume that floats are never NaN.
fn of_single(bits: u32, greatest: f32) -> u32 {
    return select(of_float(bitcast<f32>(bits), greatest), 0u, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn of_half(bits: u32, greatest: f32) -> u32 {
    return select(of_float(unpack2x16float(bits).x, greatest), 0u, (bits & 0x7fffu) > 0x7c00u);
}
