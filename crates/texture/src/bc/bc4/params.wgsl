// What BC4's kernels are told (params.rs). Each kernel binds it as `params`.

struct Params {
    // Size of the image or band in texels.
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    // The blocks of this dispatch.
    first_block: u32,
    end_block: u32,
    // Where the first block goes and how far apart rows of blocks lie, in blocks.
    first: u32,
    pitch: u32,
    // Words of a block, and where the first channel's two are.
    block_words: u32,
    first_word: u32,
    // Channels, and the bit at which the first of them starts in a texel.
    channels: u32,
    first_bit: u32,
    // The place of the quality in ascending order.
    quality: u32,
    is_signed: u32,
    // The greatest code.
    top: f32,
    // `base` of a line where the lower code is 0, of eight values and of six (line.rs).
    offset_eight: f32,
    offset_six: f32,
}
