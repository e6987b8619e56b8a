// Writes texels of 8-bit RGBA. Joined to texel_rgba8.wgsl.

fn put(at: u32, texel: u32) {
    texels[at] = texel;
}
