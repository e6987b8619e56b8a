//! Blocks of two colours: the best possible encoding, without trying everything.
//!
//! Each colour takes one palette entry, so a block is a pair of entries and, for each channel on its own, a
//! pair of codes (`two_values.rs`). What is tried has to be better than the best so far, which leaves little
//! to do.

use super::{
    palette::pack_565,
    two_values::{Entry, HalfOrder, Side, Values},
};
use crate::{ChannelWeights, Decoder, bc::batch::RGB};
use std::cmp::Ordering;

/// Codes that the kernel tries to each side of the parabola's lowest point: 2 proved too few, 3 enough in
/// 20,000 random cases of every kind.
#[cfg(feature = "gpu")]
pub(crate) const SLACK: i32 = 4;

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
        let (mut other, mut is_other) = (first, 0u16);
        for (t, &texel) in texels.iter().enumerate() {
            let color = texel & RGB;
            if color != first {
                if other != first && color != other {
                    return None;
                }
                other = color;
                is_other |= 1 << t;
            }
        }
        if other == first {
            return None;
        }
        let counts = [counting & !is_other, counting & is_other].map(u16::count_ones);
        let sides: [[Side; 2]; 3] = std::array::from_fn(|c| {
            let side = |color: u32, count| Side { value: color.to_le_bytes()[c], count };
            [side(first, counts[0]), side(other, counts[1])]
        });
        let mut best: Option<Candidate> = None;
        let three = if self.three_color { &THREE[..] } else { &[] };
        for &pair in FOUR.iter().chain(three) {
            let limit = match &best {
                None => u32::MAX,
                Some(Candidate { error: 0, .. }) => break,
                Some(best) => best.error - 1,
            };
            best = self.candidate(pair, &sides, limit).or(best);
        }
        Some(best?.block(is_other))
    }

    /// The best codes for a pair of entries, unless their error is above `limit`.
    fn candidate(&self, pair: [Entry; 2], sides: &[[Side; 2]; 3], limit: u32) -> Option<Candidate> {
        let mut candidate = Candidate { error: 0, pair, codes: [[0; 2]; 3] };
        for c in 0..3 {
            let left = (limit - candidate.error).checked_div(self.weights[c]).unwrap_or(u32::MAX);
            let values = &self.values[c % 2];
            let fit = values.fit(pair, sides[c], half_order(c, candidate.codes[0]), left)?;
            candidate.error += fit.error * self.weights[c];
            candidate.codes[c] = fit.codes;
        }
        Some(candidate)
    }
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
        let index_of = |t: u32| if is_other >> t & 1 == 1 { other } else { first };
        let indices = (0..16).rev().fold(0, |bits, t| bits << 2 | index_of(t));
        (u64::from(c0) | u64::from(c1) << 16 | u64::from(indices) << 32).to_le_bytes()
    }
}
