// Rows of numbers of 16 bits, or of words of 32.
// needs: rows_out.wgsl

// Bits of a number, or of a word of 64. Voxels of 16 bits have no more.
override VALUE_BITS: u32 = 32u;

// A row is two or more vectors, so no other thread writes a part of them.
@group(0) @binding(4) var<storage, read_write> numbers: array<vec2u>;

// Writes a row of these values plus `minimum`. (Sums do not overflow into others, except in damaged bricks.)
fn put_row(at: u32, row: vec4u) {
    if VALUE_BITS == 16u {
        let both = row.yw * 65536u + row.xz + vec2u(minimum * 65537u);
        // All bits of negative floats are flipped.
        let negative = select(vec2u(), (~both >> vec2u(15u)) & vec2u(65537u), region.is_float == 1u);
        numbers[at >> 2u] = both ^ vec2u(region.flipped * 65537u) ^ negative * 32767u;
    } else {
        // (Compilers that do not know the end do not unroll the loop.)
        var left = row;
        for (var i = 0u; i < region.rows / 4u; i++) {
            put_word(at + i, number_of(left.x + minimum));
            left = left.yzwx;
        }
    }
}

// Writes a number of 32 bits, or one of the words of a number of 64.
fn put_word(i: u32, number: u32) {
    let at = i * region.words + region.word;
    let is_inverted = region.is_float == 2u && (numbers[at >> 1u].y >> 31u) == 1u;
    numbers[at >> 1u][at & 1u] = select(number, ~number, is_inverted);
}
