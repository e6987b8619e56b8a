// Returns 2^(bits - exponent of `value`) for a value of at least 1.
fn power_scale(value: f32, bits: u32) -> f32 {
    return bitcast<f32>(((254u + bits) - (bitcast<u32>(value) >> 23u)) << 23u);
}
