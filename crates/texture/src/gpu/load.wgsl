// Texels of an image in a buffer, of any channel type, as 8-bit RGBA in the order of blocks. One texel a thread.

struct Source {
    // Size of what is encoded, in texels: a whole image or a band of its rows.
    size: vec2<u32>,
    // Blocks in a row.
    columns: u32,
    // Blocks in all.
    blocks: u32,
    // Where the first texel starts and how far rows lie apart, in bytes.
    offset: u32,
    pitch: u32,
    // 1 to 4.
    channels: u32,
    // 0: u8, 1: u16, 2: f16, 3: f32.
    channel_type: u32,
    // Work groups in a row of the dispatch.
    row: u32,
}

@group(0) @binding(0) var<uniform> params: Source;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;

fn byte_at(address: u32) -> u32 {
    return (source[address >> 2u] >> (8u * (address & 3u))) & 255u;
}

// Two bytes; texels of such channels lie at even addresses.
fn half_at(address: u32) -> u32 {
    return (source[address >> 2u] >> (8u * (address & 2u))) & 65535u;
}

// Rounded to nearest; the product is not added to, because a compiler might fuse that and round differently.
fn of_float(value: f32) -> u32 {
    return u32(round(clamp(value * 255.0, 0.0, 255.0)));
}

fn channel(address: u32) -> u32 {
    switch params.channel_type {
        case 0u: {
            return byte_at(address);
        }
        case 1u: {
            return (half_at(address) + 128u) / 257u;
        }
        case 2u: {
            let bits = half_at(address);
            // Not a number is 0, told by its bits: a compiler may take floats for numbers.
            return select(of_float(unpack2x16float(bits).x), 0u, (bits & 0x7fffu) > 0x7c00u);
        }
        default: {
            let bits = source[address >> 2u];
            return select(of_float(bitcast<f32>(bits)), 0u, (bits & 0x7fffffffu) > 0x7f800000u);
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let at = (group.y * params.row + group.x) * 64u + thread;
    let block = at >> 4u;
    if block >= params.blocks {
        return;
    }
    let corner = 4u * vec2(block % params.columns, block / params.columns);
    let position = min(corner + vec2(at & 3u, (at >> 2u) & 3u), params.size - vec2(1u));
    let channel_bytes = select(select(2u, 1u, params.channel_type == 0u), 4u, params.channel_type == 3u);
    let address = params.offset + position.y * params.pitch + position.x * params.channels * channel_bytes;
    var packed = 0u;
    if params.channel_type == 0u && params.channels == 4u && ((params.offset | params.pitch) & 3u) == 0u {
        packed = source[address >> 2u];
    } else {
        let first = channel(address);
        if params.channels == 1u {
            packed = first * 0x010101u | 0xff000000u;
        } else {
            packed = first | channel(address + channel_bytes) << 8u;
            if params.channels > 2u {
                packed |= channel(address + 2u * channel_bytes) << 16u;
            }
            if params.channels > 3u {
                packed |= channel(address + 3u * channel_bytes) << 24u;
            } else {
                packed |= 0xff000000u;
            }
        }
    }
    texels[at] = packed;
}
