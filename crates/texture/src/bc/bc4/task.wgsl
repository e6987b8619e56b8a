// Tasks: one channel of one block each. The kernel binds `params` and `texels`.

struct Task {
    block: u32,
    // Position among all channels of all blocks.
    place: u32,
    // First bit of the channel in a texel.
    bit: u32,
    // Position of the block's two words in the output.
    words: u32,
}

// Returns the task of the thread `at`. Past the last block, the task's block number is too large.
fn task_of(at: u32) -> Task {
    let block = params.first_block + at / params.channels;
    let channel = at % params.channels;
    let to = params.first + (block / params.columns) * params.pitch + block % params.columns;
    let words = params.block_words * to + params.first_word + 2u * channel;
    return Task(block, block * params.channels + channel, params.first_bit + 8u * channel, words);
}

// Returns the code of texel `t`.
fn code(task: Task, t: u32) -> f32 {
    let byte = f32(extractBits(texels[16u * task.block + t], task.bit, 8u));
    return select(byte, round(byte * SIGNED_SCALE), params.is_signed != 0u);
}

// Returns the squared error of the nearer end of the code range.
fn extreme_error(v: f32) -> f32 {
    let extreme = min(v, params.top - v);
    return extreme * extreme;
}
