//! Tilings as text: a line for people, a description for JSON, and a line for a cache file.

use super::{MAX_SLOT_BITS, MacroTile, SIDE_BITS, TileOrder, Tiling, TilingError};
use std::{fmt, fmt::Write as _};

/// A [`Tiling`] in plain numbers and words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TilingDescription {
    /// Name of the order.
    pub order: String,
    /// Width and height of the texture in blocks.
    pub blocks: [u32; 2],
    /// Width and height of a macro tile in blocks.
    pub tile: [u32; 2],
    /// Number of slots in a macro tile.
    pub tile_slots: u32,
    /// Number of macro tiles from a row of them to the next.
    pub pitch: u32,
    /// Slot of the first macro tile.
    pub base: u32,
    /// Number of slots from the start of the memory, including padding.
    pub slot_count: u32,
    /// Bits of the slot within a macro tile, starting with bit 0: `x0`, or `y4^x6^y6`. A bit contains `1` if
    /// it is inverted, and is `0` if no bit of x and y affects it.
    pub slot_bits: Vec<String>,
}

/// The reason why a line is not a tiling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TilingTextError {
    /// The line is damaged or of another version, or [`Tiling::to_text`] does not write such a line.
    #[error("not a tiling of this version, or damaged")]
    Text,
    /// The line is undamaged, but its tiling does not exist.
    #[error(transparent)]
    Tiling(#[from] TilingError),
}

/// Start of a line. The number changes when old lines must no longer be read.
const VERSION: &str = "tiling-1";

impl MacroTile {
    /// Returns the bits of the slot in the form of [`TilingDescription::slot_bits`].
    fn slot_bits(&self) -> Vec<String> {
        let term = |bit: u32, name: char, columns: &[u32]| -> Vec<String> {
            let with = (0..).zip(columns).filter(|(_, column)| **column >> bit & 1 == 1);
            with.map(|(i, _): (u32, _)| format!("{name}{i}")).collect()
        };
        let sum = |bit: u32| {
            let mut terms = term(bit, 'x', &self.columns[0]);
            terms.extend(term(bit, 'y', &self.columns[1]));
            if self.constant >> bit & 1 == 1 || terms.is_empty() {
                terms.push((self.constant >> bit & 1).to_string());
            }
            terms.join("^")
        };
        (0..self.slots_log2).map(sum).collect()
    }

    /// Returns a tile with the given bits.
    fn from_slot_bits(width_log2: u32, height_log2: u32, slot_bits: &[&str]) -> Option<Self> {
        let mut constant = 0;
        let mut columns = [[0u32; SIDE_BITS as usize]; 2];
        if slot_bits.len() > MAX_SLOT_BITS as usize {
            return None;
        }
        for (bit, sum) in (0..).zip(slot_bits) {
            for term in sum.split('^') {
                let mut flip = |axis: usize, i: &str| {
                    *columns[axis].get_mut(i.parse::<usize>().ok()?)? ^= 1 << bit;
                    Some(())
                };
                match term.split_at_checked(1)? {
                    ("x", i) => flip(0, i)?,
                    ("y", i) => flip(1, i)?,
                    ("1", "") => constant ^= 1 << bit,
                    ("0", "") => {}
                    _ => return None,
                }
            }
        }
        let bits = [width_log2, height_log2, slot_bits.len() as u32];
        Some(Self::unchecked(bits, constant, &columns[0], &columns[1]))
    }
}

impl Tiling {
    /// Returns a complete description of the tiling.
    pub fn description(&self) -> TilingDescription {
        TilingDescription {
            order: self.tile.order().to_string(),
            blocks: [self.width, self.height],
            tile: [self.tile.width(), self.tile.height()],
            tile_slots: self.tile.slot_count(),
            pitch: self.pitch,
            base: self.base,
            slot_count: self.slot_count(),
            slot_bits: self.tile.slot_bits(),
        }
    }

    /// Returns the tiling as a line of ASCII without a line break, with a checksum.
    /// [`from_text`](Self::from_text) reads it.
    pub(crate) fn to_text(&self) -> String {
        let Self { width, height, base, pitch, tile, .. } = self;
        let mut line = format!(
            "{VERSION} blocks {width}x{height} base {base} pitch {pitch} tile {}x{} bits",
            tile.width(),
            tile.height()
        );
        for bit in tile.slot_bits() {
            line += " ";
            line += &bit;
        }
        let check = checksum(&line);
        // Writing to a string cannot fail.
        let _ = write!(line, " check {check:08x}");
        line
    }
}

/// Returns the 32-bit FNV-1a hash.
pub(super) fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl Tiling {
    /// Reads a line of [`Tiling::to_text`]. Any other text is refused, even one with an additional space.
    pub(crate) fn from_text(line: &str) -> Result<Self, TilingTextError> {
        let tiling = parse(line).ok_or(TilingTextError::Text)??;
        match tiling.to_text() == line {
            true => Ok(tiling),
            false => Err(TilingTextError::Text),
        }
    }
}

/// Returns the tiling of a line, or `None` if the line does not have the right form.
fn parse(line: &str) -> Option<Result<Tiling, TilingError>> {
    let (content, check) = line.rsplit_once(" check ")?;
    if u32::from_str_radix(check, 16).ok()? != checksum(content) {
        return None;
    }
    let words: Vec<&str> = content.split(' ').collect();
    let [VERSION, "blocks", blocks, "base", base, "pitch", pitch, "tile", tile, "bits", bits @ ..] =
        &words[..]
    else {
        return None;
    };
    let pair = |text: &str| -> Option<[u32; 2]> {
        let (x, y) = text.split_once('x')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    let [width, height] = pair(blocks)?;
    let [tile_width, tile_height] = pair(tile)?;
    if !tile_width.is_power_of_two() || !tile_height.is_power_of_two() {
        return None;
    }
    let tile = MacroTile::from_slot_bits(tile_width.ilog2(), tile_height.ilog2(), bits)?;
    Some(Tiling::new(width, height, base.parse().ok()?, pitch.parse().ok()?, tile))
}

impl fmt::Display for Tiling {
    /// Writes a line for people: `Morton, X first; macro tiles of 32×32 blocks, 9 per row`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.tile.order();
        if order == TileOrder::Linear {
            let slots = if self.pitch == 1 { "slot" } else { "slots" };
            write!(f, "linear, {} {slots} per row", self.pitch)?;
        } else {
            let [width, height] = [self.tile.width(), self.tile.height()];
            write!(f, "{order}; macro tiles of {width}×{height} blocks, {} per row", self.pitch)?;
        }
        if order == TileOrder::BitMatrix {
            write!(f, "; slot bits {}", self.tile.slot_bits().join(" "))?;
        }
        match self.base {
            0 => Ok(()),
            base => write!(f, "; from slot {base} on"),
        }
    }
}
