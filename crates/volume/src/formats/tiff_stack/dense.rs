//! Grey of 9 to 15 bits, packed without gaps within a row. The `tiff` crate does not read it. It receives a
//! file of bytes: fields that state 8 bits, and as many pixels as a row has bytes.

/// Rows of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseRows {
    /// Numbers in a row.
    pub width: usize,
    /// Bits of a number.
    pub bits: usize,
}

/// A field of a directory.
#[derive(Clone, Copy)]
pub struct DenseField {
    pub value: u64,
    /// Position of the value.
    pub at: u64,
    /// Bytes of the value; 0 if it is no integer.
    pub byte_count: usize,
    /// True if the field has one value.
    pub is_one: bool,
}

const IMAGE_WIDTH: u64 = 256;
const BITS_PER_SAMPLE: u64 = 258;
const PREDICTOR: u64 = 317;
const TILE_WIDTH: u64 = 322;

/// The fields on which the layout of a row depends.
#[derive(Default)]
pub struct DenseFields {
    width: Option<DenseField>,
    tile_width: Option<DenseField>,
    bits: Option<DenseField>,
    has_predictor: bool,
}

impl DenseFields {
    /// Adds a field, which may be any.
    pub fn add(&mut self, tag: u64, field: DenseField) {
        let target = match tag {
            IMAGE_WIDTH => &mut self.width,
            TILE_WIDTH => &mut self.tile_width,
            BITS_PER_SAMPLE => &mut self.bits,
            PREDICTOR => return self.has_predictor = field.value > 1,
            _ => return,
        };
        *target = Some(field).filter(|field| field.is_one && field.byte_count > 0);
    }

    /// Returns the rows, if the numbers have 9 to 15 bits and each row starts at a byte.
    pub fn rows(&self) -> Option<DenseRows> {
        let (width, bits) = (self.width?, self.bits?.value);
        let starts_at_bytes =
            |tile: DenseField| tile.value.checked_mul(bits).is_some_and(|bits| bits.is_multiple_of(8));
        let is_read =
            (9..16).contains(&bits) && !self.has_predictor && self.tile_width.is_none_or(starts_at_bytes);
        let width = usize::try_from(width.value).ok().filter(|_| is_read)?;
        Some(DenseRows { width, bits: bits as usize })
    }

    /// Returns the bytes with which the file states rows of bytes. Returns `None` if they do not fit the
    /// fields.
    pub fn patches(&self, rows: DenseRows, is_little: bool) -> Option<Vec<(u64, u8)>> {
        let bytes = |field: DenseField, value: u64| -> Option<Vec<(u64, u8)>> {
            let bytes = &value.to_le_bytes();
            let (used, rest) = bytes.split_at(field.byte_count);
            let place = |i: usize| if is_little { i } else { used.len() - 1 - i };
            let placed = (0..).zip(used).map(|(i, &byte)| (field.at + place(i) as u64, byte));
            rest.iter().all(|&byte| byte == 0).then(|| placed.collect())
        };
        let in_bytes =
            |field: DenseField| bytes(field, field.value.checked_mul(rows.bits as u64)?.div_ceil(8));
        let mut patches = [bytes(self.bits?, 8)?, in_bytes(self.width?)?].concat();
        if let Some(tile_width) = self.tile_width {
            patches.extend(in_bytes(tile_width)?);
        }
        Some(patches)
    }
}

impl DenseRows {
    /// Returns the bytes of a row.
    pub fn row_bytes(self) -> usize {
        (self.width * self.bits).div_ceil(8)
    }

    /// Unpacks rows to numbers of 16 bits in the byte order of the machine. The highest bit is the first.
    pub fn unpack(self, packed: &[u8], numbers: &mut [u8]) {
        let rows = packed.chunks_exact(self.row_bytes()).zip(numbers.chunks_exact_mut(2 * self.width));
        for (row, numbers) in rows {
            for (x, target) in numbers.as_chunks_mut().0.iter_mut().enumerate() {
                let (first, after) = (x * self.bits, (x + 1) * self.bits);
                let bytes = &row[first / 8..after.div_ceil(8)];
                let all = bytes.iter().fold(0u32, |all, &byte| all << 8 | u32::from(byte));
                let number = all >> (after.div_ceil(8) * 8 - after) & ((1 << self.bits) - 1);
                *target = (number as u16).to_ne_bytes();
            }
        }
    }
}
