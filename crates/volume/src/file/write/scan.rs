//! Finds the components that take few values with gaps between, so that a rank table is worth its bytes.

use crate::{
    AnyView, Cancelled, Dims, Task, VolumeWriteError, Voxel, VoxelType,
    file::table::{MAX_VALUES, Table},
    untyped::{UntypedView, VoxelBuffer},
    with_voxel_type,
};
use brickwork_base::parallel;
use std::{collections::HashSet, ops::Range};

/// A table with this many voxels per entry always saves more bytes than it takes.
const VOXELS_PER_VALUE: usize = 32;

/// Voxels looked at between checks whether there are too many values.
const PIECE: usize = 1 << 16;

/// Parts that each thread looks at, about: a thread that is done early takes one more.
const PARTS_PER_THREAD: usize = 4;

/// Looks at every component of voxels that come in pieces; `None` where there were too many values.
pub(crate) struct Scans {
    voxel_type: VoxelType,
    channels: usize,
    components: Vec<Option<Scan>>,
}

impl Scans {
    /// Creates a scan of voxels with `channels` numbers of type `T`.
    pub fn new<T: Voxel>(channels: usize) -> Self {
        Self::of_type(T::TYPE, channels)
    }

    /// Looks at more whole voxels; false if every component has too many values already.
    pub fn add<T: Voxel>(&mut self, voxels: &[T]) -> bool {
        self.add_bytes(bytemuck::cast_slice(voxels))
    }

    /// Creates a scan of voxels with `channels` numbers.
    pub fn of_type(voxel_type: VoxelType, channels: usize) -> Self {
        let component = |_| Some(Scan::new(voxel_type.word_bits()));
        let components = (0..channels * voxel_type.word_count()).map(component).collect();
        Self { voxel_type, channels, components }
    }

    /// Works like [`add`](Self::add), for the bytes of voxels in memory order, aligned for their type.
    pub fn add_bytes(&mut self, voxels: &[u8]) -> bool {
        for (component, scan) in self.components.iter_mut().enumerate() {
            let goes_on = |scan: &mut Scan| {
                with_voxel_type!(self.voxel_type, T => {
                    scan.add_component::<T>(voxels, component, self.channels)
                })
            };
            if !scan.as_mut().is_some_and(goes_on) {
                *scan = None;
            }
        }
        self.components.iter().any(Option::is_some)
    }

    /// Returns the table of all voxels for each component, if it is worth its bytes.
    pub fn finish(self) -> Vec<Option<Table>> {
        self.components.into_iter().map(|scan| scan?.finish()).collect()
    }

    /// Returns the table of `volume` for each component, if the component has few values with gaps between
    /// them.
    pub fn tables(volume: UntypedView, task: &Task<'_>) -> Result<Vec<Option<Table>>, Cancelled> {
        let scans = Self::scan(volume, task)?;
        Ok(scans.map_or_else(|| no_tables(volume.component_count()), Self::finish))
    }

    /// Returns the same for voxels that are copied slab by slab.
    pub fn tables_of_slabs(
        volume: AnyView,
        slabs: impl Iterator<Item = Range<usize>>,
        slab: &mut VoxelBuffer,
        task: &Task<'_>,
    ) -> Result<Vec<Option<Table>>, VolumeWriteError> {
        let (voxel_type, channels) = (volume.voxel_type(), volume.channels());
        let mut all = Self::of_type(voxel_type, channels);
        for slices in slabs {
            volume.copy_slices(slices.clone(), slab, task)?;
            let dims = Dims { z: slices.len(), ..volume.dims() };
            let view = UntypedView::new(slab.bytes(), voxel_type, dims, channels)?;
            let Some(more) = Self::scan(view, task)? else { return Ok(no_tables(all.components.len())) };
            all = all.join(more);
            if all.components.iter().all(Option::is_none) {
                break;
            }
        }
        Ok(all.finish())
    }

    /// Looks at all voxels of a volume; `None` if every component has too many values.
    fn scan(volume: UntypedView, task: &Task<'_>) -> Result<Option<Self>, Cancelled> {
        let (voxel_type, channels) = (volume.voxel_type(), volume.channels());
        let piece_bytes = PIECE * channels * voxel_type.byte_count();
        let pieces = volume.bytes().len().div_ceil(piece_bytes);
        let part_bytes = piece_bytes * pieces.div_ceil(PARTS_PER_THREAD * parallel::thread_count(task));
        let scan_part = |part: &[u8]| {
            let mut scans = Self::of_type(voxel_type, channels);
            let mut pieces = part.chunks(piece_bytes);
            let goes_on = pieces.all(|voxels| !task.is_cancelled() && scans.add_bytes(voxels));
            goes_on.then_some(scans).ok_or(())
        };
        let parts = parallel::try_map(task, volume.bytes().chunks(part_bytes), scan_part);
        task.check()?;
        Ok(parts.ok().and_then(|parts| parts.into_iter().reduce(Self::join)))
    }

    /// Joins the values of both scans.
    fn join(self, others: Self) -> Self {
        let both = self.components.into_iter().zip(others.components);
        let components = both.map(|(scan, other)| scan?.join(other?)).collect();
        Self { components, ..self }
    }
}

/// Returns no table for any component.
fn no_tables(components: usize) -> Vec<Option<Table>> {
    (0..components).map(|_| None).collect()
}

/// Looks at the ordinals of one component.
struct Scan {
    /// Flags by ordinal, if ordinals have at most 16 bits.
    seen: Vec<bool>,
    others: HashSet<u32>,
    last: Option<u32>,
    voxel_count: usize,
}

impl Scan {
    fn new(bits: u32) -> Self {
        let seen = if bits <= 16 { vec![false; 1 << bits] } else { Vec::new() };
        Self { seen, others: HashSet::new(), last: None, voxel_count: 0 }
    }

    /// Looks at a component of more voxels; false if there are too many values already.
    fn add_component<T: Voxel>(&mut self, voxels: &[u8], component: usize, channels: usize) -> bool {
        let (channel, word) = (component / T::TYPE.word_count(), component % T::TYPE.word_count());
        let voxels: &[T] = bytemuck::cast_slice(voxels);
        self.add(voxels.iter().skip(channel).step_by(channels).map(|voxel| voxel.word(word)))
    }

    /// Looks at more ordinals; false if there are too many values already.
    fn add(&mut self, ordinals: impl ExactSizeIterator<Item = u32>) -> bool {
        self.voxel_count += ordinals.len();
        if !self.seen.is_empty() {
            for ordinal in ordinals {
                self.seen[ordinal as usize] = true;
            }
            return true;
        }
        for ordinal in ordinals {
            if self.last == Some(ordinal) {
                continue;
            }
            self.last = Some(ordinal);
            self.others.insert(ordinal);
            if self.others.len() > MAX_VALUES {
                return false;
            }
        }
        true
    }

    /// Joins the values of both scans; `None` if there are too many.
    fn join(mut self, other: Self) -> Option<Self> {
        for (seen, other) in self.seen.iter_mut().zip(other.seen) {
            *seen |= other;
        }
        self.others.extend(other.others);
        self.voxel_count += other.voxel_count;
        (self.others.len() <= MAX_VALUES).then_some(self)
    }

    /// Returns the table of all voxels, if it is worth its bytes.
    fn finish(self) -> Option<Table> {
        let mut ordinals: Vec<u32> = self.others.into_iter().collect();
        ordinals.sort_unstable();
        ordinals.extend((0u32..).zip(&self.seen).filter_map(|(ordinal, &seen)| seen.then_some(ordinal)));
        let (first, last) = (*ordinals.first()?, *ordinals.last()?);
        let gaps = (last - first) as usize >= ordinals.len();
        let is_worth_it = gaps && ordinals.len() <= MAX_VALUES && saves_more(&ordinals, self.voxel_count);
        is_worth_it.then(|| Table::new(ordinals, !self.seen.is_empty()))
    }
}

/// Returns true if a table saves more than it takes. A voxel saves about the mean bits of the steps between
/// values. Half of that must be more than the table, which has the steps, up to three bits more for each, and
/// a fixed part.
fn saves_more(ordinals: &[u32], voxel_count: usize) -> bool {
    let (count, voxel_count) = (ordinals.len() as u128, voxel_count as u128);
    let bits = ordinals.windows(2).map(|pair| u128::from((pair[1] - pair[0]).ilog2())).sum::<u128>();
    voxel_count >= count * VOXELS_PER_VALUE as u128
        || voxel_count * bits > 2 * count * (bits + 3 * count + TABLE_BITS)
}

/// Maximum size of a table in bits, without its steps.
const TABLE_BITS: u128 = 512;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VolumeView;

    fn tables<T: Voxel>(voxels: &[T], channels: usize) -> Vec<Option<Table>> {
        let dims = Dims::new(voxels.len() / channels, 1, 1);
        let view = VolumeView::interleaved(voxels, dims, channels).expect("voxels").untyped();
        Scans::tables(view, &Task::new()).expect("not cancelled")
    }

    #[test]
    fn only_gaps_make_a_table() {
        let dense: Vec<u16> = (0..6400).map(|i| 100 + i % 20).collect();
        let table_of = |voxels: &[u16]| tables(voxels, 1).remove(0);
        assert_eq!(table_of(&dense), None);
        let gaps: Vec<u16> = dense.iter().map(|v| v * 3).collect();
        assert_eq!(table_of(&gaps).expect("gaps").ordinals.len(), 20);
        let table = table_of(&gaps).expect("gaps");
        assert!(table.ordinals.iter().zip(0..).all(|(&ordinal, rank)| table.rank(ordinal) == rank));
        let floats: Vec<f32> = (0..64).map(|i| i as f32).collect();
        assert_eq!(tables(&floats, 1), [None]);
    }

    #[test]
    fn wide_gaps_make_a_table_of_few_voxels_each() {
        let has_table = |voxels: &[f32]| tables(voxels, 1)[0].is_some();
        // Each of 1,000 decimals, many times.
        let decimals = |times: usize| -> Vec<f32> {
            (0..1000 * times).map(|i| (i * 7 % 1000) as f32 / 1000.0).collect()
        };
        assert!(has_table(&decimals(4)));
        assert!(!has_table(&decimals(2)));
        // If all numbers except one are dense, a table saves nothing until it is small relative to the
        // voxels.
        let dense = |times: usize| -> Vec<u16> {
            (0..1000 * times).map(|i| if i == 0 { u16::MAX } else { (i % 1000) as u16 }).collect()
        };
        assert_eq!(tables(&dense(31), 1), [None]);
        assert!(tables(&dense(33), 1)[0].is_some());
    }

    #[test]
    fn components_have_tables_of_their_own() {
        let voxels: Vec<u64> = (0..12800).map(|i| if i % 2 == 0 { (i % 3) << 40 } else { i * i }).collect();
        let tables = tables(&voxels, 2);
        let has: Vec<Option<usize>> = tables.iter().map(|t| Some(t.as_ref()?.ordinals.len())).collect();
        // Low and high halves of the first channel, then of the second.
        assert_eq!(has, [Some(3), None, None, None]);
    }
}
