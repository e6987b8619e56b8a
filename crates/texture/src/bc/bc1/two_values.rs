//! One channel of a block of two colours: the endpoint codes with the least error for a pair of palette
//! entries.
//!
//! The code of one endpoint is tried outwards from where its error is lowest, until a bound says that nothing
//! further out is as good. For each, the error is, apart from rounding, a parabola in the other code, so only
//! the codes around its lowest point are tried. The tests compare with trying everything.

use super::palette::{ChannelRule, Interpolant};

/// An opaque block's palette entries.
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
    pub fn index(self) -> u32 {
        match self {
            First => 0,
            Second => 1,
            NearFirst | Half => 2,
            NearSecond => 3,
        }
    }

    /// The share of the second endpoint in the entry, in sixths, for the kernel.
    #[cfg(feature = "gpu")]
    pub const fn share(self) -> i32 {
        match self {
            First => 0,
            NearFirst => 2,
            Half => 3,
            NearSecond => 4,
            Second => 6,
        }
    }
}

/// The order in which a block of three colours stores the endpoints of a channel. It matters to NVIDIA's
/// green, whose half is not symmetric.
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
    /// How many texels have this colour, at least 1.
    pub count: u32,
}

impl Side {
    fn error(self, value: u8) -> u32 {
        self.count * u32::from(value.abs_diff(self.value)).pow(2)
    }
}

/// The squared error of a channel, at most 16·255², and its codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    pub error: u32,
    pub codes: [u8; 2],
}

/// How far an entry may lie from its [`Formula::line`]: it is rounded, and its operands are.
const ROUNDING: f32 = 1.5;

/// Codes tried to each side of a parabola's lowest point, and one more above: the fewest with which no
/// decoder misses anything.
const SLACK: i32 = 1;
/// The same where each colour takes an interpolant of its own.
const SLACK_BOTH: i32 = 3;

/// An entry's 8-bit value as a function of the endpoints' operands, where the second is not below the first
/// and where it is.
#[derive(Clone, Copy)]
struct Formula {
    rising: [u32; 3],
    falling: [u32; 3],
    reciprocal: u64,
    /// The value, apart from rounding, as a linear function of the codes: slopes and offset.
    line: [f32; 3],
}

impl Formula {
    fn new(
        rule: &ChannelRule,
        interpolant: &Interpolant,
        [rising_exchanged, falling_exchanged]: [bool; 2],
    ) -> Self {
        let [k0, k1, bias, falling] =
            [interpolant.k0, interpolant.k1, interpolant.bias, interpolant.falling_bias].map(u32::from);
        // If exchanged, the second operand comes first.
        let part = |exchanged: bool, is_falling: bool| {
            let bias = bias + if is_falling == exchanged { 0 } else { falling };
            if exchanged { [k1, k0, bias] } else { [k0, k1, bias] }
        };
        let rising = part(rising_exchanged, false);
        let scale = 1.0 / f32::from(interpolant.divisor);
        let unit = if rule.widened { 255.0 / f32::from(rule.top()) * scale } else { scale };
        // Rounding down takes away a half on average.
        let line = [rising[0] as f32 * unit, rising[1] as f32 * unit, bias as f32 * scale - 0.5];
        Self { rising, falling: part(falling_exchanged, true), reciprocal: interpolant.reciprocal(), line }
    }

    #[inline(always)]
    fn value(&self, [a, b]: [u8; 2]) -> u8 {
        let [k0, k1, bias] = if b < a { self.falling } else { self.rising };
        (u64::from(k0 * u32::from(a) + k1 * u32::from(b) + bias) * self.reciprocal >> 32) as u8
    }
}

/// What searches need to know of a channel.
pub(super) struct Values {
    rule: ChannelRule,
    /// The lowest of the codes whose values are nearest to a value.
    nearest: [u8; 256],
    /// Of each code.
    operands: [u8; 64],
    /// In the order of [`Entry`], with the half as kept; then exchanged, then ascending.
    formulas: [Formula; 7],
}

impl Values {
    pub fn new(rule: &ChannelRule) -> Self {
        let nearest = |value: usize| {
            let distance = |&code: &u8| usize::from(rule.endpoint_value(code)).abs_diff(value);
            (0..=rule.top()).min_by_key(distance).unwrap_or(0)
        };
        let formula = |interpolant, exchanged| Formula::new(rule, interpolant, exchanged);
        Self {
            rule: *rule,
            nearest: std::array::from_fn(nearest),
            operands: std::array::from_fn(|code| rule.operand((code as u8).min(rule.top()))),
            formulas: [
                formula(&rule.endpoint, [false, false]),
                formula(&rule.endpoint, [true, true]),
                formula(&rule.third, [false, false]),
                formula(&rule.third, [true, true]),
                formula(&rule.half, [false, false]),
                formula(&rule.half, [true, true]),
                formula(&rule.half, [false, true]),
            ],
        }
    }

    fn formula(&self, entry: Entry, half: HalfOrder) -> &Formula {
        let order = if entry == Half { half as usize } else { 0 };
        &self.formulas[entry as usize + order]
    }

    /// The codes with the lowest error for `pair`, of equals the lowest; `None` if their error is above
    /// `limit`.
    pub fn fit(&self, pair: [Entry; 2], sides: [Side; 2], half: HalfOrder, limit: u32) -> Option<Fit> {
        let [v0, v1] = sides.map(|side| side.value);
        let mut search = Search::new(self, pair, sides, half, limit);
        if pair == [First, Second] {
            search.try_codes([v0, v1].map(|value| self.nearest[usize::from(value)]));
        } else if pair[0] == pair[1] {
            search.same_entry();
        } else if let Some(end) = pair.iter().position(|entry| matches!(entry, First | Second)) {
            let start = self.nearest[usize::from(sides[end].value)];
            search.outwards(start, |value, _| sides[end].error(value));
        } else {
            search.two_inner();
        }
        search.found.then_some(search.best)
    }
}

/// A search for the codes of one pair of entries. The code of one endpoint, the *outer* one, is tried
/// outwards from a start; the *inner* code is where the error is lowest.
struct Search<'a> {
    values: &'a Values,
    formulas: [&'a Formula; 2],
    sides: [Side; 2],
    outer: usize,
    /// The inner code of the lowest error, apart from rounding: constant + slope·outer code.
    constant: f32,
    slope: f32,
    slack: i32,
    best: Fit,
    found: bool,
}

impl<'a> Search<'a> {
    fn new(values: &'a Values, pair: [Entry; 2], sides: [Side; 2], half: HalfOrder, limit: u32) -> Self {
        let outer = usize::from(pair[0] != First && pair[1] == Second);
        let formulas = pair.map(|entry| values.formula(entry, half));
        // Σ n·(value − outer slope·outer − inner slope·inner − offset)² is lowest at
        // inner = Σ n·inner slope·(value − outer slope·outer − offset) / Σ n·inner slope².
        let (mut constant, mut slope, mut squares) = (0.0, 0.0, 0.0);
        for (Formula { line, .. }, side) in formulas.into_iter().zip(sides) {
            let weight = side.count as f32 * line[1 - outer];
            constant += weight * (f32::from(side.value) - line[2]);
            slope -= weight * line[outer];
            squares += weight * line[1 - outer];
        }
        let scale = 1.0 / squares;
        Self {
            values,
            formulas,
            sides,
            outer,
            constant: constant * scale,
            slope: slope * scale,
            slack: if pair == [NearFirst, NearSecond] { SLACK_BOTH } else { SLACK },
            best: Fit { error: limit, codes: [u8::MAX; 2] },
            found: false,
        }
    }

    /// Both colours take the same entry: whatever comes nearest to their mean.
    fn same_entry(&mut self) {
        let [n0, n1] = self.sides.map(|side| side.count);
        let sum = n0 * u32::from(self.sides[0].value) + n1 * u32::from(self.sides[1].value);
        let mean = ((2 * sum + n0 + n1) / (2 * (n0 + n1))) as u8;
        let least = self.sides[0].error(mean) + self.sides[1].error(mean);
        if least > self.best.error {
            return;
        }
        for code in 0..=self.values.rule.top() {
            self.try_around(code);
            if self.found && self.best.error == least {
                break;
            }
        }
    }

    /// Each colour takes an interpolant.
    fn two_inner(&mut self) {
        // With value = a·outer + b·inner + c for each, the inner code cancels in
        // b1·(value0 − c0) − b0·(value1 − c1) = (a0·b1 − a1·b0)·outer.
        let [[a0, b0, c0], [a1, b1, c1]] = self.formulas.map(|formula| formula.line);
        let [v0, v1] = self.sides.map(|side| f32::from(side.value));
        let [n0, n1] = self.sides.map(|side| side.count as f32);
        let (wanted, step) = (b1 * (v0 - c0) - b0 * (v1 - c1), a0 * b1 - a1 * b0);
        let start = (wanted / step).clamp(0.0, self.values.rule.top().into()) as u8;
        let scale = n0 * n1 / (n0 * b0 * b0 + n1 * b1 * b1);
        let slack = ROUNDING * (b0 + b1);
        self.outwards(start, |_, code| {
            let distance = ((wanted - step * f32::from(code)).abs() - slack).max(0.0);
            (distance * distance * scale) as u32
        });
    }

    /// Tries outer codes from `start` upwards and downwards, while the lower bound of the error, a function
    /// of an endpoint's value and code, allows.
    #[inline(always)]
    fn outwards(&mut self, start: u8, bound: impl Fn(u8, u8) -> u32) {
        for code in start..=self.values.rule.top() {
            // (At the start the bound need not be lowest.)
            if bound(self.values.rule.endpoint_value(code), code) > self.best.error && code > start {
                break;
            }
            self.try_around(code);
        }
        for code in (0..start).rev() {
            if bound(self.values.rule.endpoint_value(code), code) > self.best.error {
                break;
            }
            self.try_around(code);
        }
    }

    /// Tries the inner codes that promise most beside an outer one.
    #[inline(always)]
    fn try_around(&mut self, outer: u8) {
        let top = i32::from(self.values.rule.top());
        let middle = ((self.constant + self.slope * f32::from(outer)) as i32).clamp(0, top);
        for inner in (middle - self.slack).max(0)..=(middle + self.slack + 1).min(top) {
            let mut codes = [inner as u8; 2];
            codes[self.outer] = outer;
            self.try_codes(codes);
        }
    }

    #[inline(always)]
    fn try_codes(&mut self, codes: [u8; 2]) {
        let operands = codes.map(|code| self.values.operands[usize::from(code) % 64]);
        let value = |side: usize| self.formulas[side].value(operands);
        let error = self.sides[0].error(value(0)) + self.sides[1].error(value(1));
        let fit = Fit { error, codes };
        if fit < self.best {
            self.best = fit;
            self.found = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decoder, bc::bc1::palette::PaletteRule};
    use proptest::prelude::*;

    const PAIRS: [[Entry; 2]; 10] = [
        [First, Second],
        [First, NearFirst],
        [First, NearSecond],
        [NearFirst, First],
        [NearFirst, Second],
        [NearFirst, NearSecond],
        [NearFirst, NearFirst],
        [First, Half],
        [Half, First],
        [Half, Half],
    ];

    fn value(entry: Entry, rule: &ChannelRule, half: HalfOrder, [a, b]: [u8; 2]) -> u8 {
        match entry {
            First => rule.endpoint_value(a),
            Second => rule.endpoint_value(b),
            NearFirst => rule.third_value(a, b),
            NearSecond => rule.third_value(b, a),
            Half => match half {
                HalfOrder::Kept => rule.half_value(a, b),
                HalfOrder::Exchanged => rule.half_value(b, a),
                HalfOrder::Ascending => rule.half_value(a.min(b), a.max(b)),
            },
        }
    }

    /// With higher errors rounding counts for more than the parabola. The first pair that is tried has an
    /// error of at most 256 in each channel, so such a pair is not the best.
    const MOST: u32 = 20_000;

    /// The same as [`Values::fit`] over every pair of codes.
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
        for pair in PAIRS {
            for half in [HalfOrder::Kept, HalfOrder::Exchanged, HalfOrder::Ascending] {
                if half != HalfOrder::Kept && rule.half.falling_bias == 0 {
                    continue;
                }
                let best = exhaustive(rule, pair, sides, half);
                if best.error > MOST {
                    continue;
                }
                let what = format!("{pair:?} {sides:?} {half:?}");
                assert_eq!(known.fit(pair, sides, half, u32::MAX), Some(best), "{what}");
                assert_eq!(known.fit(pair, sides, half, best.error), Some(best), "{what}");
                if best.error > 0 {
                    assert_eq!(known.fit(pair, sides, half, best.error - 1), None, "{what}");
                }
            }
        }
    }

    fn of_channel(decoder: Decoder, bits: u8) -> Values {
        let rule = PaletteRule::new(decoder);
        Values::new(rule.channels.iter().find(|rule| rule.bits == bits).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn is_as_good_as_exhaustive_search(
            values in any::<[u8; 2]>(), count in 1u32..16, decoder in 0usize..5, bits in 5u8..7,
        ) {
            check(&of_channel(Decoder::ALL[decoder], bits), values, count);
        }
    }

    /// Minutes in a release build.
    #[test]
    #[ignore = "every value; run after a change of the bounds"]
    fn is_as_good_as_exhaustive_search_for_every_value() {
        for &decoder in Decoder::ALL {
            for bits in [5, 6] {
                let known = of_channel(decoder, bits);
                for value in 0..=255u8 {
                    for other in 0..=255u8 {
                        let count = 1 + u32::from(value.wrapping_mul(7).wrapping_add(other)) % 15;
                        check(&known, [value, other], count);
                    }
                }
            }
        }
    }
}
