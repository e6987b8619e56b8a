// Positions in a source without a halo: texels past an edge are those at the edge.
// needs: params.wgsl

// Columns and rows before the first ones are negative, as two's complement.
fn inside(position: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(clamp(vec2<i32>(position), vec2(0i), vec2<i32>(params.side) - vec2(1i)));
}
