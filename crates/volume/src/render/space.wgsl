// Empty space: the twin of space.rs. The kernel has one of the files that say what `shows`.
// needs: rays.wgsl

const CELL_BITS = 18u;
const BLOCK_BITS = 20u;

// The sample after the last one known to be in a cell that shows.
var<private> until: u32;

// Returns the first sample from `k` on in a cell that may be visible, or NONE. SHIFT is subtracted from
// positions to find their cells.
fn next_sample(ray: Ray, from_k: u32) -> u32 {
    var k = from_k;
    if k < until {
        return k;
    }
    let cells = shape.bricks;
    let blocks = (cells + vec3u(3u)) >> vec3u(2u);
    while k < ray.end {
        let at = ray_at(ray, k) - vec3i(SHIFT);
        let place = vec3u(max(at, vec3i(0)));
        let block = place >> vec3u(BLOCK_BITS);
        if !shows(view.blocks, block.x + blocks.x * (block.y + blocks.y * block.z)) {
            k += min(samples_to_leave(at, place, ray.direction, BLOCK_BITS), NONE - k);
            continue;
        }
        let end = min(k + min(samples_to_leave(at, place, ray.direction, CELL_BITS), NONE - k), ray.end);
        let cell = place >> vec3u(CELL_BITS);
        if shows(view.cells, cell.x + cells.x * (cell.y + cells.y * cell.z)) {
            until = end;
            return k;
        }
        k = end;
    }
    return NONE;
}

fn samples_to_leave(at: vec3i, place: vec3u, along: vec3i, side_bits: u32) -> u32 {
    let x = samples_to_leave_along(at.x, place.x, along.x, side_bits);
    let y = samples_to_leave_along(at.y, place.y, along.y, side_bits);
    let z = samples_to_leave_along(at.z, place.z, along.z, side_bits);
    return min(min(x, y), z);
}

fn samples_to_leave_along(at: i32, place: u32, along: i32, side_bits: u32) -> u32 {
    let size = size_of(along);
    let corner = (place >> side_bits) << side_bits;
    if along > 0 {
        return (corner + (1u << side_bits) - u32(at) - 1u) / size + 1u;
    }
    if along < 0 && corner > 0u {
        return (u32(at) - corner) / size + 1u;
    }
    return NONE;
}
