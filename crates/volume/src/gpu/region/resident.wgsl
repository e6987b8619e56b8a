// Where the bricks of a resident volume are (src/resident). The kernel has the bindings `shape`, `records`
// and `tables`; its pages; and `bind_page(number)`, which makes `payload` read a page, and says whether it
// can. `BRICK` are the sides of its bricks.
// needs: ../format/bits.wgsl

struct Shape {
    // Along each axis: voxels, bricks, superblocks.
    voxels: vec3u,
    bricks: vec3u,
    superblocks: vec3u,
}

struct Brick {
    // Its least value, and the distance to the largest: ordinals, or ranks of its table.
    minimum: u32,
    range: u32,
    // Byte of the payload where it starts.
    start: u32,
    // Number of its voxels along each axis in the volume.
    inside: vec3u,
    // Whether its page is bound; nothing else is known otherwise.
    is_bound: bool,
}

// The brick in this column, row and layer, which must be one of the volume's. From here on `payload` reads
// its page.
fn find_brick(place: vec3u) -> Brick {
    let superblock = place >> vec3u(2u);
    let along = shape.superblocks;
    let record = records[superblock.x + along.x * (superblock.y + along.y * superblock.z)];
    var brick = Brick(record.x, 0u, 0u, min(shape.voxels - place * BRICK, BRICK), true);
    if (record.y & CONSTANT) != 0u {
        return brick;
    }
    brick.is_bound = bind_page(extractBits(record.y, PAGE_SHIFT, PAGE_BITS));
    if !brick.is_bound {
        return brick;
    }
    let bits_of_minimum = extractBits(record.y, 0u, 6u);
    let bits_of_range = extractBits(record.y, 6u, 6u);
    let bits_of_place = extractBits(record.y, 12u, 6u);
    let each = bits_of_minimum + bits_of_range + bits_of_place;
    // The bricks of the superblock, and which of them it is.
    let within = place & vec3u(3u);
    let bricks = min(shape.bricks - (place - within), vec3u(4u));
    let field = (within.x + bricks.x * (within.y + bricks.y * within.z)) * each;
    // The fields start after a word, the smallest of all minima.
    let at = record.x + 1u + (field >> 5u);
    let words = vec4u(payload(at), payload(at + 1u), payload(at + 2u), payload(at + 3u));
    let position = vec3u(0u, bits_of_minimum, bits_of_minimum + bits_of_range) + vec3u(field & 31u);
    brick.minimum = payload(record.x) + bits_of(words.xy, position.x, bits_of_minimum);
    brick.range = bits_of(two_words(words, position.y >> 5u), position.y, bits_of_range);
    let offset = bits_of(two_words(words, position.z >> 5u), position.z, bits_of_place);
    let fields = (bricks.x * bricks.y * bricks.z * each + 7u) >> 3u;
    brick.start = record.x * 4u + 4u + fields + offset;
    return brick;
}

fn two_words(words: vec4u, first: u32) -> vec2u {
    return select(select(words.zw, words.yz, first == 1u), words.xy, first == 0u);
}

// The predictors' weights, which precede the tables.
fn weights_at(i: u32) -> vec2u {
    return vec2u(tables[2u * i], tables[2u * i + 1u]);
}

// Where in `tables` the rank table of bricks in this layer starts; 0 if there is none.
fn rank_table_of(layer: u32) -> u32 {
    return tables[WEIGHT_WORDS + (layer >> 2u)];
}

// The ordinals of two values of the brick in this layer of bricks: where there is a rank table, those at
// their places.
fn ordinals_of(values_there: vec2u, layer: u32) -> vec2u {
    return ordinals_in(rank_table_of(layer), values_there);
}

fn ordinals_in(table: u32, values_there: vec2u) -> vec2u {
    if table == 0u {
        return values_there;
    }
    // The table's length, and its ordinals.
    let places = min(values_there, vec2u(tables[table] - 1u)) + vec2u(table + 1u);
    return vec2u(tables[places.x], tables[places.y]);
}
