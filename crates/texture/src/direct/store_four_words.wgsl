// Stores blocks of 16 bytes through a view with one texel per block.
// needs: params.wgsl

@group(0) @binding(2) var stored: texture_storage_2d<rgba32uint, write>;

fn store(block: vec2<u32>, words: vec4<u32>) {
    textureStore(stored, params.corner + block, words);
}
