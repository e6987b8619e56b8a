// The least number of 32 lanes, which form one subgroup. All lanes call it together.
fn least(lane: u32, own: u32) -> u32 {
    return subgroupMin(own);
}
