//! Regions of a volume decoded and copied back, part by part, without waiting.

use super::{DecodedRegion, GpuVolume, GpuVolumeError};
use crate::{Region, Voxel, VoxelType};
#[cfg(not(target_arch = "wasm32"))]
use crate::{Stage, Task};
use brickwork_gpu::Download;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;

/// Most bytes of a buffer that a part is decoded into.
const PART_BYTES: usize = 64 << 20;

/// Longest wait between two checks for cancellation.
#[cfg(not(target_arch = "wasm32"))]
const SLICE: Duration = Duration::from_millis(20);

/// Voxels of a region that are being read from a GPU; [`GpuVolume::start_read`] starts it.
#[derive(Debug)]
pub struct RegionRead<'a, T> {
    volume: &'a GpuVolume,
    region: Region,
    number_bits: u32,
    as_type: VoxelType,
    /// Slices of a part: whole layers of bricks.
    depth: usize,
    /// The first slice after the part under way.
    next_z: usize,
    under_way: Option<(DecodedRegion, Download)>,
    numbers: Vec<T>,
}

impl<'a, T: bytemuck::Pod> RegionRead<'a, T> {
    pub(super) fn new(
        volume: &'a GpuVolume,
        region: &Region,
        number_bits: u32,
        as_type: VoxelType,
        part_bytes: usize,
    ) -> Result<Self, GpuVolumeError> {
        region.check(volume.dims)?;
        let bytes = number_bits as usize / 8;
        let brick = volume.coding.brick_size().dims();
        let row = DecodedRegion::row_bytes((region.x.len() + 2 * brick.x).saturating_mul(bytes));
        let layer = row.saturating_mul(brick.z * (region.y.len() + 2 * brick.y));
        let mut read = Self {
            volume,
            region: region.clone(),
            number_bits,
            as_type,
            depth: brick.z * (part_bytes / layer).max(1),
            next_z: region.z.start,
            under_way: None,
            numbers: Vec::new(),
        };
        read.start_part()?;
        Ok(read)
    }

    /// Continues, and returns all voxels, x fastest, once they have arrived; after that, there are none left.
    /// Takes at most one part and does not block: call it once per window frame.
    ///
    /// # Errors
    /// [`GpuVolumeError`], after which it must not be called again.
    pub fn poll(&mut self) -> Result<Option<Vec<T>>, GpuVolumeError> {
        if let Some((part, download)) = self.under_way.take() {
            if !download.is_ready(&self.volume.context)? {
                self.under_way = Some((part, download));
                return Ok(None);
            }
            download.take_with(&self.volume.context, |bytes| part.append(bytes, &mut self.numbers))?;
            self.start_part()?;
        }
        Ok(self.under_way.is_none().then(|| std::mem::take(&mut self.numbers)))
    }

    /// True if no part is left to start.
    #[cfg(test)]
    pub(super) fn has_last_part(&self) -> bool {
        self.next_z == self.region.z.end
    }

    /// Blocks until all voxels have arrived, and returns them. Reports slices.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn wait(mut self, task: &Task<'_>) -> Result<Vec<T>, GpuVolumeError> {
        let slices = self.region.z.len() as u64;
        let mut arrived = 0;
        task.report(Stage::Decoding, arrived, slices);
        loop {
            task.check()?;
            if let Some(numbers) = self.poll()? {
                task.report(Stage::Decoding, slices, slices);
                return Ok(numbers);
            }
            let Some((part, download)) = &self.under_way else { continue };
            let before = (self.next_z - self.region.z.start - part.dims.z) as u64;
            if before > arrived {
                arrived = before;
                task.report(Stage::Decoding, arrived, slices);
            }
            self.volume.context.wait_for_at_most(download.submission(), SLICE)?;
        }
    }

    /// Decodes the next part, if there is one.
    fn start_part(&mut self) -> Result<(), GpuVolumeError> {
        let z = self.next_z;
        if z == self.region.z.end {
            return Ok(());
        }
        let brick_z = self.volume.coding.brick_size().dims().z;
        let end = self.region.z.end.min(z / brick_z * brick_z + self.depth);
        let part = Region { z: z..end, ..self.region.clone() };
        let decoded = self.volume.decode_as(&part, self.number_bits, self.as_type)?;
        let download = Download::new(&self.volume.context, &decoded.buffer, 0..decoded.buffer.size())?;
        self.under_way = Some((decoded, download));
        self.next_z = end;
        Ok(())
    }
}

impl GpuVolume {
    /// Starts to decode a region and to copy it back; [`RegionRead::poll`] continues. Does not block.
    ///
    /// # Errors
    /// The errors of [`decode`](Self::decode), but regions may have any size; [`GpuVolumeError::Type`].
    pub fn start_read<T: Voxel>(&self, region: &Region) -> Result<RegionRead<'_, T>, GpuVolumeError> {
        if T::TYPE != self.voxel_type {
            return Err(GpuVolumeError::Type { have: self.voxel_type, asked: T::TYPE });
        }
        RegionRead::new(self, region, T::TYPE.bit_count(), T::TYPE, PART_BYTES)
    }

    /// Works like [`start_read`](Self::start_read) for the region's ordinals; for 64 bits, their upper words.
    ///
    /// # Errors
    /// The errors of [`start_read`](Self::start_read).
    pub fn start_read_ordinals(&self, region: &Region) -> Result<RegionRead<'_, u32>, GpuVolumeError> {
        RegionRead::new(self, region, 32, VoxelType::U32, PART_BYTES)
    }

    /// Decodes a region and copies it back, x fastest. Blocks. Reports slices.
    ///
    /// # Errors
    /// The errors of [`start_read`](Self::start_read); [`GpuVolumeError::Cancelled`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read<T: Voxel>(&self, region: &Region, task: &Task<'_>) -> Result<Vec<T>, GpuVolumeError> {
        task.check()?;
        self.start_read(region)?.wait(task)
    }

    /// Decodes a region and copies its ordinals back, x fastest: for 64 bits their upper words. Blocks.
    /// Reports slices.
    ///
    /// # Errors
    /// The errors of [`start_read`](Self::start_read); [`GpuVolumeError::Cancelled`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_ordinals(&self, region: &Region, task: &Task<'_>) -> Result<Vec<u32>, GpuVolumeError> {
        task.check()?;
        self.start_read_ordinals(region)?.wait(task)
    }
}
