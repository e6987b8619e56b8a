//! Blocks of 16-bit sources, from those that the encoder makes of 8 bits: other endpoints and indices, by the
//! exact errors of all 16 bits.
//!
//! Only values that are not rounded are closer than 8 bits: one of eight is up to 1/14 of a code off, if
//! endpoints are neighbours. All numbers are integers, so every machine finds the same blocks.

use super::{
    encode::{MOVES, SPREADS},
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{EncodeOptions, Quality, bc::codec::RowEncoder};

/// Codes around the best endpoints of each number of values, and around the smallest and the largest source,
/// among which quality best searches.
const WINDOW: i32 = 4;

/// Rounds of single steps, at most.
const ROUNDS: usize = 8;

/// Returns the function that improves the rows of blocks of 1 or 2 channels, of 8 bytes each; `None` if the
/// rule rounds values.
pub(crate) fn deep<const CHANNELS: usize>(options: &EncodeOptions, rule: ValueRule) -> Option<RowEncoder> {
    let quality = options.quality;
    let improve = RowEncoder::Rgba16(Box::new(move |rows, blocks, task| {
        let blocks = blocks.as_chunks_mut::<8>().0.as_chunks_mut::<CHANNELS>().0;
        for (column, channels) in blocks.iter_mut().enumerate() {
            task.check()?;
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            for (channel, block) in channels.iter_mut().enumerate() {
                let values = texels.map(|texel| texel[channel]);
                *block = Search::new(rule, &values, visible).improved(*block, quality);
            }
        }
        Ok(())
    }));
    rule.is_real().then_some(improve)
}

/// Endpoints of a block: codes, the lower first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    low: i32,
    high: i32,
    is_six: bool,
}

/// The best endpoints with a number of values, and their error.
type Found = Option<(u64, Ends)>;

struct Search {
    rule: ValueRule,
    /// Sources in 1/65535 of a step of the grid.
    sources: [i32; 16],
    /// True for texels inside the image.
    visible: [bool; 16],
    /// The best endpoints with eight and with six values.
    best: [Found; 2],
}

/// Largest 16-bit value: sources and values of blocks have the same unit when multiplied by it.
const TOP: i32 = 65535;

impl Search {
    fn new(rule: ValueRule, values: &[u16; 16], visible: u16) -> Self {
        let visible = std::array::from_fn(|t| visible >> t & 1 != 0);
        // At most 35 · 255 · 65535, below 2³⁰.
        let sources = values.map(|value| i32::from(value) * rule.grid() * rule.top());
        Self { rule, sources, visible, best: [None; 2] }
    }

    /// Returns a block whose error is at most that of `block`. Each quality tries all that lower ones try.
    fn improved(mut self, block: [u8; 8], quality: Quality) -> [u8; 8] {
        let [a, b] = [block[0], block[1]].map(|stored| self.rule.code(stored));
        self.offer(Ends { low: a.min(b), high: a.max(b), is_six: a <= b });
        let (floor, ceiling) = self.range();
        for is_six in [false, true] {
            self.offer(Ends { low: floor, high: ceiling, is_six });
        }
        if quality >= Quality::Normal {
            self.climb();
        }
        if quality >= Quality::High {
            self.spread(floor, ceiling);
            self.climb();
        }
        if quality == Quality::Best {
            for is_six in [false, true] {
                let best = self.best[usize::from(is_six)].map(|(_, ends)| (ends.low, ends.high));
                for (low, high) in best.into_iter().chain([(floor, ceiling)]) {
                    self.search(low, high, is_six);
                }
            }
            self.climb();
        }
        self.block().unwrap_or(block)
    }

    /// Returns the codes at and around the smallest and the largest source.
    fn range(&self) -> (i32, i32) {
        let sources =
            || self.sources.iter().zip(self.visible).filter(|(_, visible)| *visible).map(|(s, _)| *s);
        let step = TOP * self.rule.grid();
        let (least, most) = (sources().min().unwrap_or(0), sources().max().unwrap_or(0));
        let floor = least / step;
        (floor, ((most + step - 1) / step).max(floor + 1).min(self.rule.top()))
    }

    /// Lines on which a part of the values is between the smallest and the largest source.
    fn spread(&mut self, floor: i32, ceiling: i32) {
        for (used, i) in SPREADS {
            for (steps, is_six) in [(EIGHT_VALUES, false), (SIX_VALUES, true)] {
                if used + i <= steps {
                    let span = ceiling - floor;
                    let low = floor - span * i / used;
                    let high = ceiling + span * (steps - used - i) / used;
                    self.offer(Ends { low, high, is_six });
                }
            }
        }
    }

    /// Tries all endpoints in windows around `low` and `high`.
    fn search(&mut self, low: i32, high: i32, is_six: bool) {
        for low in low - WINDOW..=low + WINDOW {
            for high in high - WINDOW..=high + WINDOW {
                self.offer(Ends { low, high, is_six });
            }
        }
    }

    /// Moves the best endpoints of each number of values by steps while the error falls.
    fn climb(&mut self) {
        for is_six in [false, true] {
            for _ in 0..ROUNDS {
                let before = self.best[usize::from(is_six)];
                for (low, high) in MOVES {
                    if let Some((_, ends)) = self.best[usize::from(is_six)] {
                        let (low, high) = (ends.low + low as i32, ends.high + high as i32);
                        self.offer(Ends { low, high, is_six });
                    }
                }
                if self.best[usize::from(is_six)] == before {
                    break;
                }
            }
        }
    }

    /// Keeps endpoints if they have a smaller error than the best with as many values.
    fn offer(&mut self, Ends { low, high, is_six }: Ends) {
        let top = self.rule.top();
        let ends = Ends { low: low.clamp(0, top), high: high.clamp(0, top), is_six };
        // Equal endpoints have six values.
        if ends.low > ends.high || ends.low == ends.high && !is_six {
            return;
        }
        let best = &mut self.best[usize::from(is_six)];
        let most = best.map_or(u64::MAX, |(error, _)| error);
        let error = error(&self.sources, self.visible, &values(self.rule, ends), most);
        if error < most {
            *best = Some((error, ends));
        }
    }

    /// Returns the best block: of eight values if both are equal.
    fn block(&self) -> Option<[u8; 8]> {
        let found = self.best.iter().flatten().min_by_key(|(error, _)| *error)?;
        let (_, ends) = *found;
        let [r0, r1] = stored(self.rule, ends);
        let values = values(self.rule, ends);
        let mut bits = u64::from(r0) | u64::from(r1) << 8;
        for (t, source) in self.sources.iter().enumerate() {
            let nearest = (0..8).min_by_key(|&index: &usize| source.abs_diff(values[index]));
            bits |= (nearest.unwrap_or(0) as u64) << (16 + 3 * t);
        }
        Some(bits.to_le_bytes())
    }
}

/// Returns the endpoints as a block stores them.
fn stored(rule: ValueRule, Ends { low, high, is_six }: Ends) -> [u8; 2] {
    let (first, second) = if is_six { (low, high) } else { (high, low) };
    [first, second].map(|code| rule.stored(code))
}

/// Returns the values of indices 0 to 7 in the unit of sources.
fn values(rule: ValueRule, ends: Ends) -> [i32; 8] {
    let [r0, r1] = stored(rule, ends);
    rule.positions(r0, r1).map(|position| position * TOP)
}

/// Returns the sum of squared differences between sources and the nearest value, or any number above `most`.
fn error(sources: &[i32; 16], visible: [bool; 16], values: &[i32; 8], most: u64) -> u64 {
    let mut nearest = [u32::MAX; 16];
    for value in values {
        for (nearest, source) in nearest.iter_mut().zip(sources) {
            *nearest = (*nearest).min(source.abs_diff(*value));
        }
    }
    let mut sum = 0;
    for (distance, visible) in nearest.iter().zip(visible) {
        // Below 2⁶⁰ each: values include both ends of the range, or are at most the range apart.
        sum += if visible { u64::from(*distance) * u64::from(*distance) } else { 0 };
    }
    if sum < most { sum } else { u64::MAX }
}
