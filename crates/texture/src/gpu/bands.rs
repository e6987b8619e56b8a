//! Encoding of whole images, band by band: while the GPU encodes one band, the next is uploaded and the
//! previous one is read back.

#[cfg(not(target_arch = "wasm32"))]
mod blocking;

#[cfg(not(target_arch = "wasm32"))]
pub use blocking::KernelTime;

use super::{
    area::Area,
    level::LevelMaker,
    load::{LoadFrom, LoadParams},
    machine::{Machine, Slot},
    mip::{MipArea, MipSource},
    prepared::{Destination, Prepared},
    source_rect::SourceRect,
    upload::copy_rows,
};
use crate::{
    EncodeError, EncodeOptions, Image, Task, Threads,
    bc::BlockCoder,
    mips::{MipLevel, MipOptions},
};
use brickwork_gpu::{Context, Download, GpuError, Timer, TimerRead, wgpu};
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

/// Number of bands in progress at a time.
const DEPTH: usize = 3;
/// Bytes of texels in a band: while one is uploaded, the GPU encodes another. The halo of a mip level may
/// make a single row of blocks five times as large.
const MAX_TEXEL_BYTES: u64 = 8 << 20;
/// Bytes of any of the buffers between the kernels.
const MAX_BAND_BYTES: u64 = 32 << 20;
/// Target time of a band: drivers' watchdogs stop work that takes seconds.
const BAND_TIME: Duration = Duration::from_millis(50);

type Clock<'a> = Box<dyn Fn() -> Duration + Send + 'a>;

/// Encoding of a whole image on a GPU. No call here waits.
pub struct Encoding<'a> {
    machine: Arc<Machine>,
    prepared: Arc<Prepared>,
    image: &'a dyn Image,
    blocks: &'a mut [u8],
    next_level: Option<NextLevel>,
    /// Start of the next band, in blocks.
    next: [u32; 2],
    under_way: VecDeque<Band>,
    band_blocks: u32,
    done: u64,
    /// Clock that sizes bands: the time since a fixed moment.
    clock: Option<Clock<'a>>,
    /// Time of arrival of the last band.
    last: Duration,
    /// Total time of each kernel so far, if measured.
    times: Option<Vec<Duration>>,
    /// Threads that copy texels for an upload.
    threads: Threads,
}

impl fmt::Debug for Encoding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding").field("next", &self.next).field("done", &self.done).finish_non_exhaustive()
    }
}

/// Next mip level, which arrives with the bands.
struct NextLevel {
    maker: LevelMaker,
    level: MipLevel,
}

struct Band {
    area: Area,
    /// Part of the next mip level that the band makes, if one is requested.
    mip_area: Option<MipArea>,
    slot: Slot,
    download: Download,
    /// Time of the submission, if there is a clock.
    submitted: Option<Duration>,
    times: Option<TimerRead>,
}

impl Band {
    /// True if all data have arrived.
    fn is_ready(&self, context: &Context) -> Result<bool, GpuError> {
        let has_times = self.times.as_ref().map_or(Ok(true), |times| times.is_ready(context))?;
        Ok(has_times && self.download.is_ready(context)?)
    }
}

impl<'a> Encoding<'a> {
    pub(super) fn new(
        machine: &Arc<Machine>,
        image: &'a dyn Image,
        coder: BlockCoder,
        options: &EncodeOptions,
        mips: Option<MipOptions>,
        blocks: &'a mut [u8],
    ) -> Result<Self, EncodeError> {
        let [columns, rows] = image.size().map(|texels| u64::from(texels.div_ceil(4)));
        let needed = (columns * rows).saturating_mul(coder.codec.block_bytes as u64);
        if needed != blocks.len() as u64 {
            return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
        }
        if mips.is_some_and(|mips| mips.extreme.is_some()) {
            return Err(EncodeError::MipExtreme);
        }
        let next_level = |options| {
            let made = LevelMaker::new(&machine.context, image, coder.codec.texels, options);
            made.map(|(maker, level)| NextLevel { maker, level })
        };
        let next_level = mips.map(next_level).transpose()?;
        let prepared = machine.prepared(coder, options)?;
        let known = prepared.band_blocks.load(Ordering::Relaxed);
        Ok(Self {
            machine: Arc::clone(machine),
            image,
            blocks,
            next_level,
            next: [0; 2],
            under_way: VecDeque::new(),
            band_blocks: if known == 0 { prepared.first_band_blocks(&machine.context) } else { known },
            prepared,
            done: 0,
            clock: None,
            last: Duration::ZERO,
            times: None,
            threads: Threads::default(),
        })
    }

    /// Sizes bands by a clock, which returns the time since any fixed moment. A band should take 50 ms.
    /// Default: no clock. Bands then keep the size of the first one, or the size that an earlier encoding on
    /// this encoder has found for the same options.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Duration + Send + 'a) -> Self {
        self.last = clock();
        self.clock = Some(Box::new(clock));
        self
    }

    /// Returns the number of completed blocks and the number of all blocks.
    pub fn progress(&self) -> (u64, u64) {
        let [columns, rows] = self.size_in_blocks();
        (self.done, u64::from(columns) * u64::from(rows))
    }

    fn context(&self) -> &Context {
        &self.machine.context
    }

    /// Returns the columns and rows of blocks of the image.
    fn size_in_blocks(&self) -> [u32; 2] {
        self.image.size().map(|texels| texels.div_ceil(4))
    }

    /// Collects the bands that have arrived, and submits as many as there is room for. Returns true if all is
    /// done. Does not wait for the GPU: call it once per frame.
    ///
    /// # Errors
    /// [`EncodeError::Gpu`]; the contents of the blocks are then unspecified.
    pub fn poll(&mut self) -> Result<bool, EncodeError> {
        self.submit()?;
        // No more than these, because a quick device would otherwise encode the whole image in one call.
        for _ in 0..self.under_way.len() {
            let Some(band) = self.under_way.front() else { break };
            if !band.is_ready(&self.machine.context)? {
                break;
            }
            self.take()?;
        }
        self.submit()?;
        Ok(self.under_way.is_empty())
    }

    /// Returns the next mip level, if it was requested and all is done.
    pub fn into_next_level(self) -> Option<MipLevel> {
        let (done, all) = self.progress();
        self.next_level.filter(|_| done == all).map(|next| next.level)
    }

    /// Submits bands while there is room.
    fn submit(&mut self) -> Result<(), EncodeError> {
        while self.under_way.len() < DEPTH
            && let Some(area) = self.next_area()
        {
            let band = self.submit_band(area)?;
            self.under_way.push_back(band);
            self.next = if area.column + area.columns == self.size_in_blocks()[0] {
                [0, area.row + area.rows]
            } else {
                [area.column + area.columns, area.row]
            };
        }
        Ok(())
    }

    fn next_area(&self) -> Option<Area> {
        let [columns, rows] = self.size_in_blocks();
        let [column, row] = self.next;
        if row == rows {
            return None;
        }
        let texel_bytes = 16 * u64::from(self.image.texel_type().bytes());
        let by_memory = MAX_BAND_BYTES / self.prepared.most_bytes_per_block();
        let most = by_memory.min(MAX_TEXEL_BYTES / texel_bytes).min(self.machine.max_blocks(&self.prepared));
        let most = most.max(1) as u32;
        let blocks = self.band_blocks.min(most);
        // A row that was started in parts is completed in parts, even if bands have grown.
        Some(if columns > blocks || column > 0 {
            Area { column, row, columns: (columns - column).min(blocks), rows: 1 }
        } else {
            Area { column, row, columns, rows: (blocks / columns).min(rows - row) }
        })
    }

    fn submit_band(&self, area: Area) -> Result<Band, EncodeError> {
        let context = self.context();
        let (side, texel_type) = (self.image.size(), self.image.texel_type());
        let (origin, size) = (area.origin(), area.size(side));
        let mip_area = self.next_level.is_some().then(|| MipArea::new(side, origin, size));
        let mip_area = mip_area.filter(|mip_area| mip_area.texels() > 0);
        let rect = match (&self.next_level, &mip_area) {
            (Some(next), Some(mip_area)) => next.maker.source(mip_area, origin, size),
            _ => SourceRect::inside(origin, size),
        };
        let pitch = rect.size[0] * texel_type.bytes();
        let source_bytes = (u64::from(pitch) * u64::from(rect.size[1])).next_multiple_of(4);
        let block_bytes = u64::from(self.prepared.block_bytes()) * u64::from(area.blocks());
        let texel_bytes = u64::from(self.prepared.texels().texel_bytes());
        let level_bytes = mip_area.map_or(0, |mip_area| texel_bytes * u64::from(mip_area.texels()));
        let slot = self.slot(area.blocks(), source_bytes)?;
        context.checked("uploading texels", || self.upload(&slot.source, &rect, source_bytes))?;
        let [column, row] = rect.offset_of(origin);
        let offset = row * pitch + column * texel_type.bytes();
        let from = LoadFrom::Buffer { buffer: &slot.source, offset, pitch, texel_type };
        let mut commands = context.device().create_command_encoder(&Default::default());
        let to = Destination { buffer: &slot.blocks, first: 0, pitch: area.columns };
        let load = LoadParams { from, size, has_alpha: texel_type.has_alpha() };
        let timer = self.times.as_ref().and_then(|times| Timer::new(context, times.len() as u32));
        self.prepared.record(context, &mut commands, &load, &slot.scratch, &to, timer.as_ref())?;
        commands.copy_buffer_to_buffer(&slot.blocks, 0, &slot.staging, 0, block_bytes);
        if let (Some(next), Some(mip_area), Some(level)) = (&self.next_level, &mip_area, &slot.mip_level) {
            let from = MipSource { buffer: &slot.source, pitch, texel_type };
            next.maker.record(context, &mut commands, mip_area, &rect, &from, level)?;
            commands.copy_buffer_to_buffer(level, 0, &slot.staging, block_bytes, level_bytes);
        }
        let submission = context.checked("submitting", || context.queue().submit([commands.finish()]))?;
        let download = Download::submitted(&slot.staging, block_bytes + level_bytes, submission);
        let times = timer.map(|timer| timer.start_read(context)).transpose()?;
        let submitted = self.clock.as_ref().map(|clock| clock());
        Ok(Band { area, mip_area, slot, download, submitted, times })
    }

    /// Returns buffers for a band: idle ones that are large enough, else new ones. They outlive the image, so
    /// the next image does not need to allocate any.
    fn slot(&self, blocks: u32, source_bytes: u64) -> Result<Slot, EncodeError> {
        let context = self.context();
        let mut idle = self.machine.idle_slots();
        // A block of 4×4 texels makes 2×2 of the next mip level at most.
        let texel_bytes = u64::from(self.prepared.texels().texel_bytes());
        let level_bytes =
            |blocks: u32| if self.next_level.is_some() { 4 * texel_bytes * u64::from(blocks) } else { 0 };
        let block_bytes = |blocks: u32| u64::from(self.prepared.block_bytes()) * u64::from(blocks);
        let fits = |slot: &Slot| {
            slot.source.size() >= source_bytes
                && slot.mip_level.as_ref().map_or(0, wgpu::Buffer::size) >= level_bytes(blocks)
                && slot.blocks.size() >= block_bytes(blocks)
                && slot.staging.size() >= block_bytes(blocks) + level_bytes(blocks)
                && self.prepared.fits(&slot.scratch, blocks)
        };
        if let Some(place) = idle.iter().position(fits) {
            return Ok(idle.swap_remove(place));
        }
        // Buffers that have become too small are dropped.
        idle.truncate(DEPTH - 1);
        drop(idle);
        let blocks = blocks.next_power_of_two().max(1024);
        let (block_bytes, level_bytes) = (block_bytes(blocks), level_bytes(blocks));
        let usage = wgpu::BufferUsages::STORAGE;
        let results = usage | wgpu::BufferUsages::COPY_SRC;
        Ok(Slot {
            source: context.buffer(
                "source",
                source_bytes.next_power_of_two(),
                usage | wgpu::BufferUsages::COPY_DST,
            )?,
            scratch: self.prepared.scratch(context, blocks)?,
            blocks: context.buffer("blocks", block_bytes, results)?,
            mip_level: (level_bytes > 0)
                .then(|| context.buffer("next mip level", level_bytes, results))
                .transpose()?,
            staging: Download::staging(context, block_bytes + level_bytes)?,
        })
    }

    /// Copies a rectangle's texels to the GPU, rows tightly packed.
    fn upload(&self, buffer: &wgpu::Buffer, rect: &SourceRect<'_>, bytes: u64) {
        let Some(bytes) = wgpu::BufferSize::new(bytes) else { return };
        let queue = self.context().queue();
        let Some(mut view) = queue.write_buffer_with(buffer, 0, bytes) else { return };
        let texel_bytes = self.image.texel_type().bytes() as usize;
        let [columns, rows] = rect.size.map(|size| size as usize);
        let (image, [width, _]) = (self.image, self.image.size());
        let task = Task::new().with_threads(self.threads);
        copy_rows(&task, view.slice(..columns * texel_bytes * rows), columns * texel_bytes, |y, x| {
            let columns = rect.columns(x / texel_bytes, width);
            let [first, end] = [columns.start, columns.end].map(|column| column as usize * texel_bytes);
            &image.bytes_of_row(rect.row(y))[first + x % texel_bytes..end]
        });
    }

    /// Copies the blocks of the oldest band, which is ready, to their positions.
    fn take(&mut self) -> Result<(), EncodeError> {
        let Some(band) = self.under_way.pop_front() else { return Ok(()) };
        let Band { area, mip_area, slot, download, submitted, times, .. } = band;
        let block_bytes = self.prepared.block_bytes() as usize;
        let texel_bytes = self.prepared.texels().texel_bytes() as usize;
        let row_bytes = block_bytes * area.columns as usize;
        let image_row_bytes = block_bytes * self.size_in_blocks()[0] as usize;
        let blocks = &mut *self.blocks;
        let next_level = self.next_level.as_mut();
        download.take_with(&self.machine.context, |bytes| {
            let (band_blocks, band_level) = bytes.split_at(block_bytes * area.blocks() as usize);
            if let (Some(next), Some(mip_area)) = (next_level, mip_area) {
                let level_row_bytes = texel_bytes * next.level.width() as usize;
                let area_row_bytes = texel_bytes * mip_area.size[0] as usize;
                let texels = next.level.texels_mut().bytes_mut();
                for (row, bytes) in band_level.chunks_exact(area_row_bytes).enumerate() {
                    let start = (mip_area.first[1] as usize + row) * level_row_bytes
                        + mip_area.first[0] as usize * texel_bytes;
                    texels[start..start + area_row_bytes].copy_from_slice(bytes);
                }
            }
            for (row, bytes) in band_blocks.chunks_exact(row_bytes).enumerate() {
                let start = (area.row as usize + row) * image_row_bytes + block_bytes * area.column as usize;
                blocks[start..start + row_bytes].copy_from_slice(bytes);
            }
        })?;
        if let (Some(sums), Some(times)) = (&mut self.times, times) {
            let times = times.take(&self.machine.context)?;
            sums.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
        }
        self.machine.idle_slots().push(slot);
        let count = area.blocks();
        self.done += u64::from(count);
        if let (Some(clock), Some(submitted)) = (&self.clock, submitted) {
            let now = clock();
            // The GPU started this band when it had finished the previous one.
            let took = now.saturating_sub(submitted.max(self.last));
            self.last = now;
            self.resize_bands(count, took);
        }
        Ok(())
    }

    /// Sizes the next bands by the time of a band of `count` blocks.
    fn resize_bands(&mut self, count: u32, took: Duration) {
        // A small band, such as an image's last one, takes mostly fixed time. It does not show the speed
        // unless it takes too long itself.
        if count < self.band_blocks / 2 && took <= BAND_TIME {
            return;
        }
        let wanted = f64::from(count) * (BAND_TIME.as_secs_f64() / took.as_secs_f64().max(1e-6));
        // Grows gradually: the first bands include one-time costs.
        let next = (wanted as u32).clamp(count / 4, count.saturating_mul(4)).clamp(64, 1 << 26);
        self.band_blocks = next;
        self.prepared.band_blocks.store(next, Ordering::Relaxed);
    }
}
