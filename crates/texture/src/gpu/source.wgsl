// Reads an image of any channel type in a buffer, for kernels whose `params` contain its layout.

@group(0) @binding(1) var<storage, read> source: array<u32>;

fn byte_at(address: u32) -> u32 {
    return (source[address >> 2u] >> (8u * (address & 3u))) & 255u;
}

// Returns two bytes; texels of such channels are at even addresses.
fn half_word_at(address: u32) -> u32 {
    return (source[address >> 2u] >> (8u * (address & 2u))) & 65535u;
}

fn channel_bytes() -> u32 {
    return select(select(2u, 1u, params.channel_type == 0u), 4u, params.channel_type == 3u);
}

// Returns the offset of the texel at column and row `position` in bytes.
fn address_of(position: vec2<u32>) -> u32 {
    return params.offset + position.y * params.pitch + position.x * params.channels * channel_bytes();
}
