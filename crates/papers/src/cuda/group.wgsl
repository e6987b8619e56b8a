// Division of a workgroup by the kernels from NVIDIA's papers (2007, 2009): THREADS threads per block, BLOCKS
// blocks side by side. group_order.wgsl and group_search.wgsl bind the data that this file reads.

var<workgroup> packed: array<u32, 16 * BLOCKS>;

// Position of this thread's block in the workgroup, and of the thread among the block's threads.
var<private> slot: u32;
var<private> lane: u32;

fn texel(t: u32) -> vec3<f32> {
    return centered(packed[16u * slot + t]);
}

fn take_place(thread: u32) {
    slot = thread / THREADS;
    lane = thread % THREADS;
}

// True if texel `t` is in the mask. With shifts, because extractBits at a position that depends on the thread
// was 0 on an H200 in workgroups of one block (bc1/notes.md of the texture crate).
fn has_texel(mask: u32, t: u32) -> bool {
    return ((mask >> t) & 1u) != 0u;
}

// Loads the block's texels into workgroup memory.
fn load_texels(block: u32) {
    if lane < 16u {
        packed[16u * slot + lane] = texels[16u * block + lane];
    }
}

struct Classes {
    // Texels that do not count, one bit each.
    out: u32,
    transparent: bool,
    // True if the block is already written.
    done: bool,
}

fn classes() -> Classes {
    var found = Classes(0u, false, (packed[16u * slot] >> 24u) == CLASS_DONE);
    for (var t = 0u; t < 16u; t++) {
        let kind = packed[16u * slot + t] >> 24u;
        found.out |= select(0u, 1u << t, kind != CLASS_OPAQUE);
        found.transparent = found.transparent || kind == CLASS_TRANSPARENT;
    }
    return found;
}
