// One channel of one block. The kernel binds `params` and `texels`.

struct Task {
    block: u32,
    // Where it is among all channels of all blocks.
    place: u32,
    // The channel's bit in a texel.
    bit: u32,
    // Where the block's two words go.
    words: u32,
}

// The task of the thread `at`; past the last block, its block is too great.
fn task_of(at: u32) -> Task {
    let block = params.first_block + at / params.channels;
    let channel = at % params.channels;
    let to = params.first + (block / params.columns) * params.pitch + block % params.columns;
    let words = params.block_words * to + params.first_word + 2u * channel;
    return Task(block, block * params.channels + channel, params.first_bit + 8u * channel, words);
}

// The code of texel `t`.
fn code(task: Task, t: u32) -> f32 {
    let byte = f32(extractBits(texels[16u * task.block + t], task.bit, 8u));
    return select(byte, round(byte * SIGNED_SCALE), params.is_signed != 0u);
}

// The squared error of the end of all codes that is nearer.
fn extreme_error(v: f32) -> f32 {
    let extreme = min(v, params.top - v);
    return extreme * extreme;
}
