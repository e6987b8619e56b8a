//! Rank tables: the few values a slab or volume takes, so that bricks hold ranks without gaps.

use crate::{
    Voxel,
    brick::decode::PADDING,
    superblock::{self, BRICKS},
};
use std::{array, collections::HashSet};

/// Most values of a table: ranks have 16 bits.
pub(super) const MAX_VALUES: usize = 1 << 16;

/// A table must stand for this many voxels an entry, or it costs more than it saves.
const VOXELS_PER_VALUE: usize = 32;

/// Voxels looked at before it is asked again whether there are too many values.
const PIECE: usize = 1 << 16;

/// Ordinals in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub ordinals: Vec<u32>,
    /// Ranks by ordinal where ordinals have 16 bits at most and something is to be encoded, else empty.
    ranks: Vec<u16>,
    /// All 65,536 ranks' ordinals where something is to be decoded, else empty; those past the last repeat it.
    lookup: Vec<u32>,
}

/// Looks at voxels, to find out whether they take few values with gaps between.
pub(crate) struct Scan {
    /// By ordinal, where they have 16 bits at most.
    seen: Vec<bool>,
    others: HashSet<u32>,
    last: Option<u32>,
    voxel_count: usize,
}

impl Scan {
    /// For voxels of type `T`.
    pub fn new<T: Voxel>() -> Self {
        let seen = if T::TYPE.bit_count() <= 16 { vec![false; 1 << T::TYPE.bit_count()] } else { Vec::new() };
        Self { seen, others: HashSet::new(), last: None, voxel_count: 0 }
    }

    /// Looks at more voxels; false if there are too many values already.
    pub fn add<T: Voxel>(&mut self, voxels: &[T]) -> bool {
        self.voxel_count += voxels.len();
        if !self.seen.is_empty() {
            for voxel in voxels {
                self.seen[voxel.to_ordinal() as usize] = true;
            }
            return true;
        }
        for voxel in voxels {
            let ordinal = voxel.to_ordinal();
            if self.last == Some(ordinal) {
                continue;
            }
            self.last = Some(ordinal);
            if self.others.len() <= MAX_VALUES {
                self.others.insert(ordinal);
            }
        }
        self.others.len() <= MAX_VALUES
    }

    /// What both have looked at; `None` if there are too many values.
    #[cfg(feature = "rayon")]
    fn join(mut self, other: Self) -> Option<Self> {
        for (seen, other) in self.seen.iter_mut().zip(other.seen) {
            *seen |= other;
        }
        self.others.extend(other.others);
        self.voxel_count += other.voxel_count;
        (self.others.len() <= MAX_VALUES).then_some(self)
    }

    /// The table of all voxels, if one is worth its bytes.
    pub fn finish(self) -> Option<Table> {
        let mut ordinals: Vec<u32> = self.others.into_iter().collect();
        ordinals.sort_unstable();
        ordinals.extend((0u32..).zip(&self.seen).filter_map(|(ordinal, &seen)| seen.then_some(ordinal)));
        let (first, last) = (*ordinals.first()?, *ordinals.last()?);
        let gaps = (last - first) as usize >= ordinals.len();
        if !gaps || ordinals.len() > MAX_VALUES.min(self.voxel_count / VOXELS_PER_VALUE) {
            return None;
        }
        let mut ranks = vec![0; if self.seen.is_empty() { 0 } else { last as usize + 1 }];
        if !ranks.is_empty() {
            for (rank, &ordinal) in (0..=u16::MAX).zip(&ordinals) {
                ranks[ordinal as usize] = rank;
            }
        }
        Some(Table { ordinals, ranks, lookup: Vec::new() })
    }
}

impl Table {
    /// The table of `voxels`, if they take few values with gaps between.
    pub fn of<T: Voxel>(voxels: &[T]) -> Option<Self> {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let pieces = voxels.par_chunks(PIECE);
            let scans = pieces.try_fold(Scan::new::<T>, |mut scan, voxels| scan.add(voxels).then_some(scan));
            scans.try_reduce(Scan::new::<T>, Scan::join)?.finish()
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut scan = Scan::new::<T>();
            voxels.chunks(PIECE).all(|voxels| scan.add(voxels)).then(|| scan.finish())?
        }
    }

    /// The rank of an ordinal that is in the table.
    #[inline]
    pub fn rank(&self, ordinal: u32) -> u32 {
        if let Some(&rank) = self.ranks.get(ordinal as usize) {
            return rank.into();
        }
        self.ordinals.partition_point(|&entry| entry < ordinal) as u32
    }

    /// The ordinals of all ranks, of a table that was read.
    pub fn lookup(&self) -> Option<&[u32; MAX_VALUES]> {
        self.lookup.as_slice().try_into().ok()
    }

    /// The table's bytes: the count and the first ordinal in four bytes each; then the steps from one to the next, less one,
    /// in pieces of 64 that are coded as fields of a superblock are. The last piece repeats its last step.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&(self.ordinals.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.ordinals.first().copied().unwrap_or(0).to_le_bytes());
        let steps: Vec<u32> = self.ordinals.windows(2).map(|pair| pair[1] - pair[0] - 1).collect();
        for piece in steps.chunks(BRICKS) {
            superblock::put_fields(&array::from_fn(|i| piece[i.min(piece.len() - 1)]), &mut out);
        }
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` if nothing could have.
    pub fn from_bytes(mut bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.len();
        let head = *bytes.first_chunk::<8>()?;
        bytes.resize(end + PADDING, 0);
        let count = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
        if count == 0 || count > MAX_VALUES {
            return None;
        }
        let mut ordinals = Vec::with_capacity(count);
        let mut last = u32::from_le_bytes(head[4..].try_into().ok()?);
        ordinals.push(last);
        let mut at = 8;
        while ordinals.len() < count {
            let mut steps = [0; BRICKS];
            superblock::take_fields(&bytes, &mut at, &mut steps)?;
            for step in steps.into_iter().take(count - ordinals.len()) {
                last = last.checked_add(step)?.checked_add(1)?;
                ordinals.push(last);
            }
        }
        let mut lookup = ordinals.clone();
        lookup.resize(MAX_VALUES, last);
        (at == end).then_some(Self { ordinals, ranks: Vec::new(), lookup })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back() {
        let ordinals = vec![3, 4, 5, 200, 20_000, 20_001, 0x8000_0000, u32::MAX];
        let table = Table { ordinals, ranks: Vec::new(), lookup: Vec::new() };
        let bytes = table.to_bytes();
        let read = Table::from_bytes(bytes.clone()).expect("our own table");
        assert_eq!(read.ordinals, table.ordinals);
        assert_eq!(read.lookup().expect("all ranks")[7..9], [u32::MAX; 2]);
        assert_eq!(table.rank(20_000), 4);
        for end in 0..bytes.len() {
            assert_eq!(Table::from_bytes(bytes[..end].to_vec()), None);
        }
    }

    #[test]
    fn only_gaps_make_a_table() {
        let dense: Vec<u16> = (0..6400).map(|i| 100 + i % 20).collect();
        assert_eq!(Table::of(&dense), None);
        let gaps: Vec<u16> = dense.iter().map(|v| v * 3).collect();
        assert_eq!(Table::of(&gaps).expect("gaps").ordinals.len(), 20);
        let table = Table::of(&gaps).expect("gaps");
        assert!(table.ordinals.iter().zip(0..).all(|(&ordinal, rank)| table.rank(ordinal) == rank));
        let floats: Vec<f32> = (0..64).map(|i| i as f32).collect();
        assert_eq!(Table::of(&floats), None);
    }
}
