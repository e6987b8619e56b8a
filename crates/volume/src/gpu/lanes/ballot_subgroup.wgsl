// Returns the answers of 32 lanes to two questions, a bit per lane. The lanes are a workgroup and the first
// lanes of a subgroup.

// All lanes call it together. (Nothing in workgroup memory is ordered by it.)
fn ballot(lane: u32, own: vec2<bool>) -> vec2u {
    return vec2u(subgroupBallot(own.x).x, subgroupBallot(own.y).x);
}
