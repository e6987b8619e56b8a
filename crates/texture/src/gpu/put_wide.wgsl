// Writes texels of four 16-bit channels, two words each, red in the lower half of the first. The kernel binds
// `texels`.
// needs: convert_wide.wgsl

// Returns the texel with these four floats, given as their bits.
fn texel_of(bits: vec4<u32>) -> vec4<u32> {
    let xy = vec2(wide_of_single(bits.x), wide_of_single(bits.y));
    return vec4(xy, wide_of_single(bits.z), wide_of_single(bits.w));
}

fn put(at: u32, texel: vec4<u32>) {
    texels[2u * at] = texel.x | (texel.y << 16u);
    texels[2u * at + 1u] = texel.z | (texel.w << 16u);
}
