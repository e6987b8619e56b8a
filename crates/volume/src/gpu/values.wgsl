// The values of bricks in workgroup memory, where predictions are undone.

// The brick's values, x fastest, one brick after the other where 32 lanes each decode one.
var<workgroup> values: array<u32, VALUES>;

// Where those of these lanes' brick start; set by `main` if not 0.
var<private> first_value: u32;

// One past the last step that any brick of the workgroup takes, or 1 where no voxel needs one. Reset when a
// brick is begun. (That compilers do not know it keeps them from unrolling the loop, which takes them long.)
var<workgroup> steps_end: u32;
