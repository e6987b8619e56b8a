//! Fields of a header.

use super::{IMOD_STAMP, VERSION, at};
use crate::{FormatError, header::header_text::short};
use brickwork_volume::ByteOrder;

/// Returns the byte order in which a header is plausible; of two, that of the smaller volume.
pub fn best_order(bytes: &[u8]) -> Option<ByteOrder> {
    let plausible = [ByteOrder::Little, ByteOrder::Big]
        .into_iter()
        .filter(|&order| bytes.len() >= at::MACHINE_STAMP && Fields { bytes, order }.is_plausible());
    plausible.min_by_key(|&order| {
        Fields { bytes, order }.integers(at::SIZES).map(i128::from).iter().product::<i128>()
    })
}

/// Fields of a header in a byte order.
pub struct Fields<'a> {
    pub bytes: &'a [u8],
    pub order: ByteOrder,
}

impl Fields<'_> {
    fn word(&self, at: usize) -> [u8; 4] {
        *self.bytes[at..].first_chunk().expect("within the header")
    }

    pub fn integer(&self, at: usize) -> i32 {
        match self.order {
            ByteOrder::Little => i32::from_le_bytes(self.word(at)),
            ByteOrder::Big => i32::from_be_bytes(self.word(at)),
        }
    }

    pub fn integers(&self, at: usize) -> [i32; 3] {
        [at, at + 4, at + 8].map(|at| self.integer(at))
    }

    /// Returns a float as the number of fewest digits.
    pub fn float(&self, at: usize) -> f64 {
        let float = f32::from_bits(self.integer(at) as u32);
        float.to_string().parse().unwrap_or(f64::from(float))
    }

    pub fn floats(&self, at: usize) -> [f64; 3] {
        [at, at + 4, at + 8].map(|at| self.float(at))
    }

    pub fn has_map(&self) -> bool {
        self.bytes[at::MAP..].starts_with(b"MAP")
    }

    /// Returns IMOD's flags, if the file has them.
    pub fn imod_flags(&self) -> Option<i32> {
        (self.integer(at::IMOD_STAMP) == IMOD_STAMP).then(|| self.integer(at::IMOD_FLAGS))
    }

    /// True for a file that states a version of MRC2014.
    pub fn has_version(&self) -> bool {
        (VERSION..VERSION + 1000).contains(&self.integer(at::VERSION))
    }

    /// True if sizes, mode and axes are those of a file.
    pub fn is_plausible(&self) -> bool {
        self.integers(at::SIZES).iter().all(|&size| size > 0)
            && matches!(self.integer(at::MODE), 0..=4 | 6 | 12 | 16 | 101)
            && self.axes().is_ok()
    }

    /// Returns the axes of columns, rows and sections, from 0.
    pub fn axes(&self) -> Result<[usize; 3], FormatError> {
        let axes = self.integers(at::AXES);
        let is_there = |axis| axes.contains(&axis);
        if [1, 2, 3].into_iter().all(is_there) {
            return Ok(axes.map(|axis| axis as usize - 1));
        }
        let [columns, rows, sections] = axes;
        Err(number("MAPC, MAPR, MAPS", format!("{columns}, {rows}, {sections}")))
    }

    pub fn extended_bytes(&self) -> Result<u32, FormatError> {
        let count = self.integer(at::EXTENDED_BYTES);
        u32::try_from(count).map_err(|_| number("NSYMBT", count))
    }
}

/// Returns the error that a field has a value that is not allowed.
pub fn number(field: &str, value: impl std::fmt::Display) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: short(&value.to_string()) }
}
