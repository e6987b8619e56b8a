// Subsets of a block's texels (texels.rs). The kernel binds `tables`.
// needs: params.wgsl, ../visible.wgsl

struct Subset {
    // Texels, and those of them that are in the image.
    texels: u32,
    members: u32,
    // Texel whose index lacks the highest bit.
    anchor: u32,
    // Highest index.
    top: f32,
    // Weight of an index, which is rounded.
    weight_step: f32,
}

fn subset_of(block: u32, shape: u32, number: u32) -> Subset {
    if shape == WHOLE {
        return Subset(0xffffu, visible_texels(block), 0u, 15.0, WEIGHT_STEP_OF_WHOLE);
    }
    let second = tables[SECOND + shape];
    let texels = select(~second & 0xffffu, second & 0xffffu, number == 1u);
    let anchor = select(0u, second >> 16u, number == 1u);
    return Subset(texels, texels & visible_texels(block), anchor, 7.0, WEIGHT_STEP);
}

fn subset_count(shape: u32) -> u32 {
    return select(2u, 1u, shape == WHOLE);
}

fn highest_index(subset: Subset, t: u32) -> f32 {
    return select(subset.top, floor(subset.top * 0.5), t == subset.anchor);
}
