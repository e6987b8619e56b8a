//! Blocks of two colours: the best possible encoding, without an exhaustive search.
//!
//! Each colour takes one palette entry. A block is thus a pair of entries and, for each channel separately, a
//! pair of codes (`two_values.rs`). Each try has to be better than the best so far, which leaves few.

use super::{
    palette::pack_565,
    two_values::{self, Entry, HalfOrder, Side, Values},
};
use crate::{ChannelWeights, RoundingRule, bc::batch::RGB};
#[cfg(feature = "gpu")]
use brickwork_gpu::Constant;
use std::cmp::Ordering;

/// Number of blocks in which a workgroup of the kernel looks for those of two colours.
#[cfg(feature = "gpu")]
pub(crate) const BLOCKS: u32 = 16;

/// Windows of codes that the kernel tries. There is a number of outer codes, of which the first is at most a
/// given distance below the best code without rounding. Inner codes have such a window for each outer one.
/// The tests show that one less is not enough.
#[cfg(feature = "gpu")]
mod window {
    pub const OUTER_COUNT: u32 = 9;
    pub const OUTER_BEFORE: f32 = 4.5;
    pub const INNER_COUNT: u32 = 3;
    pub const INNER_BEFORE: f32 = 1.3;
    /// Window for two colours that take one entry: outer codes from the lowest that has an inner one.
    pub const EQUAL_COUNT: u32 = 17;
    pub const EQUAL_BEFORE: f32 = 1.0;
    /// Number of codes for NVIDIA's green half.
    pub const EQUAL_COUNT_FALLING: u32 = 35;
}

use Entry::{First, Half, NearFirst, NearSecond, Second};

/// Pairs of entries of four colours. The missing ones are these with the endpoints exchanged. With equal
/// endpoints all entries are equal, so the pair of a third with itself also represents that of an endpoint.
pub(super) const FOUR: [[Entry; 2]; 7] = [
    [First, Second],
    [First, NearFirst],
    [First, NearSecond],
    [NearFirst, First],
    [NearFirst, Second],
    [NearFirst, NearSecond],
    [NearFirst, NearFirst],
];

/// Pairs of entries of three colours; those without the half are in `FOUR`.
pub(super) const THREE: [[Entry; 2]; 3] = [[First, Half], [Half, First], [Half, Half]];

/// Order in which pairs are tried. The first one takes the least time and is the best for a quarter of all
/// blocks. The next ones are the best for most other blocks, so that little is left to do for the rest.
const TRIED: [usize; FOUR.len() + THREE.len()] = [0, 5, 4, 3, 1, 2, 8, 7, 6, 9];

/// Returns the pairs for the kernel, four bits each, and its windows of codes.
#[cfg(feature = "gpu")]
pub(crate) fn kernel_constants() -> [(&'static str, Constant); 18] {
    let int = |number: usize| Constant::U32(number as u32);
    let bits = |pairs: &[[Entry; 2]], side: usize| {
        Constant::U32(pairs.iter().rev().fold(0, |bits, pair| bits << 4 | pair[side] as u32))
    };
    [
        ("BLOCKS", BLOCKS.into()),
        ("FIRST", int(First as usize)),
        ("SECOND", int(Second as usize)),
        ("NEAR_SECOND", int(NearSecond as usize)),
        ("HALF", int(Half as usize)),
        ("PAIR_COUNT_FOUR", int(FOUR.len())),
        ("PAIR_COUNT_THREE", int(THREE.len())),
        ("PAIRS_FOUR_FIRST", bits(&FOUR, 0)),
        ("PAIRS_FOUR_OTHER", bits(&FOUR, 1)),
        ("PAIRS_THREE_FIRST", bits(&THREE, 0)),
        ("PAIRS_THREE_OTHER", bits(&THREE, 1)),
        ("OUTER_COUNT", window::OUTER_COUNT.into()),
        ("OUTER_BEFORE", window::OUTER_BEFORE.into()),
        ("INNER_COUNT", window::INNER_COUNT.into()),
        ("INNER_BEFORE", window::INNER_BEFORE.into()),
        ("EQUAL_COUNT", window::EQUAL_COUNT.into()),
        ("EQUAL_BEFORE", window::EQUAL_BEFORE.into()),
        ("EQUAL_COUNT_FALLING", window::EQUAL_COUNT_FALLING.into()),
    ]
}

/// Data that [`TwoColors::block`] needs, computed once per image.
pub(crate) struct TwoColors {
    /// Values of red and blue, and of green.
    values: &'static [Values; 2],
    weights: [u32; 3],
    three_color: bool,
}

impl TwoColors {
    pub fn new(rounding: RoundingRule, weights: ChannelWeights, three_color: bool) -> Self {
        Self { values: Values::of(rounding), weights: weights.rgb().map(u32::from), three_color }
    }

    /// Returns the best opaque block for 16 texels of two colours, red in the lowest byte; `None` if there
    /// are more colours. Only texels in the bit mask `counting` have an error. Every colour has a texel that
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
        // In a tie, the pair with the lower rank wins.
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

    /// Returns the best codes for the pair of entries of this rank, unless their error is above `limit`. The
    /// rank is a constant, so that each pair has its own code.
    #[inline(always)]
    fn candidate<const RANK: usize>(&self, two: &Two, limit: u32) -> Option<Candidate> {
        let rank = RANK;
        let pair = const { if RANK < FOUR.len() { FOUR[RANK] } else { THREE[RANK - FOUR.len()] } };
        let Two { sides, ends } = two;
        let mut candidate = Candidate { error: 0, rank, pair, codes: [[0; 2]; 3] };
        // Lower bound of each channel's error.
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
        // Red and blue have fewer codes and thus larger errors, so they are searched first.
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

/// Returns the texels that have a colour, as a bit mask.
#[inline(always)]
fn texels_of(texels: &[u32; 16], color: u32) -> u16 {
    let mut found = 0;
    for (t, texel) in texels.iter().enumerate() {
        found |= u32::from(texel & RGB == color) << t;
    }
    found as u16
}

/// Properties of a block's two colours.
struct Two {
    sides: [[Side; 2]; 3],
    /// Errors of both colours' channels at the nearest endpoints.
    ends: [[u32; 3]; 2],
}

/// Returns the final order of the endpoints of channel `c`, as far as the codes of red determine it.
fn half_order(c: usize, [a, b]: [u8; 2]) -> HalfOrder {
    match a.cmp(&b) {
        _ if c != 1 => HalfOrder::Kept,
        Ordering::Less => HalfOrder::Kept,
        Ordering::Greater => HalfOrder::Exchanged,
        Ordering::Equal => HalfOrder::Ascending,
    }
}

/// Encoding of a block of two colours.
struct Candidate {
    error: u32,
    /// Rank of the pair among those of four colours and then of three.
    rank: usize,
    pair: [Entry; 2],
    codes: [[u8; 2]; 3],
}

impl Candidate {
    /// Returns the block. Texels in the bit mask `is_other` have the second colour.
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
        super::palette::{ChannelRule, PaletteRule},
        window::*,
        *,
    };
    use crate::bc::block::CENTER;
    use proptest::prelude::*;

    /// Distance in codes by which the test moves a window: far more than GPUs' rounding may differ.
    const NUDGE: f32 = 0.01;

    /// Model of the codes that two_colors.wgsl tries for one channel and a pair of entries.
    struct Kernel {
        top: f32,
        is_same: bool,
        equal_count: u32,
        /// Slopes and start of each entry.
        lines: [[f32; 3]; 2],
    }

    impl Kernel {
        fn new(rule: &ChannelRule, pair: [Entry; 2]) -> Self {
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
            let is_falling = pair[0] == Half && rule.half.falling_bias != 0;
            Self {
                top: rule.top().into(),
                is_same: pair[0] == pair[1],
                equal_count: if is_falling { EQUAL_COUNT_FALLING } else { EQUAL_COUNT },
                lines: pair.map(line),
            }
        }

        /// Returns true if `codes` are tried when a GPU's rounding moves the windows of outer and inner codes
        /// by `nudge`.
        fn tries(&self, codes: [u8; 2], sides: [Side; 2], nudge: [f32; 2]) -> bool {
            let top = self.top;
            let counts = sides.map(|side| side.count as f32);
            let [a, b, starts] = [0, 1, 2].map(|i| self.lines.map(|line| line[i]));
            let wanted = [0, 1].map(|i| f32::from(sides[i].value) - starts[i]);
            let dot = |x: [f32; 2], y: [f32; 2]| counts[0] * x[0] * y[0] + counts[1] * x[1] * y[1];
            let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
            let (a_wanted, b_wanted) = (dot(a, wanted), dot(b, wanted));
            let both_met = (a[0] * wanted[1] - a[1] * wanted[0]) / (a[0] * b[1] - a[1] * b[0]);
            let at_b = if self.is_same { top } else { both_met.clamp(0.0, top) };
            let at_a = (a_wanted - ab * at_b) / aa + nudge[0];
            let end = at_a.clamp(0.0, top);
            let [code_a, code_b] = codes.map(f32::from);
            let (outer, inner, middle, inner_middle) = if !self.is_same && end != at_a {
                let middle = (b_wanted - ab * end) / bb + nudge[0];
                (code_b, code_a, middle, (a_wanted - ab * code_b) / aa)
            } else {
                (code_a, code_b, at_a, (b_wanted - ab * code_a) / bb)
            };
            let (count, before) =
                if self.is_same { (self.equal_count, EQUAL_BEFORE) } else { (OUTER_COUNT, OUTER_BEFORE) };
            let is_in = |code: f32, first: f32, count: u32| {
                let first = first.ceil().clamp(0.0, top + 1.0 - count as f32);
                (first..first + count as f32).contains(&code)
            };
            is_in(outer, middle - before, count)
                && is_in(inner, inner_middle - INNER_BEFORE + nudge[1], INNER_COUNT)
        }
    }

    /// Checks that the kernel tries the codes that [`Values::fit`] finds.
    fn check(known: &Values, kernel: &Kernel, pair: [Entry; 2], half: HalfOrder, sides: [Side; 2]) {
        let best = known.fit(pair, sides, half, u32::MAX).unwrap();
        for nudge in [[-NUDGE, -NUDGE], [-NUDGE, NUDGE], [NUDGE, -NUDGE], [NUDGE, NUDGE]] {
            assert!(kernel.tries(best.codes, sides, nudge), "{pair:?} {half:?} {sides:?} {best:?} {nudge:?}");
        }
    }

    fn orders(rule: &ChannelRule, pair: [Entry; 2]) -> &'static [HalfOrder] {
        match pair.contains(&Half) && rule.half.falling_bias != 0 {
            true => &[HalfOrder::Kept, HalfOrder::Exchanged, HalfOrder::Ascending],
            false => &[HalfOrder::Kept],
        }
    }

    /// Returns every division of the texels that count: 16, 12 or 9 of them, or fewer in the same ratio.
    fn counts() -> impl Iterator<Item = [u32; 2]> {
        let of = |total: u32| (1..total).map(move |first| [first, total - first]);
        let twelfths = of(12).filter(|[first, _]| first % 3 != 0);
        of(16).chain(twelfths).chain(of(9).filter(|[first, _]| first % 3 != 0))
    }

    fn check_every_pair(rounding: RoundingRule, green: usize, sides: [Side; 2]) {
        let known = &Values::of(rounding)[green];
        let rule = &PaletteRule::new(rounding).channels[green];
        for pair in FOUR.into_iter().chain(THREE) {
            for &half in orders(rule, pair) {
                check(known, &Kernel::new(rule, pair), pair, half, sides);
            }
        }
    }

    #[test]
    fn windows_are_wide_enough_for_the_hardest_blocks() {
        let green = [
            // Each is missed if the outer codes begin one higher or end one lower,
            (RoundingRule::Exact, [(3, 2), (255, 14)]),
            (RoundingRule::Exact, [(5, 2), (255, 14)]),
            // and where both colours take one entry, if they end one lower.
            (RoundingRule::Trunc, [(23, 1), (206, 15)]),
            (RoundingRule::Nvidia, [(11, 1), (162, 15)]),
            // The inner codes begin half a code higher.
            (RoundingRule::Nvidia, [(195, 1), (101, 15)]),
            // (2·c0 + c1)/3 has these slopes, not 0.6865·c0 + 0.3135·c1.
            (RoundingRule::Nvidia, [(7, 14), (250, 2)]),
            (RoundingRule::Nvidia, [(55, 15), (253, 1)]),
            (RoundingRule::Nvidia, [(207, 15), (0, 1)]),
        ];
        for (rounding, sides) in green {
            check_every_pair(rounding, 1, sides.map(|(value, count)| Side { value, count }));
        }
    }

    proptest! {
        #[test]
        fn the_kernel_finds_the_best_codes(
            values in any::<[u8; 2]>(), division in 0usize..29, rounding in 0..RoundingRule::ALL.len(),
            green in 0usize..2,
        ) {
            let counts = counts().nth(division).unwrap();
            let sides = [0, 1].map(|side| Side { value: values[side], count: counts[side] });
            check_every_pair(RoundingRule::ALL[rounding], green, sides);
        }
    }

    /// Takes minutes in a release build. The weights of channels do not matter: they choose only among pairs
    /// of entries.
    #[test]
    #[ignore = "every value, division and rounding; run after a change of the window"]
    fn the_kernel_finds_the_best_codes_of_every_block() {
        for &rounding in RoundingRule::ALL {
            for (known, rule) in Values::of(rounding).iter().zip(&PaletteRule::new(rounding).channels) {
                for pair in FOUR.into_iter().chain(THREE) {
                    for &half in orders(rule, pair) {
                        let kernel = &Kernel::new(rule, pair);
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
