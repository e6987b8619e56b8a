//! Parameters and statistics of the coder (Annexes A and C of T.87).

use super::bits::Bits;
use crate::{FormatError, JpegFault};

/// Parameters of a file; 0 for those with the default value (C.2.4.1.1).
#[derive(Clone, Copy, Default)]
pub struct Preset {
    most: i32,
    thresholds: [i32; 3],
    reset: i32,
}

impl Preset {
    pub fn of(bytes: [u8; 10]) -> Self {
        let [most, first, second, third, reset] =
            [0, 2, 4, 6, 8].map(|at| u16::from_be_bytes([bytes[at], bytes[at + 1]]).into());
        Self { most, thresholds: [first, second, third], reset }
    }
}

/// Contexts of samples (A.3.4), and after them two of the ends of runs (A.7.2).
const CONTEXTS: usize = 365;

/// Statistics of a context (A.2.1).
#[derive(Clone, Copy)]
struct Context {
    /// Sum of the sizes of errors.
    size: i64,
    /// Sum of the errors, between two changes of `correction`.
    bias: i32,
    /// Correction of the prediction.
    correction: i32,
    count: i32,
    /// Number of errors below zero. Only of runs.
    negative: i32,
}

pub struct Model {
    /// Largest sample.
    most: i32,
    /// Largest error of a sample.
    near: i32,
    /// Number of different errors.
    range: i32,
    range_bits: u32,
    /// Maximum length of a code.
    limit: u32,
    thresholds: [i32; 3],
    /// Number of errors after which the sums are halved.
    reset: i32,
    contexts: [Context; CONTEXTS + 2],
}

const fn bits_of(number: i32) -> u32 {
    32 - (number as u32).leading_zeros()
}

impl Model {
    /// Returns the model at the start of a scan.
    ///
    /// # Errors
    /// [`JpegFault::Parameters`].
    pub fn new(preset: &Preset, precision: u32, near: i32) -> Result<Self, FormatError> {
        let default = |value, default| if value == 0 { default } else { value };
        let (highest, wrong) = ((1 << precision) - 1, Err(JpegFault::Parameters.into()));
        let most = default(preset.most, highest);
        if most > highest || near > most / 2 {
            return wrong;
        }
        let [first, second, third] = thresholds(most, near);
        let [a, b, c] = preset.thresholds;
        let thresholds = [default(a, first), default(b, second), default(c, third)];
        let reset = default(preset.reset, 64);
        let [a, b, c] = thresholds;
        if !(near < a && a <= b && b <= c && c <= most) || reset < 3 {
            return wrong;
        }
        let range = (most + 2 * near) / (2 * near + 1) + 1;
        let bits = bits_of(most).max(2);
        let size = ((range + 32) / 64).max(2).into();
        let context = Context { size, bias: 0, correction: 0, count: 1, negative: 0 };
        Ok(Self {
            most,
            near,
            range,
            range_bits: bits_of(range - 1),
            limit: 2 * (bits + bits.max(8)),
            thresholds,
            reset,
            contexts: [context; CONTEXTS + 2],
        })
    }

    /// True if a difference counts as none.
    pub const fn is_near(&self, difference: i32) -> bool {
        difference.abs() <= self.near
    }

    /// Returns the class of a difference between neighbours, from -4 to 4 (A.3.3).
    fn class(&self, difference: i32) -> i32 {
        if self.is_near(difference) {
            return 0;
        }
        let above = self.thresholds.iter().filter(|&&threshold| difference.abs() >= threshold).count();
        difference.signum() * (1 + above as i32)
    }

    /// Returns the sample at a prediction and an error (A.4.5, A.5.3).
    fn sample(&self, predicted: i32, error: i32) -> i32 {
        let step = 2 * self.near + 1;
        let mut sample = predicted + error * step;
        if sample < -self.near {
            sample += self.range * step;
        } else if sample > self.most + self.near {
            sample -= self.range * step;
        }
        sample.clamp(0, self.most)
    }

    /// Reads a Golomb code of at most `limit` bits (A.5.3).
    fn golomb(&self, bits: &mut Bits, order: u32, limit: u32) -> Result<i32, FormatError> {
        let most = limit - self.range_bits - 1;
        let zeros = bits.zeros(most)?;
        let number = if zeros < most {
            i64::from(zeros) << order | i64::from(bits.take(order)?)
        } else {
            // (Here, the one comes after all the zeros.)
            if bits.take(1)? == 0 {
                return Err(JpegFault::Code.into());
            }
            i64::from(bits.take(self.range_bits)?) + 1
        };
        // Errors have at most half the range and a sign, which is the code's lowest bit (A.5.2, A.7.2.2).
        i32::try_from(number).ok().filter(|&number| number <= self.range).ok_or(JpegFault::Code.into())
    }

    /// Reads the sample with the neighbours left, above left, above and above right (A.3 to A.6).
    pub fn regular(&mut self, bits: &mut Bits, [a, c, b, d]: [i32; 4]) -> Result<i32, FormatError> {
        let classes = [d - b, b - c, c - a].map(|difference| self.class(difference));
        let index = 81 * classes[0] + 9 * classes[1] + classes[2];
        // (In a group of components, one may have no differences.)
        let (sign, index) = (if index < 0 { -1 } else { 1 }, index.unsigned_abs() as usize);
        let predicted = match c {
            _ if c >= a.max(b) => a.min(b),
            _ if c <= a.min(b) => a.max(b),
            _ => a + b - c,
        };
        let context = self.contexts[index];
        let predicted = (predicted + sign * context.correction).clamp(0, self.most);
        let order = context.order(context.size)?;
        let code = self.golomb(bits, order, self.limit)?;
        let is_turned = self.near == 0 && order == 0 && 2 * context.bias <= -context.count;
        let half = code >> 1;
        let error = if (code & 1 == 1) == is_turned { half } else { -half - 1 };
        let (near, reset) = (self.near, self.reset);
        self.contexts[index].update(error, near, reset);
        Ok(self.sample(predicted, sign * error))
    }

    /// Reads the sample at the end of a run, with the neighbours left and above (A.7.2). `is_alike` states
    /// whether these count as equal, `run_bits` the order of the run.
    pub fn end_of_run(
        &mut self,
        bits: &mut Bits,
        [a, b]: [i32; 2],
        is_alike: bool,
        run_bits: u32,
    ) -> Result<i32, FormatError> {
        let kind = i32::from(is_alike);
        let (predicted, sign) = if is_alike { (a, 1) } else { (b, if a > b { -1 } else { 1 }) };
        let context = self.contexts[CONTEXTS + kind as usize];
        let size = context.size + i64::from(if is_alike { context.count >> 1 } else { 0 });
        let order = context.order(size)?;
        let code = self.golomb(bits, order, self.limit - run_bits - 1)?;
        let is_odd = (code + kind) & 1 == 1;
        let magnitude = (code + kind + 1) >> 1;
        let is_usual = order != 0 || 2 * context.negative >= context.count;
        let error = if is_odd == is_usual { -magnitude } else { magnitude };
        let reset = self.reset;
        self.contexts[CONTEXTS + kind as usize].update_run(error, (code + 1 - kind) >> 1, reset);
        Ok(self.sample(predicted, sign * error))
    }
}

impl Context {
    /// Returns the order of the Golomb code (A.5.1).
    fn order(&self, size: i64) -> Result<u32, FormatError> {
        let order = (0..=24).find(|&order| i64::from(self.count) << order >= size);
        order.ok_or(JpegFault::Code.into())
    }

    /// Counts an error (A.6).
    fn update(&mut self, error: i32, near: i32, reset: i32) {
        self.bias += error * (2 * near + 1);
        self.size += i64::from(error.abs());
        if self.count == reset {
            (self.size, self.bias, self.count) = (self.size >> 1, self.bias >> 1, self.count >> 1);
        }
        self.count += 1;
        if self.bias <= -self.count {
            self.bias = (self.bias + self.count).max(1 - self.count);
            self.correction = (self.correction - 1).max(-128);
        } else if self.bias > 0 {
            self.bias = (self.bias - self.count).min(0);
            self.correction = (self.correction + 1).min(127);
        }
    }

    /// Counts the error at the end of a run (A.7.2.2).
    fn update_run(&mut self, error: i32, size: i32, reset: i32) {
        self.negative += i32::from(error < 0);
        self.size += i64::from(size);
        if self.count == reset {
            (self.size, self.negative, self.count) = (self.size >> 1, self.negative >> 1, self.count >> 1);
        }
        self.count += 1;
    }
}

/// Returns the default thresholds (C.2.4.1.1.1).
fn thresholds(most: i32, near: i32) -> [i32; 3] {
    let clamp = |threshold, least| if threshold > most || threshold < least { least } else { threshold };
    let unclamped = if most >= 128 {
        let factor = (most.min(4095) + 128) / 256;
        [factor + 2 + 3 * near, 4 * factor + 3 + 5 * near, 17 * factor + 4 + 7 * near]
    } else {
        let factor = 256 / (most + 1);
        [(3 / factor + 3 * near).max(2), (7 / factor + 5 * near).max(3), (21 / factor + 7 * near).max(4)]
    };
    let first = clamp(unclamped[0], near + 1);
    let second = clamp(unclamped[1], first);
    [first, second, clamp(unclamped[2], second)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors have fewer codes than the bits of long ones can state.
    #[test]
    fn codes_beyond_the_range_are_refused() {
        let model = Model::new(&Preset::default(), 8, 0).expect("parameters");
        // A zero, the one after it, and eight bits: 256 and 257.
        assert_eq!(model.golomb(&mut Bits::new(&[0b0100_0000, 0]), 8, model.limit).ok(), Some(256));
        assert!(model.golomb(&mut Bits::new(&[0b0100_0000, 0b0100_0000]), 8, model.limit).is_err());
    }
}
