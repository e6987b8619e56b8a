// Parameters of BC1's kernels (params.rs). Each kernel binds them as `params`.

struct Interpolant {
    k0: vec4<f32>,
    k1: vec4<f32>,
    bias: vec4<f32>,
    scale: vec4<f32>,
    // Added to the bias where the second operand is below the first.
    falling: vec4<f32>,
}

// One value per channel; w is unused.
struct Rule {
    top: vec4<f32>,
    widen: vec4<f32>,
    weight: vec4<f32>,
    endpoint: Interpolant,
    third: Interpolant,
    half: Interpolant,
}

struct Params {
    rule: Rule,
    // Square roots of the weights, scaled so that the largest is 1.
    stretch: vec4<f32>,
    blocks: u32,
    three_color: u32,
    transparent_black: u32,
    // Place of the first block, blocks in a row, and pitch of the rows of blocks, in blocks.
    first: u32,
    columns: u32,
    pitch: u32,
    // Numbers of orderings of the texels and of families of encodings that are searched.
    orderings: u32,
    families: u32,
    // Amount of work at this quality: see `Effort` in settings.rs.
    starts: u32,
    rounds: u32,
    restarts: u32,
    // True if blocks whose texels all count get only a range fit.
    range_only: u32,
    // Restarts in three colours, where a block may have four.
    three_restarts: u32,
    // Starts along each of the other axes, and number of starts per block before them.
    other_starts: u32,
    other_place: u32,
    // The first block of this dispatch, if several dispatches share the blocks.
    first_block: u32,
    // Words in a block, and position of the colours' two words.
    block_words: u32,
    first_word: u32,
    // Always 4. A loop up to this number is not unrolled.
    block_rows: u32,
    padding: u32,
}
