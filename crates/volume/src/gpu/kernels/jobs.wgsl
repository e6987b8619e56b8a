// Bricks of a list.

struct Job {
    // Byte of `words` where the brick starts.
    start: u32,
    // Its range; 0 for a brick of one value, which has no bytes.
    range: u32,
    minimum: u32,
    // Its place in `voxels`, in bricks.
    place: u32,
    // Number of its voxels along x, y and z in the volume, a byte each.
    inside: u32,
}

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;
@group(0) @binding(2) var<storage, read> weights: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> voxels: array<u32>;

fn weights_at(i: u32) -> vec2u {
    return weights[i];
}

fn payload(i: u32) -> u32 {
    return words[i];
}
