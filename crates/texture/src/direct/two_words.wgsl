// A block of 8 bytes.

alias Block = vec2<u32>;

fn block_of_words(words: vec4<u32>) -> Block {
    return words.xy;
}

fn words_of_block(block: Block) -> vec4<u32> {
    return vec4(block, 0u, 0u);
}
