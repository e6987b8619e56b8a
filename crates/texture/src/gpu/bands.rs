//! Whole images, band by band: while the GPU encodes one band, the next is uploaded and the last is read back.

use super::{
    GpuEncoder, KernelTime,
    load::{From, LoadParams},
    mip::{MipArea, MipMaker},
    prepared::{Destination, Prepared, Scratch},
};
use crate::{
    EncodeError, EncodeOptions, ImageView, Method, Progress, Quality, Texel,
    mips::{MipLevel, MipOptions},
};
use brickwork_gpu::{Download, Timer, wgpu};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// Bands under way at a time.
const DEPTH: usize = 3;
/// Bytes of texels in a band. Larger ones hide no more latency, and cost memory.
const MAX_BAND_BYTES: u64 = 16 << 20;
/// Blocks of a quality's first band, before its speed is known: fractions of a second on a software adapter.
const FIRST_BAND_BLOCKS: u32 = 2048;
/// The same of LSDxt's best quality, which takes milliseconds a block there.
const FIRST_BAND_BLOCKS_OF_BEST_LSDXT: u32 = 64;
/// How long a band should take: drivers' watchdogs stop what takes seconds.
const BAND_TIME: Duration = Duration::from_millis(50);

/// A whole image on its way through the GPU.
pub struct Encoding<'a, T> {
    encoder: GpuEncoder,
    prepared: Arc<Prepared>,
    image: ImageView<'a, T>,
    blocks: &'a mut [u8],
    next_level: Option<NextLevel>,
    /// Where the next band starts, in blocks.
    next: [u32; 2],
    under_way: VecDeque<Band>,
    band_blocks: u32,
    done: u64,
    /// When the last band came back.
    last: Instant,
    /// The time of each kernel so far, if that is measured.
    times: Option<Vec<Duration>>,
}

/// The next mip level, which comes back with the bands.
struct NextLevel {
    maker: MipMaker,
    level: MipLevel,
}

/// A rectangle of blocks: whole rows, unless one row alone takes too long.
#[derive(Clone, Copy, Debug)]
struct Area {
    column: u32,
    row: u32,
    columns: u32,
    rows: u32,
}

impl Area {
    fn blocks(&self) -> u32 {
        self.columns * self.rows
    }

    fn origin(&self) -> [u32; 2] {
        [self.column * 4, self.row * 4]
    }

    /// Width and height in texels, in an image of size `side`.
    fn size(&self, side: [u32; 2]) -> [u32; 2] {
        let [x, y] = self.origin();
        [(side[0] - x).min(self.columns * 4), (side[1] - y).min(self.rows * 4)]
    }
}

struct Band {
    area: Area,
    /// Of the next level, where it is asked for and the band makes texels of it.
    mip_area: Option<MipArea>,
    slot: Slot,
    download: Download,
    submitted: Instant,
    timer: Option<Timer>,
}

/// Buffers of one band.
pub(super) struct Slot {
    source: wgpu::Buffer,
    scratch: Scratch,
    blocks: wgpu::Buffer,
    /// Texels of the next level, where one was asked for.
    level: Option<wgpu::Buffer>,
    /// Blocks, then texels of the next level.
    staging: wgpu::Buffer,
}

fn first_band_blocks(options: &EncodeOptions) -> u32 {
    match (options.method, options.quality) {
        (Method::Lsdxt, Quality::Best) => FIRST_BAND_BLOCKS_OF_BEST_LSDXT,
        _ => FIRST_BAND_BLOCKS,
    }
}

impl GpuEncoder {
    /// What is known of the speed with these options.
    fn band_blocks(&self, options: &EncodeOptions) -> &AtomicU32 {
        let method = match options.method {
            Method::Auto | Method::ClusterFit => 0,
            Method::Lsdxt => 1,
        };
        &self.shared.band_blocks[method][options.quality as usize]
    }
}

impl<'a, T: Texel> Encoding<'a, T> {
    pub(super) fn new(
        encoder: &GpuEncoder,
        image: ImageView<'a, T>,
        options: &EncodeOptions,
        mips: Option<MipOptions>,
        blocks: &'a mut [u8],
    ) -> Result<Self, EncodeError> {
        let needed = options.format.image_bytes(image.width(), image.height());
        if needed != blocks.len() as u64 {
            return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
        }
        let next_level = match mips {
            None => None,
            Some(options) => {
                let side = [image.width(), image.height()];
                let level = MipLevel::after(side[0], side[1]);
                Some(NextLevel { maker: MipMaker::new(&encoder.context, options, side)?, level })
            }
        };
        let known = encoder.band_blocks(options).load(Ordering::Relaxed);
        Ok(Self {
            prepared: encoder.prepared(options)?,
            encoder: encoder.clone(),
            image,
            blocks,
            next_level,
            next: [0; 2],
            under_way: VecDeque::new(),
            band_blocks: if known == 0 { first_band_blocks(options) } else { known },
            done: 0,
            last: Instant::now(),
            times: None,
        })
    }

    /// Blocks done and blocks in all.
    pub fn progress(&self) -> (u64, u64) {
        (self.done, u64::from(self.image.block_columns()) * u64::from(self.image.block_rows()))
    }

    /// Takes what has come back, submits what there is room for, and says whether all is done. Does not wait for the
    /// GPU: call it once a frame.
    ///
    /// # Errors
    /// [`EncodeError::Gpu`]. The blocks are then unspecified.
    pub fn poll(&mut self) -> Result<bool, EncodeError> {
        self.submit()?;
        while let Some(band) = self.under_way.front_mut()
            && band.download.is_ready(&self.encoder.context)?
        {
            self.take()?;
            self.submit()?;
        }
        Ok(self.under_way.is_empty())
    }

    /// Goes on until all is done, and gives the time of each kernel; nothing if the device has no timestamps.
    pub(super) fn run_timed(mut self) -> Result<Option<Vec<KernelTime>>, EncodeError> {
        let prepared = Arc::clone(&self.prepared);
        self.times = Some(vec![Duration::ZERO; prepared.names().count()]);
        self.run(&Progress::none())?;
        let has_timer = self.encoder.context.device().features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let times = self.times.filter(|_| has_timer);
        let named =
            |times| prepared.names().zip(times).map(|(name, time)| KernelTime { name, time }).collect();
        Ok(times.map(named))
    }

    /// The next mip level, where it was asked for and all is done.
    pub fn into_next_level(self) -> Option<MipLevel> {
        let (done, all) = self.progress();
        self.next_level.filter(|_| done == all).map(|next| next.level)
    }

    /// Goes on until all is done.
    pub(super) fn run(&mut self, progress: &Progress<'_>) -> Result<(), EncodeError> {
        self.submit()?;
        while !self.under_way.is_empty() {
            progress.check()?;
            self.take()?;
            self.submit()?;
            let (done, all) = self.progress();
            progress.tell(done, all);
        }
        progress.check()
    }

    /// Submits bands while there is room.
    fn submit(&mut self) -> Result<(), EncodeError> {
        while self.under_way.len() < DEPTH
            && let Some(area) = self.next_area()
        {
            let band = self.submit_band(area)?;
            self.under_way.push_back(band);
            self.next = if area.column + area.columns == self.image.block_columns() {
                [0, area.row + area.rows]
            } else {
                [area.column + area.columns, area.row]
            };
        }
        Ok(())
    }

    fn next_area(&self) -> Option<Area> {
        let (columns, rows) = (self.image.block_columns(), self.image.block_rows());
        let [column, row] = self.next;
        if row == rows {
            return None;
        }
        let texel_bytes = 16 * size_of::<T>().max(4) as u64;
        let bytes = self.prepared.block_bytes().max(texel_bytes);
        let most = (MAX_BAND_BYTES / bytes).min(self.encoder.max_blocks(&self.prepared)).max(1) as u32;
        let blocks = self.band_blocks.min(most);
        // A row that was begun in parts is ended so, even if bands have grown.
        Some(if columns > blocks || column > 0 {
            Area { column, row, columns: (columns - column).min(blocks), rows: 1 }
        } else {
            Area { column, row, columns, rows: (blocks / columns).min(rows - row) }
        })
    }

    fn submit_band(&mut self, area: Area) -> Result<Band, EncodeError> {
        let context = &self.encoder.context;
        let side = [self.image.width(), self.image.height()];
        let size = area.size(side);
        let mip_area = self.next_level.is_some().then(|| MipArea::new(side, area.origin(), size));
        let more = mip_area.map_or([0; 2], |mip_area| mip_area.more(area.origin(), size));
        let mip_area = mip_area.filter(|mip_area| mip_area.texels() > 0);
        let uploaded = [size[0] + more[0], size[1] + more[1]];
        let pitch = uploaded[0] * size_of::<T>() as u32;
        let source_bytes = (u64::from(pitch) * u64::from(uploaded[1])).next_multiple_of(4);
        let block_bytes = 8 * u64::from(area.blocks());
        let level_bytes = mip_area.map_or(0, |mip_area| 4 * u64::from(mip_area.texels()));
        let slot = self.slot(area.blocks(), source_bytes)?;
        context.checked("uploading texels", || self.upload(&slot.source, area, uploaded, source_bytes))?;
        let from = From::Buffer {
            buffer: &slot.source,
            offset: 0,
            pitch,
            channels: T::CHANNEL_COUNT as u32,
            channel_type: T::CHANNEL_TYPE,
        };
        let mut commands = context.device().create_command_encoder(&Default::default());
        let to = Destination { buffer: &slot.blocks, first: 0, pitch: area.columns };
        let load = LoadParams { from, size };
        let timer = self.times.as_ref().and_then(|times| Timer::new(context, times.len() as u32));
        self.prepared.record(
            context,
            &mut commands,
            &load,
            T::HAS_ALPHA,
            &slot.scratch,
            &to,
            timer.as_ref(),
        )?;
        commands.copy_buffer_to_buffer(&slot.blocks, 0, &slot.staging, 0, block_bytes);
        if let (Some(next), Some(mip_area), Some(level)) = (&self.next_level, &mip_area, &slot.level) {
            next.maker.record::<T>(context, &mut commands, mip_area, &slot.source, pitch, level)?;
            commands.copy_buffer_to_buffer(level, 0, &slot.staging, block_bytes, level_bytes);
        }
        let submission = context.checked("submitting", || context.queue().submit([commands.finish()]))?;
        let download = Download::submitted(&slot.staging, block_bytes + level_bytes, submission);
        Ok(Band { area, mip_area, slot, download, submitted: Instant::now(), timer })
    }

    /// Buffers for a band: idle ones that are large enough, else new ones. They outlive the image, so that the next
    /// one allocates none.
    fn slot(&self, blocks: u32, source_bytes: u64) -> Result<Slot, EncodeError> {
        let context = &self.encoder.context;
        let mut idle = self.encoder.idle_slots();
        // A block of 4×4 texels makes 2×2 of the next level at most.
        let level_bytes = |blocks: u32| if self.next_level.is_some() { 16 * u64::from(blocks) } else { 0 };
        let fits = |slot: &Slot| {
            slot.source.size() >= source_bytes
                && slot.level.as_ref().map_or(0, wgpu::Buffer::size) >= level_bytes(blocks)
                && self.prepared.fits(&slot.scratch, &slot.blocks, blocks)
        };
        if let Some(place) = idle.iter().position(fits) {
            return Ok(idle.swap_remove(place));
        }
        // Those that have become too small make room.
        idle.truncate(DEPTH - 1);
        drop(idle);
        let blocks = blocks.next_power_of_two().max(1024);
        let block_bytes = 8 * u64::from(blocks);
        let level_bytes = level_bytes(blocks);
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
            level: (level_bytes > 0)
                .then(|| context.buffer("next level", level_bytes, results))
                .transpose()?,
            staging: Download::staging(context, block_bytes + level_bytes)?,
        })
    }

    /// Copies an area's texels to the GPU, rows tightly packed.
    fn upload(&self, buffer: &wgpu::Buffer, area: Area, size: [u32; 2], bytes: u64) {
        let Some(bytes) = wgpu::BufferSize::new(bytes) else { return };
        let queue = self.encoder.context.queue();
        let Some(mut view) = queue.write_buffer_with(buffer, 0, bytes) else { return };
        let row_bytes = size[0] as usize * size_of::<T>();
        for y in 0..size[1] {
            let first = area.column as usize * 4;
            let row = &self.image.row(area.row * 4 + y)[first..first + size[0] as usize];
            view.slice(y as usize * row_bytes..)
                .slice(..row_bytes)
                .copy_from_slice(bytemuck::cast_slice(row));
        }
    }

    /// Waits for the oldest band and puts its blocks where they belong.
    fn take(&mut self) -> Result<(), EncodeError> {
        let Some(Band { area, mip_area, slot, download, submitted, timer }) = self.under_way.pop_front()
        else {
            return Ok(());
        };
        let row_bytes = 8 * area.columns as usize;
        let image_row_bytes = 8 * self.image.block_columns() as usize;
        let blocks = &mut *self.blocks;
        let next_level = self.next_level.as_mut();
        download.wait_with(&self.encoder.context, |bytes| {
            let (block_bytes, level_bytes) = bytes.split_at(8 * area.blocks() as usize);
            if let (Some(next), Some(mip_area)) = (next_level, mip_area) {
                let row_texels = mip_area.size[0] as usize;
                let level_width = next.level.width as usize;
                for (row, bytes) in level_bytes.chunks_exact(4 * row_texels).enumerate() {
                    let start = (mip_area.first[1] as usize + row) * level_width + mip_area.first[0] as usize;
                    let texels = &mut next.level.texels[start..start + row_texels];
                    bytemuck::cast_slice_mut(texels).copy_from_slice(bytes);
                }
            }
            for (row, bytes) in block_bytes.chunks_exact(row_bytes).enumerate() {
                let start = (area.row as usize + row) * image_row_bytes + 8 * area.column as usize;
                blocks[start..start + row_bytes].copy_from_slice(bytes);
            }
        })?;
        if let (Some(times), Some(timer)) = (&mut self.times, timer) {
            let band = timer.read(&self.encoder.context)?;
            times.iter_mut().zip(band).for_each(|(sum, time)| *sum += time);
        }
        self.encoder.idle_slots().push(slot);
        let count = area.blocks();
        self.done += u64::from(count);
        // The GPU began with this band when it had finished the one before.
        let now = Instant::now();
        let took = now - submitted.max(self.last);
        self.last = now;
        let wanted = f64::from(count) * (BAND_TIME.as_secs_f64() / took.as_secs_f64().max(1e-6));
        // Grows step by step: the first bands pay for what comes once.
        let next = (wanted as u32).clamp(count / 4, count.saturating_mul(4)).clamp(64, 1 << 26);
        if next < self.band_blocks || count >= self.band_blocks / 2 {
            self.band_blocks = next;
            self.encoder.band_blocks(&self.prepared.options).store(next, Ordering::Relaxed);
        }
        Ok(())
    }
}
