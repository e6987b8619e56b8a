// Mask of a block's texels that are in the image. The kernel has `params` with `size`.

fn visible_at(block: vec2<u32>) -> u32 {
    let visible = params.size - 4u * block;
    let of_row = (1u << min(visible.x, 4u)) - 1u;
    var mask = 0u;
    for (var y = 0u; y < min(visible.y, 4u); y++) {
        mask |= of_row << (4u * y);
    }
    return mask;
}
