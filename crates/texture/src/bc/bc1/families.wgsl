// What a block is encoded as (encode.rs).
// needs: lanes.wgsl

// Whether this kernel searches the orderings along other axes (other_axes.rs).
override OTHER_AXES = false;

// Families of encodings that are searched separately: four colours, three, and three and black for each of
// the two orderings. Along other axes four colours and three, for each of them.
fn mode_of(family: u32) -> u32 {
    return select(min(family, THREE_BLACK), family & 1u, OTHER_AXES);
}

fn ordering_of(family: u32) -> u32 {
    return select(max(family, 1u) - 1u, family >> 1u, OTHER_AXES);
}

// Whether a block is searched for encodings of a family: one with transparent texels only for three colours.
fn is_wanted(transparent: bool, family: u32) -> bool {
    let three = mode_of(family) == THREE;
    return select(!three || params.three_color != 0u, three, transparent);
}

// Where a start is. Those of other axes come after all others.
fn place_of_start(start: u32, task: u32) -> u32 {
    let first = select(0u, params.other_place * params.blocks, OTHER_AXES);
    return first + start * params.blocks * params.families + task;
}
