// Bricks of a region decoded by 32 lanes each. The kernel has a decoder, `decode_all`.
// needs: numbers.wgsl, resident.wgsl, ../lanes/values.wgsl

@group(0) @binding(4) var<storage, read_write> numbers: array<u32>;

// Does the work of lane `lane` of a workgroup.
fn run(group: u32, lane: u32) {
    let number = region.start + group;
    let column = number % region.count.x;
    let row = number / region.count.x % region.count.y;
    let layer = number / region.count.x / region.count.y;
    var brick = Brick(0u, 0u, 0u, BRICK, false);
    if layer < region.count.z {
        brick = find_brick(region.first + vec3u(column, row, layer));
    }
    decode_all(lane, brick.start, brick.range, brick.inside);
    // From here on `values` holds the numbers, each in the low bits of a word.
    let z = region.first.z + layer;
    workgroupBarrier();
    for (var voxel = lane; voxel < VOXELS; voxel += 64u) {
        let ordinals = ordinals_of(own_values(voxel) + vec2u(brick.minimum), z);
        values[voxel] = number_of(ordinals.x);
        values[voxel + LANES] = number_of(ordinals.y);
    }
    workgroupBarrier();
    if !brick.is_bound {
        return;
    }
    // A word holds 4, 2 or 1 numbers.
    let in_word = 32u / region.number_bits;
    let words = BRICK.x / in_word;
    let corner = BRICK.z * layer * region.slice + BRICK.y * row * region.row + BRICK.x * column;
    for (var i = lane; i < BRICK.y * BRICK.z * words; i += LANES) {
        let along = i % words;
        let line = i / words;
        var word = 0u;
        let voxel = line * BRICK.x + along * in_word;
        for (var j = 0u; j < in_word; j++) {
            word |= values[voxel + j] << (j * region.number_bits);
        }
        let line_start = corner + line / BRICK.y * region.slice + line % BRICK.y * region.row;
        let place = (line_start / in_word + along) * region.words + region.word;
        if region.is_float == 2u && (numbers[place + 1u] >> 31u) == 1u {
            word = ~word;
        }
        numbers[place] = word;
    }
}
