// What a block is encoded as (encode.rs). Needs lanes.wgsl.

// Families of encodings that are searched separately: four colours, three, and three and black for each of
// the two orderings.
fn mode_of(family: u32) -> u32 {
    return min(family, THREE_BLACK);
}

fn ordering_of(family: u32) -> u32 {
    return max(family, 1u) - 1u;
}

// Whether a block is searched for encodings of a family: one with transparent texels only for three colours.
fn is_wanted(transparent: bool, family: u32) -> bool {
    return select(family != 1u || params.three_color != 0u, family == 1u, transparent);
}
