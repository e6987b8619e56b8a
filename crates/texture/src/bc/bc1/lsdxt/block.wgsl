// A block's texels in one thread: for the search and for the kernels with one thread per block.
// needs: ../lanes.wgsl, lsdxt.wgsl

var<private> packed: array<u32, 16>;
// One bit per texel: 1 if it has no error, and 1 if it is transparent.
var<private> out: u32;
var<private> transparent: u32;

fn texel(t: u32) -> vec3<f32> {
    return centered(packed[t]);
}

fn left_out(t: u32) -> bool {
    return extractBits(out, t, 1u) != 0u;
}

fn load_texel(block: u32, t: u32) {
    let value = texels[16u * block + t];
    packed[t] = value;
    out |= select(1u << t, 0u, counts(value));
    transparent |= select(0u, 1u << t, (value >> 24u) == CLASS_TRANSPARENT);
}

fn load_four(block: u32, t: u32) {
    load_texel(block, t);
    load_texel(block, t + 1u);
    load_texel(block, t + 2u);
    load_texel(block, t + 3u);
}

fn load_block(block: u32) {
    out = 0u;
    transparent = 0u;
    load_four(block, 0u);
    load_four(block, 4u);
    load_four(block, 8u);
    load_four(block, 12u);
}
