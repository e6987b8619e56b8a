// Parameters of a kernel that encodes blocks in real time (mod.rs).

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
}
