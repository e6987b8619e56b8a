//! The place of a chunk in memory, empty or not, which threads read without a lock.

use super::open_chunk::OpenChunk;
use arc_swap::{ArcSwapOption, Guard};
use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// A chunk that stays, in a line of the processor's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Kept(OnceLock<OpenChunk>);

/// The place of a chunk.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// The chunk, once it stays as long as the cache. Reading it is a plain read of memory. For a slot whose
    /// chunk may be dropped, reading is a locked exchange, before which a processor starts no later loads.
    kept: Kept,
    /// The chunk before that. Readers take no lock, and write to no memory that they share: two threads read
    /// at twice the speed of one.
    pub chunk: ArcSwapOption<OpenChunk>,
    /// True if the chunk has been read since it was put at the end of the queue.
    pub used: AtomicBool,
    /// Held by the thread that reads the chunk from the file.
    pub reading: Mutex<()>,
}

/// A chunk that is being read from.
pub(super) enum Loaded<'s> {
    Kept(&'s OpenChunk),
    Guarded(Guard<Option<Arc<OpenChunk>>>),
}

impl Loaded<'_> {
    /// Returns the chunk, if it is in memory.
    #[inline]
    pub fn chunk(&self) -> Option<&OpenChunk> {
        match self {
            Self::Kept(chunk) => Some(chunk),
            Self::Guarded(chunk) => chunk.as_deref(),
        }
    }
}

impl Slot {
    /// Returns the chunk, if it is one that always stays.
    #[inline]
    pub fn kept(&self) -> Option<&OpenChunk> {
        self.kept.0.get()
    }

    /// Returns the chunk, if it is in memory. Counts this as a use of it.
    #[inline]
    pub fn load(&self) -> Loaded<'_> {
        if let Some(chunk) = self.kept() {
            return Loaded::Kept(chunk);
        }
        let chunk = self.chunk.load();
        // A store to a word that other threads read slows them down; a load does not.
        if chunk.is_some() && !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
        Loaded::Guarded(chunk)
    }

    /// Puts a chunk that may go.
    pub fn put(&self, chunk: OpenChunk) -> Arc<OpenChunk> {
        let chunk = Arc::new(chunk);
        self.chunk.store(Some(Arc::clone(&chunk)));
        chunk
    }

    /// Puts a chunk that stays.
    pub fn keep(&self, chunk: OpenChunk) {
        // A slot is filled once: none is emptied where chunks stay.
        let _ = self.kept.0.set(chunk);
        self.chunk.store(None);
    }
}
