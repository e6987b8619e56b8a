//! The map from numbers of 64 bits, and from half floats, to numbers of 32 bits.
//!
//! Half floats become f32, exactly. Intensities of 64 bits are rounded to f32. Labels of 64 bits become u32:
//! whole numbers below 2³² keep their number; 0, −0 and NaN are 0, the background; each other label gets a
//! number that no label of the volume has. These numbers are the smallest free ones, in the order of the
//! labels' values, so they depend on the set of labels only.

use super::RenderError;
use crate::{Cancelled, ShapeError, Task, Voxel, VoxelKind, VoxelType};
use brickwork_base::parallel;
use half::f16;
use std::{fmt, mem, sync::Arc};

/// The map from the ordinals of 64-bit numbers and half floats to those of 32-bit numbers.
#[derive(Clone, Debug)]
pub struct Narrowing {
    from: VoxelType,
    kind: VoxelKind,
    renumbered: Arc<[Renumbered]>,
}

/// A label that is no whole number below 2³².
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Renumbered {
    ordinal: u64,
    number: u32,
}

/// A label of 64 bits as its file stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the types of 64 bits")]
pub enum WideLabel {
    /// A label of type u64.
    U64(u64),
    /// A label of type i64.
    I64(i64),
    /// A label of type f64.
    F64(f64),
}

impl fmt::Display for WideLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::U64(label) => label.fmt(f),
            Self::I64(label) => label.fmt(f),
            Self::F64(label) => label.fmt(f),
        }
    }
}

impl Narrowing {
    /// Returns the map for voxels of a type and kind. If they are labels of 64 bits, `add` adds those of each
    /// of `parts` parts of the volume, in parallel.
    ///
    /// # Errors
    /// [`ShapeError::Labels`] if there are more than 2³² − 1 labels; errors of `add`.
    pub fn new(
        from: VoxelType,
        kind: VoxelKind,
        parts: usize,
        add: impl Fn(usize, &mut LabelSet) -> Result<(), Cancelled> + Sync,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        if !Self::needs_labels(from, kind) {
            return Ok(Self::of_sorted(from, kind, &[]));
        }
        let parts = parallel::try_map(task, 0..parts, |part| {
            let mut labels = LabelSet::default();
            add(part, &mut labels)?;
            Ok::<_, Cancelled>(labels.sorted())
        })?;
        let mut labels = LabelSet::default();
        parts.into_iter().for_each(|part| labels.join(part));
        Ok(Self::of_labels(from, kind, labels)?)
    }

    /// Returns the map for volumes with these labels.
    ///
    /// # Errors
    /// [`ShapeError::Labels`] if there are more than 2³² − 1 of them.
    pub fn of_labels(from: VoxelType, kind: VoxelKind, labels: LabelSet) -> Result<Self, ShapeError> {
        let labels = labels.sorted();
        if labels.len() > u32::MAX as usize {
            return Err(ShapeError::Labels(labels.len()));
        }
        Ok(Self::of_sorted(from, kind, &labels))
    }

    fn of_sorted(from: VoxelType, kind: VoxelKind, labels: &[u64]) -> Self {
        let (kept, others): (Vec<u64>, Vec<u64>) =
            labels.iter().partition(|&&label| kept_number(from, label).is_some());
        // Numbers grow with ordinals.
        let mut kept = kept.into_iter().filter_map(|label| kept_number(from, label)).peekable();
        let mut free = (1..=u32::MAX).filter(|&number| {
            while kept.next_if(|&kept| kept < number).is_some() {}
            kept.peek() != Some(&number)
        });
        let numbered = |ordinal| Some(Renumbered { ordinal, number: free.next()? });
        Self { from, kind, renumbered: others.into_iter().filter_map(numbered).collect() }
    }

    /// True if the map depends on the labels of the volume.
    pub fn needs_labels(from: VoxelType, kind: VoxelKind) -> bool {
        kind == VoxelKind::Labels && from.word_count() > 1
    }

    /// Returns the type that numbers of a type and kind become.
    pub fn target(from: VoxelType, kind: VoxelKind) -> VoxelType {
        match (from, kind) {
            _ if from.is_rendered() => from,
            (VoxelType::F16, _) | (_, VoxelKind::Intensity) => VoxelType::F32,
            (_, VoxelKind::Labels) => VoxelType::U32,
        }
    }

    /// Returns the type before narrowing.
    pub const fn from(&self) -> VoxelType {
        self.from
    }

    /// Returns the type after narrowing.
    pub fn voxel_type(&self) -> VoxelType {
        Self::target(self.from, self.kind)
    }

    /// Returns the ordinal of 32 bits of an ordinal of a type that changes.
    #[inline]
    pub fn narrow(&self, ordinal: u64) -> u32 {
        match self.kind {
            _ if self.from == VoxelType::F16 => f16::from_ordinal(ordinal).to_f32().to_ordinal() as u32,
            VoxelKind::Intensity => {
                let rounded = match self.from {
                    VoxelType::F64 => f64::from_ordinal(ordinal) as f32,
                    VoxelType::I64 => i64::from_ordinal(ordinal) as f32,
                    _ => ordinal as f32,
                };
                rounded.to_ordinal() as u32
            }
            VoxelKind::Labels => kept_number(self.from, ordinal).unwrap_or_else(|| {
                let found = self.renumbered.binary_search_by_key(&ordinal, |label| label.ordinal);
                found.map_or(0, |place| self.renumbered[place].number)
            }),
        }
    }

    /// Returns the labels that did not keep their number, in the order of their values, each with its number
    /// before it.
    pub fn renumbered(&self) -> impl Iterator<Item = (u32, WideLabel)> {
        self.renumbered.iter().map(|&Renumbered { ordinal, number }| {
            let label = match self.from {
                VoxelType::F64 => WideLabel::F64(f64::from_ordinal(ordinal)),
                VoxelType::I64 => WideLabel::I64(i64::from_ordinal(ordinal)),
                _ => WideLabel::U64(ordinal),
            };
            (number, label)
        })
    }
}

/// Returns the number that a label keeps: its own below 2³², 0 for background.
fn kept_number(from: VoxelType, ordinal: u64) -> Option<u32> {
    match from {
        VoxelType::F64 => {
            let label = f64::from_ordinal(ordinal);
            let number = label as u32;
            (label.is_nan() || f64::from(number) == label).then_some(number)
        }
        VoxelType::I64 => i64::from_ordinal(ordinal).try_into().ok(),
        _ => ordinal.try_into().ok(),
    }
}

/// Distinct labels of 64 bits, at most 16 bytes for each.
#[derive(Debug, Default)]
pub struct LabelSet {
    /// Distinct values in ascending order.
    sorted: Vec<u64>,
    /// Values in any order.
    pending: Vec<u64>,
}

/// Pending labels, at least, that are worth sorting.
const MIN_PENDING: usize = 1 << 16;

impl LabelSet {
    /// Adds the label of this ordinal.
    #[inline]
    pub fn add(&mut self, ordinal: u64) {
        // Neighbours are often alike.
        if self.pending.last() != Some(&ordinal) {
            self.pending.push(ordinal);
            if self.pending.len() >= MIN_PENDING.max(self.sorted.len()) {
                self.sort();
            }
        }
    }

    /// Adds labels.
    fn join(&mut self, labels: Vec<u64>) {
        self.pending.extend(labels);
        if self.pending.len() >= MIN_PENDING.max(self.sorted.len()) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.sorted.append(&mut self.pending);
        self.sorted.sort_unstable();
        self.sorted.dedup();
    }

    fn sorted(mut self) -> Vec<u64> {
        self.sort();
        mem::take(&mut self.sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<T: Voxel>(labels: &[T]) -> Vec<u32> {
        let add = |part: usize, set: &mut LabelSet| {
            set.add(labels[part].to_ordinal());
            Ok(())
        };
        let narrowing =
            Narrowing::new(T::TYPE, VoxelKind::Labels, labels.len(), add, &Task::new()).expect("few labels");
        labels.iter().map(|label| narrowing.narrow(label.to_ordinal())).collect()
    }

    #[test]
    fn labels_keep_their_number_or_get_a_free_one() {
        assert_eq!(numbers(&[1u64 << 32, (1 << 32) + 5, 5, 0, 1, u64::MAX, 1 << 32]), [2, 3, 5, 0, 1, 4, 2]);
        assert_eq!(numbers(&[5i64, -1, 0, i64::MIN, 1 << 32, 2]), [5, 3, 0, 1, 4, 2]);
        let floats = [0.5, 8_589_934_592.0, 5.0, 0.0, -0.0, f64::NAN, -f64::NAN, -3.0, f64::INFINITY, 3.0];
        assert_eq!(numbers(&floats), [2, 4, 5, 0, 0, 0, 0, 1, 6, 3]);
        assert_eq!(numbers(&[f64::from(u32::MAX), 1.0]), [u32::MAX, 1]);
    }

    #[test]
    fn numbers_depend_on_the_set_of_labels_only() {
        let labels: Vec<i64> = (0..200_000).map(|i| i * 7919 % 100_000 - 50_000).collect();
        let forth = numbers(&labels);
        let mut back: Vec<u32> = numbers(&labels.iter().rev().copied().collect::<Vec<_>>());
        back.reverse();
        assert!(forth == back);
        let mut distinct = forth;
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 100_000);
    }

    #[test]
    fn labels_are_reported_as_they_were() {
        let narrowing = |labels: &[f64]| {
            let mut set = LabelSet::default();
            labels.iter().for_each(|label| set.add(label.to_ordinal()));
            Narrowing::of_labels(VoxelType::F64, VoxelKind::Labels, set).expect("few labels")
        };
        let all: Vec<_> = narrowing(&[0.5, 2.0, -7.0]).renumbered().collect();
        assert_eq!(all, [(1, WideLabel::F64(-7.0)), (3, WideLabel::F64(0.5))]);
        assert_eq!(all[1].1.to_string(), "0.5");
    }
}
