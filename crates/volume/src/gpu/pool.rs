//! Pages of a volume that is larger than a GPU's memory: some of them there at a time, in slots of a few
//! large buffers.

use crate::{
    ResidentVolume,
    resident::{SlotShape, Slots},
};
use brickwork_gpu::{Context, GpuError, wgpu};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pages in slots.
#[derive(Debug)]
pub(crate) struct Pool {
    volume: Arc<ResidentVolume>,
    pub shape: SlotShape,
    slots: Mutex<Slots>,
}

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
        let shape = SlotShape::new(pages, byte_count, buffer_count, most_bytes)
            .map_err(|needed| GpuError::Limit { what: "the volume's pages", needed, limit: most_bytes })?;
        let slots = Slots::new(shape, pages.len());
        Ok((Self { volume, shape, slots: Mutex::new(slots) }, shape.buffer_bytes()))
    }

    pub fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of pages of the volume.
    pub fn page_count(&self) -> usize {
        self.volume.pages().len()
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
        let loads = slots.assign(missing, asked);
        for load in &loads {
            context.checked("loading pages", || {
                let page = &self.volume.pages()[load.page];
                context.queue().write_buffer(&buffers[load.buffer], load.offset, page);
                // Handed over now, or wgpu would hold all of them.
                context.queue().submit([]);
            })?;
        }
        Ok(loads.len())
    }
}
