//! Commands of a band.

use super::{
    kernels::{AxisParams, FilterParams, sums_kernel, texels_kernel},
    table::Table,
};
use crate::{
    ColorSpace, EncodeError, TexelFormat,
    gpu::{
        load::channel_number,
        mip::{MipArea, MipSource},
        source_rect::SourceRect,
    },
    mips::{Axes, Axis, MipOptions, halved},
};
use brickwork_gpu::{Context, GpuError, Pipeline, filled_buffer, wgpu};
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// Maximum number of sums along rows in memory. They take 8 MiB. One dispatch computes at most as many, which
/// takes milliseconds, or a tenth of a second without a GPU.
const MAX_SUMS: u32 = 1 << 19;
/// Maximum number of columns of a piece. Each piece computes the sums of its halo's rows.
const MAX_COLUMNS: u32 = 4096;
/// Bytes of four sums.
const SUM_BYTES: u64 = 16;

/// Maker of the next mip level of an image, by any filter.
pub(in crate::gpu) struct FilterMaker {
    sums: Pipeline,
    texels: Pipeline,
    format: TexelFormat,
    color_space: ColorSpace,
    axes: Axes,
    /// Sums along rows of a piece. Commands of one queue use it one after another.
    buffer: wgpu::Buffer,
    /// Table of the last band, and the buffer that contains it. All bands of even sides have the same.
    last_table: Mutex<Option<(Vec<u32>, wgpu::Buffer)>>,
}

/// Numbers of a table's axes.
struct TableAxes {
    filter: [AxisParams; 2],
    covered: [AxisParams; 2],
}

impl FilterMaker {
    /// Returns the size of the level of an image of size `side`.
    pub fn level_size(side: [u32; 2]) -> [u32; 2] {
        side.map(halved)
    }

    /// Returns a maker for an image of size `side` in texels. Compiles the kernels if necessary. `has_alpha`
    /// is true if the image's texels store alpha.
    pub fn new(
        context: &Context,
        format: TexelFormat,
        options: MipOptions,
        side: [u32; 2],
        has_alpha: bool,
    ) -> Result<Self, EncodeError> {
        let size @ [width, height] = Self::level_size(side);
        let axes = Axes::new(side, size, options, has_alpha)?;
        let rows = axes.filter[1].covered(0..height);
        let needed = u64::from(width.min(MAX_COLUMNS)) * (rows.end - rows.start) as u64;
        let bytes = needed.min(MAX_SUMS.into()) * SUM_BYTES;
        Ok(Self {
            sums: context.pipeline(&sums_kernel(format))?,
            texels: context.pipeline(&texels_kernel(format))?,
            format,
            color_space: options.color_space,
            axes,
            buffer: context.buffer("sums along rows", bytes, wgpu::BufferUsages::STORAGE)?,
            last_table: Mutex::new(None),
        })
    }

    /// Returns the texels that `area` and the blocks of a rectangle of the image need. The rectangle is at
    /// `origin` and has size `size`.
    pub fn source(&self, area: &MipArea, origin: [u32; 2], size: [u32; 2]) -> SourceRect<'_> {
        let Axes { filter, covered } = &self.axes;
        let rect = SourceRect::inside(origin, size).with(filter, ranges(area));
        covered.iter().fold(rect, |rect, axes| rect.with(axes, ranges(area)))
    }

    /// Records the commands that make `area` in `level`, row after row, from `source`, which contains `rect`.
    pub fn record(
        &self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        area: &MipArea,
        rect: &SourceRect<'_>,
        source: &MipSource<'_>,
        level: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let device = context.device();
        let (table, axes) = self.table(area, rect);
        context.checked("recording", || {
            let table = self.uploaded(device, table);
            for piece in pieces(area.size, &self.axes.filter[1]) {
                let params = self.params(area, rect, source, &axes, &piece);
                let contents = bytemuck::bytes_of(&params);
                let uniform = filled_buffer(device, "mip level", contents, wgpu::BufferUsages::UNIFORM);
                let bind = |pipeline: &Pipeline, buffers: &[&wgpu::Buffer]| {
                    let bound: Vec<_> = buffers.iter().map(|buffer| buffer.as_entire_binding()).collect();
                    pipeline.bind(device, &bound)
                };
                let mut pass = encoder.begin_compute_pass(&Default::default());
                let bound = bind(&self.sums, &[&uniform, source.buffer, &self.buffer, &table]);
                let groups = (params.size[0] * params.row_count).div_ceil(64);
                self.sums.dispatch(&mut pass, &bound, groups);
                let bound = bind(&self.texels, &[&uniform, source.buffer, level, &table, &self.buffer]);
                let groups = (params.size[0] * params.size[1]).div_ceil(64);
                self.texels.dispatch(&mut pass, &bound, groups);
            }
        })
    }

    /// Returns a buffer that contains a table. It is that of the last band if the tables are equal.
    fn uploaded(&self, device: &wgpu::Device, table: Table) -> wgpu::Buffer {
        let mut last = self.last_table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((words, buffer)) = &*last
            && *words == table.words
        {
            return buffer.clone();
        }
        let contents = bytemuck::cast_slice(&table.words);
        let buffer = filled_buffer(device, "weights", contents, wgpu::BufferUsages::STORAGE);
        *last = Some((table.words, buffer.clone()));
        buffer
    }

    /// Returns the table of a band.
    fn table(&self, area: &MipArea, rect: &SourceRect<'_>) -> (Table, TableAxes) {
        let mut table = Table::new(self.format, self.color_space);
        let mut add = |axes: &[Axis; 2]| {
            let [columns, rows] = ranges(area);
            [table.add(&axes[0], columns, rect.start[0]), table.add(&axes[1], rows, rect.start[1])]
        };
        let filter = add(&self.axes.filter);
        let covered = self.axes.covered.as_ref().map_or(filter, &mut add);
        (table, TableAxes { filter, covered })
    }

    /// Returns the parameters of a piece of a band.
    fn params(
        &self,
        area: &MipArea,
        rect: &SourceRect<'_>,
        source: &MipSource<'_>,
        axes: &TableAxes,
        piece: &[Range<u32>; 2],
    ) -> FilterParams {
        let [columns, rows] = piece;
        let in_level = area.first[1] + rows.start..area.first[1] + rows.end;
        let needed = self.axes.filter[1].covered(in_level);
        let (filter, covered) = (axes.filter, axes.covered);
        FilterParams {
            columns: filter[0],
            rows: filter[1],
            covered_columns: covered[0],
            covered_rows: covered[1],
            size: [columns.len() as u32, rows.len() as u32],
            first: [columns.start, rows.start],
            level_pitch: area.size[0],
            first_row: (needed.start - rect.start[1]) as u32,
            row_count: (needed.end - needed.start) as u32,
            offset: 0,
            pitch: source.pitch,
            channels: source.texel_type.channel_count(),
            channel_type: channel_number(source.texel_type.channel_type()),
            by_alpha: self.axes.covered.is_some().into(),
            side: area.side,
        }
    }
}

/// Returns the columns and rows of the level in `area`.
fn ranges(area: &MipArea) -> [Range<u32>; 2] {
    [0, 1].map(|a| area.first[a]..area.first[a] + area.size[a])
}

/// Returns columns and rows of pieces of `size` texels. The sums of each fit the buffer.
fn pieces([width, height]: [u32; 2], rows: &Axis) -> impl Iterator<Item = [Range<u32>; 2]> {
    // A row of the level adds at most three rows of the source.
    let columns = width.clamp(1, MAX_COLUMNS);
    let count = ((MAX_SUMS / columns).saturating_sub(rows.taps as u32) / 3).max(1);
    let cut = |end: u32, count: u32| {
        (0..end).step_by(count as usize).map(move |start| start..(start + count).min(end))
    };
    cut(height, count).flat_map(move |rows| cut(width, columns).map(move |columns| [columns, rows.clone()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlphaMode, MipFilter};
    use brickwork_gpu::testing::context;

    #[test]
    fn bands_of_even_sides_share_a_table() {
        let Some(context) = context() else { return };
        let options =
            MipOptions::new(ColorSpace::Srgb, AlphaMode::Opaque).with(|o| o.filter = MipFilter::Kaiser);
        for (side, is_shared) in [([64, 64], true), ([64, 65], false)] {
            let maker = FilterMaker::new(&context, TexelFormat::Rgba8, options, side, true).unwrap();
            let buffer = |y| {
                let area = MipArea::new(side, [0, y], [64, 16]);
                let (table, _) = maker.table(&area, &maker.source(&area, [0, y], [64, 16]));
                maker.uploaded(context.device(), table)
            };
            assert_eq!(buffer(16) == buffer(32), is_shared, "{side:?}");
        }
    }
}
