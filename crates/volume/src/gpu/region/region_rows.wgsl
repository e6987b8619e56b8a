// Bricks of a region that region_whole.wgsl has listed, decoded by a thread each.
// needs: numbers.wgsl, resident.wgsl, rows_out.wgsl, ../thread/one_thread.wgsl

struct Others {
    // Bricks with dictionaries, but whole and in Morton order, are listed from the end.
    counts: array<u32, 2>,
    numbers: array<u32>,
}

@group(0) @binding(7) var<storage, read> others: Others;

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // Workgroups do not mix the kinds.
    let count = others.counts[0];
    let start = (count + THREADS - 1u) / THREADS * THREADS;
    let end = start + others.counts[1];
    let stride = groups.x * groups.y * THREADS;
    for (var i = (group.y * groups.x + group.x) * THREADS + thread; i < end; i += stride) {
        if (i >= count) & (i < start) {
            continue;
        }
        let place_in_list = select(i, arrayLength(&others.numbers) - 1u - (i - start), i >= start);
        let number = others.numbers[place_in_list];
        let column = number % region.count.x;
        let row = number / region.count.x % region.count.y;
        let layer = number / region.count.x / region.count.y;
        let place = region.first + vec3u(column, row, layer);
        let brick = find_brick(place);
        minimum = brick.minimum;
        corner = 4u * (layer * region.slice + row * region.row + column);
        rank_table = rank_table_of(place.z);
        find_ranks(brick.range);
        decode_rows(brick.start, brick.range, brick.inside);
    }
}
