//! The values of a block as NVIDIA GPUs decode them.
//!
//! All 65,536 pairs of endpoints were read back from an H200 (driver 580.159.04, Vulkan). The values are
//! these integers, bit for bit. The weights of `r0` for the values between the endpoints are:
//!
//! | block | unit | of eight values | of six values | value |
//! |---|---|---|---|---|
//! | BC3's alpha | 2048ths | 1759, 1470, 1156, 892, 578, 289 | 1663, 1278, 770, 385 | rounded to 8 bits |
//! | unsigned | 257ths | 221, 185, 144, 113, 72, 36 | 209, 161, 96, 48 | 65535ths |
//! | signed | 258ths | 222, 186, 144, 114, 72, 36 | 210, 162, 96, 48 | 32767ths |
//!
//! Those of the formats are sevenths and fifths: 1/7 is 36.7 of 257. To a signed value, 1/32767 with the sign
//! of one endpoint is added if that endpoint is at least 64 from 0.

use super::palette::LEVEL_STEPS;

/// Weights of `r0`, in parts of 2048 for [`ALPHA`], of 257 for [`UNORM`], and of 258 for [`SNORM`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Those of indices 2 to 7 where `r0 > r1`.
    pub eight: [i16; 6],
    /// Those of indices 2 to 5 elsewhere.
    pub six: [i16; 4],
}

/// Weights of the alpha of BC3.
pub(super) const ALPHA: Weights =
    Weights { eight: [1759, 1470, 1156, 892, 578, 289], six: [1663, 1278, 770, 385] };
/// Weights of unsigned blocks.
pub(super) const UNORM: Weights = Weights { eight: [221, 185, 144, 113, 72, 36], six: [209, 161, 96, 48] };
/// Weights of signed blocks.
pub(super) const SNORM: Weights = Weights { eight: [222, 186, 144, 114, 72, 36], six: [210, 162, 96, 48] };

/// The smallest signed value and the largest one, in 32767ths.
const SIGNED: [i16; 2] = [-32767, 32767];

/// Returns the values of indices 0 to 7 of the alpha of BC3.
#[inline(always)]
pub(crate) fn alpha(r0: u8, r1: u8) -> [u8; 8] {
    let (a, b) = (i32::from(r0), i32::from(r1));
    let between = |weight: i16| (b + ((i32::from(weight) * (a - b) + 1024) >> 11)) as u8;
    if a > b {
        let [v2, v3, v4, v5, v6, v7] = ALPHA.eight.map(between);
        [r0, r1, v2, v3, v4, v5, v6, v7]
    } else {
        let [v2, v3, v4, v5] = ALPHA.six.map(between);
        [r0, r1, v2, v3, v4, v5, 0, 255]
    }
}

/// Returns the values of indices 0 to 7 of an unsigned block, in 65535ths.
#[inline(always)]
pub(super) fn unorm(r0: u8, r1: u8) -> [u16; 8] {
    let (a, b) = (u16::from(r0), u16::from(r1));
    let between = |weight: i16| weight as u16 * a + (257 - weight as u16) * b;
    let [v0, v1] = [257, 0].map(between);
    if a > b {
        let [v2, v3, v4, v5, v6, v7] = UNORM.eight.map(between);
        [v0, v1, v2, v3, v4, v5, v6, v7]
    } else {
        let [v2, v3, v4, v5] = UNORM.six.map(between);
        [v0, v1, v2, v3, v4, v5, 0, u16::MAX]
    }
}

/// Returns the values of indices 0 to 7 of a signed block, in 32767ths.
#[inline(always)]
pub(super) fn snorm(r0: u8, r1: u8) -> [i16; 8] {
    let [a, b] = [r0, r1].map(|stored| i16::from(stored as i8).max(-127));
    // 258 · 127 is 32766, and the largest value is 32767: endpoints from 64 on have one step more.
    let half = |end: i16| end.signum() * (end.abs() >> 6);
    let between = |(weight, end): (i16, i16)| weight * a + (258 - weight) * b + half(end);
    let [v0, v1] = [(258, a), (0, b)].map(between);
    if a > b {
        let [w2, w3, w4, w5, w6, w7] = SNORM.eight;
        let weights = [(w2, a), (w3, a), (w4, b), (w5, a), (w6, b), (w7, b)];
        let [v2, v3, v4, v5, v6, v7] = weights.map(between);
        [v0, v1, v2, v3, v4, v5, v6, v7]
    } else {
        let [w2, w3, w4, w5] = SNORM.six;
        let [v2, v3, v4, v5] = [(w2, a), (w3, a), (w4, b), (w5, b)].map(between);
        [v0, v1, v2, v3, v4, v5, SIGNED[0], SIGNED[1]]
    }
}

/// Returns the values of indices 0 to 7 of an unsigned block, rounded to 8 bits.
#[inline(always)]
pub(crate) fn unorm_bytes(r0: u8, r1: u8) -> [u8; 8] {
    unorm(r0, r1).map(|value| ((u32::from(value) + 128) / 257) as u8)
}

/// Returns the values of indices 0 to 7 of an unsigned block, from 0 to 1.
#[inline(always)]
pub(crate) fn unorm_floats(r0: u8, r1: u8) -> [f32; 8] {
    unorm(r0, r1).map(|value| f32::from(value) / 65535.0)
}

/// Returns the values of indices 0 to 7 of a signed block, of which -1 to 1 are 0 to 1, rounded to 8 bits.
#[inline(always)]
pub(crate) fn snorm_bytes(r0: u8, r1: u8) -> [u8; 8] {
    snorm(r0, r1).map(|value| (((i32::from(value) + 32767) * 255 + 32767) / 65534) as u8)
}

/// Returns the values of indices 0 to 7 of a signed block, of which -1 to 1 are 0 to 1.
#[inline(always)]
pub(crate) fn snorm_floats(r0: u8, r1: u8) -> [f32; 8] {
    snorm(r0, r1).map(|value| (i32::from(value) + 32767) as f32 / 65534.0)
}

/// Returns the values of indices 0 to 7 of an unsigned or signed block on the 0..255 scale, in steps of
/// 1 / [`LEVEL_STEPS`]. Each is rounded once.
pub(super) fn steps(is_signed: bool, r0: u8, r1: u8) -> [i16; 8] {
    let scale = i32::from(LEVEL_STEPS);
    if is_signed {
        snorm(r0, r1).map(|value| (((i32::from(value) + 32767) * 255 * scale + 32767) / 65534) as i16)
    } else {
        unorm(r0, r1).map(|value| ((i32::from(value) * scale + 128) / 257) as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Returns the SHA-256 of the values of every pair of endpoints, `r0` first, little endian.
    fn digest<const BYTES: usize>(values: impl Fn(u8, u8) -> [[u8; BYTES]; 8]) -> String {
        let mut hash = Sha256::new();
        for r1 in 0..=255 {
            for r0 in 0..=255 {
                hash.update(values(r0, r1).as_flattened());
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The digests are those of what an H200 read from textures.
    #[test]
    fn values_are_those_of_an_h200() {
        let found = digest(|a, b| unorm(a, b).map(|value| (f32::from(value) / 65535.0).to_le_bytes()));
        assert_eq!(found, "0d6bc2cc03ffb50255ffd399e0114086f6974e688d2c98776b4e08528d49f378");
        let found = digest(|a, b| snorm(a, b).map(|value| (f32::from(value) / 32767.0).to_le_bytes()));
        assert_eq!(found, "7e49f820a15b7ef1b43f1c744d31709de0420d13054423a557f0388f00e222c7");
        let found = digest(|a, b| alpha(a, b).map(|value| (f32::from(value) / 255.0).to_le_bytes()));
        assert_eq!(found, "04bf46a7052f1e8791f91eaa048e99510e5180925aae64f6483badd72b541c6f");
    }
}
