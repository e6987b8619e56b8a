// Reads 8-bit texels of the source as lights: 65535ths of linear colours, 255ths of alpha.
// needs: ../source_rgba8.wgsl, params.wgsl, single.wgsl

// Returns the lights of the texel at column and row `position`. Colours are multiplied by alpha if
// `is_weighted`: integers below 255 · 65536, so below 2^24.
fn lights_at(position: vec2<u32>, is_weighted: bool) -> vec4<u32> {
    let texel = texel_at(position);
    let light = vec3(table[texel & 255u], table[(texel >> 8u) & 255u], table[(texel >> 16u) & 255u]);
    let alpha = texel >> 24u;
    return of_integers(vec4(light * select(1u, alpha, is_weighted), alpha));
}
