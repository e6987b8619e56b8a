// Bits moved to places in two words, in order: what CPUs call a deposit.

// The lowest bits of two words, in order, at these places of each.
fn spread(ordered: vec2u, places: vec2u) -> vec2u {
    return spread_by(ordered, moves_to(places));
}

// How the lowest bits of two words come to places: up by as many bits as the bytes below have gaps, and then
// within bytes by four, two and one.
struct AllMoves {
    below_1: vec2u,
    below_2: vec2u,
    below_3: vec2u,
    by_4: vec2u,
    by_2: vec2u,
    by_1: vec2u,
    places: vec2u,
}

fn moves_to(places: vec2u) -> AllMoves {
    let gaps = ~places;
    let by_1 = moves_by(1u, places, (gaps << vec2u(1u)) & vec2u(0xfefefefeu));
    let by_2 = moves_by(2u, by_1.places, by_1.gaps);
    let by_4 = moves_by(4u, by_2.places, by_2.gaps);
    return AllMoves(
        countOneBits(gaps & vec2u(0xffu)),
        countOneBits(gaps & vec2u(0xffffu)),
        countOneBits(gaps & vec2u(0xffffffu)),
        by_4.moving,
        by_2.moving,
        by_1.moving,
        places,
    );
}

fn spread_by(ordered: vec2u, moves: AllMoves) -> vec2u {
    var bytes = ordered & vec2u(0xffu);
    bytes |= (ordered << moves.below_1) & vec2u(0xff00u);
    bytes |= (ordered << moves.below_2) & vec2u(0xff0000u);
    bytes |= (ordered << moves.below_3) & vec2u(0xff000000u);
    bytes = moved(bytes, moves.by_4, 4u);
    bytes = moved(bytes, moves.by_2, 2u);
    return moved(bytes, moves.by_1, 1u) & moves.places;
}

// The same in one word.
fn spread_32(ordered: u32, places: u32) -> u32 {
    return spread(vec2u(ordered, 0u), vec2u(places, 0u)).x;
}

// Which bits of bytes move up by some power of two on their way to places.
struct Moves {
    moving: vec2u,
    // The places of bits that have not moved so far yet, and below these the gaps that are left.
    places: vec2u,
    gaps: vec2u,
}

fn moves_by(distance: u32, places: vec2u, gaps: vec2u) -> Moves {
    // Marks the bits with an odd number of gaps below them in the byte.
    var odd = gaps ^ ((gaps << vec2u(1u)) & vec2u(0xfefefefeu));
    odd ^= (odd << vec2u(2u)) & vec2u(0xfcfcfcfcu);
    odd ^= (odd << vec2u(4u)) & vec2u(0xf0f0f0f0u);
    let moving = odd & places;
    return Moves(moving, (places ^ moving) | (moving >> vec2u(distance)), gaps & ~odd);
}

fn moved(bits_of: vec2u, moving: vec2u, distance: u32) -> vec2u {
    return (bits_of & ~moving) | ((bits_of << vec2u(distance)) & moving);
}
