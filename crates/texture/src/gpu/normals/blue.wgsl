// Finds out whether all texels have the same blue, as in maps that store x and y only. The kernel contains
// normals.wgsl.
// needs: normals.wgsl

// 1 if a texel has another blue than the first one, else unchanged.
@group(0) @binding(2) var<storage, read_write> differs: array<atomic<u32>>;

fn change(place: u32) {
    if ((texels[place] ^ texels[0]) & 0xff0000u) != 0u {
        atomicStore(&differs[0], 1u);
    }
}
