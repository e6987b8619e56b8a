// Converts a texel of source.wgsl to 8-bit RGBA.
// needs: convert.wgsl, source.wgsl

fn channel(address: u32) -> u32 {
    switch params.channel_type {
        case 0u: {
            return byte_at(address);
        }
        case 1u: {
            return (half_word_at(address) + 128u) / 257u;
        }
        case 2u: {
            return of_half(half_word_at(address), 255.0);
        }
        default: {
            return of_single(source[address >> 2u], 255.0);
        }
    }
}

// Returns the texel at column and row `position`, red in the lowest byte.
fn texel_at(position: vec2<u32>) -> u32 {
    let address = address_of(position);
    if params.channel_type == 0u && params.channels == 4u && ((params.offset | params.pitch) & 3u) == 0u {
        return source[address >> 2u];
    }
    // Grey is repeated; missing alpha is opaque.
    var packed = select(0u, 0xff000000u, params.channels < 4u);
    let bytes = channel_bytes();
    for (var c = 0u; c < params.channels; c++) {
        packed |= channel(address + c * bytes) << (8u * c);
    }
    return select(packed, packed | ((packed & 255u) * 0x010100u), params.channels == 1u);
}
