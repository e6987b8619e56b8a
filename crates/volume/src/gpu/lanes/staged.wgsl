// The bits of a brick that 32 lanes decode. The kernel has `payload(i)`, word `i` of the bytes of bricks, of
// which there is one word more than they take.
// needs: ../format/bits.wgsl

// The words of the brick. (Read where they are, the same words would be read by many lanes, and by code that
// is compiled for each place that reads bits, times the pages.)
var<workgroup> staged: array<u32, STAGED>;

// Where those that are read now start.
var<private> first_staged: u32;

// Copies the brick's words from `first` to before `end`, counted from `first_word` of the payload on.
fn stage(lane: u32, first_word: u32, first: u32, end: u32) {
    for (var i = first + lane; i < min(end, MOST_STAGED); i += LANES) {
        staged[first_staged + i] = payload(first_word + i);
    }
}

// Positions are bits from the word on in which the brick starts.
fn bits(position: u32, count: u32) -> u32 {
    let word = first_staged + (position >> 5u);
    return bits_of(vec2u(staged[word], staged[word + 1u]), position, count);
}
