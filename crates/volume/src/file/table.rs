//! Rank tables: the few values a component of a slab or volume takes, so that bricks hold ranks without gaps.

use super::parts::ALIGNMENT;
use crate::{
    Voxel, VoxelType,
    brick::PADDING,
    superblock::{self, BRICKS},
};
use std::array;

/// Most values of a table: ranks have 16 bits.
pub(super) const MAX_VALUES: usize = 1 << 16;

/// Powers of ten by the decimal places of a table of decimals.
const POWERS: [f64; 11] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/// Ordinals in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub ordinals: Vec<u32>,
    /// Ranks by ordinal, for encoding, if ordinals have at most 16 bits; else empty.
    ranks: Vec<u16>,
    /// Ordinals of all 65,536 ranks, for decoding; else empty. Entries past the last rank repeat it.
    lookup: Vec<u32>,
}

impl Table {
    /// Creates the table of some ordinals in ascending order, for encoding. If it `is_dense`, they have at
    /// most 16 bits, and all ranks are laid out by ordinal.
    pub fn new(ordinals: Vec<u32>, is_dense: bool) -> Self {
        let last = ordinals.last().map_or(0, |&last| last as usize);
        let mut ranks = vec![0; if is_dense { last + 1 } else { 0 }];
        if is_dense {
            for (rank, &ordinal) in (0..=u16::MAX).zip(&ordinals) {
                ranks[ordinal as usize] = rank;
            }
        }
        Self { ordinals, ranks, lookup: Vec::new() }
    }

    /// Returns the rank of an ordinal that is in the table.
    #[inline]
    pub fn rank(&self, ordinal: u32) -> u32 {
        if let Some(&rank) = self.ranks.get(ordinal as usize) {
            return rank.into();
        }
        self.ordinals.partition_point(|&entry| entry < ordinal) as u32
    }

    /// Returns the ordinals of all ranks, for a table that was read.
    pub fn lookup(&self) -> Option<&[u32; MAX_VALUES]> {
        self.lookup.as_slice().try_into().ok()
    }

    /// Returns the table's bytes: the count and the form of the numbers in four bytes; the first number in
    /// four bytes; then the steps from one number to the next, minus one, in pieces of 64, coded like fields
    /// of a superblock. The last piece repeats its last step. Numbers are the ordinals, or for `f32` the
    /// decimals without their point, if all are decimals.
    pub fn to_bytes(&self, voxel_type: VoxelType) -> Vec<u8> {
        let decimals = (0..POWERS.len() as u32)
            .filter(|_| voxel_type == VoxelType::F32)
            .find_map(|places| Some((places + 1, decimals(&self.ordinals, places)?)));
        let (form, numbers) = decimals.unwrap_or_else(|| (0, self.ordinals.clone()));
        let mut out = Vec::new();
        out.extend_from_slice(&(self.ordinals.len() as u32 | form << 24).to_le_bytes());
        out.extend_from_slice(&numbers.first().copied().unwrap_or(0).to_le_bytes());
        let steps: Vec<u32> = numbers.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) - 1).collect();
        for piece in steps.chunks(BRICKS) {
            superblock::put_64_fields(&array::from_fn(|i| piece[i.min(piece.len() - 1)]), &mut out);
        }
        out
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes), padded with zeros to a part; `None` if the bytes
    /// cannot be such output.
    pub fn from_bytes(mut bytes: Vec<u8>, voxel_type: VoxelType) -> Option<Self> {
        let end = bytes.len();
        let head = *bytes.first_chunk::<8>()?;
        bytes.resize(end + PADDING, 0);
        let count = usize::from(u16::from_le_bytes([head[0], head[1]])) | usize::from(head[2]) << 16;
        let places = u32::from(head[3]).checked_sub(1);
        if count == 0 || count > MAX_VALUES {
            return None;
        }
        if places.is_some_and(|places| places as usize >= POWERS.len() || voxel_type != VoxelType::F32) {
            return None;
        }
        let mut ordinals = Vec::with_capacity(count);
        // Decimals have a sign; where none is, numbers have 32 bits.
        let first: [u8; 4] = head[4..].try_into().ok()?;
        let mut last = match places {
            Some(_) => i64::from(i32::from_le_bytes(first)),
            None => i64::from(u32::from_le_bytes(first)),
        };
        let most = if places.is_some() { i64::from(i32::MAX) } else { i64::from(u32::MAX) };
        let ordinal = |number: i64| match places {
            Some(places) => of_decimal(number as i32, places).to_ordinal() as u32,
            None => number as u32,
        };
        ordinals.push(ordinal(last));
        let mut at = 8;
        while ordinals.len() < count {
            let mut steps = [0; BRICKS];
            superblock::take_64_fields(&bytes, &mut at, &mut steps)?;
            for step in steps.into_iter().take(count - ordinals.len()) {
                last += i64::from(step) + 1;
                if last > most {
                    return None;
                }
                ordinals.push(ordinal(last));
            }
        }
        let mut lookup = ordinals.clone();
        lookup.resize(MAX_VALUES, *ordinals.last()?);
        let is_end = at <= end && end - at < ALIGNMENT && bytes[at..end].iter().all(|&byte| byte == 0);
        is_end.then_some(Self { ordinals, ranks: Vec::new(), lookup })
    }
}

/// Returns the decimal with `places` places.
fn of_decimal(number: i32, places: u32) -> f32 {
    // Both are exact in 64 bits; the quotient is rounded twice, by the rules of IEEE 754.
    (f64::from(number) / POWERS[places as usize]) as f32
}

/// Returns the numbers that [`of_decimal`] converts to all these ordinals, in two's complement.
fn decimals(ordinals: &[u32], places: u32) -> Option<Vec<u32>> {
    let number = |&ordinal: &u32| {
        let value = f32::from_ordinal(ordinal.into());
        let number = (f64::from(value) * POWERS[places as usize]).round();
        // A cast saturates at the ends of its type.
        let number = number as i32;
        (of_decimal(number, places).to_bits() == value.to_bits()).then_some(number as u32)
    };
    ordinals.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back() {
        let ordinals = vec![3, 4, 5, 200, 20_000, 20_001, 0x8000_0000, u32::MAX];
        let table = Table::new(ordinals, false);
        let bytes = table.to_bytes(VoxelType::U32);
        let read = Table::from_bytes(bytes.clone(), VoxelType::U32).expect("our own table");
        assert_eq!(read.ordinals, table.ordinals);
        assert_eq!(read.lookup().expect("all ranks")[7..9], [u32::MAX; 2]);
        assert_eq!(table.rank(20_000), 4);
        for end in 0..bytes.len() {
            assert_eq!(Table::from_bytes(bytes[..end].to_vec(), VoxelType::U32), None);
        }
    }

    #[test]
    fn floats_that_are_decimals_are_written_as_such() {
        let floats = |texts: &[&str]| -> Table {
            let ordinal = |text: &&str| text.parse::<f32>().expect("a float").to_ordinal() as u32;
            Table::new(texts.iter().map(ordinal).collect(), false)
        };
        for (texts, form) in [
            (&["-3", "0", "7", "2147483520"][..], 1),
            (&["-0.37", "0", "0.1", "12.99"], 3),
            (&["0.000001", "0.999402", "1"], 7),
            (&["-0", "1"], 0),
            (&["0.333333343", "0.1"], 9),
            (&["1e-12", "1"], 0),
            (&["1", "NaN"], 0),
            (&["1", "inf"], 0),
        ] {
            let mut table = floats(texts);
            table.ordinals.sort_unstable();
            let bytes = table.to_bytes(VoxelType::F32);
            assert_eq!(bytes[3], form, "{texts:?}");
            let read = Table::from_bytes(bytes.clone(), VoxelType::F32).expect("our own table");
            assert_eq!(read.ordinals, table.ordinals, "{texts:?}");
            // Numbers of other types are never decimals.
            assert_eq!(Table::from_bytes(bytes, VoxelType::U32).is_none(), form > 0);
        }
    }
}
