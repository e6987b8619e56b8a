// Families of encodings (encode.rs).
// needs: lanes.wgsl

// True if this kernel searches the orderings along other axes (other_axes.rs).
override OTHER_AXES = false;

// Families are searched separately: four colours; three; and three and black for each of the two orderings.
// Along other axes, there are four colours and three for each axis.
fn mode_of(family: u32) -> u32 {
    return select(min(family, THREE_BLACK), family & 1u, OTHER_AXES);
}

fn ordering_of(family: u32) -> u32 {
    return select(max(family, 1u) - 1u, family >> 1u, OTHER_AXES);
}

// Returns true if a block is searched for encodings of a family. With transparent texels, only three colours
// are.
fn is_wanted(transparent: bool, family: u32) -> bool {
    let three = mode_of(family) == THREE;
    return select(!three || params.three_color != 0u, three, transparent);
}

// Returns the position of a start. Starts along other axes come after all others.
fn place_of_start(start: u32, task: u32) -> u32 {
    let first = select(0u, params.other_place * params.blocks, OTHER_AXES);
    return first + start * params.blocks * params.families + task;
}
