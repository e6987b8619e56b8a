// Converts a texel of source.wgsl to four 16-bit channels: half floats if HALF is 1, else integers.
// needs: convert.wgsl, convert_wide.wgsl, source.wgsl

fn channel(address: u32) -> u32 {
    switch params.channel_type {
        case 0u: {
            return wide_of_integer(byte_at(address), 255u);
        }
        case 1u: {
            return wide_of_integer(half_word_at(address), 65535u);
        }
        case 2u: {
            let bits = half_word_at(address);
            return select(of_half(bits, 65535.0), bits, HALF == 1u);
        }
        default: {
            return wide_of_single(source[address >> 2u]);
        }
    }
}

// Returns the texel at column and row `position`.
fn texel_at(position: vec2<u32>) -> vec4<u32> {
    let address = address_of(position);
    // Missing alpha is opaque; grey is repeated.
    var texel = vec4(0u, 0u, 0u, wide_of_integer(255u, 255u));
    let bytes = channel_bytes();
    for (var c = 0u; c < params.channels; c++) {
        texel[c] = channel(address + c * bytes);
    }
    return select(texel, vec4(texel.xxx, texel.w), params.channels == 1u);
}
