//! Check of labels that images show: whole numbers from 0.

use super::VolumeError;
use brickwork_base::Task;
#[cfg(feature = "files")]
use brickwork_volume::Region;
use brickwork_volume::{
    AnyVoxels, Dims, ReadAt, ResidentOptions, Selection, StatisticsError, VolumeFile, Voxel, VoxelType,
    with_voxel_type,
};

/// Voxels between two checks for cancellation.
const PIECE: usize = 1 << 18;

/// Refuses a voxel at x, y, z that no label of an image has.
///
/// # Errors
/// [`StatisticsError::Fraction`] for fractions, NaN and infinity; [`VolumeError::NegativeLabel`].
pub(super) fn check_label(value: f64, at: impl FnOnce() -> [usize; 3]) -> Result<(), VolumeError> {
    if !value.is_finite() || value.fract() != 0.0 {
        return Err(StatisticsError::Fraction { value, at: at() }.into());
    }
    if value < 0.0 { Err(VolumeError::NegativeLabel { value, at: at() }) } else { Ok(()) }
}

/// Checks the voxels of a volume of `dims`, which has one channel.
///
/// # Errors
/// As [`check_label`], and if the call is cancelled.
pub(super) fn check_labels(voxels: &AnyVoxels, dims: Dims, task: &Task<'_>) -> Result<(), VolumeError> {
    check_part(voxels, dims, 0, task)
}

/// Checks the part of a `.bwv` file that the options name, slab by slab.
///
/// # Errors
/// As [`check_labels`], and if the file cannot be read.
pub(super) fn check_labels_of_file<S: ReadAt>(
    file: &VolumeFile<S>,
    options: &ResidentOptions,
    task: &Task<'_>,
) -> Result<(), VolumeError> {
    let voxel_type = file.header().voxel_type;
    if is_unsigned(voxel_type) {
        return Ok(());
    }
    let frames = Some(options.frame..options.frame.saturating_add(1));
    let selection = Selection { mip_level: options.mip_level, frames, channel: Some(options.channel) };
    let dims = file.header().mip_level_dims(options.mip_level);
    let mut slab = AnyVoxels::new(voxel_type);
    for region in file.slabs(options.mip_level) {
        file.read_any(&selection, &region, &mut slab, &task.without_progress())?;
        check_part(&slab, dims, region.z.start, task)?;
    }
    Ok(())
}

/// Checks the numbers of a region.
///
/// # Errors
/// As [`check_label`].
#[cfg(feature = "files")]
pub(super) fn check_region(numbers: &[f64], region: &Region) -> Result<(), VolumeError> {
    for (index, &number) in numbers.iter().enumerate() {
        check_label(number, || {
            let (x, y, z) = region.dims().position(index);
            [region.x.start + x, region.y.start + y, region.z.start + z]
        })?;
    }
    Ok(())
}

/// True if every number of the type is a label.
const fn is_unsigned(voxel_type: VoxelType) -> bool {
    matches!(voxel_type, VoxelType::U8 | VoxelType::U16 | VoxelType::U32 | VoxelType::U64)
}

fn check_part(
    voxels: &AnyVoxels,
    dims: Dims,
    first_slice: usize,
    task: &Task<'_>,
) -> Result<(), VolumeError> {
    if is_unsigned(voxels.voxel_type()) {
        return Ok(());
    }
    with_voxel_type!(voxels.voxel_type(), T => {
        let numbers = voxels.as_slice::<T>().unwrap_or_default();
        for (piece, numbers) in numbers.chunks(PIECE).enumerate() {
            task.check()?;
            for (index, number) in numbers.iter().enumerate() {
                check_label(Voxel::to_f64(*number), || {
                    let (x, y, z) = dims.position(piece * PIECE + index);
                    [x, y, first_slice + z]
                })?;
            }
        }
        Ok(())
    })
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use crate::volume::LoadedVolume;
    use brickwork_volume::{
        BwvOptions, ByteOrder, Header, VolumeView, Voxel, VoxelKind, VoxelStream, bytemuck, encode,
        render::label_color,
    };
    use std::io::Cursor;

    const DIMS: Dims = Dims::new(5, 4, 3);

    /// Loads labels from a file and from a stream, which must agree. Returns the display values of the first
    /// brick, or the error.
    fn loaded<T: Voxel>(labels: &[T]) -> Result<[u16; 64], String> {
        let header = Header::new(T::TYPE, DIMS).with(|header| header.kind = VoxelKind::Labels);
        let (options, task) = (ResidentOptions::default(), &Task::new());
        let mut bytes = Vec::new();
        let view = VolumeView::new(labels, DIMS).expect("a volume");
        encode(view, &header, &BwvOptions::default(), &mut bytes, task).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let stream = VoxelStream::Rewindable(Box::new(Cursor::new(bytemuck::cast_slice(labels).to_vec())));
        let all = [
            LoadedVolume::from_file(&file, header.clone(), &options, false, task),
            LoadedVolume::from_stream(
                (stream, ByteOrder::NATIVE),
                &header,
                header.clone(),
                &options,
                true,
                task,
            ),
        ];
        let all = all.map(|loaded| {
            let mut values = [0; 64];
            loaded.map_err(|error| error.to_string())?.bricks().brick([0; 3], &mut values);
            // Beyond the volume, bricks may have any values.
            values[16 * DIMS.z..].fill(0);
            Ok(values)
        });
        assert_eq!(all[0], all[1], "{}", T::TYPE);
        all.into_iter().next().expect("two")
    }

    #[test]
    fn a_label_has_one_colour_in_every_type() {
        let label = |index: usize| [0u8, 1, 7, 100, 7][index % 5];
        let of = |index: usize| f64::from(label(index));
        let all = [
            loaded(&(0..60).map(|i| of(i) as u8).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as i8).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as u16).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as i16).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as u32).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as i32).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as f32).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as u64).collect::<Vec<_>>()),
            loaded(&(0..60).map(|i| of(i) as i64).collect::<Vec<_>>()),
            loaded(&(0..60).map(of).collect::<Vec<_>>()),
        ];
        for found in all {
            let found = found.expect("labels");
            // Voxels 0 to 3 of the first row.
            assert_eq!(found[..4], [0, 1, 7, 100]);
        }
        assert_eq!(label_color(7), crate::volume::label_color_of(&[], 7.0));
    }

    #[test]
    fn fractions_and_negative_labels_are_refused() {
        let with = |value: f64| {
            let mut labels = [1.0; 60];
            labels[2 * 20 + 3 * 5 + 4] = value;
            labels
        };
        let said = |found: Result<[u16; 64], String>| found.expect_err("no label");
        let fraction = "the label 0.5 at 4, 3, 2 is not an integer";
        assert_eq!(said(loaded(&with(0.5))), fraction);
        assert_eq!(said(loaded(&with(0.5).map(|label| label as f32))), fraction);
        let negative = "the label -1 at 4, 3, 2 is negative; images show labels from 0";
        assert_eq!(said(loaded(&with(-1.0).map(|label| label as i8))), negative);
        assert_eq!(said(loaded(&with(-1.0).map(|label| label as i64))), negative);
        assert_eq!(said(loaded(&with(-1.0))), negative);
        assert!(said(loaded(&with(f64::NAN))).contains("NaN at 4, 3, 2"));
    }
}
