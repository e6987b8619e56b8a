//! A strip of columns of a band, row by row.

use super::{
    Lights,
    axis::Axis,
    source::Conversion,
    sums,
    target::{self, CoveredSum},
};
use crate::{Cancelled, Image, Task, TexelType, block_row::Form, mips::MipError, simd::AvailableLevel};
use std::ops::Range;

/// Bytes of summed rows that a strip keeps. They should fit a second-level cache.
const KEPT_BYTES: usize = 256 << 10;
/// Maximum number of rows that are kept. If a row of the target needs more, each row of the source is added
/// at once, and again for the next row of the target.
const KEPT_ROWS: usize = 256;

/// An image and its filters.
pub(super) struct Job<'a> {
    pub image: &'a dyn Image,
    /// Source texels of each target texel, along x and y.
    pub axes: [Axis; 2],
    /// Source texels that each target texel covers, if colours are weighted by alpha.
    pub covered: Option<[Axis; 2]>,
    pub task: &'a Task<'a>,
}

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
    /// Sums of its nearly transparent texels.
    covered: Vec<CoveredSum>,
}

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        let (lights, kept, sums) = (Vec::new(), Vec::new(), Vec::new());
        Self { texels: Vec::new(), lights, kept, sums, covered: Vec::new() }
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
    /// Returns the number of columns of strips. As each strip converts whole rows of the source, very wide
    /// images have wider strips.
    pub fn width(job: &Job<'_>) -> u32 {
        let width = (KEPT_BYTES / size_of::<Lights>() / kept_rows(job)) as u32;
        width.max(job.image.size()[0] / 16)
    }

    /// Returns the strip that starts with `first_column` of a target of `width` columns.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if the buffers do not fit in memory.
    pub fn new(
        job: &'a Job<'a>,
        first_column: u32,
        width: u32,
        buffers: &'a mut Buffers<T>,
    ) -> Result<Self, MipError> {
        let columns = first_column..first_column.saturating_add(Self::width(job)).min(width);
        let needed = job.axes[0].covered(columns.clone());
        let is_converted = job.image.texel_type() != TexelType::of::<T>();
        let width = if is_converted { job.image.size()[0] as usize } else { 0 };
        resize(&mut buffers.texels, width, T::zeroed())?;
        resize(&mut buffers.kept, columns.len() * kept_rows(job), Lights::default())?;
        resize(&mut buffers.sums, columns.len(), Lights::default())?;
        buffers.lights.clear();
        reserve(&mut buffers.lights, (needed.end - needed.start) as usize)?;
        buffers.covered.clear();
        if job.covered.is_some() {
            reserve(&mut buffers.covered, columns.len())?;
        }
        Ok(Self { job, columns, needed, simd: AvailableLevel::detect(), buffers, next_row: i64::MIN })
    }

    /// Fills this strip's columns of `target`, row `y` of the target. Rows come in order.
    pub fn fill_row(
        &mut self,
        y: u32,
        conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
        target: &mut [T],
    ) -> Result<(), Cancelled> {
        match self.job.axes[1].taps > KEPT_ROWS {
            true => self.add_rows(y, &conversion.of_texel)?,
            false => self.add_kept_rows(y, &conversion.of_texel)?,
        }
        self.add_covered(y, conversion)?;
        let target = &mut target[self.columns.start as usize..self.columns.end as usize];
        let Buffers { sums, covered, .. } = &*self.buffers;
        match self.job.covered {
            Some(_) => target::texels_by_alpha(sums, covered, conversion, target),
            None => target::texels(sums, &conversion.to_texel, target),
        }
        Ok(())
    }

    /// Sums the rows of the source for row `y` of the target. Rows that the last one needed, too, are kept.
    fn add_kept_rows(&mut self, y: u32, of_texel: &impl Fn(&T) -> Lights) -> Result<(), Cancelled> {
        let [across, down] = &self.job.axes;
        let (first, weights) = down.at(y);
        let (count, end) = (self.columns.len(), first + down.taps as i64);
        let slot = |row: i64| row.rem_euclid(down.taps as i64) as usize * count..;
        for row in self.next_row.max(first)..end {
            self.job.task.check()?;
            self.fill_lights(row, of_texel);
            let kept = &mut self.buffers.kept[slot(row)][..count];
            let lights = &self.buffers.lights;
            sums::along_row(self.simd, across, self.columns.start, self.needed.start, lights, kept);
        }
        self.next_row = end;
        let kept = &self.buffers.kept;
        let rows: Vec<&[f32]> = (first..end).map(|row| kept[slot(row)][..count].as_flattened()).collect();
        sums::of_rows(self.simd, &rows, weights, self.buffers.sums.as_flattened_mut());
        Ok(())
    }

    /// Sums the rows of the source for row `y` of the target, one after another. The sums have the same bits
    /// as those of [`add_kept_rows`](Self::add_kept_rows).
    fn add_rows(&mut self, y: u32, of_texel: &impl Fn(&T) -> Lights) -> Result<(), Cancelled> {
        let [across, down] = &self.job.axes;
        let (first, weights) = down.at(y);
        self.buffers.sums.fill(Lights::default());
        for (row, &weight) in (first..).zip(weights) {
            self.job.task.check()?;
            self.fill_lights(row, of_texel);
            let Buffers { lights, kept, sums, .. } = &mut *self.buffers;
            sums::along_row(self.simd, across, self.columns.start, self.needed.start, lights, kept);
            for (sum, light) in sums.as_flattened_mut().iter_mut().zip(kept.as_flattened()) {
                *sum += light * weight;
            }
        }
        Ok(())
    }

    /// Sums the texels that nearly transparent texels of row `y` of the target cover.
    fn add_covered(
        &mut self,
        y: u32,
        conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
    ) -> Result<(), Cancelled> {
        let Some([columns, rows]) = &self.job.covered else { return Ok(()) };
        let Buffers { texels, sums, covered, .. } = &mut *self.buffers;
        covered.clear();
        let transparent = self.columns.clone().zip(sums.iter());
        let transparent = transparent.filter(|(_, sum)| !target::is_visible(sum, conversion.visible));
        covered.extend(transparent.map(|(x, _)| CoveredSum::new(x)));
        if covered.is_empty() {
            return Ok(());
        }
        let (first, weights) = rows.at(y);
        for (row, &weight) in (first..).zip(weights) {
            self.job.task.check()?;
            let row = T::row(self.job.image, rows.wrapped(row), texels);
            covered.iter_mut().for_each(|sum| sum.add(columns, row, weight, &conversion.of_texel));
        }
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
}

/// Returns the number of rows of the source whose sums are kept.
fn kept_rows(job: &Job<'_>) -> usize {
    let taps = job.axes[1].taps;
    if taps > KEPT_ROWS { 1 } else { taps }
}

/// Makes room for `count` items in an empty buffer.
fn reserve<T>(buffer: &mut Vec<T>, count: usize) -> Result<(), MipError> {
    let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
    buffer.try_reserve_exact(count).map_err(|_| MipError::OutOfMemory { needed })
}

/// Gives a buffer `count` items. The values of earlier ones do not matter.
fn resize<T: Copy>(buffer: &mut Vec<T>, count: usize, value: T) -> Result<(), MipError> {
    buffer.clear();
    reserve(buffer, count)?;
    buffer.resize(count, value);
    Ok(())
}
