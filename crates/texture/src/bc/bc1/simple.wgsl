// Classifies each texel of a block: it counts, is transparent or is past the image's edge. Writes the blocks
// that need no search: those that are transparent or of one colour. One thread per block. See rows.rs.

struct Simple {
    // Size of the image or band in texels.
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    blocks: u32,
    // Texels with a lower alpha are transparent.
    alpha_threshold: u32,
    three_color: u32,
    weight_red: u32,
    weight_green: u32,
    weight_blue: u32,
    // Place of the first block, and pitch of the rows of blocks, in blocks.
    first: u32,
    pitch: u32,
    // Words in a block, and position of the colours' two words.
    block_words: u32,
    first_word: u32,
}

@group(0) @binding(0) var<uniform> params: Simple;
// Codes of single_color.rs, code 0 | code 1 << 8 | error << 16: thirds of 5 and 6 bits, halves of 5 and 6
// bits.
@group(0) @binding(1) var<storage, read> matches: array<u32>;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

const RGB = 0xffffffu;

// Returns the best codes for a colour's channels, from the table of thirds (0) or halves (512).
fn look_up(color: u32, table: u32) -> vec3<u32> {
    return vec3(
        matches[table + (color & 255u)],
        matches[table + 256u + ((color >> 8u) & 255u)],
        matches[table + ((color >> 16u) & 255u)],
    );
}

fn error_of(found: vec3<u32>) -> u32 {
    let error = found >> vec3(16u);
    let weight = vec3(params.weight_red, params.weight_green, params.weight_blue);
    let product = error * error * weight;
    return product.x + product.y + product.z;
}

fn pack(codes: vec3<u32>) -> u32 {
    let c = codes & vec3(255u);
    return (c.x << 11u) | (c.y << 5u) | c.z;
}

// Returns the endpoints and indices of a block of one colour.
fn single_color(color: u32, masked: bool) -> vec2<u32> {
    let third = look_up(color, 0u);
    let half = look_up(color, 512u);
    let three = masked || (params.three_color != 0u && error_of(half) < error_of(third));
    let best = select(third, half, three);
    let c0 = pack(best);
    let c1 = pack(best >> vec3(8u));
    if three {
        return vec2(min(c0, c1) | (max(c0, c1) << 16u), 0xaaaaaaaau);
    }
    if c0 == c1 {
        return vec2(c0 | (c1 << 16u), 0u);
    }
    return select(vec2(c1 | (c0 << 16u), 0xffffffffu), vec2(c0 | (c1 << 16u), 0xaaaaaaaau), c0 > c1);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = (group.y * groups.x + group.x) * 64u + thread;
    if block >= params.blocks {
        return;
    }
    let visible = params.size - 4u * vec2(block % params.columns, block / params.columns);
    var transparent = 0u;
    var first = 0u;
    var has_first = false;
    var single = true;
    for (var t = 0u; t < 16u; t++) {
        let at = 16u * block + t;
        let value = texels[at];
        let color = value & RGB;
        var kind = CLASS_PADDING;
        if (value >> 24u) < params.alpha_threshold {
            kind = CLASS_TRANSPARENT;
            transparent |= 3u << (2u * t);
        } else if (t & 3u) < visible.x && (t >> 2u) < visible.y {
            kind = CLASS_OPAQUE;
        }
        texels[at] = color | (kind << 24u);
        if kind == CLASS_OPAQUE && !has_first {
            // No texel before this one is opaque, and padding repeats texels after it.
            has_first = true;
            first = color;
        }
    }
    for (var t = 0u; t < 16u; t++) {
        let value = texels[16u * block + t];
        single = single && ((value >> 24u) == CLASS_TRANSPARENT || (value & RGB) == first);
    }
    if has_first && !single {
        return;
    }
    var words = vec2(0u, 0xffffffffu);
    if has_first {
        words = single_color(first, transparent != 0u);
        words.y |= transparent;
    }
    let to = params.first + (block / params.columns) * params.pitch + block % params.columns;
    let place = params.block_words * to + params.first_word;
    blocks[place] = words.x;
    blocks[place + 1u] = words.y;
    texels[16u * block] = CLASS_DONE << 24u;
}
