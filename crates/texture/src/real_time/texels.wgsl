// Texels of each thread's block.

// (In private memory they would be in scratch memory, because loops index them.)
var<workgroup> block_texels: array<u32, 1024>;

// The thread's number in its workgroup of 64, set by the code that fills `block_texels`.
var<private> own: u32;

fn keep_texel(t: u32, texel: u32) {
    block_texels[64u * t + own] = texel;
}

fn block_texel(t: u32) -> u32 {
    return block_texels[64u * t + own];
}

// Returns the four bytes of a word.
fn bytes(word: u32) -> vec4<f32> {
    return vec4<f32>((vec4(word) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u));
}
