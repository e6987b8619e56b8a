//! Images for the tests to encode.

#![allow(dead_code, reason = "each test uses some of it")]

use brickwork_texture::{
    BlockFormat, ChannelWeights, DecodeError, EncodeOptions, ImageViewMut, Quality, RoundingRule, Task,
    decode_into,
};
#[cfg(feature = "gpu")]
use brickwork_texture::{CpuEncoder, Encoder, Image, ImageView, gpu::GpuEncoder};

/// An image in memory.
pub struct Fixture {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub texels: Vec<[u8; 4]>,
}

/// Marsaglia's xorshift, which gives the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn byte(&mut self) -> u8 {
        (self.next() >> 24) as u8
    }
}

pub const SIZES: [(u32, u32); 6] = [(1, 1), (2, 3), (5, 7), (16, 4), (33, 9), (257, 129)];

/// Returns, at the given size, every kind of content that uses its own code path.
pub fn fixtures(width: u32, height: u32) -> Vec<Fixture> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut make = |name, texel: &mut dyn FnMut(u32, u32, &mut Random) -> [u8; 4]| {
        let mut texels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                texels.push(texel(x, y, &mut random));
            }
        }
        Fixture { name, width, height, texels }
    };
    vec![
        make("noise", &mut |_, _, random| [random.byte(), random.byte(), random.byte(), 255]),
        make("gradient", &mut |x, y, _| {
            [(x * 3) as u8, (y * 5) as u8, (255 - (x + y) as u8 as i32).clamp(0, 255) as u8, 255]
        }),
        make("soft noise", &mut |x, y, random| {
            let base = [100 + (x % 64) as u8, 90 + (y % 64) as u8, 120];
            let [r, g, b] = base.map(|v| v + random.byte() % 8);
            [r, g, b, 255]
        }),
        make("one colour a block", &mut |x, y, _| [(x / 4 * 37) as u8, (y / 4 * 91) as u8, 200, 255]),
        make("two colours", &mut |x, y, random| {
            if random.byte() & 1 == 0 { [250, (x / 4) as u8, 3, 255] } else { [20, 80, (y / 4) as u8, 255] }
        }),
        make("one channel", &mut |_, _, random| [0, 0, random.byte(), 255]),
        make("dark", &mut |_, _, random| {
            if random.byte() < 90 { [1, 0, 2, 255] } else { [random.byte(), random.byte() / 2, 90, 255] }
        }),
        make("soft alpha", &mut |x, y, random| [random.byte(), 130, 60, (x * 2 + y * 9) as u8]),
        make("cut-out", &mut |_, _, random| {
            [random.byte(), random.byte(), random.byte(), if random.byte() < 128 { 0 } else { 255 }]
        }),
    ]
}

pub fn assert_same_blocks(expected: &[u8], found: &[u8], what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    let differs = expected.chunks(8).zip(found.chunks(8)).position(|(a, b)| a != b);
    if let Some(place) = differs {
        let [found, expected] = [found, expected].map(|blocks| &blocks[place * 8..place * 8 + 8]);
        panic!("{what}: from byte {} on it is {found:02x?}, not {expected:02x?}", place * 8);
    }
}

/// Decodes to 8 bits per channel.
pub fn decode(
    format: BlockFormat,
    blocks: &[u8],
    width: u32,
    height: u32,
    rule: RoundingRule,
    texels: &mut [[u8; 4]],
) -> Result<(), DecodeError> {
    let mut image = ImageViewMut::new(texels, width, height).unwrap();
    decode_into(format, blocks, rule, &mut image, &Task::new())
}

/// Returns every combination of options that uses different code paths.
pub fn option_sets(quality: Quality) -> Vec<EncodeOptions> {
    let with = |change: &dyn Fn(&mut EncodeOptions)| {
        let mut options = EncodeOptions::default();
        options.quality = quality;
        change(&mut options);
        options
    };
    vec![
        with(&|_| {}),
        with(&|options| {
            options.rounding_rule = RoundingRule::Nvidia;
            options.bc1.alpha_threshold = 0;
        }),
        with(&|options| {
            options.rounding_rule = RoundingRule::Trunc;
            options.weights = ChannelWeights::LUMA;
        }),
        with(&|options| {
            options.bc1.three_color = false;
            options.weights = ChannelWeights::new(1, 254, 1).unwrap();
        }),
        with(&|options| {
            options.rounding_rule = RoundingRule::Amd;
            options.bc1.transparent_black = true;
        }),
    ]
}

/// Returns an encoder, or `None` if there is no adapter and none is required.
#[cfg(feature = "gpu")]
#[track_caller]
pub fn gpu_encoder() -> Option<GpuEncoder> {
    brickwork_gpu::testing::context().map(GpuEncoder::new)
}

/// Asserts that the GPU's blocks of a fixture equal the CPU's.
#[cfg(feature = "gpu")]
#[track_caller]
pub fn compare(gpu: &GpuEncoder, fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) {
    let image = ImageView::new(&fixture.texels, fixture.width, fixture.height).unwrap();
    compare_image(gpu, &image, format, options, fixture.name);
}

/// Asserts that the GPU's blocks of an image equal the CPU's.
#[cfg(feature = "gpu")]
#[track_caller]
pub fn compare_image(
    gpu: &GpuEncoder,
    image: &dyn Image,
    format: BlockFormat,
    options: &EncodeOptions,
    name: &str,
) {
    let [width, height] = image.size();
    let encode = |encoder: Encoder| {
        let mut blocks = vec![0; format.image_bytes(width, height) as usize];
        encoder.encode_into(image, format, options, &mut blocks, &Task::new()).unwrap();
        blocks
    };
    let what = format!("{format} {name} {width}×{height}, {options:?}");
    assert_same_blocks(&encode(CpuEncoder::new().into()), &encode(gpu.clone().into()), &what);
}
