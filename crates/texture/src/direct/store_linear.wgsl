// Stores blocks in a buffer, row by row.
// needs: params.wgsl

@group(0) @binding(2) var<storage, read_write> stored: array<Block>;

fn store(block: vec2<u32>, words: vec4<u32>) {
    stored[params.first + block.y * params.pitch + block.x] = block_of_words(words);
}
