// Returns the answers of 32 lanes to two questions, a bit per lane, through workgroup memory. The lanes are
// the workgroup.

var<workgroup> gathered: array<atomic<u32>, 2>;
var<workgroup> gathered_at_once: vec2u;

// All lanes call it together.
fn ballot(lane: u32, own: vec2<bool>) -> vec2u {
    if lane < 2u {
        atomicStore(&gathered[lane], 0u);
    }
    workgroupBarrier();
    if own.x {
        atomicOr(&gathered[0], 1u << lane);
    }
    if own.y {
        atomicOr(&gathered[1], 1u << lane);
    }
    workgroupBarrier();
    if lane == 0u {
        gathered_at_once = vec2u(atomicLoad(&gathered[0]), atomicLoad(&gathered[1]));
    }
    return workgroupUniformLoad(&gathered_at_once);
}
