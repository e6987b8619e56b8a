//! Tilings in WGSL.
//!
//! A device has one tiling scheme for a format. The scheme is in `override` constants, and the size of a
//! texture is in a uniform. One text therefore serves all tilings of a kind, compilers fold the constants,
//! and textures of all sizes share a pipeline.

use super::{MAX_SLOT_BITS, SIDE_BITS, TileOrder, Tiling};
use crate::wgsl::WGSL;

/// Maximum number of bits of x and y that Morton orders share, in morton.wgsl.
const MORTON_BITS: u32 = 8;

/// Method by which WGSL computes the order within a macro tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TilingCode {
    /// Both Morton orders. Bits are spread in steps of shift and mask.
    Morton,
    /// A bit matrix by its diagonals: all bits that move by the same distance move together. Also used for
    /// linear memory, for which compilers reduce it to as little code as a separate version (notes.md).
    Diagonals,
    /// A bit matrix row by row, each row the parity of some bits. Used for matrices with too many diagonals.
    Rows,
}

/// Uniform that the WGSL reads: `struct TilingSize`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[non_exhaustive]
pub struct TilingSize {
    /// Width and height of the texture in blocks.
    pub blocks: [u32; 2],
    /// Number of macro tiles from a row of them to the next.
    pub pitch: u32,
    /// Slot of the first macro tile.
    pub base: u32,
}

/// Names of constants, in pairs of a mask and a shift.
type Names = &'static [(&'static str, &'static str)];

macro_rules! names {
    ($prefix:literal: $($i:literal)*) => {
        &[$((concat!($prefix, $i, "_MASK"), concat!($prefix, $i, "_SHIFT"))),*]
    };
}

// Enough for more diagonals than any layout of simulated.rs has: at most 6, 6, 2, 4, 8 and 6.

/// From blocks to slots: first the bits of a block's position in its tile, then those of the tile's own
/// position.
const INSIDE_LEFT: Names = names!("TILING_INSIDE_LEFT": 0 1 2 3 4 5 6 7 8 9);
const INSIDE_RIGHT: Names = names!("TILING_INSIDE_RIGHT": 0 1 2 3 4 5 6 7 8 9);
const ABOVE_LEFT: Names = names!("TILING_ABOVE_LEFT": 0 1 2 3 4 5);
const ABOVE_RIGHT: Names = names!("TILING_ABOVE_RIGHT": 0 1 2 3 4 5 6 7);
/// From slots to blocks.
const BLOCK_LEFT: Names = names!("TILING_BLOCK_LEFT": 0 1 2 3 4 5 6 7 8 9 10 11);
const BLOCK_RIGHT: Names = names!("TILING_BLOCK_RIGHT": 0 1 2 3 4 5 6 7 8 9);
/// Rows of the matrix, one per bit of the slot, and rows of its inverse, one per bit of x and of y.
const SLOT_ROWS: Names =
    names!("TILING_SLOT_ROW": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
const X_ROWS: Names = names!("TILING_X_ROW": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
const Y_ROWS: Names = names!("TILING_Y_ROW": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

const _: () = assert!(SLOT_ROWS.len() == MAX_SLOT_BITS as usize && X_ROWS.len() == SIDE_BITS as usize);

impl TilingCode {
    /// All methods.
    pub const ALL: &[Self] = &[Self::Morton, Self::Diagonals, Self::Rows];

    /// Returns WGSL with these functions, for all tilings whose [`Tiling::code`] is this method:
    ///
    /// ```wgsl
    /// fn slot_of_block(block: vec2<u32>) -> u32        // the block must lie inside the texture
    /// fn block_of_slot(slot: u32) -> vec2<u32>         // 0xffffffff twice: padding, or outside the texture
    /// ```
    ///
    /// They read a `TilingSize` named `tiling`, which the kernel declares at a separate binding: `@group(0)
    /// @binding(3) var<uniform> tiling: TilingSize;`. [`Tiling::size`] is its content. [`Tiling::overrides`]
    /// contains the values of the `override` constants, whose names begin with `TILING_`. No branch depends
    /// on the block or the slot.
    pub fn wgsl(self) -> String {
        let order = match self {
            Self::Morton => WGSL.text("direct/tiling/morton.wgsl").to_owned(),
            Self::Diagonals => diagonals(),
            Self::Rows => rows(),
        };
        format!("{}{order}", WGSL.text("direct/tiling/tiling.wgsl"))
    }
}

/// WGSL that packs blocks with y above x, so that one shift moves bits of both.
const PACKED: &str = "
fn packed(block: vec2<u32>) -> u32 { return block.x | (block.y << 16u); }
fn unpacked(block: u32) -> vec2<u32> { return vec2(block & 0xffffu, block >> 16u); }
override TILING_CONSTANT: u32 = 0u;
";

/// Returns a WGSL function that XORs groups of bits, each moved by its distance.
fn moves(name: &str, left: Names, right: Names) -> String {
    let declared: String = left
        .iter()
        .chain(right)
        .map(|(mask, shift)| format!("override {mask}: u32 = 0u;\noverride {shift}: u32 = 0u;\n"))
        .collect();
    let moved = |operator: &'static str| {
        move |(mask, shift): &(&str, &str)| format!("    moved ^= (bits & {mask}) {operator} {shift};\n")
    };
    let body: String = left.iter().map(moved("<<")).chain(right.iter().map(moved(">>"))).collect();
    format!("{declared}fn {name}(bits: u32) -> u32 {{\n    var moved = 0u;\n{body}    return moved;\n}}\n")
}

fn diagonals() -> String {
    let functions = [
        moves("inside_to_slot", INSIDE_LEFT, INSIDE_RIGHT),
        moves("above_to_slot", ABOVE_LEFT, ABOVE_RIGHT),
        moves("slot_to_block", BLOCK_LEFT, BLOCK_RIGHT),
    ];
    format!(
        "{PACKED}{}
fn slot_in_tile(block: vec2<u32>) -> u32 {{
    let bits = packed(block);
    return TILING_CONSTANT ^ inside_to_slot(bits) ^ above_to_slot(bits);
}}
fn block_in_tile(slot: u32, corner: vec2<u32>) -> vec2<u32> {{
    return unpacked(slot_to_block(slot ^ TILING_CONSTANT ^ above_to_slot(packed(corner))));
}}
",
        functions.concat()
    )
}

fn rows() -> String {
    let all = || SLOT_ROWS.iter().chain(X_ROWS).chain(Y_ROWS);
    let declared: String = all().map(|(mask, _)| format!("override {mask}: u32 = 0u;\n")).collect();
    let parity = |rows: Names, first: usize| -> String {
        let line = |(i, (mask, _)): (usize, &(&str, &str))| {
            format!("    found |= (countOneBits(bits & {mask}) & 1u) << {}u;\n", i + first)
        };
        rows.iter().enumerate().map(line).collect()
    };
    let (slot, x, y) = (parity(SLOT_ROWS, 0), parity(X_ROWS, 0), parity(Y_ROWS, 16));
    format!(
        "{PACKED}{declared}
fn slot_in_tile(block: vec2<u32>) -> u32 {{
    let bits = packed(block);
    var found = 0u;
{slot}    return found ^ TILING_CONSTANT;
}}
fn block_in_tile(slot: u32, corner: vec2<u32>) -> vec2<u32> {{
    let bits = slot ^ slot_in_tile(corner);
    var found = 0u;
{x}{y}    return unpacked(found);
}}
"
    )
}

/// Bits that move by the same distance: the distance, and the bits before they move.
type Diagonal = (i32, u32);

/// Returns the diagonals of a matrix, first left moves, then right moves. `columns` contains each bit and the
/// bits to which it moves.
fn diagonals_of(columns: impl Iterator<Item = (u32, u32)>) -> [Vec<Diagonal>; 2] {
    let mut found: Vec<Diagonal> = Vec::new();
    for (bit, column) in columns {
        for to in (0..32).filter(|to| column >> to & 1 == 1) {
            let distance = to - bit as i32;
            match found.iter_mut().find(|(known, _)| *known == distance) {
                Some((_, mask)) => *mask |= 1 << bit,
                None => found.push((distance, 1 << bit)),
            }
        }
    }
    found.sort_unstable();
    let (left, right) = found.into_iter().partition(|(distance, _)| *distance >= 0);
    [left, right]
}

impl Tiling {
    /// Returns the WGSL that computes this tiling.
    pub(crate) fn code(&self) -> TilingCode {
        match self.tile.order() {
            TileOrder::MortonXFirst | TileOrder::MortonYFirst
                if self.tile.width_log2.min(self.tile.height_log2) <= MORTON_BITS =>
            {
                TilingCode::Morton
            }
            _ if self.moves().iter().all(|(names, moves)| moves.len() <= names.len()) => {
                TilingCode::Diagonals
            }
            _ => TilingCode::Rows,
        }
    }

    /// Returns the uniform of the texture.
    pub(crate) fn size(&self) -> TilingSize {
        TilingSize { blocks: [self.width, self.height], pitch: self.pitch, base: self.base }
    }

    /// Returns the values of the `override` constants of the WGSL. Equal tiles have equal values, for
    /// textures of any size.
    pub(crate) fn overrides(&self) -> Vec<(&'static str, f64)> {
        self.overrides_of(self.code())
    }

    /// Returns the values for one kind of WGSL. `Rows` supports any tiling.
    pub(super) fn overrides_of(&self, code: TilingCode) -> Vec<(&'static str, f64)> {
        let [width_log2, height_log2, slots_log2] = self.tile.bits();
        let mut values: Vec<(&'static str, u32)> = vec![
            ("TILING_WIDTH_LOG2", width_log2),
            ("TILING_HEIGHT_LOG2", height_log2),
            ("TILING_SLOTS_LOG2", slots_log2),
        ];
        match code {
            TilingCode::Morton => {
                let is_y_first = self.tile.order() == TileOrder::MortonYFirst;
                values.push(("TILING_Y_FIRST", is_y_first.into()));
            }
            TilingCode::Diagonals => {
                values.push(("TILING_CONSTANT", self.tile.constant));
                for (names, moves) in self.moves() {
                    for ((mask_name, shift_name), (distance, mask)) in names.iter().zip(moves) {
                        values.extend([(*mask_name, mask), (*shift_name, distance.unsigned_abs())]);
                    }
                }
            }
            TilingCode::Rows => {
                values.push(("TILING_CONSTANT", self.tile.constant));
                let row = |bit: usize| {
                    self.columns(0..SIDE_BITS)
                        .fold(0, |row, (from, column)| row | (column >> bit & 1) << from)
                };
                let slot_rows = SLOT_ROWS.iter().take(slots_log2 as usize).enumerate();
                values.extend(slot_rows.map(|(bit, (mask_name, _))| (*mask_name, row(bit))));
                let (of_x, of_y) = self.inverse.split_at(width_log2 as usize);
                values.extend(X_ROWS.iter().zip(of_x).map(|((name, _), &mask)| (*name, mask)));
                values.extend(Y_ROWS.iter().zip(of_y).map(|((name, _), &mask)| (*name, mask)));
            }
        }
        values.into_iter().map(|(name, value)| (name, f64::from(value))).collect()
    }

    /// Returns the matrix's columns, each with the position of its bit in a packed block.
    fn columns(&self, bits: std::ops::Range<u32>) -> impl Iterator<Item = (u32, u32)> {
        let axis = move |axis: usize| {
            let columns = (0..).zip(&self.tile.columns[axis]).filter(move |(i, _)| bits.contains(i));
            columns.map(move |(i, &column): (u32, _)| (i + 16 * axis as u32, column))
        };
        axis.clone()(0).chain(axis(1))
    }

    /// Returns the diagonals of the matrix and its inverse, with the names of their constants.
    fn moves(&self) -> [(Names, Vec<Diagonal>); 6] {
        let [width_log2, height_log2, slots_log2] = self.tile.bits();
        let is_inside = |&(from, _): &(u32, u32)| match from.checked_sub(16) {
            None => from < width_log2,
            Some(of_y) => of_y < height_log2,
        };
        let [inside_left, inside_right] = diagonals_of(self.columns(0..SIDE_BITS).filter(is_inside));
        let [above_left, above_right] = diagonals_of(self.columns(0..SIDE_BITS).filter(|c| !is_inside(c)));
        let to_packed = |bit: u32| {
            (0..).zip(&self.inverse).fold(0, |column, (i, mask)| {
                let to = if i < width_log2 { i } else { 16 + i - width_log2 };
                column | (mask >> bit & 1) << to
            })
        };
        let [block_left, block_right] = diagonals_of((0..slots_log2).map(|bit| (bit, to_packed(bit))));
        [
            (INSIDE_LEFT, inside_left),
            (INSIDE_RIGHT, inside_right),
            (ABOVE_LEFT, above_left),
            (ABOVE_RIGHT, above_right),
            (BLOCK_LEFT, block_left),
            (BLOCK_RIGHT, block_right),
        ]
    }
}
