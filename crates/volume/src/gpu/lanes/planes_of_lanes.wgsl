// A bit plane read by 32 lanes, each of which has two codes. The kernel has one of the ballots.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, staged.wgsl

// The lane, the places of its codes, and how many ones these have so far.
var<private> plane_lane: u32;
var<private> own_places: vec2u;
var<private> own_ones: vec2u;

// Before the planes of a brick or a run are read.
fn begin_planes(lane: u32, places: vec2u) {
    plane_lane = lane;
    own_places = places;
    own_ones = vec2u(0u);
}

fn tally(step: u32, ones: vec2u) {
    own_ones += vec2u(bit_of(ones, own_places.x), bit_of(ones, own_places.y));
}

// Reads a bit for each code of `asked`, which all lanes have the same, and returns those whose bit is set.
fn read_plane(position: u32, asked: vec2u) -> vec2u {
    let lane = plane_lane;
    // The bits of all, as far as there are any.
    let word = first_staged + (position >> 5u);
    let middle = staged[word + 1u];
    let low = bits_from(vec2u(staged[word], middle), position);
    let plane = vec2u(low, bits_from(vec2u(middle, staged[word + 2u]), position));
    let before = (1u << lane) - 1u;
    let ranks = vec2u(countOneBits(asked.x & before), countOneBits(asked.x) + countOneBits(asked.y & before));
    let own = vec2u(bit_of(plane, ranks.x), bit_of(plane, ranks.y)) & ((asked >> vec2u(lane)) & vec2u(1u));
    return ballot(lane, own == vec2u(1u));
}
