// Texels of 8-bit RGBA, one word each, red in the lowest byte.
// needs: convert.wgsl

// Returns the texel with these four floats, given as their bits.
fn texel_of(bits: vec4<u32>) -> u32 {
    return of_single(bits.x, 255.0) | (of_single(bits.y, 255.0) << 8u) | (of_single(bits.z, 255.0) << 16u)
        | (of_single(bits.w, 255.0) << 24u);
}
