// Writes texels of 8-bit RGBA. The kernel binds `texels`.

fn put(at: u32, texel: u32) {
    texels[at] = texel;
}
