//! Blocks of one colour: the best endpoints from a table, for each decoder and mode.
//!
//! All texels take one index. With equal endpoints all indices are the same, so two interpolants suffice:
//! (2·c0 + c1)/3 of the four-colour mode and (c0 + c1)/2 of the three-colour one.

use super::palette::{ChannelRule, PaletteRule, pack_565};
use crate::ChannelWeights;

/// Endpoint codes whose interpolant is nearest to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Match {
    codes: [u8; 2],
    /// Absolute difference from the value.
    error: u8,
}

/// Best endpoint codes of one channel for each of 256 values.
type Table = [Match; 256];

/// Endpoint codes on either side of a value, for lanes: the first code times [`CODE_UNIT`], plus the second.
/// The tables are for codes of 5 bits and of 6.
pub(crate) struct MeanCodes {
    pub four: [[f32; 256]; 2],
    pub three: [[f32; 256]; 2],
}

pub(crate) const CODE_UNIT: f32 = 64.0;

/// Tables of one decoder.
#[derive(Clone)]
pub(crate) struct SingleColor {
    thirds: [Table; 2],
    halves: [Table; 2],
    weights: [u32; 3],
    three_color: bool,
}

/// Fills a table from every pair of codes. Among equally near pairs, the one whose codes are nearest to each
/// other wins, because other decoders then differ least. If these are equal too, the lower codes win.
fn table(bits: u8, interpolant: impl Fn(u8, u8) -> u8) -> Table {
    let mut exact: [Option<[u8; 2]>; 256] = [None; 256];
    for a in 0..1 << bits {
        for b in 0..1 << bits {
            let slot = &mut exact[usize::from(interpolant(a, b))];
            if slot.is_none_or(|[x, y]| a.abs_diff(b) < x.abs_diff(y)) {
                *slot = Some([a, b]);
            }
        }
    }
    std::array::from_fn(|value| {
        (0..=255u8)
            .flat_map(|error| {
                let (below, above) = (value.checked_sub(error.into()), value + usize::from(error));
                [below, (above < 256).then_some(above)].into_iter().flatten().map(move |at| (at, error))
            })
            .find_map(|(at, error)| exact[at].map(|codes| Match { codes, error }))
            .expect("code 0 gives 0, so some value is always met")
    })
}

impl SingleColor {
    pub fn new(rule: &PaletteRule, weights: ChannelWeights, three_color: bool) -> Self {
        let [five, six, _] = &rule.channels;
        let third = |rule: &ChannelRule| table(rule.bits, |a, b| rule.third_value(a, b));
        let half = |rule: &ChannelRule| table(rule.bits, |a, b| rule.half_value(a, b));
        Self {
            thirds: [third(five), third(six)],
            halves: [half(five), half(six)],
            weights: weights.rgb().map(u32::from),
            three_color,
        }
    }

    /// Returns the tables for kernels: thirds of 5 and 6 bits, halves of 5 and 6 bits; code 0 | code 1 << 8 |
    /// error << 16.
    #[cfg(feature = "gpu")]
    pub fn packed(&self) -> Vec<u32> {
        let tables = self.thirds.iter().chain(&self.halves).flatten();
        tables.map(|m| u32::from_le_bytes([m.codes[0], m.codes[1], m.error, 0])).collect()
    }

    /// Returns the tables for lanes.
    pub fn mean_codes(&self) -> Box<MeanCodes> {
        let codes = |table: &Table| table.map(|m| f32::from(m.codes[0]) * CODE_UNIT + f32::from(m.codes[1]));
        let tables = |tables: &[Table; 2]| [codes(&tables[0]), codes(&tables[1])];
        Box::new(MeanCodes { four: tables(&self.thirds), three: tables(&self.halves) })
    }

    /// Returns the block whose 16 texels are all `texel`, red in the lowest byte. If `masked`, it has three
    /// colours, so that index 3 stays free for transparent texels.
    pub fn block(&self, texel: u32, masked: bool) -> [u8; 8] {
        let rgb = texel.to_le_bytes();
        let look_up = |tables: &[Table; 2]| -> [Match; 3] {
            std::array::from_fn(|c| tables[c % 2][usize::from(rgb[c])])
        };
        let error = |matches: &[Match; 3]| -> u32 {
            matches.iter().zip(self.weights).map(|(m, weight)| u32::from(m.error).pow(2) * weight).sum()
        };
        let pack = |matches: &[Match; 3], end: usize| pack_565([0, 1, 2].map(|c| matches[c].codes[end]));
        let (third, half) = (look_up(&self.thirds), look_up(&self.halves));
        let three = masked || self.three_color && error(&half) < error(&third);
        let best = if three { &half } else { &third };
        let (c0, c1) = (pack(best, 0), pack(best, 1));
        let (c0, c1, indices) = match (three, c0.cmp(&c1)) {
            (false, std::cmp::Ordering::Equal) => (c0, c1, 0u32),
            (false, std::cmp::Ordering::Greater) => (c0, c1, 0xaaaa_aaaa),
            (false, std::cmp::Ordering::Less) => (c1, c0, 0xffff_ffff),
            (true, _) => (c0.min(c1), c0.max(c1), 0xaaaa_aaaa),
        };
        (u64::from(c0) | u64::from(c1) << 16 | u64::from(indices) << 32).to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RoundingRule, bc::bc1::decode_block};

    /// Returns the lowest error of one channel's value over every pair of codes and every index of an opaque
    /// block.
    fn least(rule: &ChannelRule, three: bool, value: u8) -> u8 {
        let codes = 0..1u8 << rule.bits;
        codes
            .clone()
            .flat_map(|a| codes.clone().map(move |b| (a, b)))
            .map(|(a, b)| {
                let inner = if three { rule.half_value(a, b) } else { rule.third_value(a, b) };
                inner.abs_diff(value).min(rule.endpoint_value(a).abs_diff(value))
            })
            .min()
            .unwrap()
    }

    #[test]
    fn every_grey_is_as_good_as_exhaustive_search() {
        for &rounding in RoundingRule::ALL {
            let rule = PaletteRule::new(rounding);
            for three_color in [false, true] {
                let single = SingleColor::new(&rule, ChannelWeights::UNIFORM, three_color);
                for value in 0..=255u8 {
                    let error = |three| -> u32 {
                        rule.channels.iter().map(|r| u32::from(least(r, three, value)).pow(2)).sum()
                    };
                    let best = if three_color { error(false).min(error(true)) } else { error(false) };
                    let block = single.block(u32::from(value) * 0x01_0101, false);
                    let texels = decode_block(&block, &rule);
                    let got: u32 = texels[5][..3].iter().map(|&v| u32::from(v.abs_diff(value)).pow(2)).sum();
                    assert_eq!((got, texels[0][3]), (best, 255), "{rounding:?} {three_color} {value}");
                    let [c0, c1] = [0, 2].map(|at| u16::from_le_bytes([block[at], block[at + 1]]));
                    assert!(three_color || c0 >= c1, "{rounding:?} {value}");
                }
            }
        }
    }
}
