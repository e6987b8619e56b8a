// Bricks of a region decoded by a thread each. Needs numbers.wgsl and one_thread.wgsl.

// The brick's least value; its rank table in `tables`, if it has one; and where its first row starts among
// the numbers.
var<private> minimum: u32;
var<private> rank_table: u32;
var<private> corner: u32;

fn numbers_of(values: vec4u) -> vec4u {
    let first = ordinals_in(rank_table, values.xy + vec2u(minimum));
    let second = ordinals_in(rank_table, values.zw + vec2u(minimum));
    return vec4u(number_of(first.x), number_of(first.y), number_of(second.x), number_of(second.y));
}

// Writes a number of 32 bits, or one of the words of a number of 64.
fn put_word(i: u32, number: u32) {
    let at = i * region.words + region.word;
    let is_inverted = region.is_float == 2u && (numbers[at + 1u] >> 31u) == 1u;
    numbers[at] = select(number, ~number, is_inverted);
}

fn put_row(row: u32, values: vec4u) {
    let four = numbers_of(values);
    let at = corner + (row >> 2u) * region.slice + (row & 3u) * region.row;
    if region.number_bits == 8u {
        numbers[at >> 2u] = four.x | (four.y << 8u) | (four.z << 16u) | (four.w << 24u);
    } else if region.number_bits == 16u {
        numbers[at >> 1u] = four.x | (four.y << 16u);
        numbers[(at >> 1u) + 1u] = four.z | (four.w << 16u);
    } else {
        put_word(at, four.x);
        put_word(at + 1u, four.y);
        put_word(at + 2u, four.z);
        put_word(at + 3u, four.w);
    }
}

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // Neighbours along x are neighbours among threads.
    let number = region.start + (group.y * groups.x + group.x) * THREADS + thread;
    let column = number % region.count.x;
    let row = number / region.count.x % region.count.y;
    let layer = number / region.count.x / region.count.y;
    if layer >= region.count.z {
        return;
    }
    let place = region.first + vec3u(column, row, layer);
    let brick = find_brick(place);
    if !brick.is_bound {
        return;
    }
    minimum = brick.minimum;
    rank_table = rank_table_of(place.z);
    corner = 4u * (layer * region.slice + row * region.row + column);
    decode_rows(brick.start, brick.range, brick.inside);
}
