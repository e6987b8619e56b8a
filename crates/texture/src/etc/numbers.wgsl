// Arithmetic that every GPU does alike. The kernel has `params` with `zero`, which is 0, and no compiler
// knows it.

// Returns the same numbers, so that no compiler can make them part of another sum or product.
fn keep(x: vec4<f32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) ^ vec4(params.zero));
}

// Returns the number of iterations of a loop. No compiler knows it, unrolls the loop and keeps all texels in
// registers.
fn unknown(count: u32) -> u32 {
    return count + params.zero;
}

// Returns 1/n, rounded once, for whole numbers up to 32; 0 for 0. (GPUs need not round quotients correctly.)
fn one_over(n: f32) -> f32 {
    let whole = max(u32(n), 1u);
    let bits = 32u - countLeadingZeros(whole - 1u);
    let digits = f32((((1u << (24u + bits)) / whole) + 1u) >> 1u);
    return select(digits * bitcast<f32>((104u - bits) << 23u), 0.0, n < 1.0);
}

// Returns a component of a vector. (Compilers store vectors with a variable index in memory.)
fn component(v: vec4<f32>, at: u32) -> f32 {
    return select(select(v.x, v.y, at == 1u), select(v.z, v.w, at == 3u), at >= 2u);
}

// Returns the words of a block from its first and second half, whose first byte is the highest one.
fn big_endian(words: vec2<u32>) -> vec2<u32> {
    let even = (words & vec2(0x00ff00ffu)) << vec2(8u);
    let swapped = even | ((words >> vec2(8u)) & vec2(0x00ff00ffu));
    return (swapped << vec2(16u)) | (swapped >> vec2(16u));
}
