// Entry point of a step.

// Threads of a workgroup.
override GROUP = 64u;

@compute @workgroup_size(GROUP)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    run_step(group.y * groups.x + group.x, thread);
}
