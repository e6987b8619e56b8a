// Bits of words (src/bits.rs).

// The 32 bits of two words from a position on, which counts from the first word or a multiple of 32 before.
fn bits_from(words: vec2u, position: u32) -> u32 {
    let shift = position & 31u;
    return (words.x >> shift) | ((words.y << 1u) << (31u - shift));
}

// The first of these.
fn bits_of(words: vec2u, position: u32, count: u32) -> u32 {
    let value = bits_from(words, position);
    return select(value & ((1u << (count & 31u)) - 1u), value, count >= 32u);
}

// Bits of a value; none of 0.
fn width(value: u32) -> u32 {
    return 32u - countLeadingZeros(value);
}
