// Scales vectors to length 1, with the bytes of mips/normals.rs. The kernel contains normals.wgsl.
// needs: normals.wgsl

// The CPU's value is floor(128 + 127.5 d / sqrt(s)), where d is a doubled component and s the sum of the
// three squares. Its doubles are exact enough: 4 n^2 s is even and 65025 d^2 is odd for each integer n, so
// the quotient is never an integer. Integers therefore decide, and floats estimate.
fn change(place: u32) {
    let texel = texels[place];
    let rgb = vec3(texel & 255u, (texel >> 8u) & 255u, (texel >> 16u) & 255u);
    let doubled = 2i * vec3<i32>(rgb) - vec3(255i);
    let magnitude = vec3<u32>(abs(doubled));
    let squares = magnitude * magnitude;
    let square = squares.x + squares.y + squares.z;
    // n is the largest integer whose square times s is at most this, and at most 127.
    let most = (65025u * squares) >> vec3(2u);
    var n = vec3<u32>(vec3<f32>(magnitude) * (127.5 * inverseSqrt(f32(square))));
    let is_above = (n * n * square) > most;
    n -= vec3<u32>(is_above);
    let next = n + vec3(1u);
    let is_below = (next * next * square) <= most;
    n += vec3<u32>(is_below);
    let unit = select(vec3(127u) - n, vec3(128u) + n, doubled > vec3(0i));
    // The shortest vectors are those of a mean of 0.
    let found = select(unit, vec3(128u, 128u, 255u), square <= 27u);
    texels[place] = found.x | (found.y << 8u) | (found.z << 16u) | (texel & 0xff000000u);
}
