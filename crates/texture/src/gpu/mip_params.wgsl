// Parameters and outputs of the kernels of mip levels.

struct Mip {
    // Size of the halved image in texels.
    side: vec2<u32>,
    // First texel of the next mip level to compute, and the number of columns and rows. `source` starts with
    // the first texel that they cover.
    first: vec2<u32>,
    size: vec2<u32>,
    // Sum of the weights, low word first.
    weight_sum: vec2<u32>,
    // Offset of the first texel and distance between rows, in bytes.
    offset: u32,
    pitch: u32,
    // Channels per texel, 1 to 4.
    channels: u32,
    // Channel type: 0 is u8, 1 is u16, 2 is f16, 3 is f32.
    channel_type: u32,
    // Nonzero if colours are weighted by alpha.
    by_alpha: u32,
}

@group(0) @binding(0) var<uniform> params: Mip;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
