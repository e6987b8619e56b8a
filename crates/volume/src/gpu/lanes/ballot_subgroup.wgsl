// What 32 lanes, which are a workgroup and the first of a subgroup, say of two things each: a bit per lane.

// All lanes call it together. (Nothing in workgroup memory is ordered by it.)
fn ballot(lane: u32, own: vec2<bool>) -> vec2u {
    return vec2u(subgroupBallot(own.x).x, subgroupBallot(own.y).x);
}
