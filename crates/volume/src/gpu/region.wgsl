// Bricks of a resident volume decoded into a buffer of numbers as the volume's voxels are, x fastest. 32
// lanes decode a brick; a workgroup several, next to each other along x. Needs a decoder, `decode_all`, and
// resident.wgsl.

struct Region {
    // The first brick, and how many along each axis.
    first: vec3u,
    count: vec3u,
    // Numbers from one row to the next, and from one slice to the next.
    row: u32,
    slice: u32,
    // The first of the region's bricks that this dispatch decodes.
    start: u32,
    // Bits of a number, or of a word of 64: 8, 16 or 32.
    number_bits: u32,
    // What makes an ordinal a number: these bits flipped.
    flipped: u32,
    // 1 if ordinals are those of floats; 2 if they are the lower words of those, whose upper ones are
    // written.
    is_float: u32,
    // The first of the pages that are bound; bricks of others are left out.
    first_page: u32,
    // Words of a number: 1, or of 64 bits 2, and which of them is written.
    words: u32,
    word: u32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> records: array<vec2u>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<uniform> region: Region;
@group(0) @binding(4) var<storage, read_write> numbers: array<u32>;

var<workgroup> is_decoded: array<u32, TEAMS>;

fn bind_page(number: u32) -> bool {
    page = number - region.first_page;
    return page < PAGES;
}

fn number_of(ordinal: u32) -> u32 {
    if region.is_float == 1u && (ordinal >> 31u) == 0u {
        return ~ordinal;
    }
    return ordinal ^ region.flipped;
}

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
