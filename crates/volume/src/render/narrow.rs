//! A channel of a volume as numbers that the ray casters know, for rendering.

use super::narrowing::{LabelSet, Narrowing, WideLabel};
use crate::{
    AnyVoxels, Dims, MAX_CHANNELS, ReadAt, ResidentOptions, Selection, ShapeError, Stage, Task, VolumeFile,
    VolumeReadError, Voxel, VoxelKind, VoxelType, untyped::VoxelBuffer, with_voxel_type,
};

/// One channel of a volume in integers of at most 32 bits or f32. GPUs render no others.
///
/// Half floats become f32, exactly. Intensities of 64 bits are rounded to f32. Labels of 64 bits become u32.
/// Whole numbers below 2³² keep their number; 0, −0 and NaN become 0, the background. Each other label gets a
/// number that no label of the volume has ([`renumbered`](Self::renumbered)). Numbers of other types do not
/// change.
#[derive(Debug)]
pub struct NarrowVoxels {
    voxels: AnyVoxels,
    narrowing: Narrowing,
    wide_range: Option<[f64; 2]>,
}

impl NarrowVoxels {
    /// Narrows channel `channel` of voxels with `channels` numbers each. Reports the voxels done.
    ///
    /// # Errors
    /// [`VolumeReadError`] if there is no such channel, a volume has more than 2³² − 1 labels, or the call is
    /// cancelled.
    pub fn from_any(
        voxels: AnyVoxels,
        channels: usize,
        channel: usize,
        kind: VoxelKind,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        if channel >= channels {
            return Err(ShapeError::Selected { what: "channel", index: channel, count: channels }.into());
        }
        if channels > MAX_CHANNELS {
            return Err(ShapeError::Channels(channels).into());
        }
        let voxel_type = voxels.voxel_type();
        let number_count = voxels.bytes().len() / voxel_type.byte_count();
        if !number_count.is_multiple_of(channels) {
            let dims = Dims::new(number_count / channels, 1, 1);
            let (expected, actual) = (dims.x * channels, number_count);
            return Err(ShapeError::Length { dims, expected, actual }.into());
        }
        if voxel_type.is_rendered() && channels == 1 {
            let narrowing = Narrowing::of_labels(voxel_type, kind, LabelSet::default())?;
            return Ok(Self { voxels, narrowing, wide_range: None });
        }
        let voxel_bytes = channels * voxel_type.byte_count();
        let voxel_count = number_count / channels;
        let pieces = || voxels.bytes().chunks(PIECE * voxel_bytes);
        let mut labels = LabelSet::default();
        if Narrowing::needs_labels(voxel_type, kind) {
            for piece in pieces() {
                task.check()?;
                add_labels(piece, voxel_type, channels, channel, &mut labels);
            }
        }
        let narrowing = Narrowing::of_labels(voxel_type, kind, labels)?;
        let mut narrow = Pieces::new(narrowing, voxel_count);
        for (number, piece) in pieces().enumerate() {
            task.check()?;
            narrow.push(piece, channels, channel)?;
            let done = voxel_count.min((number + 1) * PIECE);
            task.report(Stage::Preparing, done as u64, voxel_count as u64);
        }
        Ok(narrow.finish())
    }

    /// Reads and narrows the mip level, frame and channel in the options from a `.bwv` file, slab by slab.
    /// Labels of 64 bits are read twice. Reports the slices read.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the file does not have the selected part, has more than 2³² − 1 labels or is
    /// damaged, memory runs out, or the call is cancelled.
    pub fn from_file<S: ReadAt>(
        file: &VolumeFile<S>,
        options: &ResidentOptions,
        kind: VoxelKind,
        task: &Task<'_>,
    ) -> Result<Self, VolumeReadError> {
        let voxel_type = file.header().voxel_type;
        let frames = Some(options.frame..options.frame.saturating_add(1));
        let selection = Selection { mip_level: options.mip_level, frames, channel: Some(options.channel) };
        file.check(&selection)?;
        let dims = file.header().mip_level_dims(options.mip_level);
        let needs_labels = Narrowing::needs_labels(voxel_type, kind);
        let total = dims.z as u64 * if needs_labels { 2 } else { 1 };
        let mut done = 0;
        let mut slab = AnyVoxels::new(voxel_type);
        let mut each_slab = |work: &mut dyn FnMut(&[u8]) -> Result<(), VolumeReadError>| {
            for region in file.slabs(options.mip_level) {
                file.read_any(&selection, &region, &mut slab, &task.without_progress())?;
                for piece in slab.bytes().chunks(PIECE * voxel_type.byte_count()) {
                    task.check()?;
                    work(piece)?;
                }
                done += region.z.len() as u64;
                task.report(Stage::Preparing, done, total);
            }
            Ok::<_, VolumeReadError>(())
        };
        let mut labels = LabelSet::default();
        if needs_labels {
            each_slab(&mut |slab| {
                add_labels(slab, voxel_type, 1, 0, &mut labels);
                Ok(())
            })?;
        }
        let narrowing = Narrowing::of_labels(voxel_type, kind, labels)?;
        let mut narrow = Pieces::new(narrowing, dims.voxel_count()?);
        each_slab(&mut |slab| narrow.push(slab, 1, 0))?;
        Ok(narrow.finish())
    }

    /// Returns the numbers, one per voxel.
    pub const fn voxels(&self) -> &AnyVoxels {
        &self.voxels
    }

    /// Returns the numbers, one per voxel.
    pub fn into_voxels(self) -> AnyVoxels {
        self.voxels
    }

    /// Returns the smallest and the largest finite intensity of 64 bits, before rounding; `None` for other
    /// voxels.
    pub const fn wide_range(&self) -> Option<[f64; 2]> {
        self.wide_range
    }

    /// Returns the labels that did not keep their number, in the order of their values, each with its new
    /// number before it.
    pub fn renumbered(&self) -> impl Iterator<Item = (u32, WideLabel)> {
        self.narrowing.renumbered()
    }
}

/// Voxels between two checks for cancellation.
const PIECE: usize = 1 << 18;

/// Returns the numbers of a channel.
fn channel_of<T: Voxel>(voxels: &[u8], channels: usize, channel: usize) -> impl Iterator<Item = T> {
    bytemuck::cast_slice::<u8, T>(voxels).iter().skip(channel).step_by(channels).copied()
}

fn add_labels(voxels: &[u8], voxel_type: VoxelType, channels: usize, channel: usize, labels: &mut LabelSet) {
    with_voxel_type!(voxel_type, T => {
        channel_of::<T>(voxels, channels, channel).for_each(|label| labels.add(label.to_ordinal()));
    });
}

/// Voxels that are narrowed piece by piece.
struct Pieces {
    narrowing: Narrowing,
    /// Voxels of all pieces.
    voxel_count: usize,
    buffer: VoxelBuffer,
    wide_range: Option<[f64; 2]>,
}

impl Pieces {
    fn new(narrowing: Narrowing, voxel_count: usize) -> Self {
        Self { narrowing, voxel_count, buffer: VoxelBuffer::default(), wide_range: None }
    }

    fn push(&mut self, voxels: &[u8], channels: usize, channel: usize) -> Result<(), VolumeReadError> {
        let narrowing = &self.narrowing;
        let from = narrowing.from();
        if from.is_rendered() {
            return with_voxel_type!(from, T => {
                self.extend(&channel_of::<T>(voxels, channels, channel).collect::<Vec<T>>())
            });
        }
        let is_label = narrowing.voxel_type() == VoxelType::U32;
        if !is_label && from.word_count() > 1 {
            let joined = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
            let range = with_voxel_type!(from, T => {
                let numbers = channel_of::<T>(voxels, channels, channel).map(Voxel::to_f64);
                numbers.filter(|number| number.is_finite()).map(|number| [number; 2]).reduce(joined)
            });
            self.wide_range = [self.wide_range, range].into_iter().flatten().reduce(joined);
        }
        let narrowing = &self.narrowing;
        let numbers: Vec<u32> = with_voxel_type!(from, T => {
            let ordinals = channel_of::<T>(voxels, channels, channel)
                .map(|voxel| narrowing.narrow(voxel.to_ordinal()));
            let float = |ordinal: u32| f32::from_ordinal(ordinal.into()).to_bits();
            if is_label { ordinals.collect() } else { ordinals.map(float).collect() }
        });
        self.extend(&numbers)
    }

    fn extend<T: bytemuck::Pod>(&mut self, numbers: &[T]) -> Result<(), VolumeReadError> {
        let all = self.voxel_count.saturating_mul(size_of::<T>());
        let grown = self.buffer.try_extend(bytemuck::cast_slice(numbers), all);
        grown.map_err(|_| VolumeReadError::Memory(all as u64))
    }

    fn finish(self) -> NarrowVoxels {
        let voxels = AnyVoxels { voxel_type: self.narrowing.voxel_type(), buffer: self.buffer };
        NarrowVoxels { voxels, narrowing: self.narrowing, wide_range: self.wide_range }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BwvOptions, Dims, Header, ResidentVolume, VolumeView, encode,
        render::{DisplayBricks, RawBricks, ResidentBricks},
    };
    use std::sync::Arc;

    fn any<T: Voxel>(voxels: &[T]) -> AnyVoxels {
        let mut buffer = VoxelBuffer::default();
        buffer.extend(bytemuck::cast_slice(voxels));
        AnyVoxels { voxel_type: T::TYPE, buffer }
    }

    fn shown(bricks: &dyn DisplayBricks) -> Vec<u16> {
        let mut values = [0; 64];
        bricks.brick([0; 3], &mut values);
        values[..bricks.dims().x].to_vec()
    }

    /// Narrows voxels of a volume in memory and of a file, which must agree. Their display values must be
    /// those of the voxels as they were.
    fn narrowed<T: Voxel>(voxels: [T; 4], kind: VoxelKind) -> Arc<AnyVoxels> {
        let (dims, task) = (Dims::new(4, 1, 1), &Task::new());
        let of_any = NarrowVoxels::from_any(any(&voxels), 1, 0, kind, task).expect("few labels");
        let header = Header::new(T::TYPE, dims).with(|header| header.kind = kind);
        let mut bytes = Vec::new();
        let view = VolumeView::new(&voxels, dims).expect("four voxels");
        encode(view, &header, &BwvOptions::default(), &mut bytes, task).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let of_file =
            NarrowVoxels::from_file(&file, &ResidentOptions::default(), kind, task).expect("few labels");
        assert_eq!(of_any.voxels.bytes(), of_file.voxels.bytes(), "{} {kind:?}", T::TYPE);
        let all = [&of_any, &of_file].map(|narrow| narrow.renumbered().collect::<Vec<_>>());
        assert_eq!(all[0], all[1]);
        let narrow = of_any.into_voxels();
        assert_eq!(narrow.voxel_type().byte_count(), 4);
        let narrow = Arc::new(narrow);
        let expected = RawBricks::new(Arc::clone(&narrow), dims, 1, 0, kind, task).expect("a channel");
        let expected = shown(&expected);
        assert_eq!(shown(&RawBricks::copy_of(&view, 0, kind, task).expect("a channel")), expected);
        let resident = ResidentVolume::from_voxels(view, kind, &ResidentOptions::default(), task);
        let resident = Arc::new(resident.expect("memory"));
        assert_eq!(shown(&ResidentBricks::new(resident, task).expect("few labels")), expected);
        narrow
    }

    #[test]
    fn labels_of_64_bits_stay_apart_and_keep_small_numbers() {
        let unsigned = narrowed([1u64 << 32, (1 << 32) + 5, 5, 0], VoxelKind::Labels);
        assert_eq!(unsigned.as_slice::<u32>(), Some(&[1, 2, 5, 0][..]));
        let signed = narrowed([-1i64, 1 << 32, 5, 0], VoxelKind::Labels);
        assert_eq!(signed.as_slice::<u32>(), Some(&[1, 2, 5, 0][..]));
        let floats = narrowed([0.5, 8_589_934_592.0, 5.0, -0.0], VoxelKind::Labels);
        assert_eq!(floats.as_slice::<u32>(), Some(&[1, 2, 5, 0][..]));
        let floats = narrowed([4_000_000_001.0, -1e300, f64::NAN, 0.0], VoxelKind::Labels);
        assert_eq!(floats.as_slice::<u32>(), Some(&[4_000_000_001, 1, 0, 0][..]));
    }

    #[test]
    fn intensities_are_rounded() {
        let voxels = narrowed([0u64, 7, u64::MAX, 1 << 31], VoxelKind::Intensity);
        assert_eq!(voxels.as_slice::<f32>(), Some(&[0.0, 7.0, u64::MAX as f32, 2_147_483_648.0][..]));
        let voxels = narrowed([5i64, -3, 0, i64::MIN], VoxelKind::Intensity);
        assert_eq!(voxels.as_slice::<f32>(), Some(&[5.0, -3.0, 0.0, i64::MIN as f32][..]));
        let voxels = narrowed([1.5, -0.0, f64::INFINITY, 1e300], VoxelKind::Intensity);
        assert_eq!(voxels.as_slice::<f32>(), Some(&[1.5, -0.0, f32::INFINITY, f32::INFINITY][..]));
    }

    #[test]
    fn half_floats_are_widened() {
        let halves = [0x3c00, 0xc000, 0x0001, 0xfc00].map(half::f16::from_bits);
        let want = [1.0, -2.0, 2f32.powi(-24), f32::NEG_INFINITY];
        for kind in [VoxelKind::Intensity, VoxelKind::Labels] {
            assert_eq!(narrowed(halves, kind).as_slice::<f32>(), Some(&want[..]));
        }
        let nan = any(&[half::f16::from_bits(0x7e01)]);
        let nan = NarrowVoxels::from_any(nan, 1, 0, VoxelKind::Intensity, &Task::new()).expect("a channel");
        assert_eq!(nan.voxels().as_slice::<f32>().map(|numbers| numbers[0].is_nan()), Some(true));
        assert_eq!(nan.wide_range(), None);
    }

    #[test]
    fn one_channel_is_kept() {
        let task = &Task::new();
        let voxels = any(&[1u64, 2, 3, 1 << 40]);
        let narrow = NarrowVoxels::from_any(voxels, 2, 1, VoxelKind::Labels, task).expect("a channel");
        assert_eq!(narrow.voxels().as_slice::<u32>(), Some(&[2, 1][..]));
        let narrow = NarrowVoxels::from_any(any(&[7u8, 9, 8, 6]), 2, 0, VoxelKind::Labels, task);
        assert_eq!(narrow.expect("a channel").voxels().as_slice::<u8>(), Some(&[7, 8][..]));
        let narrow = NarrowVoxels::from_any(any(&[7u8]), 1, 0, VoxelKind::Labels, task);
        assert_eq!(narrow.expect("a channel").voxels().as_slice::<u8>(), Some(&[7][..]));
        let none = NarrowVoxels::from_any(any(&[7u8]), 1, 1, VoxelKind::Labels, task);
        assert!(matches!(none, Err(VolumeReadError::Shape(ShapeError::Selected { .. }))));
    }
}
