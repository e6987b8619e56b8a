// Parameters and outputs of the kernels of mip levels.

struct Mip {
    // Size in texels of the image that is halved.
    side: vec2<u32>,
    // The first texel of the next mip level to make, and how many columns and rows. `source` starts with the
    // first texel that they cover.
    first: vec2<u32>,
    size: vec2<u32>,
    // The sum of the weights, low word first.
    weight_sum: vec2<u32>,
    // Where the first texel starts and how far apart rows lie, in bytes.
    offset: u32,
    pitch: u32,
    // 1 to 4.
    channels: u32,
    // 0: u8, 1: u16, 2: f16, 3: f32.
    channel_type: u32,
    // Whether colours are weighted by alpha.
    by_alpha: u32,
}

@group(0) @binding(0) var<uniform> params: Mip;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
