// Parameters of BC6H's kernels (params.rs). Each kernel binds `params`.

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
    // 0, which no compiler knows.
    zero: u32,
    // Candidates of a block.
    slots: u32,
    // Parts of each block in this dispatch.
    parts: u32,
    // First slots of the candidates to read and to write.
    from_slot: u32,
    to_slot: u32,
    // Fits: the first of `whole_end` extensions with one subset that is new, and the number of extensions
    // with two.
    whole_first: u32,
    whole_end: u32,
    extensions: u32,
    // Parts that have candidates of earlier stages, and the number of their extensions.
    known: u32,
    known_extensions: u32,
    // Rounds of least squares, modes to try, and 1 if errors are measured.
    rounds: u32,
    modes: u32,
    measures: u32,
    // Descents.
    sweeps: u32,
    lengths: u32,
}

const SIGNED = IS_SIGNED != 0u;

// Number of the partition of blocks of one subset.
const WHOLE = 32u;
