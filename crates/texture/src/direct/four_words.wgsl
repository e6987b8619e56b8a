// A block of 16 bytes.

alias Block = vec4<u32>;

fn block_of_words(words: vec4<u32>) -> Block {
    return words;
}

fn words_of_block(block: Block) -> vec4<u32> {
    return block;
}
