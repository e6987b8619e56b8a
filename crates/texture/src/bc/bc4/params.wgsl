// Parameters of BC4's kernels (params.rs). Each kernel binds them as `params`.

struct Params {
    // Size of the image or band in texels.
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    // Blocks of this dispatch.
    first_block: u32,
    end_block: u32,
    // Place of the first block, and pitch of the rows of blocks, in blocks.
    first: u32,
    pitch: u32,
    // Words in a block, and position of the first channel's two words.
    block_words: u32,
    first_word: u32,
    // Number of channels, and first bit of the first channel in a texel.
    channels: u32,
    first_bit: u32,
    // Position of the quality in ascending order.
    quality: u32,
    is_signed: u32,
    // Largest code.
    top: f32,
    // Steps of the grid in a code (palette.rs).
    grid: f32,
    // Position of a source (task.wgsl).
    position_scale: f32,
    position_offset: f32,
    // `base` of a line whose lower code is 0, for eight values and for six (line.rs).
    offset_eight: f32,
    offset_six: f32,
    // Steps of a line of one code per step of the grid.
    rate_eight: f32,
    rate_six: f32,
    // Step of a line of one code.
    step_eight: f32,
    step_six: f32,
    // Codes by which rounding may bring two values closer.
    slack: f32,
}
