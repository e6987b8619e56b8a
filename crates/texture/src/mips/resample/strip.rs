//! A strip of columns of a band, row by row.

use super::{
    Lights,
    axis::Axis,
    run::Job,
    source::Conversion,
    sums,
    target::{self, Covered},
};
use crate::{Cancelled, image::Form, simd::AvailableLevel};
use std::ops::Range;

/// Bytes of summed rows that a strip keeps. They should fit a second-level cache.
const KEPT_BYTES: usize = 256 << 10;
/// Minimum number of columns.
const MIN_WIDTH: usize = 64;

/// Buffers of a thread.
pub(super) struct Buffers<T> {
    /// A row of the source, if it has another form.
    texels: Vec<T>,
    /// A part of a row of the source.
    lights: Vec<Lights>,
    /// Sums along the rows that a row of the target needs. Each row of the source replaces an earlier one.
    kept: Vec<Lights>,
    /// Sums of a row of the target.
    sums: Vec<Lights>,
}

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        Self { texels: Vec::new(), lights: Vec::new(), kept: Vec::new(), sums: Vec::new() }
    }
}

/// Columns of the target whose rows are filled one after another.
pub(super) struct Strip<'a, T> {
    job: &'a Job<'a>,
    columns: Range<u32>,
    /// Columns of the source that these need.
    needed: Range<i64>,
    simd: AvailableLevel,
    buffers: &'a mut Buffers<T>,
    /// Number after that of the last row of the source whose sums are kept.
    next_row: i64,
}

impl<'a, T: Form> Strip<'a, T> {
    /// Returns the number of columns of strips.
    pub fn width(job: &Job<'_>) -> u32 {
        (KEPT_BYTES / size_of::<Lights>() / job.axes[1].taps).max(MIN_WIDTH) as u32
    }

    /// Returns the strip that starts with `first_column` of a target of `width` columns.
    pub fn new(job: &'a Job<'a>, first_column: u32, width: u32, buffers: &'a mut Buffers<T>) -> Self {
        let columns = first_column..first_column.saturating_add(Self::width(job)).min(width);
        let [across, down] = &job.axes;
        buffers.texels.resize(job.image.size()[0] as usize, T::zeroed());
        buffers.kept.resize(columns.len() * down.taps, Lights::default());
        buffers.sums.resize(columns.len(), Lights::default());
        let needed = across.covered(columns.clone());
        Self { job, columns, needed, simd: AvailableLevel::detect(), buffers, next_row: i64::MIN }
    }

    /// Fills this strip's columns of `target`, row `y` of the target. Rows come in order.
    pub fn fill_row(
        &mut self,
        y: u32,
        conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
        target: &mut [T],
    ) -> Result<(), Cancelled> {
        let [across, down] = &self.job.axes;
        let (first, weights) = down.at(y);
        let (count, end) = (self.columns.len(), first + down.taps as i64);
        let slot = |row: i64| row.rem_euclid(down.taps as i64) as usize * count..;
        for row in self.next_row.max(first)..end {
            self.job.task.check()?;
            self.fill_lights(row, &conversion.of_texel);
            let kept = &mut self.buffers.kept[slot(row)][..count];
            let lights = &self.buffers.lights;
            sums::along_row(self.simd, across, self.columns.start, self.needed.start, lights, kept);
        }
        self.next_row = end;
        let kept = &self.buffers.kept;
        let rows: Vec<&[f32]> = (first..end).map(|row| kept[slot(row)][..count].as_flattened()).collect();
        sums::of_rows(self.simd, &rows, weights, self.buffers.sums[..count].as_flattened_mut());
        let target = &mut target[self.columns.start as usize..self.columns.end as usize];
        let sums = &self.buffers.sums[..count];
        let Some([columns, rows]) = &self.job.covered else {
            target::texels(sums, &conversion.to_texel, target);
            return Ok(());
        };
        let mut row_buffers = Vec::new();
        let is_transparent = |sum: &Lights| sum[3] < conversion.visible;
        let rows = if sums.iter().any(is_transparent) {
            self.covered_rows(y, rows, &mut row_buffers)
        } else {
            Vec::new()
        };
        let covered = Covered::new(columns, rows);
        target::texels_by_alpha(sums, &covered, self.columns.start, conversion, target);
        Ok(())
    }

    /// Fills the buffer of lights from a row of the source. With straight alpha, colours are multiplied by
    /// alpha.
    fn fill_lights(&mut self, row: i64, of_texel: &impl Fn(&T) -> Lights) {
        let [across, down] = &self.job.axes;
        let Buffers { texels, lights, .. } = &mut *self.buffers;
        let texels = T::row(self.job.image, down.wrapped(row), texels);
        let width = texels.len() as i64;
        let Range { start, end } = self.needed;
        let inside = start.clamp(0, width)..end.clamp(0, width);
        let outside = |x: i64| of_texel(&texels[across.wrapped(x) as usize]);
        lights.clear();
        lights.extend((start..inside.start).map(outside));
        lights.extend(texels[inside.start as usize..inside.end as usize].iter().map(of_texel));
        lights.extend((inside.end..end).map(outside));
        if self.job.covered.is_some() {
            for [r, g, b, alpha] in lights {
                (*r, *g, *b) = (*r * *alpha, *g * *alpha, *b * *alpha);
            }
        }
    }

    /// Returns the rows of the source that row `y` of the target covers.
    fn covered_rows<'b>(&self, y: u32, axis: &Axis, buffers: &'b mut Vec<Vec<T>>) -> Vec<(&'b [T], f32)>
    where
        'a: 'b,
    {
        let (first, weights) = axis.at(y);
        let width = self.job.image.size()[0] as usize;
        buffers.resize(weights.len(), vec![T::zeroed(); width]);
        let rows = (first..).zip(weights).zip(buffers);
        rows.map(|((row, &weight), buffer)| (T::row(self.job.image, axis.wrapped(row), buffer), weight))
            .collect()
    }
}
