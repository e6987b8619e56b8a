// Writing of a block's two words (`finish` of encode.rs).
// needs: lanes.wgsl, palette.wgsl

// Returns the position of a block's two words.
fn place(block: u32) -> u32 {
    let to = params.first + (block / params.columns) * params.pitch + block % params.columns;
    return params.block_words * to + params.first_word;
}

// Final form of the best encoding: the endpoints in the order that selects its mode, and their palette.
struct Finished {
    endpoints: u32,
    colors: Palette,
}

fn finish(mode: u32, found: Endpoints) -> Finished {
    let a = pack(found.a);
    let b = pack(found.b);
    // Four colours need c0 > c1, three c0 <= c1. Equal endpoints select three colours, even if four were
    // intended. All entries are then equal, and the first wins the tie.
    var ends = found;
    var endpoints = a | (b << 16u);
    if select(b < a, a < b, mode == FOUR) {
        ends = Endpoints(ends.b, ends.a);
        endpoints = b | (a << 16u);
    }
    return Finished(endpoints, palette(mode, ends));
}
