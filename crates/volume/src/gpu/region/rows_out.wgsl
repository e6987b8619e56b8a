// Rows of bricks written as a region's numbers by `put_row`: put_bytes.wgsl or put_words.wgsl.
// needs: numbers.wgsl

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

// Finds if a brick of this range needs its rank table. Tables rise, so where the first and the last
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
