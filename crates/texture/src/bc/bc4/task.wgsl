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

// True if sources have rests (palette.rs): signed values under the real rule.
override HAS_RESTS = true;

// Texel of a block: the whole number that endpoints are fitted to, its position on the grid, shifted as in
// line.rs, and the rest of the position.
struct Texel {
    source: f32,
    position: f32,
    rest: f32,
}

// Returns the source of texel `t`.
fn source(task: Task, t: u32) -> f32 {
    let byte = f32(extractBits(texels[16u * task.block + t], task.bit, 8u));
    return select(byte, round(byte * SIGNED_SCALE), !HAS_RESTS && params.is_signed != 0u);
}

// Returns a texel. Its numbers are integers below 2²⁴, or have 22 bits.
fn texel_of(source: f32) -> Texel {
    let scaled = source * params.position_scale;
    if !HAS_RESTS {
        return Texel(source, scaled + params.position_offset, 0.0);
    }
    let position = round(scaled);
    let rest = source * 1778.0 - position * 51.0;
    return Texel(source, position + params.position_offset + rest * 0.015625, rest);
}

fn texel(task: Task, t: u32) -> Texel {
    return texel_of(source(task, t));
}

// Returns the code nearest to a source.
fn code_of(source: f32) -> f32 {
    return select(source, round(source * SIGNED_SCALE), HAS_RESTS);
}

// Returns the distance above the nearer end of the code range, in steps of the grid.
fn extreme_of(texel: Texel) -> f32 {
    return round(texel.position) - select(0.0, params.top * params.grid, texel.source > 127.0);
}

// True if the error `extreme` is smaller than the error `d`, both in steps of the grid.
fn is_smaller(texel: Texel, extreme: f32, d: f32) -> bool {
    if !HAS_RESTS {
        return abs(extreme) < abs(d);
    }
    return abs(extreme * 51.0 + texel.rest) < abs(d * 51.0 + texel.rest);
}

// Adds the error of a texel to a cost: Σd² and Σd·r (cost.rs).
fn add_error(cost: vec2<f32>, texel: Texel, d: f32) -> vec2<f32> {
    return vec2(cost.x + d * d, select(0.0, cost.y + d * texel.rest, HAS_RESTS));
}

fn is_less(a: vec2<f32>, b: vec2<f32>) -> bool {
    if !HAS_RESTS {
        return a.x < b.x;
    }
    let difference = a - b;
    return difference.x * 51.0 + difference.y * 2.0 < 0.0;
}
