// Returns the visible texels of a block by its number. The kernel has `params` with `columns`.
// needs: visible_at.wgsl

fn visible_texels(block: u32) -> u32 {
    return visible_at(vec2(block % params.columns, block / params.columns));
}
