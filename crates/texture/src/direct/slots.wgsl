// Stores blocks in slots of an image's memory. The kernel contains a tiling.
// needs: params.wgsl

@group(0) @binding(2) var<storage, read_write> stored: array<Block>;
@group(0) @binding(3) var<uniform> tiling: TilingSize;

fn store(block: vec2<u32>, words: vec4<u32>) {
    stored[slot_of_block(params.corner + block)] = block_of_words(words);
}
