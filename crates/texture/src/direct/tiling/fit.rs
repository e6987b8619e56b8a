//! Search for the simplest tiling that explains a read-back.
//!
//! If a macro tile has 2^n slots, the upper bits of a slot are the number of the tile. The lower n bits are
//! the position within the tile, which is affine over GF(2). Therefore block (0, 0) and the blocks (2^i, 0)
//! and (0, 2^i) determine everything: the tile's size, because the number grows where a tile ends, the pitch,
//! the constant, and each column of the matrix. Every n is tried, starting with linear memory (n = 0), and
//! every block must agree.

use super::{MAX_SLOT_BITS, MacroTile, Tiling, TilingError, check_size};

/// The reason why no tiling fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// A side is 0 or too long.
    #[error(transparent)]
    Tiling(#[from] TilingError),
    /// The number of slots differs from the number of blocks.
    #[error("{given} slots for {width}×{height} blocks")]
    Count {
        /// Width in blocks.
        width: u32,
        /// Height in blocks.
        height: u32,
        /// Number of slots given.
        given: usize,
    },
    /// Two blocks share a slot.
    #[error("blocks {first:?} and {second:?} are both in slot {slot}")]
    SameSlot {
        /// The slot.
        slot: u32,
        /// x and y of one block in the slot.
        first: (u32, u32),
        /// x and y of another block in the slot.
        second: (u32, u32),
    },
    /// A block is not where the tiling puts it. [`Tiling::fit`] reports this for the tiling with the fewest
    /// such blocks.
    #[error(
        "block {block:?} is in slot {found}, not in {expected} as the tiling predicts; {count} of {of} \
        blocks disagree"
    )]
    Disagrees {
        /// x and y of the first block that disagrees, row by row.
        block: (u32, u32),
        /// Slot of that block.
        found: u32,
        /// Slot in which the tiling puts the block.
        expected: u32,
        /// Number of blocks that disagree.
        count: u32,
        /// Number of blocks in the texture.
        of: u32,
    },
}

/// Blocks that are not in the expected slots.
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
    /// Returns the simplest tiling with the given slots of the blocks, row by row. Linear memory is
    /// preferred, then the smallest macro tiles without padding between their rows, then the smallest macro
    /// tiles.
    ///
    /// A texture that is hardly larger than a macro tile may fit smaller ones by chance. In a texture that
    /// ends with a whole tile, half of it looks like all of it. Use [`Probe::SIZE`](super::Probe::SIZE) to
    /// avoid both. Bits of x and y that the texture does not have are assumed to be in no XOR.
    ///
    /// # Errors
    /// [`Unfit`] if no tiling has exactly these slots.
    pub(crate) fn fit(width: u32, height: u32, slots_of_blocks: &[u32]) -> Result<Self, Unfit> {
        let read = ReadBack::new(width, height, slots_of_blocks)?;
        let first = slots_of_blocks[0];
        let (least, most) = slots_of_blocks
            .iter()
            .fold((u32::MAX, 0), |(least, most), &slot| (least.min(slot), most.max(slot)));
        let mut closest: Option<Disagreement> = None;
        let mut padded: Option<Self> = None;
        let mut refused: Option<TilingError> = None;
        for slots_log2 in 0..=(32 - most.leading_zeros()).min(MAX_SLOT_BITS) {
            // Tiles start at multiples of their size, or the first tile starts where the texture starts.
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
                        // A tile twice as wide may explain the padding. The tile of a Y-first Morton order,
                        // for example, ends with a bit of x, which looks like two tiles side by side.
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
}

/// Slots of the blocks, row by row. No slot occurs twice.
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

    /// Returns pitch and tile if tiles have 2^`slots_log2` slots and the first one starts at `base`.
    fn candidate(&self, base: u32, slots_log2: u32) -> (u32, MacroTile) {
        let place = |x, y| self.slot(x, y).wrapping_sub(base);
        let tile = |x, y| place(x, y) >> slots_log2;
        let inside = |x, y| place(x, y) & ((1 << slots_log2) - 1);
        // Blocks (1, 0), (2, 0), (4, 0), … and (0, 1), (0, 2), (0, 4), …
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

    /// Returns the first block that is not where this tiling puts it, and the number of such blocks. Counting
    /// stops after the row in which the number reaches `enough`.
    fn disagreement(&self, base: u32, pitch: u32, tile: &MacroTile, enough: u32) -> Option<Disagreement> {
        // Contributions of x and of y: to the number of the tile, and to the slot within it.
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
