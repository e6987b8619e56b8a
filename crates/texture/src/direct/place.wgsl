// Reads the words of a block from a buffer that contains blocks row by row.
// needs: params.wgsl

@group(0) @binding(1) var<storage, read> encoded: array<Block>;

fn words_of(block: vec2<u32>, thread: u32) -> vec4<u32> {
    return words_of_block(encoded[params.first + block.y * params.pitch + block.x]);
}
