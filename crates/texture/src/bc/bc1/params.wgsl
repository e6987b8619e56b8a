// What BC1's kernels are told, as kernel.rs has it. Each kernel binds it as `params`.

struct Interpolant {
    k0: vec4<f32>,
    k1: vec4<f32>,
    bias: vec4<f32>,
    scale: vec4<f32>,
    // Added to the bias where the second operand is below the first.
    falling: vec4<f32>,
}

// One value a channel; w is not used.
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
    // Square roots of the weights, the greatest being 1.
    stretch: vec4<f32>,
    blocks: u32,
    three_color: u32,
    transparent_black: u32,
    // Where the first block goes, how many are in a row, and how far rows lie apart, in blocks.
    first: u32,
    columns: u32,
    pitch: u32,
    // Orderings of the texels, and families of encodings, that are looked at.
    orderings: u32,
    families: u32,
    // How far this quality goes: see Effort in encode.rs.
    starts: u32,
    rounds: u32,
    restarts: u32,
    // Whether blocks whose texels all count get a range fit and no more.
    range_only: u32,
    // The first block of this dispatch, where blocks are shared out over several.
    first_block: u32,
}
