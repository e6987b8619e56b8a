//! A scan: rows of one or several components (A.7, B).

use super::{bits::Bits, model::Model};
use crate::{FormatError, JpegFault};

/// Order of the components in a scan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Interleave {
    /// There is one component.
    None,
    /// A row of each component.
    Line,
    /// A sample of each component.
    Sample,
}

/// Orders of the lengths of runs (A.2.1).
const RUN_BITS: [u32; 32] =
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15];

pub struct Scan<'a> {
    model: Model,
    bits: Bits<'a>,
    width: usize,
    interleave: Interleave,
    lines: Vec<Lines>,
}

/// Two rows of a component. A sample is before each row and after it.
struct Lines {
    above: Vec<i32>,
    row: Vec<i32>,
    /// Place in `RUN_BITS`.
    run: usize,
}

impl Lines {
    /// Returns the neighbours left, above left, above and above right of the sample at `x`.
    fn neighbours(&self, x: usize) -> [i32; 4] {
        [self.row[x - 1], self.above[x - 1], self.above[x], self.above[x + 1]]
    }
}

impl<'a> Scan<'a> {
    pub fn new(model: Model, bits: Bits<'a>, width: usize, count: usize, interleave: Interleave) -> Self {
        let lines = || Lines { above: vec![0; width + 2], row: vec![0; width + 2], run: 0 };
        let lines = (0..count).map(|_| lines()).collect();
        Self { model, bits, width, interleave, lines }
    }

    /// Returns the row of a component that was read last.
    pub fn row(&self, index: usize) -> &[i32] {
        &self.lines[index].row[1..=self.width]
    }

    /// Reads a row of all components.
    pub fn next_row(&mut self) -> Result<(), FormatError> {
        for lines in &mut self.lines {
            std::mem::swap(&mut lines.above, &mut lines.row);
            // The edges repeat what is above them (A.2.1).
            lines.above[self.width + 1] = lines.above[self.width];
            lines.row[0] = lines.above[1];
        }
        if self.interleave == Interleave::Sample {
            return self.group(0..self.lines.len());
        }
        (0..self.lines.len()).try_for_each(|index| self.group(index..index + 1))
    }

    /// Reads a row of components whose runs are common.
    fn group(&mut self, group: std::ops::Range<usize>) -> Result<(), FormatError> {
        let Self { model, bits, width, lines, .. } = self;
        let lines = &mut lines[group];
        let mut x = 1;
        while x <= *width {
            let is_flat = lines.iter().all(|lines| {
                let [a, c, b, d] = lines.neighbours(x);
                [d - b, b - c, c - a].iter().all(|&difference| model.is_near(difference))
            });
            if !is_flat {
                for lines in &mut *lines {
                    lines.row[x] = model.regular(bits, lines.neighbours(x))?;
                }
                x += 1;
                continue;
            }
            let length = run(bits, *width + 1 - x, &mut lines[0].run)?;
            for lines in &mut *lines {
                let value = lines.row[x - 1];
                lines.row[x..x + length].fill(value);
            }
            x += length;
            if x > *width {
                break;
            }
            let (run_bits, is_alone) = (RUN_BITS[lines[0].run], lines.len() == 1);
            for lines in &mut *lines {
                let [a, _, b, _] = lines.neighbours(x);
                let is_alike = is_alone && model.is_near(a - b);
                lines.row[x] = model.end_of_run(bits, [a, b], is_alike, run_bits)?;
            }
            lines[0].run = lines[0].run.saturating_sub(1);
            x += 1;
        }
        Ok(())
    }
}

/// Reads the length of a run, at most `rest` (A.7.1).
fn run(bits: &mut Bits, rest: usize, place: &mut usize) -> Result<usize, FormatError> {
    let mut length = 0;
    while length < rest {
        let order = RUN_BITS[*place];
        if bits.take(1)? == 0 {
            length += bits.take(order)? as usize;
            return if length < rest { Ok(length) } else { Err(JpegFault::Code.into()) };
        }
        length += 1 << order;
        if length <= rest {
            *place = (*place + 1).min(RUN_BITS.len() - 1);
        }
    }
    Ok(rest)
}
