//! Blocks of two colours: the best possible encoding, without trying everything.
//!
//! Each colour takes one palette entry, so a block is a pair of entries and, for each channel on its own, a
//! pair of codes (`two_values.rs`). What is tried has to be better than the best so far, which leaves little
//! to do.

use super::{
    palette::pack_565,
    two_values::{self, Entry, HalfOrder, Side, Values},
};
use crate::{ChannelWeights, Decoder, bc::batch::RGB};
use std::cmp::Ordering;

/// Codes that the kernel tries to each side of a parabola's lowest point; above it one more. The tests know
/// that 1 is enough with one more above and none below, which leaves a code for what GPUs round.
#[cfg(feature = "gpu")]
pub(crate) const SLACK: i32 = 2;

use Entry::{First, Half, NearFirst, NearSecond, Second};

/// Pairs of entries of four colours. The missing ones are these with the endpoints exchanged; of equal
/// endpoints all entries are alike, so the pair of a third with itself stands for that of an endpoint, too.
pub(super) const FOUR: [[Entry; 2]; 7] = [
    [First, Second],
    [First, NearFirst],
    [First, NearSecond],
    [NearFirst, First],
    [NearFirst, Second],
    [NearFirst, NearSecond],
    [NearFirst, NearFirst],
];

/// Likewise of three; those without the half are among the above.
pub(super) const THREE: [[Entry; 2]; 3] = [[First, Half], [Half, First], [Half, Half]];

/// The order in which pairs are tried: first the one that takes least time and is the best of a quarter of
/// all blocks, then those that are the best of most others, so that little is left to do for the rest.
const TRIED: [usize; FOUR.len() + THREE.len()] = [0, 5, 4, 3, 1, 2, 8, 7, 6, 9];

/// Pairs for the kernel, four bits each.
#[cfg(feature = "gpu")]
pub(crate) fn kernel_constants() -> [(&'static str, usize); 11] {
    let first = |pairs: &[[Entry; 2]]| pairs.iter().rev().fold(0, |bits, pair| bits << 4 | pair[0] as usize);
    let other = |pairs: &[[Entry; 2]]| pairs.iter().rev().fold(0, |bits, pair| bits << 4 | pair[1] as usize);
    [
        ("FIRST", First as usize),
        ("SECOND", Second as usize),
        ("NEAR_FIRST", NearFirst as usize),
        ("NEAR_SECOND", NearSecond as usize),
        ("HALF", Half as usize),
        ("PAIR_COUNT_FOUR", FOUR.len()),
        ("PAIR_COUNT_THREE", THREE.len()),
        ("PAIRS_FOUR_FIRST", first(&FOUR)),
        ("PAIRS_FOUR_OTHER", other(&FOUR)),
        ("PAIRS_THREE_FIRST", first(&THREE)),
        ("PAIRS_THREE_OTHER", other(&THREE)),
    ]
}

/// What [`TwoColors::block`] needs to know once per image.
pub(crate) struct TwoColors {
    /// Those of red and blue, and of green.
    values: &'static [Values; 2],
    weights: [u32; 3],
    three_color: bool,
}

impl TwoColors {
    pub fn new(decoder: Decoder, weights: ChannelWeights, three_color: bool) -> Self {
        Self { values: Values::of(decoder), weights: weights.rgb().map(u32::from), three_color }
    }

    /// The best opaque block for 16 texels (red in the lowest byte) of two colours, of which only those in
    /// the bit mask `counting` have an error; `None` if there are more colours. Every colour has a texel that
    /// counts.
    pub fn block(&self, texels: &[u32; 16], counting: u16) -> Option<[u8; 8]> {
        let first = texels[0] & RGB;
        let is_other = !texels_of(texels, first);
        if is_other == 0 {
            return None;
        }
        let other = texels[is_other.trailing_zeros() as usize % 16] & RGB;
        if texels_of(texels, other) != is_other {
            return None;
        }
        let counts = [counting & !is_other, counting & is_other].map(u16::count_ones);
        let sides: [[Side; 2]; 3] = std::array::from_fn(|c| {
            let side = |color: u32, count| Side { value: color.to_le_bytes()[c], count };
            [side(first, counts[0]), side(other, counts[1])]
        });
        let mut ends = [[0; 3]; 2];
        for (side, ends) in ends.iter_mut().enumerate() {
            *ends = [0, 1, 2].map(|c| self.values[c % 2].nearest_end(sides[c][side]) * self.weights[c]);
        }
        let two = Two { sides, ends };
        let mut best: Option<Candidate> = None;
        macro_rules! try_ranks {
            ($($place:literal)*) => {$(self.try_pair::<{ TRIED[$place] }>(&two, &mut best);)*};
        }
        try_ranks!(0 1 2 3 4 5 6 7 8 9);
        Some(best?.block(is_other))
    }

    /// Takes the best codes for the pair of entries of this rank, if they are better than the best so far.
    #[inline(always)]
    fn try_pair<const RANK: usize>(&self, two: &Two, best: &mut Option<Candidate>) {
        if RANK >= FOUR.len() && !self.three_color {
            return;
        }
        // Of equals, the pair that stands first.
        let limit = match best {
            None => u32::MAX,
            Some(best) if RANK < best.rank => best.error,
            Some(Candidate { error: 0, .. }) => return,
            Some(best) => best.error - 1,
        };
        if let Some(candidate) = self.candidate::<RANK>(two, limit) {
            *best = Some(candidate);
        }
    }

    /// The best codes for the pair of entries of this rank, unless their error is above `limit`. A constant,
    /// so that each pair has code of its own.
    #[inline(always)]
    fn candidate<const RANK: usize>(&self, two: &Two, limit: u32) -> Option<Candidate> {
        let rank = RANK;
        let pair = const { if RANK < FOUR.len() { FOUR[RANK] } else { THREE[RANK - FOUR.len()] } };
        let Two { sides, ends } = two;
        let mut candidate = Candidate { error: 0, rank, pair, codes: [[0; 2]; 3] };
        // What no channel's error is below.
        let least = if pair[0] == pair[1] {
            [0, 1, 2].map(|c| two_values::spread(sides[c]) * self.weights[c])
        } else {
            let of = |side: usize| if pair[side].is_end() { ends[side] } else { [0; 3] };
            let (first, other) = (of(0), of(1));
            [0, 1, 2].map(|c| first[c] + other[c])
        };
        let mut rest = least[0] + least[1] + least[2];
        if rest > limit {
            return None;
        }
        // Red and blue have fewer codes, so larger errors, and are searched sooner.
        for c in [0, 2, 1] {
            rest -= least[c];
            let left = match (limit - candidate.error - rest, self.weights[c]) {
                (left, 1) => left,
                (left, weight) => left.checked_div(weight).unwrap_or(u32::MAX),
            };
            let values = &self.values[c % 2];
            let fit = values.fit(pair, sides[c], half_order(c, candidate.codes[0]), left)?;
            candidate.error += fit.error * self.weights[c];
            candidate.codes[c] = fit.codes;
        }
        Some(candidate)
    }
}

/// Which texels have a colour.
#[inline(always)]
fn texels_of(texels: &[u32; 16], color: u32) -> u16 {
    let mut found = 0;
    for (t, texel) in texels.iter().enumerate() {
        found |= u32::from(texel & RGB == color) << t;
    }
    found as u16
}

/// What is known of a block's two colours.
struct Two {
    sides: [[Side; 2]; 3],
    /// The errors of both colours' channels at the nearest endpoints.
    ends: [[u32; 3]; 2],
}

/// The order in which the endpoints of channel `c` will stand, as far as the codes of red tell.
fn half_order(c: usize, [a, b]: [u8; 2]) -> HalfOrder {
    match a.cmp(&b) {
        _ if c != 1 => HalfOrder::Kept,
        Ordering::Less => HalfOrder::Kept,
        Ordering::Greater => HalfOrder::Exchanged,
        Ordering::Equal => HalfOrder::Ascending,
    }
}

/// An encoding of a block of two colours.
struct Candidate {
    error: u32,
    /// The place of the pair among those of four and then of three colours.
    rank: usize,
    pair: [Entry; 2],
    codes: [[u8; 2]; 3],
}

impl Candidate {
    /// The block, in which the texels of the bit mask `is_other` have the second colour.
    fn block(&self, is_other: u16) -> [u8; 8] {
        let [a, b] = [0, 1].map(|end| pack_565(self.codes.map(|codes| codes[end])));
        let three = self.pair.contains(&Half);
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
        let [first, other] = self.pair.map(index);
        let mut spread = u32::from(is_other);
        for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
            spread = (spread | spread << shift) & mask;
        }
        let indices = (first * 0x5555_5555) ^ ((first ^ other) * spread);
        (u64::from(c0) | u64::from(c1) << 16 | u64::from(indices) << 32).to_le_bytes()
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::{
        super::{
            palette::{ChannelRule, PaletteRule},
            two_values::{Fit, value},
        },
        *,
    };
    use crate::bc::block::CENTER;
    use proptest::prelude::*;

    /// What two_colors.wgsl does for one channel and a pair of entries.
    struct Kernel {
        top: i32,
        /// Of each entry: its slopes, where it starts, and its values by code a and code b.
        lines: [[f32; 3]; 2],
        values: Box<[[[u8; 64]; 64]; 2]>,
    }

    impl Kernel {
        fn new(rule: &ChannelRule, pair: [Entry; 2], half: HalfOrder) -> Self {
            let line = |entry: Entry| {
                let interpolant = match entry {
                    First | Second => &rule.endpoint,
                    NearFirst | NearSecond => &rule.third,
                    Half => &rule.half,
                };
                let scale = interpolant.lane_scale();
                let [k0, k1] =
                    [interpolant.k0, interpolant.k1].map(|k| f32::from(k) * scale * rule.widening());
                let start = (interpolant.lane_bias() + CENTER * f32::from(interpolant.divisor)) * scale - 0.5;
                if matches!(entry, Second | NearSecond) { [k1, k0, start] } else { [k0, k1, start] }
            };
            let values = |entry: Entry| -> [[u8; 64]; 64] {
                std::array::from_fn(|a| {
                    std::array::from_fn(|b| {
                        let [a, b] = [a, b].map(|code| (code as u8).min(rule.top()));
                        value(entry, rule, half, [a, b])
                    })
                })
            };
            Self { top: rule.top().into(), lines: pair.map(line), values: Box::new(pair.map(values)) }
        }

        /// The best codes, if the kernel tried those from `below` under to `above` over a parabola's lowest
        /// point.
        fn fit(&self, sides: [Side; 2], below: i32, above: i32) -> Fit {
            let [n0, n1] = sides.map(|side| side.count as f32);
            let [v0, v1] = sides.map(|side| f32::from(side.value));
            let [[a0, b0, start0], [a1, b1, start1]] = self.lines;
            let (pull0, pull1) = (n0 * b0, n1 * b1);
            let scale = 1.0 / (pull0 * b0 + pull1 * b1);
            let start = scale * (pull0 * (v0 - start0) + pull1 * (v1 - start1));
            let slope = scale * (pull0 * a0 + pull1 * a1);
            let mut best = u32::MAX;
            for a in 0..=self.top {
                let middle = ((start - slope * a as f32).floor() as i32).clamp(0, self.top);
                let codes = match [0, 31, 63].contains(&a) {
                    true => 0..=self.top,
                    false => (middle - below).max(0)..=(middle + above).min(self.top),
                };
                for b in codes {
                    let error = |side: usize| sides[side].error(self.values[side][a as usize][b as usize]);
                    best = best.min((error(0) + error(1)) << 12 | (a as u32) << 6 | b as u32);
                }
            }
            Fit { error: best >> 12, codes: [(best >> 6 & 63) as u8, (best & 63) as u8] }
        }
    }

    /// Whether the kernel finds what [`Values::fit`] finds, with a code to spare at both ends of its window:
    /// a GPU may round the window's place differently.
    fn check(known: &Values, kernel: &Kernel, pair: [Entry; 2], half: HalfOrder, sides: [Side; 2]) {
        let best = known.fit(pair, sides, half, u32::MAX).unwrap();
        assert_eq!(kernel.fit(sides, SLACK - 1, SLACK), best, "{pair:?} {half:?} {sides:?}");
    }

    fn orders(rule: &ChannelRule, pair: [Entry; 2]) -> &'static [HalfOrder] {
        match pair.contains(&Half) && rule.half.falling_bias != 0 {
            true => &[HalfOrder::Kept, HalfOrder::Exchanged, HalfOrder::Ascending],
            false => &[HalfOrder::Kept],
        }
    }

    /// Every division of the texels that count: 16, 12 or 9 of them, or fewer in the same ratio.
    fn counts() -> impl Iterator<Item = [u32; 2]> {
        let of = |total: u32| (1..total).map(move |first| [first, total - first]);
        let twelfths = of(12).filter(|[first, _]| first % 3 != 0);
        of(16).chain(twelfths).chain(of(9).filter(|[first, _]| first % 3 != 0))
    }

    fn check_every_pair(decoder: Decoder, green: usize, sides: [Side; 2]) {
        let known = &Values::of(decoder)[green];
        let rule = &PaletteRule::new(decoder).channels[green];
        for pair in FOUR.into_iter().chain(THREE) {
            for &half in orders(rule, pair) {
                check(known, &Kernel::new(rule, pair, half), pair, half, sides);
            }
        }
    }

    #[test]
    fn the_kernel_follows_nvidia_s_green() {
        // Where (2·c0 + c1)/3 was taken for what it says, not for 0.6865·c0 + 0.3135·c1.
        for [[v0, n0], [v1, n1]] in [[[7, 14], [250, 2]], [[55, 15], [253, 1]], [[207, 15], [0, 1]]] {
            let sides = [(v0, n0), (v1, n1)].map(|(value, count)| Side { value, count: count.into() });
            check_every_pair(Decoder::Nvidia, 1, sides);
        }
    }

    proptest! {
        #[test]
        fn the_kernel_finds_the_best_codes(
            values in any::<[u8; 2]>(), division in 0usize..29, decoder in 0usize..5, green in 0usize..2,
        ) {
            let counts = counts().nth(division).unwrap();
            let sides = [0, 1].map(|side| Side { value: values[side], count: counts[side] });
            check_every_pair(Decoder::ALL[decoder], green, sides);
        }
    }

    /// Minutes in a release build. The weights of channels do not matter: they choose among pairs of entries
    /// only.
    #[test]
    #[ignore = "every value, division and decoder; run after a change of the window"]
    fn the_kernel_finds_the_best_codes_of_every_block() {
        for &decoder in Decoder::ALL {
            for (known, rule) in Values::of(decoder).iter().zip(&PaletteRule::new(decoder).channels) {
                for pair in FOUR.into_iter().chain(THREE) {
                    for &half in orders(rule, pair) {
                        let kernel = &Kernel::new(rule, pair, half);
                        let check_from = move |first: u8| {
                            for [n0, n1] in counts() {
                                for (v0, v1) in
                                    (first..=255).step_by(2).flat_map(|v| (0..=255).map(move |w| (v, w)))
                                {
                                    let sides =
                                        [Side { value: v0, count: n0 }, Side { value: v1, count: n1 }];
                                    check(known, kernel, pair, half, sides);
                                }
                            }
                        };
                        std::thread::scope(|scope| {
                            scope.spawn(move || check_from(0));
                            check_from(1);
                        });
                    }
                }
            }
        }
    }
}
