//! Blocks of two colours: the best possible encoding, without trying everything.
//!
//! Each colour takes one palette entry, so a block is a pair of entries and, for each channel on its own, a
//! pair of codes. For each first code the error is, apart from rounding, a parabola in the second, so only
//! the codes around its lowest point are tried; `is_as_good_as_exhaustive_search` shows that this loses
//! nothing.

use super::palette::{ChannelRule, PaletteRule, pack_565};
use crate::ChannelWeights;

/// Codes tried to each side of the parabola's lowest point, because the interpolants' rounding and the ends
/// of the range move the lowest error: 2 proved too few, 3 enough in 20,000 random cases of every kind.
pub(crate) const SLACK: i32 = 4;

/// An opaque block's palette entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    First,
    Second,
    /// (2·c0 + c1)/3
    NearFirst,
    /// (c0 + 2·c1)/3
    NearSecond,
    Half,
}

use Entry::{First, Half, NearFirst, NearSecond, Second};

/// Pairs of entries of four colours. The missing ones are these with the endpoints exchanged.
const FOUR: [[Entry; 2]; 8] = [
    [First, Second],
    [First, NearFirst],
    [First, NearSecond],
    [NearFirst, First],
    [NearFirst, Second],
    [NearFirst, NearSecond],
    [NearFirst, NearFirst],
    [First, First],
];

/// Likewise of three; those without the half are among the above.
const THREE: [[Entry; 2]; 3] = [[First, Half], [Half, First], [Half, Half]];

/// Pairs and shares for the kernel, four bits each.
#[cfg(feature = "gpu")]
pub(crate) fn kernel_constants() -> [(&'static str, usize); 12] {
    let first = |pairs: &[[Entry; 2]]| pairs.iter().rev().fold(0, |bits, pair| bits << 4 | pair[0] as usize);
    let other = |pairs: &[[Entry; 2]]| pairs.iter().rev().fold(0, |bits, pair| bits << 4 | pair[1] as usize);
    let entries = [First, Second, NearFirst, NearSecond, Half];
    [
        ("FIRST", First as usize),
        ("SECOND", Second as usize),
        ("NEAR_FIRST", NearFirst as usize),
        ("NEAR_SECOND", NearSecond as usize),
        ("HALF", Half as usize),
        ("SHARES", entries.iter().rev().fold(0, |bits, entry| bits << 4 | entry.share() as usize)),
        ("PAIR_COUNT_FOUR", FOUR.len()),
        ("PAIR_COUNT_THREE", THREE.len()),
        ("PAIRS_FOUR_FIRST", first(&FOUR)),
        ("PAIRS_FOUR_OTHER", other(&FOUR)),
        ("PAIRS_THREE_FIRST", first(&THREE)),
        ("PAIRS_THREE_OTHER", other(&THREE)),
    ]
}

impl Entry {
    fn index(self) -> u32 {
        match self {
            First => 0,
            Second => 1,
            NearFirst | Half => 2,
            NearSecond => 3,
        }
    }

    /// The entry's 8-bit value.
    fn value(self, rule: &ChannelRule, a: u8, b: u8) -> u8 {
        match self {
            First => rule.endpoint_value(a),
            Second => rule.endpoint_value(b),
            NearFirst => rule.third_value(a, b),
            NearSecond => rule.third_value(b, a),
            Half => rule.half_value(a, b),
        }
    }

    /// The share of the second endpoint in the entry, in sixths. Hardware weights are not quite thirds, which
    /// [`SLACK`] makes up for.
    const fn share(self) -> i32 {
        match self {
            First => 0,
            NearFirst => 2,
            Half => 3,
            NearSecond => 4,
            Second => 6,
        }
    }
}

/// One of a block's two colours in one channel.
#[derive(Clone, Copy)]
struct Side {
    value: u8,
    count: u32,
}

/// What [`TwoColors::block`] needs to know once per image.
pub(crate) struct TwoColors {
    rule: PaletteRule,
    weights: [u32; 3],
    three_color: bool,
}

impl TwoColors {
    pub fn new(rule: &PaletteRule, weights: ChannelWeights, three_color: bool) -> Self {
        Self { rule: *rule, weights: weights.rgb().map(u32::from), three_color }
    }

    /// The best opaque block for 16 texels (red in the lowest byte) of two colours, of which only those in
    /// the bit mask `counting` have an error; `None` if there are more colours.
    pub fn block(&self, texels: &[u32; 16], counting: u16) -> Option<[u8; 8]> {
        let colors = texels.map(|texel| texel & 0xff_ffff);
        let other = *colors.iter().find(|&&color| color != colors[0])?;
        if colors.iter().any(|&color| color != colors[0] && color != other) {
            return None;
        }
        let count =
            |wanted| (0..16).filter(|&t| counting >> t & 1 == 1 && colors[t] == wanted).count() as u32;
        let counts = [count(colors[0]), count(other)];
        let channel = |color: u32, c: usize| color.to_le_bytes()[c];
        let sides = |c: usize| {
            [
                Side { value: channel(colors[0], c), count: counts[0] },
                Side { value: channel(other, c), count: counts[1] },
            ]
        };
        let mut best: Option<(u32, [Entry; 2], [[u8; 2]; 3])> = None;
        let three = if self.three_color { &THREE[..] } else { &[] };
        for &pair in FOUR.iter().chain(three) {
            let fits: [(u32, [u8; 2]); 3] = [0, 1, 2].map(|c| fit(&self.rule.channels[c], pair, sides(c)));
            let error = fits.iter().zip(self.weights).map(|(fit, weight)| fit.0 * weight).sum();
            if best.as_ref().is_none_or(|best| error < best.0) {
                best = Some((error, pair, fits.map(|fit| fit.1)));
            }
        }
        let (_, pair, codes) = best?;
        Some(self.assemble(pair, codes, colors.map(|color| color == other)))
    }

    fn assemble(&self, pair: [Entry; 2], codes: [[u8; 2]; 3], is_other: [bool; 16]) -> [u8; 8] {
        let [a, b] = [0, 1].map(|end| pack_565(codes.map(|codes| codes[end])));
        let three = pair.contains(&Half);
        let swap = if three { a > b } else { a < b };
        let (c0, c1) = if swap { (b, a) } else { (a, b) };
        let index = |entry: Entry| match entry.index() {
            // Equal endpoints select three colours, where only index 3 differs.
            _ if c0 == c1 => 0,
            index if !swap => index,
            // Exchanging the endpoints exchanges 0 with 1 and the thirds, but leaves the half.
            index if index < 2 || !three => index ^ 1,
            index => index,
        };
        let [first, other] = pair.map(index);
        let indices =
            is_other.iter().rev().fold(0, |bits, &is_other| bits << 2 | if is_other { other } else { first });
        (u64::from(c0) | u64::from(c1) << 16 | u64::from(indices) << 32).to_le_bytes()
    }
}

/// The lowest error of one channel for a pair of entries, and its codes.
fn fit(rule: &ChannelRule, pair: [Entry; 2], sides: [Side; 2]) -> (u32, [u8; 2]) {
    let top = (1i32 << rule.bits) - 1;
    let error = |a: u8, b: u8| {
        let part =
            |i: usize| sides[i].count * u32::from(pair[i].value(rule, a, b).abs_diff(sides[i].value)).pow(2);
        part(0) + part(1)
    };
    let mut best = (u32::MAX, [0; 2]);
    // With shares in sixths, Σ n·(value − ((6 − share)·a + share·b)/6)² is lowest in b at
    // Σ n·share·(6·value − (6 − share)·a) / Σ n·share².
    let counts = sides.map(|side| side.count as i32);
    let shares = pair.map(Entry::share);
    let squares = counts[0] * shares[0] * shares[0] + counts[1] * shares[1] * shares[1];
    for a in 0..=top {
        // In 255ths of codes.
        let product = |i: usize| {
            let value = i32::from(sides[i].value) * top;
            counts[i] * shares[i] * (6 * value - (6 - shares[i]) * a * 255)
        };
        let middle =
            if squares == 0 { a } else { ((product(0) + product(1)).max(0) / (squares * 255)).min(top) };
        for b in (middle - SLACK).max(0)..=(middle + 1 + SLACK).min(top) {
            let error = error(a as u8, b as u8);
            if error < best.0 {
                best = (error, [a as u8, b as u8]);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decoder;
    use proptest::prelude::*;

    /// The same as [`fit`] over every pair of codes.
    fn exhaustive(rule: &ChannelRule, pair: [Entry; 2], sides: [Side; 2]) -> u32 {
        let codes = 0..1u8 << rule.bits;
        codes
            .clone()
            .flat_map(|a| codes.clone().map(move |b| (a, b)))
            .map(|(a, b)| {
                (0..2)
                    .map(|i| {
                        let value = pair[i].value(rule, a, b);
                        sides[i].count * u32::from(value.abs_diff(sides[i].value)).pow(2)
                    })
                    .sum()
            })
            .min()
            .unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn is_as_good_as_exhaustive_search(
            values in any::<[u8; 2]>(), count in 1u32..16, decoder in 0usize..5, bits in 5u8..7,
        ) {
            let rule = PaletteRule::new(Decoder::ALL[decoder]);
            let rule = rule.channels.iter().find(|rule| rule.bits == bits).unwrap();
            let sides = [Side { value: values[0], count }, Side { value: values[1], count: 16 - count }];
            for pair in FOUR.into_iter().chain(THREE) {
                let (error, [a, b]) = fit(rule, pair, sides);
                prop_assert_eq!(error, exhaustive(rule, pair, sides), "{} {}", a, b);
            }
        }
    }
}
