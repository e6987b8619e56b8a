//! Tests of the decoders against the slow ones.

use super::{
    eac,
    etc2::{
        self,
        pack::{Codes, is_ordered},
    },
    oracle::{self, Form, Mode},
};
use crate::{
    bc::codec::{DecodeRow, RowDecoder},
    random::Random,
};

/// Blocks of each kind.
const COUNT: usize = 65_536;

impl Random {
    fn color(&mut self, bits: [u32; 3]) -> [i32; 3] {
        bits.map(|bits| self.bits(bits))
    }

    /// Returns codes of this mode.
    fn codes(&mut self, mode: Mode) -> Codes {
        let tables = [self.bits(3), self.bits(3)];
        let is_flipped = self.bits(1) == 1;
        let distance = self.bits(3);
        let colors = [self.color([4; 3]), self.color([4; 3])];
        match mode {
            Mode::Individual => Codes::Individual { colors, tables, is_flipped },
            Mode::Differential => {
                let first = self.color([5; 3]);
                let second = first.map(|code| (code + self.bits(3) - 4).clamp(0, 31));
                Codes::Differential { colors: [first, second], tables, is_flipped }
            }
            Mode::T => Codes::T { colors, distance },
            Mode::H => {
                let is_right = is_ordered(colors, distance);
                Codes::H { colors, distance: if is_right { distance } else { distance ^ 1 } }
            }
            Mode::Planar => Codes::Planar { colors: [(); 3].map(|()| self.color([6, 7, 6])) },
        }
    }
}

fn bytes(decoder: RowDecoder) -> DecodeRow<[u8; 4]> {
    let (RowDecoder::Rgba8(bytes) | RowDecoder::Real { bytes, .. }) = decoder else {
        unreachable!("every decoder of ETC has bytes")
    };
    bytes
}

fn texels(decode: &DecodeRow<[u8; 4]>, block: &[u8]) -> [[u8; 4]; 16] {
    let mut texels = [[7; 4]; 16];
    decode(block, 4, 4, &mut texels);
    texels
}

#[test]
fn colors_are_those_of_the_specification() {
    let random = &mut Random(1);
    let decoders = [bytes(etc2::decoder::<false>()), bytes(etc2::decoder::<true>())];
    let check = |block: &[u8; 8]| {
        for (has_alpha, decode) in [false, true].into_iter().zip(&decoders) {
            assert_eq!(texels(decode, block), oracle::colors(block, has_alpha), "{block:02x?} {has_alpha}");
        }
    };
    for _ in 0..COUNT {
        check(&random.next().to_be_bytes());
    }
    for mode in [Mode::Individual, Mode::Differential, Mode::T, Mode::H, Mode::Planar] {
        for _ in 0..COUNT {
            let codes = random.codes(mode);
            let indices = random.next() as u32;
            let block = codes.pack(indices, true).to_be_bytes();
            assert_eq!(oracle::mode(&block, false), mode, "{codes:?}");
            check(&block);
            if mode != Mode::Individual {
                let block = codes.pack(indices, false).to_be_bytes();
                assert_eq!(oracle::mode(&block, true), mode, "{codes:?}");
                check(&block);
            }
        }
    }
}

#[test]
fn codes_are_those_of_the_block() {
    let random = &mut Random(3);
    for _ in 0..COUNT {
        // T blocks with one index show a colour.
        let color = random.color([4; 3]);
        let codes = Codes::T { colors: [color, random.color([4; 3])], distance: random.bits(3) };
        let found = oracle::colors(&codes.pack(0, true).to_be_bytes(), false);
        assert_eq!(found[5][..3], color.map(|code| 17 * code as u8), "{codes:?}");
        let second = random.color([4; 3]);
        let codes = Codes::T { colors: [color, second], distance: random.bits(3) };
        let found = oracle::colors(&codes.pack(0xffff_0000, true).to_be_bytes(), false);
        assert_eq!(found[5][..3], second.map(|code| 17 * code as u8), "{codes:?}");
        // The first texel of a planar block is the origin. Each further one is a quarter of the way to the
        // colour four texels to the right or below.
        let colors @ [origin, right, below] = [(); 3].map(|()| random.color([6, 7, 6]));
        let codes = Codes::Planar { colors };
        let found = oracle::colors(&codes.pack(0, true).to_be_bytes(), false);
        for (c, bits) in [6, 7, 6].into_iter().enumerate() {
            let [origin, right, below] =
                [origin, right, below].map(|codes| codes[c] << (8 - bits) | codes[c] >> (2 * bits - 8));
            let quarter = |from: i32, to: i32| (3 * from + to + 2).div_euclid(4);
            let found = [0, 1, 4].map(|t| i32::from(found[t][c]));
            assert_eq!(found, [origin, quarter(origin, right), quarter(origin, below)], "{codes:?}");
        }
    }
}

#[test]
fn values_are_those_of_the_specification() {
    let random = &mut Random(2);
    let rgba = bytes(etc2::rgba_decoder());
    let channels = [(Form::Unsigned11, eac::UNORM, 2047.0, 0), (Form::Signed11, eac::SNORM, 2046.0, 1023)];
    let decoders = channels.map(|(_, kind, ..)| [eac::decoder::<8>(kind), eac::decoder::<16>(kind)]);
    for i in 0..2 * COUNT {
        let [mut first, second] = [random.next().to_be_bytes(), random.next().to_be_bytes()];
        if i % 4 == 0 {
            // Multiplier 0, and the least signed base.
            first[1] &= 15;
        } else if i % 4 == 1 {
            first[0] = 128;
        }
        let block = [first, second].concat();
        let alpha = oracle::values(&first, Form::Alpha8);
        for (t, texel) in texels(&rgba, &block).into_iter().enumerate() {
            assert_eq!(texel[..3], oracle::colors(&second, false)[t][..3]);
            assert_eq!(i32::from(texel[3]), alpha[t]);
        }
        for ((form, _, top, zero), decoders) in channels.into_iter().zip(&decoders) {
            for (count, decoder) in [1, 2].into_iter().zip(decoders) {
                let RowDecoder::Real { bytes, floats } = decoder else { unreachable!("a decoder of floats") };
                let mut found = [[0.0; 4]; 16];
                floats(&block[..8 * count], 4, 4, &mut found);
                let found_bytes = texels(bytes, &block[..8 * count]);
                for (c, part) in [first, second].iter().enumerate().take(count) {
                    for (t, value) in oracle::values(part, form).into_iter().enumerate() {
                        let expected = (value + zero) as f32 / top;
                        assert_eq!(found[t][c], expected);
                        let byte = f32::from(found_bytes[t][c]);
                        assert!((byte - 255.0 * expected).abs() < 0.5001);
                        assert_eq!(found_bytes[t][3], 255);
                    }
                }
            }
        }
    }
}
