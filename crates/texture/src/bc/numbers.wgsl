// Arithmetic that every GPU does alike. The kernel has `params` with `zero`, which is 0, and no compiler
// knows it.

// Returns the same number, so that no compiler can make it part of another sum or product.
fn keep(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ params.zero);
}

// Returns 1/x for x >= 1 (numbers.rs).
fn reciprocal(x: f32) -> f32 {
    var y = bitcast<f32>(0x7ef127eau - bitcast<u32>(x));
    y = keep(y * keep(2.0 - keep(x * y)));
    return keep(y * keep(2.0 - keep(x * y)));
}
