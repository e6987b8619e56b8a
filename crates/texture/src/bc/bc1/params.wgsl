// What BC1's kernels are told (params.rs). Each kernel binds it as `params`.

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
    // Where the first block goes, how many are in a row, and how far apart rows lie, in blocks.
    first: u32,
    columns: u32,
    pitch: u32,
    // Orderings of the texels, and families of encodings, that are searched.
    orderings: u32,
    families: u32,
    // How much work this quality does: see `Effort` in encode.rs.
    starts: u32,
    rounds: u32,
    restarts: u32,
    // Whether blocks whose texels all count get a range fit and no more.
    range_only: u32,
    // The same in three colours, where a block may have four.
    three_restarts: u32,
    // Starts along each of the other axes, and how many per block come before them.
    other_starts: u32,
    other_place: u32,
    // The first block of this dispatch, if several dispatches share the blocks.
    first_block: u32,
    // Words of a block, and where the colours' two are.
    block_words: u32,
    first_word: u32,
    // 4: a loop up to this is not unrolled.
    block_rows: u32,
    padding: u32,
}
