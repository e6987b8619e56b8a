//! The simplest tiling that explains a read-back.
//!
//! If a macro tile has 2^n slots, the upper bits of a slot number the tiles and the lower n bits are the
//! place within. A tile's number grows along x and y where it ends, and the place is affine over GF(2), so
//! block (0, 0) and the blocks (2^i, 0) and (0, 2^i) say all: the tile's size, the pitch, the constant, and
//! each column of the matrix. So every n is tried, from linear memory (n = 0) on, and every block must agree.

use super::{MAX_SLOT_BITS, MacroTile, Tiling, TilingError, check_size};

/// Why no tiling fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// A side is 0 or too long.
    #[error(transparent)]
    Tiling(#[from] TilingError),
    /// There is not one slot per block.
    #[error("{given} slots for {width}×{height} blocks")]
    Count {
        /// Width in blocks.
        width: u32,
        /// Height in blocks.
        height: u32,
        /// Slots given.
        given: usize,
    },
    /// Two blocks share a slot.
    #[error("blocks {first:?} and {second:?} are both in slot {slot}")]
    SameSlot {
        /// The slot.
        slot: u32,
        /// x and y of a block in it.
        first: (u32, u32),
        /// x and y of another.
        second: (u32, u32),
    },
    /// A block is not where the tiling has it. [`Tiling::fit`] speaks of the one that most blocks agree with.
    #[error(
        "block {block:?} is in slot {found}, not in {expected} as the tiling has it; {count} of {of} blocks \
        disagree"
    )]
    Disagrees {
        /// x and y of the first block that disagrees, row by row.
        block: (u32, u32),
        /// Its slot.
        found: u32,
        /// The slot that the tiling has for it.
        expected: u32,
        /// Blocks that disagree.
        count: u32,
        /// Blocks of the texture.
        of: u32,
    },
}

/// The blocks that are not where they are expected.
struct Disagreement {
    block: (u32, u32),
    found: u32,
    expected: u32,
    count: u32,
}

impl Disagreement {
    fn into_unfit(self, of: u32) -> Unfit {
        let Self { block, found, expected, count } = self;
        Unfit::Disagrees { block, found, expected, count, of }
    }
}

impl Tiling {
    /// The simplest tiling with these slots, those of the blocks row by row: linear memory if that fits, else
    /// the smallest macro tiles without padding between rows of them, else the smallest.
    ///
    /// A texture that is hardly larger than a macro tile may fit smaller ones by chance, and one that ends
    /// with a whole tile does not tell half of it from all: take [`Probe::SIZE`](super::Probe::SIZE). Bits of
    /// x and y that the texture does not have are taken to have no part in any XOR.
    ///
    /// # Errors
    /// [`Unfit`] if no tiling has exactly these slots.
    pub fn fit(width: u32, height: u32, slots_of_blocks: &[u32]) -> Result<Self, Unfit> {
        let read = ReadBack::new(width, height, slots_of_blocks)?;
        let first = slots_of_blocks[0];
        let (least, most) = slots_of_blocks
            .iter()
            .fold((u32::MAX, 0), |(least, most), &slot| (least.min(slot), most.max(slot)));
        let mut closest: Option<Disagreement> = None;
        let mut padded: Option<Self> = None;
        let mut refused: Option<TilingError> = None;
        for slots_log2 in 0..=(32 - most.leading_zeros()).min(MAX_SLOT_BITS) {
            // Tiles start at multiples of their size, or the first one where the texture does.
            let aligned = first >> slots_log2 << slots_log2;
            let bases = [Some(aligned), Some(least).filter(|&least| least != aligned)];
            for base in bases.into_iter().flatten() {
                let (pitch, tile) = read.candidate(base, slots_log2);
                let worst = closest.as_ref().map_or(u32::MAX, |closest| closest.count);
                match read.disagreement(base, pitch, &tile, worst) {
                    None => match Self::new(width, height, base, pitch, tile) {
                        Ok(tiling) if slots_log2 == 0 || tiling.pitch == tiling.tile.across(width) => {
                            return Ok(tiling);
                        }
                        // A tile twice as wide may explain the padding: that of a Y-first Morton order ends
                        // with a bit of x, which looks like two tiles side by side.
                        Ok(tiling) => padded = padded.or(Some(tiling)),
                        Err(error) => refused = refused.or(Some(error)),
                    },
                    Some(found) if found.count < worst => closest = Some(found),
                    Some(_) => {}
                }
            }
        }
        padded.ok_or_else(|| match (refused, closest) {
            (Some(refused), _) => refused.into(),
            (None, Some(closest)) => closest.into_unfit(width * height),
            (None, None) => unreachable!("linear memory was tried"),
        })
    }

    /// Checks that the blocks have exactly these slots, given row by row.
    ///
    /// # Errors
    /// [`Unfit`] with the first block that is elsewhere.
    pub fn check(&self, slots_of_blocks: &[u32]) -> Result<(), Unfit> {
        let read = ReadBack::new(self.width, self.height, slots_of_blocks)?;
        match read.disagreement(self.base, self.pitch, &self.tile, u32::MAX) {
            None => Ok(()),
            Some(found) => Err(found.into_unfit(self.width * self.height)),
        }
    }
}

/// The slots of the blocks, row by row, each slot once.
struct ReadBack<'a> {
    width: u32,
    height: u32,
    slots: &'a [u32],
}

impl<'a> ReadBack<'a> {
    fn new(width: u32, height: u32, slots: &'a [u32]) -> Result<Self, Unfit> {
        check_size(width, height)?;
        if slots.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(Unfit::Count { width, height, given: slots.len() });
        }
        let mut sorted: Vec<(u32, u32)> = slots.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let block = |i: u32| (i % width, i / width);
            return Err(Unfit::SameSlot {
                slot: pair[0].0,
                first: block(pair[0].1),
                second: block(pair[1].1),
            });
        }
        Ok(Self { width, height, slots })
    }

    fn slot(&self, x: u32, y: u32) -> u32 {
        self.slots[(y * self.width + x) as usize]
    }

    /// Pitch and tile, if tiles have 2^`slots_log2` slots and the first one starts at `base`.
    fn candidate(&self, base: u32, slots_log2: u32) -> (u32, MacroTile) {
        let place = |x, y| self.slot(x, y).wrapping_sub(base);
        let tile = |x, y| place(x, y) >> slots_log2;
        let inside = |x, y| place(x, y) & ((1 << slots_log2) - 1);
        // The blocks (1, 0), (2, 0), (4, 0), … and (0, 1), (0, 2), (0, 4), …
        let powers = |side: u32| (0..32).map(|i| 1u32 << i).take_while(move |&power| power < side);
        let next = tile(0, 0);
        let tile_width = powers(self.width).find(|&x| tile(x, 0) != next);
        let tile_height = powers(self.height).find(|&y| tile(0, y) != next);
        let width_log2 = tile_width.unwrap_or(self.width.next_power_of_two()).ilog2();
        let height_log2 = tile_height.unwrap_or(self.height.next_power_of_two()).ilog2();
        let pitch = match tile_height {
            Some(y) => tile(0, y).wrapping_sub(next),
            None => self.width.div_ceil(1 << width_log2),
        };
        let constant = inside(0, 0);
        let x_columns: Vec<u32> = powers(self.width).map(|x| inside(x, 0) ^ constant).collect();
        let y_columns: Vec<u32> = powers(self.height).map(|y| inside(0, y) ^ constant).collect();
        (pitch, MacroTile::unchecked([width_log2, height_log2, slots_log2], constant, &x_columns, &y_columns))
    }

    /// The first block that is not where this tiling has it, and how many are not: of more than `enough`,
    /// some.
    fn disagreement(&self, base: u32, pitch: u32, tile: &MacroTile, enough: u32) -> Option<Disagreement> {
        // The share of x and the share of y: the number of the tile, and the slot within it.
        let [width_log2, height_log2, slots_log2] = tile.bits();
        let of_x: Vec<(u32, u32)> =
            (0..self.width).map(|x| (x >> width_log2, tile.slot_inside(x, 0))).collect();
        let of_y = |y: u32| ((y >> height_log2).wrapping_mul(pitch), tile.slot_inside(0, y) ^ tile.constant);
        let mut first: Option<Disagreement> = None;
        for (y, row) in (0..self.height).zip(self.slots.chunks_exact(self.width as usize)) {
            let (row_tile, row_inside) = of_y(y);
            for ((x, &found), (tile, inside)) in (0..self.width).zip(row).zip(&of_x) {
                let tile = row_tile.wrapping_add(*tile) << slots_log2;
                let expected = base.wrapping_add(tile).wrapping_add(row_inside ^ inside);
                if found != expected {
                    let first =
                        first.get_or_insert(Disagreement { block: (x, y), found, expected, count: 0 });
                    first.count += 1;
                }
            }
            if first.as_ref().is_some_and(|first| first.count >= enough) {
                break;
            }
        }
        first
    }
}
