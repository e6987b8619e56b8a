//! Slots of a GPU's memory for some pages of a volume.

/// Pages in slots of a few buffers of the same size.
#[derive(Clone, Debug)]
pub struct Slots {
    /// Slot of each page: 0, or one more than the slot, in the form for kernels.
    pub of_page: Vec<u32>,
    /// Page of each slot, and the time of its last request.
    pages: Vec<Option<usize>>,
    asked: Vec<u64>,
    now: u64,
    shape: SlotShape,
}

/// Size and number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "hosts need each field")]
pub struct SlotShape {
    /// Number of slots of all buffers.
    pub slot_count: usize,
    /// Slots of a buffer.
    pub buffer_pages: u32,
    /// Words of a slot.
    pub page_words: u32,
}

/// A page to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "hosts need each field")]
pub struct PageLoad {
    /// Number of the page.
    pub page: usize,
    /// Number of the buffer.
    pub buffer: usize,
    /// First byte in the buffer.
    pub offset: u64,
}

/// Minimum number of slots for at least as many pages: more than the bricks that the samples of one workgroup
/// are in.
const MIN_SLOTS: usize = 32;

impl SlotShape {
    /// Returns slots for these pages in `buffer_count` buffers: as many as fit into `byte_count` bytes, but
    /// not more than there are pages. The minimum is 32 slots, or one for each of fewer pages. The number of
    /// pages and the minimum are rounded up to whole buffers. A buffer has at most `most_bytes`.
    ///
    /// # Errors
    /// The bytes that a buffer needs for the minimum number of slots.
    pub fn new(
        pages: &[Vec<u8>],
        byte_count: u64,
        buffer_count: usize,
        most_bytes: u64,
    ) -> Result<Self, u64> {
        let page_bytes = pages.iter().map(Vec::len).max().unwrap_or(4);
        Self::of_pages(pages.len(), page_bytes, byte_count, buffer_count, most_bytes)
    }

    /// Works like [`new`](Self::new) for `page_count` pages of at most `page_bytes` bytes.
    ///
    /// # Errors
    /// The bytes that a buffer needs for the minimum number of slots.
    pub fn of_pages(
        page_count: usize,
        page_bytes: usize,
        byte_count: u64,
        buffer_count: usize,
        most_bytes: u64,
    ) -> Result<Self, u64> {
        let page_bytes = page_bytes.next_multiple_of(4) as u64;
        let most = (most_bytes / page_bytes) as usize * buffer_count;
        // Whole buffers: none may exceed `byte_count`, and each page has a slot if there is memory for it.
        let allowed = byte_count / page_bytes / buffer_count as u64 * buffer_count as u64;
        let wanted = allowed.min(page_count.next_multiple_of(buffer_count) as u64) as usize;
        let least = page_count.clamp(1, MIN_SLOTS).next_multiple_of(buffer_count);
        let slot_count = wanted.max(least).min(most);
        if slot_count < least {
            return Err((least / buffer_count) as u64 * page_bytes);
        }
        let buffer_pages = (slot_count / buffer_count) as u32;
        Ok(Self { slot_count, buffer_pages, page_words: (page_bytes / 4) as u32 })
    }

    /// Returns the bytes of a buffer.
    pub fn buffer_bytes(&self) -> u64 {
        u64::from(self.buffer_pages) * 4 * u64::from(self.page_words)
    }
}

impl Slots {
    /// Returns empty slots.
    pub fn new(shape: SlotShape, page_count: usize) -> Self {
        let count = shape.slot_count;
        Self { of_page: vec![0; page_count], pages: vec![None; count], asked: vec![0; count], now: 0, shape }
    }

    /// Assigns slots to pages that rays wait for, and drops the least recently requested pages. Both lists
    /// have a bit per page. Returns the pages to be loaded.
    pub fn assign(&mut self, missing: &[u32], asked: &[u32]) -> Vec<PageLoad> {
        self.now += 1;
        let now = self.now;
        let is_set = |bits: &[u32], page: usize| bits[page / 32] >> (page % 32) & 1 == 1;
        let Self { of_page, pages, asked: last, shape, .. } = self;
        for (page, last) in pages.iter().zip(last.iter_mut()) {
            if page.is_some_and(|page| is_set(asked, page)) {
                *last = now;
            }
        }
        // The least recently requested pages; at most a quarter of those just requested.
        let mut free: Vec<usize> = (0..pages.len()).collect();
        free.sort_unstable_by_key(|&slot| (last[slot], slot));
        let idle = free.iter().filter(|&&slot| last[slot] < now).count();
        free.truncate(idle.max(pages.len() / 4));
        let wanted: Vec<usize> = (0..of_page.len()).filter(|&page| is_set(missing, page)).collect();
        let mut loads = Vec::new();
        for (&page, &slot) in wanted.iter().zip(&free) {
            if let Some(old) = pages[slot].replace(page) {
                of_page[old] = 0;
            }
            of_page[page] = slot as u32 + 1;
            last[slot] = now;
            let (buffer, place) = (slot / shape.buffer_pages as usize, slot % shape.buffer_pages as usize);
            let offset = place as u64 * u64::from(shape.page_words) * 4;
            loads.push(PageLoad { page, buffer, offset });
        }
        loads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_requested_pages_are_dropped() {
        let pages = vec![vec![0; 100]; 50];
        let shape = SlotShape::new(&pages, 0, 4, 1 << 20).expect("slots");
        assert_eq!(shape, SlotShape { slot_count: 32, buffer_pages: 8, page_words: 25 });
        assert_eq!(SlotShape::new(&pages, 0, 4, 799), Err(800));
        // 39 pages fit into the memory, and 36 into whole buffers.
        let counts = [3900, 4000, 1 << 20].map(|bytes| SlotShape::new(&pages, bytes, 4, 1 << 20));
        assert_eq!(counts.map(|shape| shape.expect("slots").slot_count), [36, 40, 52]);
        // Fewer pages need fewer slots.
        assert_eq!(SlotShape::new(&pages[..5], 0, 4, 799).expect("slots").slot_count, 8);
        assert_eq!(SlotShape::new(&pages[..5], 0, 4, 199), Err(200));
        assert_eq!(SlotShape::new(&[], 0, 4, 100).expect("slots").slot_count, 4);
        let mut slots = Slots::new(shape, pages.len());
        // Pages 0 to 31, then page 40, while all but page 7 are requested again.
        let loads = slots.assign(&[u32::MAX, 0], &[0, 0]);
        assert_eq!(loads.len(), 32);
        assert_eq!(loads[9], PageLoad { page: 9, buffer: 1, offset: 100 });
        let loads = slots.assign(&[0, 1 << 8], &[!(1 << 7), 1 << 8]);
        assert_eq!(loads, [PageLoad { page: 40, buffer: 0, offset: 700 }]);
        assert_eq!([slots.of_page[7], slots.of_page[40]], [0, 8]);
    }
}
