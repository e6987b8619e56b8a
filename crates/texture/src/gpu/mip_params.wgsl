// What the kernels of mip levels are told, and where they write.

struct Mip {
    // Size in texels of the image that is halved.
    side: vec2<u32>,
    // The first texel of the next level that is made, and how many of each row and column are. `source`
    // starts with the first that they cover.
    first: vec2<u32>,
    size: vec2<u32>,
    // The sum of the weights, low word first.
    weight_sum: vec2<u32>,
    // Where the first texel starts and how far rows lie apart, in bytes.
    offset: u32,
    pitch: u32,
    // 1 to 4.
    channels: u32,
    // 0: u8, 1: u16, 2: f16, 3: f32.
    channel_type: u32,
    // Whether a colour counts by its alpha.
    by_alpha: u32,
}

@group(0) @binding(0) var<uniform> params: Mip;
@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
