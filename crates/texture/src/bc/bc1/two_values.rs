//! One channel of a block of two colours: the endpoint codes with the smallest error for a pair of palette
//! entries.
//!
//! The code of one endpoint, the *outer* one, is tried outwards from the code with its lowest error. The
//! search stops when a bound shows that all codes further out are worse. A table contains the best *inner*
//! code for each outer one. The tests compare with an exhaustive search.

use super::palette::{ChannelRule, Interpolant, PaletteRule};
use crate::{BlockFormat, RoundingRule};
use std::sync::OnceLock;

/// Palette entry of an opaque block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    First,
    Second,
    /// (2·c0 + c1)/3
    NearFirst,
    /// (c0 + 2·c1)/3
    NearSecond,
    Half,
}

use Entry::{First, Half, NearFirst, NearSecond, Second};

impl Entry {
    #[inline(always)]
    pub fn is_end(self) -> bool {
        matches!(self, First | Second)
    }

    pub fn index(self) -> u32 {
        match self {
            First => 0,
            Second => 1,
            NearFirst | Half => 2,
            NearSecond => 3,
        }
    }
}

/// Order in which a block of three colours stores the endpoints of a channel. It matters for NVIDIA's green,
/// whose half is not symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HalfOrder {
    Kept,
    Exchanged,
    /// The lower code first: no channel before this one decides.
    Ascending,
}

/// One of a block's two colours in one channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub value: u8,
    /// Number of texels with this colour, at least 1.
    pub count: u32,
}

impl Side {
    #[inline(always)]
    pub fn error(self, value: u8) -> u32 {
        self.count * u32::from(value.abs_diff(self.value)).pow(2)
    }
}

/// Squared error of a channel, at most 16·255², and its codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    pub error: u32,
    pub codes: [u8; 2],
}

/// Maximum distance of an interpolant from its [`line`]: both it and its operands are rounded.
const ROUNDING: f32 = 1.5;

/// Inner code whose interpolant is nearest to a value, for each outer code and value, and its distance from
/// the value. In a tie, it is the lowest code.
type Inverse = Box<[[[u8; 2]; 256]; 64]>;

fn inverse(rule: &ChannelRule, interpolant: impl Fn(u8, u8) -> u8) -> Inverse {
    let mut table = Box::new([[[0; 2]; 256]; 64]);
    for (outer, nearest) in (0..=rule.top()).zip(table.iter_mut()) {
        // Interpolants never fall as the inner code rises.
        let of = |inner: usize| interpolant(outer, inner as u8);
        let top = usize::from(rule.top());
        let mut code = 0;
        for (value, nearest) in (0..=255u8).zip(nearest) {
            while let Some(higher) = (code + 1..=top).find(|&inner| of(inner) > of(code))
                && of(higher).abs_diff(value) < of(code).abs_diff(value)
            {
                code = higher;
            }
            *nearest = [code as u8, of(code).abs_diff(value)];
        }
    }
    table
}

/// Returns an interpolant without rounding, as a linear function of the codes: slopes and offset.
fn line(rule: &ChannelRule, interpolant: &Interpolant) -> [f32; 3] {
    let scale = 1.0 / f32::from(interpolant.divisor);
    let unit = if rule.widened { 255.0 / f32::from(rule.top()) * scale } else { scale };
    let [k0, k1] = [interpolant.k0, interpolant.k1].map(|k| f32::from(k) * unit);
    // Rounding down subtracts a half on average.
    [k0, k1, f32::from(interpolant.bias) * scale - 0.5]
}

/// Tables of a channel for searches.
pub(super) struct Values {
    rule: ChannelRule,
    /// Value of each code.
    ends: [u8; 64],
    /// Code whose value is nearest to each value; the lowest in a tie.
    nearest: [u8; 256],
    /// (2·outer + inner)/3 and (outer + 2·inner)/3.
    near: Inverse,
    far: Inverse,
    /// One for each [`HalfOrder`]; a single one if the half is symmetric.
    halves: Vec<Inverse>,
    /// (2·c0 + c1)/3 by the codes.
    thirds: Box<[[u8; 64]; 64]>,
    line: [f32; 3],
}

/// Returns a lower bound of the error if both colours take the same value.
pub(super) fn spread(sides: [Side; 2]) -> u32 {
    let mean = mean(sides);
    sides[0].error(mean) + sides[1].error(mean)
}

fn mean(sides: [Side; 2]) -> u8 {
    let [n0, n1] = sides.map(|side| side.count);
    let sum = n0 * u32::from(sides[0].value) + n1 * u32::from(sides[1].value);
    ((2 * sum + n0 + n1) / (2 * (n0 + n1))) as u8
}

impl Values {
    /// Returns the tables of red and blue, and of green.
    pub fn of(rounding: RoundingRule) -> &'static [Self; 2] {
        static VALUES: [OnceLock<Box<[Values; 2]>>; RoundingRule::ALL.len()] =
            [const { OnceLock::new() }; RoundingRule::ALL.len()];
        let rounding = rounding.for_format(BlockFormat::Bc1);
        VALUES[rounding as usize].get_or_init(|| {
            let [five, six, _] = &PaletteRule::new(rounding).channels;
            Box::new([Self::new(five), Self::new(six)])
        })
    }

    fn new(rule: &ChannelRule) -> Self {
        let end = |code: u8| rule.endpoint_value(code);
        let nearest = |value: usize| {
            let distance = |&code: &u8| usize::from(end(code)).abs_diff(value);
            (0..=rule.top()).min_by_key(distance).unwrap_or(0)
        };
        let orders = [HalfOrder::Kept, HalfOrder::Exchanged, HalfOrder::Ascending];
        let orders = if rule.half.falling_bias == 0 { &orders[..1] } else { &orders };
        Self {
            rule: *rule,
            ends: std::array::from_fn(|code| end((code as u8).min(rule.top()))),
            nearest: std::array::from_fn(nearest),
            near: inverse(rule, |outer, inner| rule.third_value(outer, inner)),
            far: inverse(rule, |outer, inner| rule.third_value(inner, outer)),
            halves: orders
                .iter()
                .map(|&order| inverse(rule, |a, b| half_value(rule, order, [a, b])))
                .collect(),
            thirds: Box::new(std::array::from_fn(|a| {
                let code = |code: usize| (code as u8).min(rule.top());
                std::array::from_fn(|b| rule.third_value(code(a), code(b)))
            })),
            line: line(rule, &rule.third),
        }
    }

    /// Returns the value (2·c0 + c1)/3.
    #[inline(always)]
    fn third(&self, [a, b]: [u8; 2]) -> u8 {
        self.thirds[usize::from(a % 64)][usize::from(b % 64)]
    }

    /// Returns the table of an interpolant for the outer endpoint, which is the second if `is_second`.
    #[inline(always)]
    fn inverse(&self, entry: Entry, is_second: bool, half: HalfOrder) -> &Inverse {
        match (entry, is_second) {
            (Half, _) => self.halves.get(half as usize).unwrap_or(&self.halves[0]),
            (NearFirst, false) | (NearSecond, true) => &self.near,
            _ => &self.far,
        }
    }

    /// Returns the error at the nearest endpoint.
    #[inline(always)]
    pub fn nearest_end(&self, side: Side) -> u32 {
        side.error(self.ends[usize::from(self.nearest[usize::from(side.value)] % 64)])
    }

    /// Returns the codes with the lowest error for `pair`, the lowest codes in a tie; `None` if their error
    /// is above `limit`.
    #[inline(always)]
    pub fn fit(&self, pair: [Entry; 2], sides: [Side; 2], half: HalfOrder, limit: u32) -> Option<Fit> {
        let mut search = Search { values: self, sides, best: Fit { error: limit, codes: [u8::MAX; 2] } };
        if pair == [First, Second] {
            let codes = sides.map(|side| self.nearest[usize::from(side.value)]);
            search.offer(codes, [0, 1].map(|i| self.ends[usize::from(codes[i] % 64)]));
        } else if pair[0] == pair[1] {
            search.same_entry(self.inverse(pair[0], false, half), |codes| match pair[0] {
                Half => half_value(&self.rule, half, codes),
                _ => self.third(codes),
            });
        } else if let Some(end) = pair.iter().position(|entry| entry.is_end()) {
            let is_second = pair[end] == Second;
            search.end_and_inner(end, is_second, self.inverse(pair[1 - end], is_second, half));
        } else {
            search.two_inner();
        }
        (search.best.codes[0] != u8::MAX).then_some(search.best)
    }
}

/// Returns the 8-bit value of (c0 + c1)/2 in a block that stores the endpoints in this order.
fn half_value(rule: &ChannelRule, order: HalfOrder, [a, b]: [u8; 2]) -> u8 {
    match order {
        HalfOrder::Kept => rule.half_value(a, b),
        HalfOrder::Exchanged => rule.half_value(b, a),
        HalfOrder::Ascending => rule.half_value(a.min(b), a.max(b)),
    }
}

/// Returns the 8-bit value of an entry.
#[cfg(test)]
pub(super) fn value(entry: Entry, rule: &ChannelRule, half: HalfOrder, [a, b]: [u8; 2]) -> u8 {
    match entry {
        First => rule.endpoint_value(a),
        Second => rule.endpoint_value(b),
        NearFirst => rule.third_value(a, b),
        NearSecond => rule.third_value(b, a),
        Half => half_value(rule, half, [a, b]),
    }
}

/// Search for the codes of one pair of entries. `best` has impossible codes until something is found.
struct Search<'a> {
    values: &'a Values,
    sides: [Side; 2],
    best: Fit,
}

impl Search<'_> {
    /// Searches codes where one colour takes an endpoint, the outer one, and the other an interpolant.
    #[inline(always)]
    fn end_and_inner(&mut self, end: usize, is_second: bool, inverse: &Inverse) {
        let start = self.values.nearest[usize::from(self.sides[end].value)];
        for code in (0..=start).rev() {
            if !self.try_end(end, is_second, inverse, code) {
                break;
            }
        }
        for code in start + 1..=self.values.rule.top() {
            if !self.try_end(end, is_second, inverse, code) {
                break;
            }
        }
    }

    /// Tries an outer code. Returns true if one further out may still be as good.
    #[inline(always)]
    fn try_end(&mut self, end: usize, is_second: bool, inverse: &Inverse, code: u8) -> bool {
        let (outer, inner) = (self.sides[end], self.sides[1 - end]);
        let place = usize::from(code % 64);
        let bound = outer.error(self.values.ends[place]);
        if bound > self.best.error {
            return false;
        }
        let [inner_code, distance] = inverse[place][usize::from(inner.value)];
        let error = bound + inner.count * u32::from(distance).pow(2);
        let codes = if is_second { [inner_code, code] } else { [code, inner_code] };
        self.best = self.best.min(Fit { error, codes });
        true
    }

    /// Searches codes where both colours take the same interpolant: the one nearest to their mean.
    #[inline(always)]
    fn same_entry(&mut self, inverse: &Inverse, value: impl Fn([u8; 2]) -> u8) {
        let mean = mean(self.sides);
        let texels = self.sides[0].count + self.sides[1].count;
        let least = self.sides[0].error(mean) + self.sides[1].error(mean);
        if least > self.best.error {
            return;
        }
        let top = self.values.rule.top();
        for code in 0..=top {
            // The nearest value on the other side of the mean may be better. No value is closer to `mean`
            // than this distance, so none is closer to the exact mean than half less.
            let [nearest, distance] = inverse[usize::from(code)][usize::from(mean)];
            let distance = u32::from(distance);
            if least + texels * (distance * distance.saturating_sub(1)) > self.best.error {
                continue;
            }
            for inner in nearest.saturating_sub(1)..=(nearest + 1).min(top) {
                let value = value([code, inner]);
                self.offer([code, inner], [value; 2]);
            }
            if self.best.error == least && self.best.codes[0] <= code {
                break;
            }
        }
    }

    /// Searches codes where each colour takes an interpolant: (2·c0 + c1)/3 and (c0 + 2·c1)/3. The first
    /// endpoint is the outer one.
    #[inline(always)]
    fn two_inner(&mut self) {
        // With value0 = a·outer + b·inner + c and value1 = b·outer + a·inner + c, the inner code cancels in
        // a·(value0 − c) − b·(value1 − c) = (a² − b²)·outer.
        let [a, b, c] = self.values.line;
        let [v0, v1] = self.sides.map(|side| f32::from(side.value));
        let [n0, n1] = self.sides.map(|side| side.count as f32);
        let (wanted, step) = (a * (v0 - c) - b * (v1 - c), a * a - b * b);
        let start = (wanted / step).clamp(0.0, self.values.rule.top().into()) as u8;
        let scale = n0 * n1 / (n0 * b * b + n1 * a * a);
        let slack = ROUNDING * (a + b);
        let is_out = |code: u8, best: u32| {
            let distance = ((wanted - step * f32::from(code)).abs() - slack).max(0.0);
            distance * distance * scale >= best as f32 + 1.0
        };
        for code in (0..=start).rev() {
            if is_out(code, self.best.error) {
                break;
            }
            self.try_two_inner(code);
        }
        for code in start + 1..=self.values.rule.top() {
            if is_out(code, self.best.error) {
                break;
            }
            self.try_two_inner(code);
        }
    }

    /// Tries the inner codes between the best ones for each colour. Outside these, neither colour's error
    /// falls.
    #[inline(always)]
    fn try_two_inner(&mut self, code: u8) {
        let (values, [v0, v1]) = (self.values, self.sides.map(|side| usize::from(side.value)));
        let place = usize::from(code % 64);
        let [x, y] = [values.near[place][v0][0], values.far[place][v1][0]];
        for inner in x.min(y)..=x.max(y) {
            self.offer([code, inner], [values.third([code, inner]), values.third([inner, code])]);
        }
    }

    /// Offers codes that give the two colours these values.
    #[inline(always)]
    fn offer(&mut self, codes: [u8; 2], values: [u8; 2]) {
        let error = self.sides[0].error(values[0]) + self.sides[1].error(values[1]);
        self.best = self.best.min(Fit { error, codes });
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::two_colors::{FOUR, THREE},
        *,
    };
    use proptest::prelude::*;

    /// Does the same as [`Values::fit`] over every pair of codes.
    fn exhaustive(rule: &ChannelRule, pair: [Entry; 2], sides: [Side; 2], half: HalfOrder) -> Fit {
        let codes = 0..=rule.top();
        let pairs = codes.clone().flat_map(|a| codes.clone().map(move |b| [a, b]));
        let error = |codes| {
            let error = |side: usize| sides[side].error(value(pair[side], rule, half, codes));
            error(0) + error(1)
        };
        pairs.map(|codes| Fit { error: error(codes), codes }).min().unwrap()
    }

    fn check(known: &Values, values: [u8; 2], count: u32) {
        let rule = &known.rule;
        let sides = [Side { value: values[0], count }, Side { value: values[1], count: 16 - count }];
        for pair in FOUR.into_iter().chain(THREE) {
            for half in [HalfOrder::Kept, HalfOrder::Exchanged, HalfOrder::Ascending] {
                if half != HalfOrder::Kept && rule.half.falling_bias == 0 {
                    continue;
                }
                let best = exhaustive(rule, pair, sides, half);
                let what = format!("{pair:?} {sides:?} {half:?}");
                assert_eq!(known.fit(pair, sides, half, u32::MAX), Some(best), "{what}");
                assert_eq!(known.fit(pair, sides, half, best.error), Some(best), "{what}");
                if best.error > 0 {
                    assert_eq!(known.fit(pair, sides, half, best.error - 1), None, "{what}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn is_as_good_as_exhaustive_search(
            values in any::<[u8; 2]>(), count in 1u32..16, rounding in 0..RoundingRule::ALL.len(),
            green in 0usize..2,
        ) {
            check(&Values::of(RoundingRule::ALL[rounding])[green], values, count);
        }
    }

    /// Takes minutes in a release build.
    #[test]
    #[ignore = "every value; run after a change of the bounds"]
    fn is_as_good_as_exhaustive_search_for_every_value() {
        for &rounding in RoundingRule::ALL {
            for known in Values::of(rounding) {
                for value in 0..=255u8 {
                    for other in 0..=255u8 {
                        let count = 1 + u32::from(value.wrapping_mul(7).wrapping_add(other)) % 15;
                        check(known, [value, other], count);
                    }
                }
            }
        }
    }
}
