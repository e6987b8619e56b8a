// The same for a block by its number. Needs visible_at.wgsl, and `params` with `columns`.

fn visible_texels(block: u32) -> u32 {
    return visible_at(vec2(block % params.columns, block / params.columns));
}
