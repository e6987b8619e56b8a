// Parameters of BC7's kernels (params.rs), and code that they share. Each kernel binds `params`, `tables` and
// `texels`.

struct Params {
    // Size of the image or band in texels.
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    // Blocks of this dispatch.
    first_block: u32,
    end_block: u32,
    // Place of the first block, and pitch of the rows of blocks, in blocks.
    first: u32,
    pitch: u32,
    // 0, which no compiler knows.
    zero: u32,
    // Weights of squared errors in red, green, blue and alpha.
    weights: vec4<f32>,
    // Partitions to try under the plan, in modes 0 to 3 and in mode 7.
    tries: vec4<u32>,
    tries_with_alpha: u32,
    limit: i32,
    two: u32,
    three: u32,
    // Candidates of a block, and those of this step: `slots` from `first_slot` on, `parts` of each.
    all_slots: u32,
    first_slot: u32,
    slots: u32,
    parts: u32,
    starts: u32,
    rounds: u32,
    try_p_bits: u32,
    sweeps: u32,
    climbs: u32,
    exact: u32,
    // Extent of the search in modes 4 and 5: the position of a `Separate`.
    separate: u32,
    // Allowed modes, one bit each.
    modes: u32,
    // True if another plan's blocks are already there.
    is_second: u32,
}

// Properties of a block, in one word.
const HAS_ALPHA = 1u;
const KEEPS_OPAQUE = 2u;
const IS_TWO = 4u;
const IS_SINGLE = 8u;

// No candidate.
const NONE = 0xffffffffu;

// Returns a candidate: its mode in the lowest byte, its partition (`shape`: WGSL reserves the word), its
// rotation, and 1 if indices are exchanged.
fn choice_of(mode: u32, shape: u32, rotation: u32, exchanged: u32) -> u32 {
    return mode | (shape << 8u) | (rotation << 16u) | (exchanged << 24u);
}

fn table(at: u32) -> f32 {
    return bitcast<f32>(tables[at]);
}

// Returns every second bit, from the lowest on.
fn even_bits(bits: u32) -> u32 {
    var x = bits & 0x55555555u;
    x = (x | (x >> 1u)) & 0x33333333u;
    x = (x | (x >> 2u)) & 0x0f0f0f0fu;
    x = (x | (x >> 4u)) & 0x00ff00ffu;
    return (x | (x >> 8u)) & 0xffffu;
}

fn subset_count(mode: u32) -> u32 {
    return (0x21112323u >> (4u * mode)) & 15u;
}

// Returns the texels of a subset, and above them its anchor.
fn subset_of(mode: u32, shape: u32, subset: u32) -> u32 {
    let count = subset_count(mode);
    if count == 1u {
        return 0xffffu;
    }
    if count == 2u {
        let two = tables[TWO_SUBSETS + shape];
        return select(~two & 0xffffu, two, subset == 1u);
    }
    let three = tables[THREE_SUBSETS + shape];
    let anchors = tables[THREE_ANCHORS + shape];
    let second = even_bits(three);
    let third = even_bits(three >> 1u);
    if subset == 1u {
        return second | ((anchors & 15u) << 16u);
    }
    return select(~(second | third) & 0xffffu, third | ((anchors >> 8u) << 16u), subset == 2u);
}
