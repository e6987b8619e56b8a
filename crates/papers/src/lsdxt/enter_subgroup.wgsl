// Entry point of a step whose threads exchange values. They are numbered by subgroup, independent of the
// subgroups' positions in the workgroup.

// Threads of a workgroup.
override GROUP = 64u;

@compute @workgroup_size(GROUP)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) invocation: u32,
) {
    run_step(group.y * groups.x + group.x, subgroup * size + invocation);
}
