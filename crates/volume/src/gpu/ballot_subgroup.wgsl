// What 32 lanes, which lie in one subgroup of 32 or more, say of two things each: a bit per lane.

// Which 32 lanes of the subgroup these are; set by `main`.
var<private> subgroup_part: u32;

// All lanes call it together. (Nothing in workgroup memory is ordered by it.)
fn ballot(lane: u32, own: vec2<bool>) -> vec2u {
    return vec2u(subgroupBallot(own.x)[subgroup_part], subgroupBallot(own.y)[subgroup_part]);
}
