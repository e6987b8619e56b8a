// The bit planes of a brick: the unary parts of its codes (section 5.2). The kernel has one of the `same`.
// needs: ../format/sets.wgsl, ../format/header.wgsl, planes_of_lanes.wgsl

// Reads the bit planes that start at this position, tallies their ones, and returns the position of their
// end. Except for those of step 1, ones are among the ones of the step before.
fn read_planes(header: Header, levels: Levels, start: u32) -> u32 {
    let cap = same(plane_lane, most_ones(header));
    var end = start;
    // Bit plane 0, if there are any; then, with a half step, quotients 0 and 1 share the zero, and one bit
    // distinguishes them; then the other bit planes.
    var now = vec2u(0u);
    for (var step = 0u; step <= max(cap, 1u); step++) {
        var asked = now;
        if step == 0u {
            asked = select(vec2u(0u), levels.coded, cap > 0u);
        } else if step == 1u {
            asked = levels.half_step & ~now;
        }
        var ones = read_plane(end, asked);
        end += count(asked);
        if step == 1u {
            ones |= levels.half_step & now;
        } else {
            now = ones;
        }
        tally(step, ones);
        if step > 0u && count(now) == 0u {
            break;
        }
    }
    return end;
}
