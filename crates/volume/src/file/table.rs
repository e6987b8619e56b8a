//! Rank tables: the few values a slab or volume takes, so that bricks hold ranks without gaps.

use crate::Voxel;
use std::collections::HashSet;

/// Most values of a table: ranks have 16 bits.
const MAX_VALUES: usize = 1 << 16;

/// A table must stand for this many voxels an entry, or it costs more than it saves.
const VOXELS_PER_VALUE: usize = 32;

/// Ordinals in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub ordinals: Vec<u32>,
}

impl Table {
    /// The table of `voxels`, if they take few values with gaps between.
    pub fn of<T: Voxel>(voxels: &[T]) -> Option<Self> {
        let most = MAX_VALUES.min(voxels.len() / VOXELS_PER_VALUE);
        let ordinals = if T::TYPE.bit_count() <= 16 {
            let mut seen = vec![false; 1 << T::TYPE.bit_count()];
            for voxel in voxels {
                seen[voxel.to_ordinal() as usize] = true;
            }
            (0u32..).zip(&seen).filter_map(|(ordinal, &seen)| seen.then_some(ordinal)).collect()
        } else {
            let mut seen = HashSet::new();
            let mut last = None;
            for voxel in voxels {
                let ordinal = voxel.to_ordinal();
                if last != Some(ordinal) && seen.insert(ordinal) && seen.len() > most {
                    return None;
                }
                last = Some(ordinal);
            }
            let mut ordinals: Vec<u32> = seen.into_iter().collect();
            ordinals.sort_unstable();
            ordinals
        };
        let (first, last) = (*ordinals.first()?, *ordinals.last()?);
        let gaps = (last - first) as usize >= ordinals.len();
        (gaps && ordinals.len() <= most).then_some(Self { ordinals })
    }

    /// The rank of an ordinal that is in the table.
    pub fn rank(&self, ordinal: u32) -> u32 {
        self.ordinals.partition_point(|&entry| entry < ordinal) as u32
    }

    /// The table's bytes: the count and the first ordinal in four bytes each, then each step, less one, in LEB128.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(8 + self.ordinals.len());
        out.extend_from_slice(&(self.ordinals.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.ordinals.first().copied().unwrap_or(0).to_le_bytes());
        for pair in self.ordinals.windows(2) {
            let mut step = pair[1] - pair[0] - 1;
            while step >= 0x80 {
                out.push(step as u8 | 0x80);
                step >>= 7;
            }
            out.push(step as u8);
        }
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` if nothing could have.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<8>()?;
        let count = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
        if count == 0 || count > MAX_VALUES || rest.len() < count - 1 {
            return None;
        }
        let mut ordinals = Vec::with_capacity(count);
        ordinals.push(u32::from_le_bytes(head[4..].try_into().ok()?));
        let mut bytes = rest.iter();
        for i in 1..count {
            let (mut step, mut shift) = (0u64, 0);
            loop {
                let byte = *bytes.next()?;
                step |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
                if shift > 28 {
                    return None;
                }
            }
            ordinals.push(u32::try_from(u64::from(ordinals[i - 1]) + step + 1).ok()?);
        }
        bytes.next().is_none().then_some(Self { ordinals })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back() {
        let table = Table { ordinals: vec![3, 4, 5, 200, 20_000, 20_001, 0x8000_0000, u32::MAX] };
        let bytes = table.to_bytes();
        assert_eq!(Table::from_bytes(&bytes), Some(table.clone()));
        assert_eq!(table.rank(20_000), 4);
        for end in 0..bytes.len() {
            assert_eq!(Table::from_bytes(&bytes[..end]), None);
        }
    }

    #[test]
    fn only_gaps_make_a_table() {
        let dense: Vec<u16> = (0..6400).map(|i| 100 + i % 20).collect();
        assert_eq!(Table::of(&dense), None);
        let gaps: Vec<u16> = dense.iter().map(|v| v * 3).collect();
        assert_eq!(Table::of(&gaps).expect("gaps").ordinals.len(), 20);
        let floats: Vec<f32> = (0..64).map(|i| i as f32).collect();
        assert_eq!(Table::of(&floats), None);
    }
}
