// The header of a brick, its dictionary and the Rice levels of its groups (section 5.1). Needs bits.wgsl and
// sets.wgsl.

struct Header {
    predictor: u32,
    // The largest value that is coded: the brick's range, or the last place of its dictionary.
    largest: u32,
    has_dictionary: bool,
    // Where the dictionary's inner entries start, and bits of one.
    entries: u32,
    entry_bits: u32,
    // The least Rice level, where the differences of the groups' levels start, and bits of one.
    base: u32,
    deltas: u32,
    delta_bits: u32,
    // Where the header ends.
    end: u32,
}

fn read_header(start: u32, range: u32, code_count: u32) -> Header {
    var header = Header();
    // The predictor, whether there is a dictionary, how many inner entries that has.
    let head = bits(start, 9u);
    header.predictor = head & 15u;
    header.largest = range;
    header.entry_bits = width(range);
    var at = start + 4u + u32(range > 1u);
    header.has_dictionary = range > 1u && (head & 16u) != 0u;
    if header.has_dictionary {
        let inner = head >> 5u;
        header.largest = inner + 1u;
        header.entries = at + 4u;
        at = header.entries + inner * header.entry_bits;
    }
    let base_bits = width(2u * width(header.largest) - 1u);
    let base_and_delta_bits = bits(at, base_bits + 2u);
    header.base = extractBits(base_and_delta_bits, 0u, base_bits);
    header.delta_bits = extractBits(base_and_delta_bits, base_bits, min(base_bits, 2u));
    header.deltas = at + base_bits + min(base_bits, 2u);
    header.end = header.deltas + ((code_count + 7u) >> 3u) * header.delta_bits;
    return header;
}

// What the place `value` of the brick's dictionary stands for, or `value` where it has none. The first place
// is 0, the last the range.
fn look_up(header: Header, range: u32, value: u32) -> u32 {
    if !header.has_dictionary || value == 0u {
        return value;
    }
    if value >= header.largest {
        return range;
    }
    return bits(header.entries + (value - 1u) * header.entry_bits, header.entry_bits);
}

// k and t of a Rice level.
fn split(rice_level: u32) -> vec2u {
    let below = max(rice_level, 1u) - 1u;
    return vec2u(below >> 1u, below & 1u);
}

// How many ones a code may need.
fn most_ones(header: Header) -> u32 {
    let base = split(header.base);
    let codes_end = select(header.largest, 0xffffffffu, header.largest >= WIDE) >> base.x;
    return min(codes_end - min(codes_end, base.y), MAX_ONES);
}

// The Rice levels of the groups of eight codes, as a lane needs them.
struct Levels {
    // A bit per place in the order of codes: which have bit planes, and which of these a half step (t = 1).
    coded: vec2u,
    half_step: vec2u,
    // Of the lane's two codes: the k of their groups, and the sum of k over the groups before.
    k: vec2u,
    k_before: vec2u,
    // The k of the first group.
    first_k: u32,
    // The sum of k over all groups.
    k_sum: u32,
}

// The levels of a run of 64 codes, of a brick of `code_count`; `places` count from its first code on.
fn read_levels(header: Header, run: u32, places: vec2u, code_count: u32) -> Levels {
    var levels = Levels();
    var k_sum = 0u;
    let codes_of_run = code_count - min(code_count, 64u * run);
    // (Eight of 3 bits at most.)
    let deltas = bits(header.deltas + run * 8u * header.delta_bits, 8u * header.delta_bits);
    for (var g = 0u; g < 8u; g++) {
        let delta = extractBits(deltas, g * header.delta_bits, header.delta_bits);
        let rice_level = select(0u, header.base + delta, g * 8u < codes_of_run);
        let k_t = split(rice_level);
        let group = 255u << (8u * (g & 3u));
        let codes_of = vec2u(select(0u, group, g < 4u), select(group, 0u, g < 4u));
        levels.coded |= select(vec2u(0u), codes_of, rice_level > 0u);
        levels.half_step |= select(vec2u(0u), codes_of, k_t.y == 1u);
        if g == 0u {
            levels.first_k = k_t.x;
        }
        if g == places.x >> 3u {
            levels.k.x = k_t.x;
            levels.k_before.x = k_sum;
        }
        if g == places.y >> 3u {
            levels.k.y = k_t.x;
            levels.k_before.y = k_sum;
        }
        k_sum += k_t.x;
    }
    levels.k_sum = k_sum;
    // The brick's first voxel has no code, and the last group may have fewer than eight.
    levels.coded &= first_of(codes_of_run);
    levels.coded.x &= select(0xffffffffu, 0xfffffffeu, run == 0u);
    levels.half_step &= levels.coded;
    return levels;
}
