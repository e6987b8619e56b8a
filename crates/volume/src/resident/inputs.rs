//! A volume as the buffers that kernels read.

use super::{ResidentVolume, superblock::Record};
use crate::{Dims, brick::tables::weights};

/// Maximum number of pages that are bound at a time: any device binds eight storage buffers, of which kernels
/// need four for other things.
pub const MAX_PAGES: usize = 4;

/// Returns the number of pages that a kernel binds for a volume of `count`: 1, 2 or [`MAX_PAGES`].
pub const fn bound_pages(count: usize) -> usize {
    match count {
        0 | 1 => 1,
        2 => 2,
        _ => MAX_PAGES,
    }
}

/// The sides of a volume, as WGSL's `Shape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Shape {
    pub voxels: [u32; 3],
    padding_0: u32,
    pub bricks: [u32; 3],
    padding_1: u32,
    pub superblocks: [u32; 3],
    padding_2: u32,
}

/// Pages of a volume, distributed over buffers.
#[derive(Clone, Debug)]
pub struct PageBuffers {
    /// Numbers of the pages in each buffer, one after the other.
    pub buffers: Vec<Vec<usize>>,
    /// Records that find superblocks in the buffers.
    pub records: Vec<Record>,
}

impl ResidentVolume {
    /// Returns the sides of the volume.
    pub(crate) fn shape(&self) -> Shape {
        let sides = |dims: Dims| [dims.x as u32, dims.y as u32, dims.z as u32];
        let [padding_0, padding_1, padding_2] = [0; 3];
        Shape {
            voxels: sides(self.dims()),
            padding_0,
            bricks: sides(self.bricks()),
            padding_1,
            superblocks: sides(self.superblocks()),
            padding_2,
        }
    }

    /// Returns the predictors' weights, and the rank tables.
    pub(crate) fn kernel_tables(&self) -> Vec<u32> {
        let weights: Vec<u32> = bytemuck::pod_collect_to_vec(&weights(self.brick_size()));
        // Where a table starts counts the weights before it.
        [&weights[..], &self.table_words(weights.len() as u32)].concat()
    }

    /// Distributes all pages over as few buffers of at most `most_bytes` as their order allows. A larger page
    /// has a separate buffer.
    pub(crate) fn page_buffers(&self, most_bytes: u64) -> PageBuffers {
        // A brick's place in bytes has 32 bits.
        let most = most_bytes.min(u32::MAX.into());
        let mut buffers: Vec<Vec<usize>> = Vec::new();
        // The buffer of each page, and the page's start in it.
        let mut places = Vec::with_capacity(self.pages().len());
        let mut filled = 0;
        for (number, page) in self.pages().iter().enumerate() {
            let bytes = page.len() as u64;
            match buffers.last_mut() {
                Some(pages) if filled + bytes <= most => pages.push(number),
                _ => {
                    buffers.push(vec![number]);
                    filled = 0;
                }
            }
            places.push((buffers.len() - 1, filled));
            filled += bytes;
        }
        let moved = |record: &Record| {
            if record.is_constant() {
                return *record;
            }
            let (buffer, start) = places[record.page()];
            record.moved(buffer, (start / 4) as u32)
        };
        let records = self.records().iter().map(moved).collect();
        PageBuffers { buffers, records }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResidentOptions, Task, VolumeView, VoxelKind};

    #[test]
    fn pages_fill_buffers_in_order() {
        let dims = Dims::cube(64);
        let voxels: Vec<u16> =
            (0..64 * 64 * 64).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
        let view = VolumeView::new(&voxels, dims).expect("a volume");
        let options = ResidentOptions::default().with(|o| o.page_bytes = 16 << 10);
        let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new());
        let volume = volume.expect("a small volume");
        let pages = volume.pages();
        assert!(pages.len() > 4, "{}", pages.len());
        let most = 2 * pages.iter().map(Vec::len).max().unwrap_or(0) as u64;
        for (most, expected) in [(u64::MAX, 1), (most, pages.len().div_ceil(2)), (1, pages.len())] {
            let PageBuffers { buffers, records } = volume.page_buffers(most);
            assert_eq!(buffers.len(), expected);
            assert_eq!(buffers.concat(), (0..pages.len()).collect::<Vec<_>>());
            for (record, moved) in volume.records().iter().zip(&records) {
                let in_buffer: Vec<u8> =
                    buffers[moved.page()].iter().flat_map(|&page| pages[page].clone()).collect();
                let word = |bytes: &[u8], base: u32| bytes[4 * base as usize..][..4].to_vec();
                let expected = word(&pages[record.page()], record.base);
                assert_eq!(word(&in_buffer, moved.base), expected);
            }
        }
    }
}
