// The entry point where 32 lanes lie in one subgroup, of which a workgroup has several. Lanes are counted by
// subgroups, wherever these are in the workgroup. Needs ballot_subgroup.wgsl.

@compute @workgroup_size(LANES * TEAMS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) invocation: u32,
) {
    subgroup_part = invocation / LANES;
    run(group.y * groups.x + group.x, subgroup * size + invocation);
}
