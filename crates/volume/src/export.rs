//! The ray casters for hosts in other languages, such as the web package: kernels, and their inputs as bytes.
//! Not part of the API: it may change with any version.

pub use crate::{
    file::MAGIC as BWV_MAGIC,
    render::{
        inputs::{COUNTS, FIRST_TILE, IS_FIRST, LookInputs, Mode, Paging, RenderingInputs, statistics_of},
        streamed::StreamedBricks,
    },
    resident::{MAX_PAGES, PageLoad, SlotShape, Slots, StreamError, StreamedVolume, bound_pages},
};

use crate::{ResidentVolume, resident::PageBuffers};

/// A volume as the buffers that kernels bind.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts upload each field")]
pub struct VolumeInputs {
    /// The sides of the volume, for a uniform buffer.
    pub shape: Vec<u8>,
    /// The index: records of superblocks.
    pub records: Vec<u8>,
    /// The predictors' weights, and the rank tables.
    pub tables: Vec<u8>,
    /// Numbers of the pages in each buffer, one after the other. None if pages are loaded into slots.
    pub buffers: Vec<Vec<usize>>,
}

impl VolumeInputs {
    /// Returns the inputs of a volume whose pages are all in buffers of at most `most_bytes`.
    pub fn new(volume: &ResidentVolume, most_bytes: u64) -> Self {
        let PageBuffers { buffers, records } = volume.page_buffers(most_bytes);
        Self { buffers, ..Self::of_records(volume, bytemuck::cast_slice(&records)) }
    }

    /// Returns the inputs of a volume whose pages are loaded into [`Slots`].
    pub fn paged(volume: &ResidentVolume) -> Self {
        Self::of_records(volume, bytemuck::cast_slice(volume.records()))
    }

    /// Returns the inputs of a volume whose pages are read from a file, and loaded into [`Slots`].
    pub fn streamed(volume: &StreamedVolume) -> Self {
        Self::paged(volume.index())
    }

    fn of_records(volume: &ResidentVolume, records: &[u8]) -> Self {
        Self {
            shape: bytemuck::bytes_of(&volume.shape()).to_vec(),
            records: records.to_vec(),
            tables: bytemuck::cast_slice(&volume.kernel_tables()).to_vec(),
            buffers: Vec::new(),
        }
    }
}

/// Returns the kernels of browsers: mode, number of bound pages or `None` for a pool of pages, and kernel.
#[cfg(feature = "gpu")]
pub fn browser_kernels() -> Vec<(Mode, Option<usize>, brickwork_gpu::Kernel)> {
    crate::render::browser_kernels()
}

/// Returns the pages of a volume: whole words, of which the last are zeros.
pub fn pages(volume: &ResidentVolume) -> &[Vec<u8>] {
    volume.pages()
}
