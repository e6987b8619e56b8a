//! Encoding of 16-bit sources by the exact errors of all 16 bits, one block at a time.
//!
//! Only values that are not rounded are closer than 8 bits: one of eight is up to 1/14 of a code off, if
//! endpoints are neighbours. The errors that decide are integers.

use super::{
    ChannelEncoder,
    encode::{MOVES, SPREADS},
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
    refit::Units,
    rows::{DeepBatch, refit_deep},
};
use crate::{
    EncodeOptions, Quality, Texel as _,
    bc::{batch::BATCH, codec::RowEncoder},
    block_row::BlockRow,
    simd::AvailableLevel,
};

/// Codes around the best endpoints of each number of values, and around the smallest and the largest source,
/// among which quality best searches.
const WINDOW: i32 = 4;

/// Rounds of single steps, at most.
const ROUNDS: usize = 8;

/// Largest 16-bit source, which means the largest code. Values in steps of the grid, times this, have the
/// unit of sources.
const TOP: i32 = 65535;

/// Returns the encoder of rows of blocks of 1 or 2 channels, of 8 bytes each; `None` if the rule rounds
/// values, and in real time.
pub(crate) fn deep<const CHANNELS: usize>(
    options: &EncodeOptions,
    simd: AvailableLevel,
    rule: ValueRule,
) -> Option<RowEncoder> {
    if options.real_time.is_some() {
        return None;
    }
    let quality = options.quality;
    let of_bytes = (quality == Quality::Best).then(|| ChannelEncoder::new(simd, options, rule));
    let encoder = RowEncoder::Rgba16(Box::new(move |rows, blocks, task| {
        if let Some(of_bytes) = &of_bytes {
            let bytes = rows.rows.map(|row| row.iter().map(|texel| texel.to_rgba8()).collect::<Vec<_>>());
            let rows =
                BlockRow { rows: bytes.each_ref().map(Vec::as_slice), visible_rows: rows.visible_rows };
            of_bytes.encode_row(&rows, 0..CHANNELS as u32, blocks, 8 * CHANNELS, task)?;
        }
        let blocks = blocks.as_chunks_mut::<8>().0.as_chunks_mut::<CHANNELS>().0;
        for (column, channels) in blocks.iter_mut().enumerate() {
            task.check()?;
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            for (channel, block) in channels.iter_mut().enumerate() {
                let values = texels.map(|texel| texel[channel]);
                *block = Search::new(rule, &values, visible).block(quality, *block);
            }
        }
        if let Some(units) = Units::new(&rule) {
            for (first, blocks) in (0..).step_by(BATCH).zip(blocks.chunks_mut(BATCH)) {
                task.check()?;
                for channel in 0..CHANNELS {
                    refit(rows, units, first, blocks, channel, |batch| {
                        refit_deep(simd, &rule, quality, batch);
                    });
                }
            }
        }
        Ok(())
    }));
    rule.is_real().then_some(encoder)
}

/// Refits one channel of the blocks from column `first` on.
fn refit<const CHANNELS: usize>(
    rows: &BlockRow<'_, [u16; 4]>,
    units: &Units,
    first: usize,
    blocks: &mut [[[u8; 8]; CHANNELS]],
    channel: usize,
    refit: impl FnOnce(&mut DeepBatch),
) {
    let mut batch = DeepBatch { sources: [[0; BATCH]; 16], visible: [0; BATCH], blocks: [[0; BATCH]; 2] };
    for (lane, block) in blocks.iter().enumerate() {
        batch.visible[lane] = rows.visible_texels(first + lane).into();
        for (sources, texel) in batch.sources.iter_mut().zip(rows.block(first + lane)) {
            sources[lane] = units.of_16_bits(texel[channel]);
        }
        for (words, word) in batch.blocks.iter_mut().zip(block[channel].as_chunks().0) {
            words[lane] = i32::from_le_bytes(*word);
        }
    }
    refit(&mut batch);
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (word, words) in block[channel].as_chunks_mut().0.iter_mut().zip(&batch.blocks) {
            *word = words[lane].to_le_bytes();
        }
    }
}

/// Codes of a block's endpoints, the lower first.
type Ends = (i32, i32);

/// The best endpoints found with a number of values, and their error.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    error: u64,
    ends: Ends,
}

/// Values between two endpoints at equal steps, in the unit of sources.
struct Line {
    start: i32,
    step: i32,
    inverse: f32,
    /// Number of the last value.
    last: i32,
    /// The largest code, if the smallest and the largest one are values, too.
    top: Option<i32>,
}

impl Line {
    /// Returns the place of the nearest value, and the distance from it. The place between two almost equal
    /// distances may be either.
    fn nearest(&self, source: i32) -> (i32, i32) {
        let offset = source - self.start;
        let place = (offset as f32 * self.inverse + 0.5).floor().clamp(0.0, self.last as f32) as i32;
        (place, (offset - place * self.step).abs())
    }

    /// True if an end of the code range is nearer than this distance.
    fn has_nearer_end(&self, source: i32, distance: i32) -> bool {
        self.top.is_some_and(|top| source.min(top - source) < distance)
    }
}

struct Search {
    rule: ValueRule,
    /// Sources in 1/65535 of a step of the grid, below 2³⁰.
    sources: [i32; 16],
    /// True for texels inside the image.
    visible: [bool; 16],
    /// The best endpoints with eight and with six values.
    found: [Option<Found>; 2],
}

impl Search {
    fn new(rule: ValueRule, values: &[u16; 16], visible: u16) -> Self {
        let sources = values.map(|value| i32::from(value) * rule.grid() * rule.top());
        Self { rule, sources, visible: std::array::from_fn(|t| visible >> t & 1 != 0), found: [None; 2] }
    }

    /// Returns the best block. Each quality tries all that lower ones try, and then more: quality best also
    /// starts from the best block of 8 bits.
    fn block(mut self, quality: Quality, of_bytes: [u8; 8]) -> [u8; 8] {
        let all = self.range(|_| true);
        let half = self.code_step() / 2;
        let top = self.rule.top() * self.code_step();
        let inner = self.range(|source| source.min(top - source) > half);
        let (low, high) = all.unwrap_or_default();
        let rounds = match quality {
            Quality::Ultrafast => 0,
            Quality::Fast => 1,
            _ => 2,
        };
        self.descend(false, (low, high.max(low + 1)), rounds);
        self.descend(false, self.nearest_codes(), rounds);
        if quality >= Quality::Normal || inner != all || self.found[0].is_none() {
            self.descend(true, inner.unwrap_or((low, high)), rounds);
        }
        if quality >= Quality::Normal {
            self.climb();
        }
        if quality >= Quality::High {
            for is_six in [false, true] {
                let (low, high) = if is_six { inner.unwrap_or((low, high)) } else { (low, high) };
                self.spread(is_six, low, high);
            }
            self.climb();
        }
        if quality == Quality::Best {
            let [a, b] = [of_bytes[0], of_bytes[1]].map(|stored| self.rule.code(stored));
            self.offer(a <= b, (a.min(b), a.max(b)));
            for is_six in [false, true] {
                let best = self.found[usize::from(is_six)].map(|found| found.ends);
                for ends in best.into_iter().chain(if is_six { inner } else { all }) {
                    self.search(is_six, ends);
                }
            }
            self.climb();
        }
        self.packed()
    }

    /// Returns a code in the unit of sources.
    fn code_step(&self) -> i32 {
        TOP * self.rule.grid()
    }

    fn visible_sources(&self) -> impl Iterator<Item = i32> {
        self.sources.iter().zip(self.visible).filter(|(_, visible)| *visible).map(|(source, _)| *source)
    }

    /// Returns the code below the smallest and the one above the largest of some sources, or those that they
    /// are; `None` if there are none.
    fn range(&self, is_meant: impl Fn(i32) -> bool) -> Option<Ends> {
        let meant = || self.visible_sources().filter(|source| is_meant(*source));
        let step = self.code_step();
        Some((meant().min()? / step, (meant().max()? + step - 1) / step))
    }

    /// Returns the codes nearest to the smallest and the largest source.
    fn nearest_codes(&self) -> Ends {
        let code = |source: Option<i32>| (source.unwrap_or(0) + self.code_step() / 2) / self.code_step();
        (code(self.visible_sources().min()), code(self.visible_sources().max()))
    }

    fn line(&self, is_six: bool, (low, high): Ends) -> Line {
        let last = if is_six { SIX_VALUES } else { EIGHT_VALUES };
        let step = self.code_step() / last * (high - low);
        let inverse = if step > 0 { 1.0 / step as f32 } else { 0.0 };
        let top = is_six.then_some(self.rule.top() * self.code_step());
        Line { start: low * self.code_step(), step, inverse, last, top }
    }

    /// Offers endpoints, then fits and offers again, `rounds` times.
    fn descend(&mut self, is_six: bool, mut ends: Ends, rounds: usize) {
        self.offer(is_six, ends);
        for _ in 0..rounds {
            ends = self.fitted(is_six, ends);
            self.offer(is_six, ends);
        }
    }

    /// Returns the endpoints with the least squares if each source keeps its place between `ends`.
    fn fitted(&self, is_six: bool, ends: Ends) -> Ends {
        let line = self.line(is_six, ends);
        let [mut aa, mut ab, mut bb, mut sa, mut sb] = [0f64; 5];
        for (&source, visible) in self.sources.iter().zip(self.visible) {
            let (place, distance) = line.nearest(source);
            if visible && !line.has_nearer_end(source, distance) {
                let b = f64::from(place) / f64::from(line.last);
                let (a, source) = (1.0 - b, f64::from(source));
                (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
                (sa, sb) = (sa + a * source, sb + b * source);
            }
        }
        let determinant = (aa * bb - ab * ab) * f64::from(self.code_step());
        if determinant.abs() < 1e-3 {
            return ends;
        }
        let code = |sum: f64| (sum / determinant).round().clamp(0.0, f64::from(self.rule.top())) as i32;
        (code(sa * bb - sb * ab), code(sb * aa - sa * ab))
    }

    /// Tries lines on which a part of the values is between the smallest and the largest source.
    fn spread(&mut self, is_six: bool, low: i32, high: i32) {
        let steps = if is_six { SIX_VALUES } else { EIGHT_VALUES };
        for (used, i) in SPREADS.into_iter().filter(|(used, i)| used + i <= steps) {
            let span = high - low;
            let ends = (low - span * i / used, high + span * (steps - used - i) / used);
            self.descend(is_six, ends, 1);
        }
    }

    /// Tries all endpoints in windows around two codes.
    fn search(&mut self, is_six: bool, (low, high): Ends) {
        for low in low - WINDOW..=low + WINDOW {
            for high in high - WINDOW..=high + WINDOW {
                self.offer(is_six, (low, high));
            }
        }
    }

    /// Moves the best endpoints of each number of values by steps while the error falls.
    fn climb(&mut self) {
        for is_six in [false, true] {
            for _ in 0..ROUNDS {
                let before = self.found[usize::from(is_six)];
                for (low, high) in MOVES {
                    if let Some(Found { ends, .. }) = self.found[usize::from(is_six)] {
                        self.offer(is_six, (ends.0 + low as i32, ends.1 + high as i32));
                    }
                }
                if self.found[usize::from(is_six)] == before {
                    break;
                }
            }
        }
    }

    /// Keeps endpoints if they have a smaller error than the best with as many values.
    fn offer(&mut self, is_six: bool, (low, high): Ends) {
        let top = self.rule.top();
        let ends = (low.clamp(0, top), high.clamp(0, top));
        let Some(error) = self.error(is_six, ends) else { return };
        let found = &mut self.found[usize::from(is_six)];
        if found.is_none_or(|found| error < found.error) {
            *found = Some(Found { error, ends });
        }
    }

    /// Returns the sum of squared errors; `None` for endpoints that have no such values: equal ones have six.
    fn error(&self, is_six: bool, ends: Ends) -> Option<u64> {
        if ends.0 > ends.1 || ends.0 == ends.1 && !is_six {
            return None;
        }
        let line = self.line(is_six, ends);
        let mut error = 0;
        for (&source, visible) in self.sources.iter().zip(self.visible) {
            let (_, distance) = line.nearest(source);
            let nearest = line.top.map_or(distance, |top| distance.min(source).min(top - source));
            // Sixteen squares below 2⁶⁰.
            error += if visible { i64::from(nearest).pow(2) as u64 } else { 0 };
        }
        Some(error)
    }

    /// Returns the best block: of eight values if both are equal.
    fn packed(&self) -> [u8; 8] {
        let [eight, six] = self.found;
        let is_six = six.is_some_and(|six| eight.is_none_or(|eight| six.error < eight.error));
        let (low, high) = if is_six { six } else { eight }.map_or((0, 0), |found| found.ends);
        let [r0, r1] = if is_six { [low, high] } else { [high, low] }.map(|code| self.rule.stored(code));
        let values = self.rule.positions(r0, r1).map(|position| position * TOP);
        let mut bits = u64::from(r0) | u64::from(r1) << 8;
        for (t, source) in self.sources.iter().enumerate() {
            let nearest = (0..8).min_by_key(|&index: &usize| source.abs_diff(values[index]));
            bits |= (nearest.unwrap_or(0) as u64) << (16 + 3 * t);
        }
        bits.to_le_bytes()
    }
}
