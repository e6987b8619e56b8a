// Parameters of the kernels that filter mip levels, and their table.

// Source texels along one side, in `table`. Each of its entries contains the first texel and `taps` weights.
// The entries of neighbouring texels of the level are `stride` apart; if all use one entry, it is 0, and the
// first texels are `step` apart.
struct Axis {
    start: u32,
    stride: u32,
    step: u32,
    taps: u32,
}

struct Filter {
    columns: Axis,
    rows: Axis,
    // Texels that a texel covers, if colours are weighted by alpha.
    covered_columns: Axis,
    covered_rows: Axis,
    // Columns and rows to compute, and the first ones in the band's part of the level.
    size: vec2<u32>,
    first: vec2<u32>,
    // Columns of the band's part of the level.
    level_pitch: u32,
    // Rows of the source that are summed, and the first of them.
    first_row: u32,
    row_count: u32,
    // Offset of the first texel of the source and distance between rows, in bytes.
    offset: u32,
    pitch: u32,
    // Channels per texel, 1 to 4.
    channels: u32,
    // Channel type: 0 is u8, 1 is u16, 2 is f16, 3 is f32.
    channel_type: u32,
    // Nonzero if colours are weighted by alpha.
    by_alpha: u32,
    // Columns and rows of the image.
    side: vec2<u32>,
}

@group(0) @binding(0) var<uniform> params: Filter;
// With 8-bit texels, the table of mips/transfer.rs comes first.
@group(0) @binding(3) var<storage, read> table: array<u32>;

// First source texel of a texel of the level, and the place of its first weight.
struct Taps {
    first: u32,
    weights: u32,
}

fn taps_of(axis: Axis, index: u32) -> Taps {
    let entry = axis.start + index * axis.stride;
    return Taps(table[entry] + index * axis.step, entry + 1u);
}
