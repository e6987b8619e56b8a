// A texel of an image in a buffer, of any channel type, as 8-bit RGBA: for kernels whose `params` say where it lies.

@group(0) @binding(1) var<storage, read> source: array<u32>;

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

// The texel at column and row `position`, red in the lowest byte.
fn texel_at(position: vec2<u32>) -> u32 {
    let channel_bytes = select(select(2u, 1u, params.channel_type == 0u), 4u, params.channel_type == 3u);
    let address = params.offset + position.y * params.pitch + position.x * params.channels * channel_bytes;
    if params.channel_type == 0u && params.channels == 4u && ((params.offset | params.pitch) & 3u) == 0u {
        return source[address >> 2u];
    }
    // Grey is repeated; a missing alpha is opaque.
    var packed = select(0u, 0xff000000u, params.channels < 4u);
    for (var c = 0u; c < params.channels; c++) {
        packed |= channel(address + c * channel_bytes) << (8u * c);
    }
    return select(packed, packed | (packed & 255u) * 0x010100u, params.channels == 1u);
}
