//! Pages of a volume that is larger than a GPU's memory: some of them there at a time, in slots of a few
//! large buffers.

use crate::ResidentVolume;
use brickwork_gpu::{Context, GpuError, wgpu};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pages in slots.
#[derive(Debug)]
pub(crate) struct Pool {
    volume: Arc<ResidentVolume>,
    /// Slots of a buffer, and words of a slot.
    pub buffer_pages: u32,
    pub page_words: u32,
    slots: Mutex<Slots>,
}

/// The assignment of pages to slots.
#[derive(Debug)]
pub(crate) struct Slots {
    /// Slot of each page: 0, or one more than the slot, in the form for kernels.
    pub of_page: Vec<u32>,
    /// Page of each slot, and the time of its last request.
    pages: Vec<Option<usize>>,
    asked: Vec<u64>,
    now: u64,
}

/// The minimum number of slots: more than the bricks that the samples of one workgroup are in.
const LEAST_SLOTS: usize = 32;

impl Pool {
    /// Slots for the pages of a volume in `buffer_count` buffers, of `byte_count` bytes in all, or as many as
    /// its pages need; and how large each buffer is.
    pub fn new(
        volume: Arc<ResidentVolume>,
        byte_count: u64,
        buffer_count: usize,
        most_bytes: u64,
    ) -> Result<(Self, u64), GpuError> {
        let pages = volume.pages();
        let page_bytes = pages.iter().map(Vec::len).max().unwrap_or(4).next_multiple_of(4) as u64;
        let most = (most_bytes / page_bytes) as usize * buffer_count;
        let wanted = (byte_count / page_bytes).min(pages.len() as u64) as usize;
        let slot_count = wanted.max(LEAST_SLOTS).next_multiple_of(buffer_count).min(most);
        if slot_count < LEAST_SLOTS {
            let needed = LEAST_SLOTS.div_ceil(buffer_count) as u64 * page_bytes;
            return Err(GpuError::Limit { what: "the volume's pages", needed, limit: most_bytes });
        }
        let slots = Slots {
            of_page: vec![0; pages.len()],
            pages: vec![None; slot_count],
            asked: vec![0; slot_count],
            now: 0,
        };
        let buffer_pages = (slot_count / buffer_count) as u32;
        let page_words = (page_bytes / 4) as u32;
        let pool = Self { volume, buffer_pages, page_words, slots: Mutex::new(slots) };
        Ok((pool, u64::from(buffer_pages) * page_bytes))
    }

    pub fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the pages of the volume.
    pub fn page_count(&self) -> usize {
        self.volume.pages().len()
    }

    /// Returns the number of pages that have a slot at the same time.
    pub fn slot_count(&self) -> usize {
        self.lock().pages.len()
    }

    /// Loads pages that rays wait for, and drops the least recently requested ones. Both lists have a bit per
    /// page. Returns the number of loaded pages.
    pub fn load(
        &self,
        slots: &mut Slots,
        context: &Context,
        buffers: &[wgpu::Buffer],
        missing: &[u32],
        asked: &[u32],
    ) -> Result<usize, GpuError> {
        slots.now += 1;
        let now = slots.now;
        let is_set = |bits: &[u32], page: usize| bits[page / 32] >> (page % 32) & 1 == 1;
        let Slots { of_page, pages, asked: last, .. } = slots;
        for (page, last) in pages.iter().zip(last.iter_mut()) {
            if page.is_some_and(|page| is_set(asked, page)) {
                *last = now;
            }
        }
        // The least recently requested pages; at most a quarter of those just requested.
        let mut free: Vec<usize> = (0..pages.len()).collect();
        free.sort_by_key(|&slot| last[slot]);
        let idle = free.iter().filter(|&&slot| last[slot] < now).count();
        free.truncate(idle.max(pages.len() / 4));
        let wanted: Vec<usize> = (0..of_page.len()).filter(|&page| is_set(missing, page)).collect();
        let mut count = 0;
        for (&page, &slot) in wanted.iter().zip(&free) {
            if let Some(old) = pages[slot].replace(page) {
                of_page[old] = 0;
            }
            of_page[page] = slot as u32 + 1;
            last[slot] = now;
            let (buffer, place) = (slot / self.buffer_pages as usize, slot % self.buffer_pages as usize);
            let at = place as u64 * u64::from(self.page_words) * 4;
            context.checked("loading pages", || {
                context.queue().write_buffer(&buffers[buffer], at, &self.volume.pages()[page]);
                // Handed over now, or wgpu would hold all of them.
                context.queue().submit([]);
            })?;
            count += 1;
        }
        Ok(count)
    }
}
