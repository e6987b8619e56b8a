// The entry point where 32 lanes are a workgroup within one subgroup.

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(subgroup_invocation_id) invocation: u32,
) {
    run(group.y * groups.x + group.x, invocation);
}
