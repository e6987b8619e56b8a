// Rows of numbers of 8 bits.
// needs: rows_out.wgsl, ../format/header.wgsl

const VALUE_BITS = 8u;

@group(0) @binding(4) var<storage, read_write> numbers: array<u32>;

// Writes a row of these values plus `minimum`. (Sums do not overflow into others, except in damaged bricks.)
// The row beside it belongs to another thread, so this must not write a part of a vector.
fn put_row(at: u32, row: vec4u) {
    let four = row.x + (row.y << 8u) + (row.z << 16u) + (row.w << 24u) + minimum * EACH_BYTE;
    numbers[at >> 2u] = four ^ (region.flipped * EACH_BYTE);
}
