// The header of a brick, its dictionary and the Rice levels of its groups (section 5.1). The decoder has
// `bits(position, count)`.
// needs: bits.wgsl, sets.wgsl

// One in each byte of a word.
const EACH_BYTE = 0x01010101u;

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

// The value at place `value` of the brick's dictionary, or `value` where it has none. The first place is 0,
// the last the range.
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

// The Rice levels of eight groups of eight codes.
struct Levels {
    // A bit per place in the order of codes: which have bit planes, and which of these a half step (t = 1).
    coded: vec2u,
    half_step: vec2u,
    // In a byte for each group its k, and the sum of k over the groups before.
    k: vec2u,
    k_before: vec2u,
}

// The levels of a run of 64 codes, of a brick of `code_count`.
fn read_levels(header: Header, run: u32, code_count: u32) -> Levels {
    var levels = Levels();
    // For eight groups, in two times four bytes: deltas of 0 to 3 bits, levels of up to 70, and these split.
    let of_delta = header.delta_bits;
    let stored = bits(header.deltas + run * 8u * of_delta, 8u * of_delta);
    let fields = vec2u(stored, stored >> (4u * of_delta));
    let mask = vec2u((1u << of_delta) - 1u);
    var rice_levels = vec2u(header.base * EACH_BYTE) + (fields & mask);
    rice_levels += ((fields >> vec2u(of_delta)) & mask) << vec2u(8u);
    rice_levels += ((fields >> vec2u(2u * of_delta)) & mask) << vec2u(16u);
    rice_levels += ((fields >> vec2u(3u * of_delta)) & mask) << vec2u(24u);
    let is_coded = ((rice_levels + vec2u(127u * EACH_BYTE)) >> vec2u(7u)) & vec2u(EACH_BYTE);
    let below_one = rice_levels - is_coded;
    levels.k = (below_one >> vec2u(1u)) & vec2u(63u * EACH_BYTE);
    let sums = levels.k * EACH_BYTE;
    levels.k_before = sums - levels.k + vec2u(0u, (sums.x >> 24u) * EACH_BYTE);
    // The brick's first voxel has no code, and the last group may have fewer than eight.
    levels.coded = (is_coded * 255u) & first_of(code_count - min(code_count, 64u * run));
    levels.coded.x &= select(0xffffffffu, 0xfffffffeu, run == 0u);
    levels.half_step = ((below_one & vec2u(EACH_BYTE)) * 255u) & levels.coded;
    return levels;
}

// The k of the first group, and the sum of k over all groups, if all eight are there.
fn first_k(levels: Levels) -> u32 {
    return levels.k.x & 255u;
}

fn k_sum(levels: Levels) -> u32 {
    return (levels.k.y >> 24u) + (levels.k_before.y >> 24u);
}

// Returns, for a code, the k of its group, and the sum of k over the groups before.
struct LowBits {
    k: u32,
    k_before: u32,
}

// For the code at this place of the run.
fn low_bits(levels: Levels, place: u32) -> LowBits {
    let is_later = place >= 32u;
    let byte = place & 24u;
    return LowBits(
        (select(levels.k.x, levels.k.y, is_later) >> byte) & 255u,
        (select(levels.k_before.x, levels.k_before.y, is_later) >> byte) & 255u,
    );
}
