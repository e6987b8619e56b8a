// The order in which predictions of bricks of 8×8×8 are undone (src/brick/wavefront.rs): a line is a
// column of voxels, of which the voxel at z = step − x − y has its turn.
// needs: undo_runs.wgsl

const STEPS = 22u;
const LINES = 64u;

fn turn_of(line: u32, step: u32) -> Turn {
    let x = line & 7u;
    let y = line >> 3u;
    // Before the first voxel this is large.
    let z = step - x - y;
    let class_of = select(0u, 1u, x > 0u) | select(0u, 2u, y > 0u) | select(0u, 4u, z > 0u);
    return Turn(x + 8u * y + 64u * z, class_of, z < 8u);
}
