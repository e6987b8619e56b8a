// The order in which predictions of bricks of 16×16×1 are undone (src/brick/wavefront.rs): a line is a
// row, of which the voxel at x = step − y has its turn.
// needs: undo_runs.wgsl, ../format/header.wgsl

const STEPS = 31u;
const LINES = 16u;

fn turn_of(line: u32, step: u32) -> Turn {
    let x = step - line;
    // Weights differ by which of two neighbours along each axis there are.
    let class_of = min(x, 2u) + 3u * min(line, 2u);
    return Turn(x + 16u * line, class_of, x < 16u);
}

// Only bricks of 8×8×8 are label bricks.
fn is_label_brick(header: Header) -> bool {
    return false;
}

fn read_labels(lane: u32, first_word: u32, header: Header, code_count: u32, runs: u32) {
}

fn undo_label(turn: Turn, code: u32, range: u32) -> u32 {
    return 0u;
}
