// Rows of bricks written as a region's numbers.
// needs: numbers.wgsl, ../format/header.wgsl

// Bits of a number, or of a word of 64: 8, 16 or 32. Voxels of 8 and 16 bits have no more.
override VALUE_BITS: u32 = 32u;

@group(0) @binding(4) var<storage, read_write> numbers: array<vec2u>;

// The tables again, of which this reads the predictors' weights.
@group(0) @binding(6) var<storage, read> weights: array<vec4u>;

// The brick's least value or, without a rank table, ordinal; its rank table in `tables`, if it needs one;
// there the places of the brick's first ordinal and of the last of all; and where the brick's first row
// starts among the numbers. With a rank table, `minimum` is 0.
var<private> minimum: u32;
var<private> rank_table: u32;
var<private> first_rank: u32;
var<private> last_rank: u32;
var<private> corner: u32;

fn row_weights(i: u32) -> vec4u {
    return weights[i];
}

// Looks whether a brick of this range needs its rank table. Tables rise, so where the first and the last
// ordinal are as far apart as their ranks, so are all between.
fn find_ranks(range: u32) {
    if rank_table == 0u {
        return;
    }
    last_rank = rank_table + tables[rank_table];
    first_rank = minimum + rank_table + 1u;
    minimum = tables[min(first_rank, last_rank)];
    if tables[min(first_rank + range, last_rank)] - minimum == range {
        rank_table = 0u;
    } else {
        minimum = 0u;
    }
}

// The ordinals of these values in the rank table.
fn ranked(values: vec4u) -> vec4u {
    let places = min(values + vec4u(first_rank), vec4u(last_rank));
    return vec4u(tables[places.x], tables[places.y], tables[places.z], tables[places.w]);
}

// Writes rows 2i and 2i + 1 of the 16, 4z + y, from values without the brick's minimum.
fn put_rows(i: u32, first: vec4u, second: vec4u) {
    var one = first;
    var other = second;
    if rank_table != 0u {
        one = ranked(first);
        other = ranked(second);
    }
    let at = corner + (i >> 1u) * region.slice + (i & 1u) * 2u * region.row;
    put_row(at, one);
    put_row(at + region.row, other);
}

// Writes a row of these values plus `minimum`. (Sums do not overflow into others, except in damaged bricks.)
fn put_row(at: u32, row: vec4u) {
    if VALUE_BITS == 8u {
        let four = row.x + (row.y << 8u) + (row.z << 16u) + (row.w << 24u) + minimum * EACH_BYTE;
        numbers[at >> 3u][(at >> 2u) & 1u] = four ^ (region.flipped * EACH_BYTE);
    } else if VALUE_BITS == 16u {
        let both = row.yw * 65536u + row.xz + vec2u(minimum * 65537u);
        numbers[at >> 2u] = both ^ vec2u(region.flipped * 65537u);
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
