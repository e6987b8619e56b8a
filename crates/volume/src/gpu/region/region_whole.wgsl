// Bricks of a region decoded by a thread each: whole ones in Morton order, and those of one value. Others are
// listed for region_rows.wgsl.
// needs: numbers.wgsl, resident.wgsl, rows_out.wgsl, ../thread/whole.wgsl

struct Others {
    // Bricks with dictionaries, but whole and in Morton order, are listed from the end.
    counts: array<atomic<u32>, 2>,
    numbers: array<u32>,
}

@group(0) @binding(7) var<storage, read_write> others: Others;

// Brick that a thread decodes.
struct Task {
    start: u32,
    range: u32,
    minimum: u32,
    // Word of `tables` where its rank table starts, if it has one.
    rank_table: u32,
    // Where its first row starts among the numbers.
    corner: u32,
}

// Kinds of bricks: whole ones in Morton order, those of one value, others, those that are others only because
// they have dictionaries, and none.
const IN_GROUPS = 0u;
const CONSTANT_BRICK = 1u;
const OTHER = 2u;
const WITH_DICTIONARY = 3u;
const NONE = 4u;

// Threads of a subgroup wait for each other, so those with bricks of a kind are brought together. How many of
// each kind there are, where the listed ones start, and which thread gives its task to which.
var<workgroup> counts: array<atomic<u32>, 5>;
var<workgroup> listed: array<u32, 2>;
var<workgroup> tasks: array<Task, THREADS>;

const DICTIONARY = 16u;

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    if thread < 5u {
        atomicStore(&counts[thread], 0u);
    }
    stage_weights(thread);
    workgroupBarrier();
    // Neighbours along x are neighbours among threads.
    let number = region.start + (group.y * groups.x + group.x) * THREADS + thread;
    let row_number = number / region.count.x;
    let column = number - row_number * region.count.x;
    let layer = row_number / region.count.y;
    let row = row_number - layer * region.count.y;
    var kind = NONE;
    var own = Task();
    if layer < region.count.z {
        let place = region.first + vec3u(column, row, layer);
        let brick = find_brick(place);
        own = Task(
            brick.start,
            brick.range,
            brick.minimum,
            rank_table_of(place.z),
            4u * (layer * region.slice + row * region.row + column),
        );
        if brick.is_bound {
            kind = CONSTANT_BRICK;
            if brick.range > 0u {
                let head = payload(brick.start >> 2u) >> ((brick.start & 3u) * 8u);
                let has_dictionary = brick.range > 1u && (head & DICTIONARY) != 0u;
                let is_other =
                    ((head & 15u) == SORTED) | (brick.range > 65535u) | any(brick.inside != BRICK);
                kind = select(select(IN_GROUPS, WITH_DICTIONARY, has_dictionary), OTHER, is_other);
            }
        }
    }
    let place = atomicAdd(&counts[kind], 1u);
    workgroupBarrier();
    let in_groups = atomicLoad(&counts[0]);
    let constant = atomicLoad(&counts[1]);
    if kind < OTHER {
        tasks[place + select(0u, in_groups, kind == CONSTANT_BRICK)] = own;
    }
    if thread < 2u {
        listed[thread] = atomicAdd(&others.counts[thread], atomicLoad(&counts[OTHER + thread]));
    }
    workgroupBarrier();
    if kind == OTHER {
        others.numbers[listed[0] + place] = number;
    }
    if kind == WITH_DICTIONARY {
        others.numbers[arrayLength(&others.numbers) - 1u - listed[1] - place] = number;
    }
    if thread >= in_groups + constant {
        return;
    }
    let task = tasks[thread];
    minimum = task.minimum;
    corner = task.corner;
    rank_table = task.rank_table;
    find_ranks(task.range);
    if task.range > 0u {
        decode_whole(task.start, task.range);
        return;
    }
    for (var row = 0u; row < region.rows; row++) {
        put_row(corner + (row >> 2u) * region.slice + (row & 3u) * region.row, vec4u(0u));
    }
}
