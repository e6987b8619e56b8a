// The bits of a brick (src/bits.rs). The kernel that includes this has `payload(i)`, word `i` of the bytes of
// bricks, of which there is one word more than they take.

// The word in which the brick starts; positions are bits from there on.
var<private> first_word: u32;

fn bits(position: u32, count: u32) -> u32 {
    let word = first_word + (position >> 5u);
    let shift = position & 31u;
    var value = payload(word) >> shift;
    if shift > 0u {
        value |= payload(word + 1u) << (32u - shift);
    }
    return select(value & ((1u << (count & 31u)) - 1u), value, count >= 32u);
}

// Bits of a value; none of 0.
fn width(value: u32) -> u32 {
    return 32u - countLeadingZeros(value);
}
