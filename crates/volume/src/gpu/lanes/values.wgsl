// The values of a brick in workgroup memory, where predictions are undone.

// The brick's values, x fastest.
var<workgroup> values: array<u32, VOXELS>;

// One past the last step that the brick takes, or 1 where no voxel needs one. Reset when a brick is begun.
// (That compilers do not know it keeps them from unrolling the loop, which takes them long.)
var<workgroup> steps_end: u32;
