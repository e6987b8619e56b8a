// Blocks of 4-bit alpha, then of colours (BC2).
// needs: colors.wgsl

// Returns the nearest 15ths of the alpha of eight texels.
fn alphas(low: vec4<u32>, high: vec4<u32>) -> u32 {
    let a = (((low >> vec4(24u)) + 8u) / 17u) << vec4(0u, 4u, 8u, 12u);
    let b = (((high >> vec4(24u)) + 8u) / 17u) << vec4(16u, 20u, 24u, 28u);
    let both = a | b;
    return (both.x | both.y) | (both.z | both.w);
}

fn encode_block(visible: u32) -> vec4<u32> {
    let words = texel_words();
    return vec4(alphas(words.a, words.b), alphas(words.c, words.d), encode_colors(words, 0u));
}
