//! Numbers of a region of an open volume.

use crate::volume::{BwvBytes, VolumeError};
use brickwork_base::Task;
use brickwork_formats::OpenedVolume;
use brickwork_volume::{
    Dims, Region, Selection, VolumeFile, VolumeReadError, Voxel, VoxelStreamError, read_frame,
    with_voxel_type,
};
use std::io::{self, Read as _};

/// Reads the selected numbers of a region of a `.bwv` file. Only the chunks that it intersects are read.
/// 64-bit numbers are rounded.
pub fn of_file(
    file: &VolumeFile<BwvBytes>,
    selection: &Selection,
    region: &Region,
    task: &Task<'_>,
) -> Result<Vec<f64>, VolumeReadError> {
    with_voxel_type!(file.header().voxel_type, T => {
        let read = file.read_selected::<T>(selection, region, task)?;
        Ok(read.into_iter().map(Voxel::to_f64).collect())
    })
}

/// Bytes that are skipped between two checks for cancellation.
const PIECE_BYTES: u64 = 1 << 20;

/// Reads the numbers of a region of a frame and of some channels, from a volume that arrives slice by slice.
/// All slices up to the region's last one are read, and one is kept at a time.
pub fn of_stream(
    mut volume: OpenedVolume,
    frame: usize,
    chosen: &[usize],
    region: &Region,
    task: &Task<'_>,
) -> Result<Vec<Vec<f64>>, VolumeError> {
    let header = &volume.header;
    let (dims, channels, voxel_type) = (header.dims, header.channels, header.voxel_type);
    let row_bytes = dims.x * channels * voxel_type.byte_count();
    let slice = header.clone().with(|header| {
        header.frames = 1;
        header.dims = Dims { z: 1, ..dims };
    });
    let mut skipped = ((frame * dims.z + region.z.start) as u64) * slice.raw_bytes()?;
    while skipped > 0 {
        task.check()?;
        let piece = skipped.min(PIECE_BYTES);
        let read = io::copy(&mut (&mut volume.voxels).take(piece), &mut io::sink());
        if read.map_err(VoxelStreamError::from)? < piece {
            return Err(VoxelStreamError::from(io::Error::from(io::ErrorKind::UnexpectedEof)).into());
        }
        skipped -= piece;
    }
    let count = region.x.len() * region.y.len() * region.z.len();
    let mut all = vec![Vec::new(); chosen.len()];
    for values in &mut all {
        let reserved = values.try_reserve_exact(count);
        reserved.map_err(|_| VolumeReadError::Memory(8 * count as u64))?;
    }
    for _ in region.z.clone() {
        let part = (&mut volume.voxels).take((row_bytes * dims.y) as u64);
        let voxels = read_frame(part, volume.order, &slice, 0, &task.without_progress())?;
        with_voxel_type!(voxel_type, T => {
            let numbers = voxels.as_slice::<T>().unwrap_or_default();
            for (values, &channel) in all.iter_mut().zip(chosen) {
                for y in region.y.clone() {
                    let row = numbers[y * dims.x * channels..].iter().skip(channel).step_by(channels);
                    let row = row.skip(region.x.start).take(region.x.len());
                    values.extend(row.map(|number| number.to_f64()));
                }
            }
        });
    }
    Ok(all)
}
