// The least number of 32 lanes, which are the workgroup.

var<workgroup> least_number: atomic<u32>;
var<workgroup> least_at_once: u32;

// All lanes call it together.
fn least(lane: u32, own: u32) -> u32 {
    if lane == 0u {
        atomicStore(&least_number, 0xffffffffu);
    }
    workgroupBarrier();
    atomicMin(&least_number, own);
    workgroupBarrier();
    if lane == 0u {
        least_at_once = atomicLoad(&least_number);
    }
    return workgroupUniformLoad(&least_at_once);
}
