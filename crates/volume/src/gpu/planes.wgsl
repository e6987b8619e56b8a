// The bit planes of a brick: the unary parts of its codes (section 5.2). Needs bits.wgsl, header.wgsl and one of the
// ballots.

// Which of two codes are among these.
fn is_in(codes_of: vec2u, places: vec2u) -> vec2u {
    return vec2u(bit_of(codes_of, places.x), bit_of(codes_of, places.y));
}

// Reads a bit for each code of `asked`, which all lanes have the same, and returns those whose bit is set.
fn read_plane(lane: u32, position: u32, asked: vec2u) -> vec2u {
    let before = (1u << lane) - 1u;
    let ranks = vec2u(countOneBits(asked.x & before), countOneBits(asked.x) + countOneBits(asked.y & before));
    var own = vec2<bool>(false);
    if extractBits(asked.x, lane, 1u) == 1u {
        own.x = bits(position + ranks.x, 1u) == 1u;
    }
    if extractBits(asked.y, lane, 1u) == 1u {
        own.y = bits(position + ranks.y, 1u) == 1u;
    }
    return ballot(lane, own);
}

struct Quotients {
    // Of the lane's two codes.
    of_lane: vec2u,
    // Where the bit planes end.
    end: u32,
}

fn read_quotients(header: Header, levels: Levels, lane: u32, places: vec2u, start: u32) -> Quotients {
    // How many ones a code may need.
    let base = split(header.base);
    let codes_end = select(header.largest, 0xffffffffu, header.largest >= WIDE) >> base.x;
    let cap = min(codes_end - min(codes_end, base.y), MAX_ONES);
    var found = Quotients(vec2u(0u), start);
    var now = vec2u(0u);
    if cap > 0u {
        now = read_plane(lane, found.end, levels.coded);
        found.end += count(levels.coded);
        found.of_lane += is_in(now, places);
    }
    // With a half step, quotients 0 and 1 share the zero, and one bit distinguishes them.
    let shared_zero = levels.half_step & ~now;
    let apart = read_plane(lane, found.end, shared_zero);
    found.end += count(shared_zero);
    found.of_lane += is_in(apart, places) + is_in(levels.half_step & now, places);
    for (var i = 1u; i < cap; i++) {
        if count(now) == 0u {
            break;
        }
        let asked = now;
        now = read_plane(lane, found.end, asked);
        found.end += count(asked);
        found.of_lane += is_in(now, places);
    }
    return found;
}
