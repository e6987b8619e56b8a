// The bit planes of a brick: the unary parts of its codes (section 5.2). Needs bits.wgsl, sets.wgsl,
// header.wgsl and one of the ballots.

// Which of two codes are among these.
fn is_in(codes_of: vec2u, places: vec2u) -> vec2u {
    return vec2u(bit_of(codes_of, places.x), bit_of(codes_of, places.y));
}

// Reads a bit for each code of `asked`, which all lanes have the same, and returns those whose bit is set.
fn read_plane(lane: u32, position: u32, asked: vec2u) -> vec2u {
    // The bits of all, as far as there are any.
    let word = first_staged + (position >> 5u);
    let middle = staged[word + 1u];
    let low = bits_of(vec2u(staged[word], middle), position, 32u);
    let plane = vec2u(low, bits_of(vec2u(middle, staged[word + 2u]), position, 32u));
    let before = (1u << lane) - 1u;
    let ranks = vec2u(countOneBits(asked.x & before), countOneBits(asked.x) + countOneBits(asked.y & before));
    let own = vec2u(bit_of(plane, ranks.x), bit_of(plane, ranks.y)) & ((asked >> vec2u(lane)) & vec2u(1u));
    return ballot(lane, own == vec2u(1u));
}

struct Quotients {
    // Of the lane's two codes.
    of_lane: vec2u,
    // Where the bit planes end.
    end: u32,
}

fn read_quotients(header: Header, levels: Levels, lane: u32, places: vec2u, start: u32) -> Quotients {
    let cap = most_ones(header);
    var found = Quotients(vec2u(0u), start);
    // Bit plane 0, if there are any; then, with a half step, quotients 0 and 1 share the zero, and one bit
    // distinguishes them; then the other bit planes.
    var now = vec2u(0u);
    for (var step = 0u; step <= max(cap, 1u); step++) {
        var asked = now;
        if step == 0u {
            asked = select(vec2u(0u), levels.coded, cap > 0u);
        } else if step == 1u {
            asked = levels.half_step & ~now;
        }
        let ones = read_plane(lane, found.end, asked);
        found.end += count(asked);
        found.of_lane += is_in(ones, places);
        if step == 1u {
            found.of_lane += is_in(levels.half_step & now, places);
        } else {
            now = ones;
        }
        if step > 0u && count(now) == 0u {
            break;
        }
    }
    return found;
}
