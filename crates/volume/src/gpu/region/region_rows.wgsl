// Bricks of a region decoded by a thread each.
// needs: numbers.wgsl, resident.wgsl, ../thread/one_thread.wgsl, ../format/header.wgsl

// Bits of a number, or of a word of 64: 8, 16 or 32. Voxels of 8 and 16 bits have no more.
override VALUE_BITS: u32 = 32u;

// The brick's least value; its rank table in `tables`, if it has one, and the last place of that; and where
// its first row starts among the numbers.
var<private> minimum: u32;
var<private> rank_table: u32;
var<private> last_rank: u32;
var<private> corner: u32;

// The tables again, of which this reads the predictors' weights.
@group(0) @binding(6) var<storage, read> weights: array<vec4u>;

fn row_weights(i: u32) -> vec4u {
    return weights[i];
}

// The ordinals at these places of the rank table.
fn ranked(values: vec4u) -> vec4u {
    let places = min(values + vec4u(minimum + rank_table + 1u), vec4u(last_rank));
    return vec4u(tables[places.x], tables[places.y], tables[places.z], tables[places.w]);
}

fn put_rows(i: u32, first: vec4u, second: vec4u) {
    var rows = Rows(first + vec4u(minimum), second + vec4u(minimum));
    if rank_table != 0u {
        rows = Rows(ranked(first), ranked(second));
    }
    let at = corner + (i >> 1u) * region.slice + (i & 1u) * 2u * region.row;
    put_row(at, rows.first);
    put_row(at + region.row, rows.second);
}

fn put_row(at: u32, row: vec4u) {
    if VALUE_BITS == 8u {
        let four = row.x | (row.y << 8u) | (row.z << 16u) | (row.w << 24u);
        numbers[at >> 2u] = four ^ (region.flipped * EACH_BYTE);
    } else if VALUE_BITS == 16u {
        let flipped = region.flipped | (region.flipped << 16u);
        numbers[at >> 1u] = (row.x | (row.y << 16u)) ^ flipped;
        numbers[(at >> 1u) + 1u] = (row.z | (row.w << 16u)) ^ flipped;
    } else {
        // (Compilers that do not know the end do not unroll the loop.)
        var left = row;
        for (var i = 0u; i < region.rows / 4u; i++) {
            put_word(at + i, number_of(left.x));
            left = left.yzwx;
        }
    }
}

// Writes a number of 32 bits, or one of the words of a number of 64.
fn put_word(i: u32, number: u32) {
    let at = i * region.words + region.word;
    let is_inverted = region.is_float == 2u && (numbers[at + 1u] >> 31u) == 1u;
    numbers[at] = select(number, ~number, is_inverted);
}

// Brick that a thread decodes.
struct Task {
    start: u32,
    range: u32,
    // Number of voxels along x, y and z in the volume, in a byte each; 0 where there is nothing to decode.
    inside: u32,
    minimum: u32,
    rank_table: u32,
    corner: u32,
}

// The request of brick `number` of the region.
fn task_of(number: u32) -> Task {
    let column = number % region.count.x;
    let row = number / region.count.x % region.count.y;
    let layer = number / region.count.x / region.count.y;
    if layer >= region.count.z {
        return Task();
    }
    let place = region.first + vec3u(column, row, layer);
    let brick = find_brick(place);
    if !brick.is_bound {
        return Task();
    }
    return Task(
        brick.start,
        brick.range,
        brick.inside.x | (brick.inside.y << 8u) | (brick.inside.z << 16u),
        brick.minimum,
        rank_table_of(place.z),
        4u * (layer * region.slice + row * region.row + column),
    );
}

// Threads of a subgroup wait for each other, so those whose bricks take about as long are brought together:
// first most of them, then those whose codes are found one by one or which have a dictionary, then the
// constant ones. How many of each kind there are, and which thread gives its task to which.
var<workgroup> counts: array<atomic<u32>, 3>;
var<workgroup> tasks: array<Task, THREADS>;

const WHOLE = 0x40404u;
const DICTIONARY = 16u;

fn kind_of(task: Task) -> u32 {
    if task.range == 0u {
        return 2u;
    }
    let head = payload(task.start >> 2u) >> ((task.start & 3u) * 8u);
    let has_dictionary = task.range > 1u && (head & DICTIONARY) != 0u;
    return u32(task.inside != WHOLE || (head & 15u) == SORTED || has_dictionary);
}

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    if thread < 3u {
        atomicStore(&counts[thread], 0u);
    }
    workgroupBarrier();
    // Neighbours along x are neighbours among threads.
    let own = task_of(region.start + (group.y * groups.x + group.x) * THREADS + thread);
    let kind = kind_of(own);
    var place = atomicAdd(&counts[kind], 1u);
    workgroupBarrier();
    place += select(0u, atomicLoad(&counts[0]), kind > 0u) + select(0u, atomicLoad(&counts[1]), kind > 1u);
    tasks[place] = own;
    workgroupBarrier();
    let task = tasks[thread];
    if task.inside == 0u {
        return;
    }
    minimum = task.minimum;
    rank_table = task.rank_table;
    last_rank = rank_table + tables[rank_table];
    corner = task.corner;
    if task.range > 0u {
        decode_rows(task.start, task.range, (vec3u(task.inside) >> vec3u(0u, 8u, 16u)) & vec3u(255u));
        return;
    }
    var one = vec4u(minimum);
    if rank_table != 0u {
        one = vec4u(tables[min(minimum + rank_table + 1u, last_rank)]);
    }
    for (var row = 0u; row < region.rows; row++) {
        put_row(corner + (row >> 2u) * region.slice + (row & 3u) * region.row, one);
    }
}
