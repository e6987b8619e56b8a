// Reads 16-bit texels of the source as lights: 65535ths, or half floats if HALF is 1.
// needs: ../source_wide.wgsl, single.wgsl

// Returns half floats as single floats: ±65504 for infinities, 0 for NaN.
fn of_halves(bits: vec4<u32>) -> vec4<u32> {
    let magnitude = bits & vec4(0x7fffu);
    // Halves from 2^-14 on; the exponent's bias changes from 15 to 127. Infinities become 65504.
    let normal = (min(magnitude, vec4(0x7bffu)) << vec4(13u)) + vec4(112u << 23u);
    // Smaller ones are multiples of 2^-24.
    let small = select(of_integers(magnitude) - vec4(24u << 23u), vec4(0u), magnitude == vec4(0u));
    let single = select(normal, small, magnitude < vec4(0x400u)) | ((bits & vec4(0x8000u)) << vec4(16u));
    return select(single, vec4(0u), magnitude > vec4(0x7c00u));
}

// Returns the lights of the texel at column and row `position`. Colours are multiplied by alpha if
// `is_weighted`.
fn lights_at(position: vec2<u32>, is_weighted: bool) -> vec4<u32> {
    let texel = texel_at(position);
    var lights: vec4<u32>;
    if HALF == 1u {
        lights = of_halves(texel);
    } else {
        lights = of_integers(texel);
    }
    if is_weighted {
        lights = vec4(product_of(lights, lights.wwww).xyz, lights.w);
    }
    return lights;
}
