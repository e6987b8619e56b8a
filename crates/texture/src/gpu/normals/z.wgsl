// Computes blue from red and green where blue.wgsl found no differences. The bytes are those of
// `restored_z` in mips/normals.rs. The kernel contains normals.wgsl.
// needs: normals.wgsl

@group(0) @binding(2) var<storage, read> differs: array<u32>;

fn change(place: u32) {
    if differs[0] != 0u {
        return;
    }
    let texel = texels[place];
    let doubled = 2i * vec2(i32(texel & 255u), i32((texel >> 8u) & 255u)) - vec2(255i);
    let square = max(65025i - doubled.x * doubled.x - doubled.y * doubled.y, 0i);
    // The largest n with (2n)^2 <= square. The square is 7 modulo 8, so single floats find the same n.
    let most = u32(square) >> 2u;
    var n = u32(sqrt(f32(most)));
    n -= u32(n * n > most);
    n += u32((n + 1u) * (n + 1u) <= most);
    texels[place] = (texel & 0xff00ffffu) | ((128u + n) << 16u);
}
