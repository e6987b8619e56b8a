// Writing of a block's two words. The kernel binds `params` and `blocks`.
// needs: task.wgsl, line.wgsl, found.wgsl

// Returns the index of a texel in a block of eight values: place 0 on the line is index 1, 7 is index 0.
fn index_of_eight(k: u32) -> u32 {
    return select(8u - k, 1u - k / 7u, k == 0u || k == 7u);
}

// Returns the index of a texel in a block of six values: place 0 is index 0, 5 is index 1.
fn index_of_six(k: u32) -> u32 {
    return select(k + 1u, k / 5u, k == 0u || k == 5u);
}

fn write(task: Task, found: Found) {
    let line = line_of(found.six, found.low, found.high);
    var halves = vec2(0u);
    for (var t = 0u; t < 16u; t++) {
        let v = texel(task, t);
        let k = nearest(line, v.position);
        var index = index_of_eight(u32(k));
        if found.six {
            let d = error_of(line, v.position, k);
            let extreme_index = select(6u, 7u, v.source > 127.0);
            index = select(index_of_six(u32(k)), extreme_index, is_smaller(v, extreme_of(v), d));
        }
        halves |= select(vec2(index, 0u), vec2(0u, index), t >= 8u) << vec2(3u * (t & 7u));
    }
    let offset = select(0, 127, params.is_signed != 0u);
    let ends = (vec2(i32(found.low), i32(found.high)) - offset) & vec2(255);
    let r = vec2<u32>(select(ends.yx, ends, found.six));
    blocks[task.words] = r.x | (r.y << 8u) | (halves.x << 16u);
    blocks[task.words + 1u] = (halves.x >> 16u) | (halves.y << 8u);
}
