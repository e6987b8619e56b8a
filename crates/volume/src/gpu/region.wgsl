// Bricks of a region decoded by 32 lanes each; a workgroup decodes several, next to each other along x. Needs
// numbers.wgsl and a decoder, `decode_all`.

var<workgroup> is_decoded: array<u32, TEAMS>;

// What thread `invocation` of a workgroup does.
fn run(group: u32, invocation: u32) {
    let lane = invocation % LANES;
    let team = invocation / LANES;
    first_value = VOXELS * team;
    // Bricks of a row are divided among workgroups; the last may have fewer than it has teams.
    let groups_of_row = (region.count.x + TEAMS - 1u) / TEAMS;
    let number = region.start + group;
    let column = number % groups_of_row * TEAMS + team;
    let row = number / groups_of_row % region.count.y;
    let layer = number / groups_of_row / region.count.y;
    let is_there = column < region.count.x && layer < region.count.z;
    var brick = Brick(0u, 0u, 0u, BRICK, true);
    if is_there {
        brick = find_brick(region.first + vec3u(column, row, layer));
    }
    decode_all(lane, brick.start, brick.range, brick.inside);
    // From here on `values` holds the numbers, each in the low bits of a word.
    let z = region.first.z + layer;
    workgroupBarrier();
    for (var voxel = lane; voxel < VOXELS; voxel += 64u) {
        let ordinals = ordinals_of(own_values(voxel) + vec2u(brick.minimum), z);
        let at = first_value + voxel;
        values[at] = number_of(ordinals.x);
        values[at + LANES] = number_of(ordinals.y);
    }
    is_decoded[team] = u32(brick.is_bound);
    workgroupBarrier();
    if layer >= region.count.z {
        return;
    }
    // A word holds 4, 2 or 1 numbers; the words of a row of voxels of all teams lie next to each other.
    let in_word = 32u / region.number_bits;
    let words_of_row = BRICK.x / in_word;
    let words = words_of_row * min(TEAMS, region.count.x - (column - team));
    let corner = BRICK.z * layer * region.slice + BRICK.y * row * region.row + BRICK.x * (column - team);
    for (var i = invocation; i < BRICK.y * BRICK.z * words; i += LANES * TEAMS) {
        let along = i % words;
        let line = i / words;
        let of_team = along / words_of_row;
        if is_decoded[of_team] == 0u {
            continue;
        }
        var word = 0u;
        let voxel = VOXELS * of_team + line * BRICK.x + along % words_of_row * in_word;
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
