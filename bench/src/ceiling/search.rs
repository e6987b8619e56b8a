//! The least error that a block of BC1 can have: every pair of endpoints in both modes, by branch and bound.
//!
//! A *box* is a range of codes for each endpoint in each channel. Over a box, each palette entry is within an
//! interval per channel, because the exact decoder's values never fall as a code rises. A texel's error is at
//! least its squared distance from these intervals, summed over the channels, for the entry where that is
//! least; the sum over the texels bounds every block in the box from below. If that is not below the best
//! block known, the box is done; else one channel's ranges are halved. A box of single codes has no
//! intervals, and its bound is its error.
//!
//! Endpoints exchanged give the same palette in another order, so green's first code is never above its
//! second.

/// Red, green and blue of a block's texels.
pub type Texels = [[u8; 3]; 16];

/// Endpoint codes of red, green and blue, and the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Squares summed over texels and channels.
    pub error: u32,
    pub codes: [[u8; 3]; 2],
    pub mode: Mode,
}

/// The construction of a block's palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Two thirds.
    Four,
    /// One half.
    Three,
}

/// Bits of the codes of red, green and blue.
pub const BITS: [u32; 3] = [5, 6, 5];

/// Returns (p·c0 + q·c1) / (p + q) for codes of `bits` bits, by the Direct3D 10 specification, rounded to
/// nearest.
fn value(bits: u32, [p, q]: [u32; 2], [a, b]: [u32; 2]) -> u8 {
    let unit = (p + q) * ((1 << bits) - 1);
    ((2 * 255 * (p * a + q * b) + unit) / (2 * unit)) as u8
}

impl Mode {
    /// Returns the shares of the endpoints in each entry.
    fn shares(self) -> &'static [[u32; 2]] {
        match self {
            Self::Four => &[[1, 0], [0, 1], [2, 1], [1, 2]],
            Self::Three => &[[1, 0], [0, 1], [1, 1]],
        }
    }
}

/// A value for each texel; errors are integers below 2²⁴, which floats hold exactly.
type Lanes = [f32; 16];
/// The least error of each texel for each entry. The fourth of three repeats the first.
type Errors = [Lanes; 4];

fn add(a: &Errors, b: &Errors) -> Errors {
    std::array::from_fn(|entry| std::array::from_fn(|t| a[entry][t] + b[entry][t]))
}

/// Returns the sum over texels of the smallest error among the entries of `a + b`.
fn bound(a: &Errors, b: &Errors) -> f32 {
    let min = |x: f32, y: f32| if x < y { x } else { y };
    let mut sums = [0.0; 4];
    for t in 0..16 {
        let of = |entry: usize| a[entry][t] + b[entry][t];
        sums[t % 4] += min(min(of(0), of(1)), min(of(2), of(3)));
    }
    sums.iter().sum()
}

/// The least errors of one channel, by how often its ranges are halved, then by first and second range.
struct Channel(Vec<Vec<Errors>>);

/// One channel of a box: the ranges with these numbers after `level` halvings of all codes.
#[derive(Clone, Copy)]
struct Ranges {
    level: u32,
    first: u32,
    second: u32,
}

impl Channel {
    fn new(bits: u32, mode: Mode, values: [u8; 16]) -> Self {
        let levels = (0..=bits).map(|level| {
            let size = 1 << (bits - level);
            let ranges = (0..1u32 << level).flat_map(|a| (0..1u32 << level).map(move |b| [a, b]));
            let errors = |range: [u32; 2]| -> Errors {
                let shares = mode.shares();
                std::array::from_fn(|entry| {
                    let share = *shares.get(entry).unwrap_or(&shares[0]);
                    let low = value(bits, share, range.map(|r| r * size));
                    let high = value(bits, share, range.map(|r| r * size + size - 1));
                    values.map(|v| f32::from(low.saturating_sub(v).max(v.saturating_sub(high))).powi(2))
                })
            };
            ranges.map(errors).collect()
        });
        Self(levels.collect())
    }

    fn errors(&self, ranges: Ranges) -> &Errors {
        &self.0[ranges.level as usize][(ranges.first << ranges.level | ranges.second) as usize]
    }
}

struct Search {
    bits: [u32; 3],
    channels: [Channel; 3],
    least: f32,
    codes: Option<[[u8; 3]; 2]>,
}

impl Search {
    /// Looks for something better in a box, with a bound of `least`.
    fn visit(&mut self, of: [Ranges; 3], least: f32) {
        if least >= self.least {
            return;
        }
        // The channel with the widest ranges, which was halved least often.
        let is_wide = |&c: &usize| of[c].level < self.bits[c];
        let Some(c) = [1, 0, 2].into_iter().filter(is_wide).min_by_key(|&c| of[c].level) else {
            self.least = least;
            self.codes = Some([of.map(|r| r.first as u8), of.map(|r| r.second as u8)]);
            return;
        };
        let [x, y] = [(c + 1) % 3, (c + 2) % 3];
        let others = add(self.channels[x].errors(of[x]), self.channels[y].errors(of[y]));
        let mut parts = [0, 1, 2, 3].map(|part| {
            let Ranges { level, first, second } = of[c];
            let part =
                Ranges { level: level + 1, first: 2 * first + part / 2, second: 2 * second + part % 2 };
            let is_mirrored = c == 1 && part.first > part.second;
            let least = if is_mirrored { f32::MAX } else { bound(&others, self.channels[c].errors(part)) };
            (least, part)
        });
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, part) in parts {
            let mut of = of;
            of[c] = part;
            self.visit(of, least);
        }
    }
}

/// Returns the encoding with the smallest error, if that is below `known`.
pub fn optimum(texels: &Texels, known: u32) -> Option<Encoding> {
    with_bits(BITS, texels, known)
}

/// Returns the same for codes of `bits` bits.
fn with_bits(bits: [u32; 3], texels: &Texels, known: u32) -> Option<Encoding> {
    let mut best = None;
    let mut least = known as f32;
    for mode in [Mode::Four, Mode::Three] {
        let channel = |c: usize| Channel::new(bits[c], mode, texels.map(|texel| texel[c]));
        let mut search = Search { bits, channels: [0, 1, 2].map(channel), least, codes: None };
        search.visit([Ranges { level: 0, first: 0, second: 0 }; 3], 0.0);
        least = search.least;
        best = search.codes.map(|codes| Encoding { error: least as u32, codes, mode }).or(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::{RoundingRule, bc::bc1::PaletteRule};

    fn random(state: &mut u64) -> u8 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 24) as u8
    }

    /// Blocks of every kind: noise, a gradient, few colours, soft noise.
    fn blocks(count: usize) -> impl Iterator<Item = Texels> {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        (0..count).map(move |kind| {
            let mut byte = || random(&mut state);
            let base = [byte() / 2, byte() / 2, byte() / 2];
            let step = [byte() / 16, byte() / 16, byte() / 16];
            let few = [[byte(), byte(), byte()], [byte(), byte(), byte()], [byte(), byte(), byte()]];
            std::array::from_fn(|t| match kind % 4 {
                0 => [byte(), byte(), byte()],
                1 => [0, 1, 2].map(|c| base[c] + step[c] / 2 * (t as u8 / 4 + t as u8 % 4)),
                2 => few[usize::from(byte() % 3)],
                _ => base.map(|v| v + byte() % 24),
            })
        })
    }

    fn error(palette: &[[u8; 3]], texels: &Texels) -> u32 {
        let distance = |texel: &[u8; 3], entry: &[u8; 3]| -> u32 {
            (0..3).map(|c| u32::from(texel[c].abs_diff(entry[c])).pow(2)).sum()
        };
        texels.iter().map(|texel| palette.iter().map(|entry| distance(texel, entry)).min().unwrap()).sum()
    }

    #[test]
    fn values_are_the_decoder_s_and_never_fall() {
        let rule = PaletteRule::new(RoundingRule::Exact);
        for (bits, c, shift) in [(5, 0, 11), (6, 1, 5), (5, 2, 0)] {
            let top = (1u32 << bits) - 1;
            for a in 0..=top {
                for b in 0..=top {
                    let [c0, c1] = [a, b].map(|code| (code << shift) as u16);
                    let mode = if c0 > c1 { Mode::Four } else { Mode::Three };
                    let palette = rule.palette(c0, c1);
                    for (entry, &shares) in mode.shares().iter().enumerate() {
                        assert_eq!(palette[entry][c], value(bits, shares, [a, b]), "{mode:?} {a} {b}");
                        let next = value(bits, shares, [top.min(a + 1), b]).min(value(
                            bits,
                            shares,
                            [a, top.min(b + 1)],
                        ));
                        assert!(next >= palette[entry][c], "{mode:?} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_part_of_a_box_is_below_its_bound() {
        let values: [u8; 16] = std::array::from_fn(|t| 17 * t as u8);
        for (bits, mode) in [5, 6].into_iter().flat_map(|bits| [(bits, Mode::Four), (bits, Mode::Three)]) {
            let channel = Channel::new(bits, mode, values);
            let boxes = (0..bits).flat_map(|level| (0..4u32 << (2 * level)).map(move |at| (level, at)));
            for (level, at) in boxes {
                let [first, second] = [at >> (level + 1), at & ((2 << level) - 1)];
                let part = channel.errors(Ranges { level: level + 1, first, second });
                let whole = channel.errors(Ranges { level, first: first / 2, second: second / 2 });
                let pairs = part.as_flattened().iter().zip(whole.as_flattened());
                for (part, whole) in pairs {
                    assert!(part >= whole, "{bits} bits, {mode:?}, level {level}, {first} {second}");
                }
            }
        }
    }

    #[test]
    fn of_few_codes_nothing_is_better() {
        let bits = [2, 3, 2];
        for texels in blocks(16) {
            let codes = |at: u32| [at >> 5, at >> 2 & 7, at & 3];
            let mut least = u32::MAX;
            for (a, b) in (0..128).flat_map(|a| (0..128).map(move |b| (codes(a), codes(b)))) {
                for mode in [Mode::Four, Mode::Three] {
                    let color = |&shares| [0, 1, 2].map(|c| value(bits[c], shares, [a[c], b[c]]));
                    let palette: Vec<_> = mode.shares().iter().map(color).collect();
                    least = least.min(error(&palette, &texels));
                }
            }
            let found = with_bits(bits, &texels, 1 << 23).unwrap();
            assert_eq!(found.error, least, "{texels:?}");
            assert_eq!(with_bits(bits, &texels, least), None);
            assert_eq!(with_bits(bits, &texels, least + 1).unwrap().error, least);
            let color = |&shares| {
                [0, 1, 2].map(|c| value(bits[c], shares, [0, 1].map(|end| u32::from(found.codes[end][c]))))
            };
            let palette: Vec<_> = found.mode.shares().iter().map(color).collect();
            assert_eq!(error(&palette, &texels), least);
        }
    }

    /// Searches 2³¹ pairs of endpoints in both modes, with palettes of the library's decoder: about 2 minutes
    /// per block in a release build.
    #[test]
    #[ignore = "minutes; run after a change of the search"]
    fn of_all_codes_nothing_is_better() {
        let rule = PaletteRule::new(RoundingRule::Exact);
        for texels in blocks(4) {
            let mut least = f32::MAX;
            for mode in [Mode::Four, Mode::Three] {
                // By first and second code.
                let errors = |c: usize, shift: u32| -> Vec<Errors> {
                    let codes = 0..1u32 << BITS[c];
                    let pairs = codes.clone().flat_map(|a| codes.clone().map(move |b| [a, b]));
                    pairs
                        .map(|[a, b]| {
                            let [c0, c1] = [a, b].map(|code| (code << shift) as u16);
                            // In the other order entries are exchanged; of equal codes, all are equal.
                            let palette = match (mode, c0 > c1) {
                                (Mode::Four, true) | (Mode::Three, false) => rule.palette(c0, c1),
                                (_, _) if c0 == c1 => [rule.palette(c0, c1)[0]; 4],
                                (Mode::Four, false) => {
                                    let [p0, p1, p2, p3] = rule.palette(c1, c0);
                                    [p1, p0, p3, p2]
                                }
                                (Mode::Three, true) => {
                                    let [p0, p1, p2, p3] = rule.palette(c1, c0);
                                    [p1, p0, p2, p3]
                                }
                            };
                            let last = if mode == Mode::Four { 3 } else { 0 };
                            [0, 1, 2, last].map(|entry| {
                                texels.map(|texel| f32::from(texel[c].abs_diff(palette[entry][c])).powi(2))
                            })
                        })
                        .collect()
                };
                let [red, green, blue] = [errors(0, 11), errors(1, 5), errors(2, 0)];
                for (_, green) in green.iter().enumerate().filter(|(at, _)| at / 64 <= at % 64) {
                    for red in &red {
                        let others = add(green, red);
                        least = blue.iter().map(|blue| bound(&others, blue)).fold(least, f32::min);
                    }
                }
            }
            assert_eq!(optimum(&texels, 1 << 23).unwrap().error as f32, least, "{texels:?}");
        }
    }
}
