//! Layouts of real GPUs according to public documents. A probe would read back these layouts there.
//!
//! Each layout is computed block by block from the document's own description, not by
//! [`Tiling`](super::Tiling). Parameters that depend on a surface or a memory configuration (block heights,
//! pipes, banks) are fixed by the layout.

use std::fmt;

/// Texture layout of a GPU for one block size.
#[derive(Clone, Debug)]
pub struct Layout {
    name: String,
    bytes_per_block: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Tiles(Tiles),
    /// `gob_count` GOBs below each other, or fewer if the texture is less high.
    BlockLinear {
        gob: Vec<Bit>,
        gob_count: u32,
    },
    /// Morton order in tiles of 16 KiB, or in smaller tiles if the texture is smaller.
    Twiddled,
    Adreno {
        channels: u32,
        highest_bank_bit: u32,
    },
}

/// Tiles, row by row.
#[derive(Clone, Debug)]
struct Tiles {
    width_log2: u32,
    height_log2: u32,
    /// Bits of the slot within a tile, starting with bit 0.
    bits: Vec<Bit>,
    constant: u32,
    /// Multiple to which the number of tiles in a row is padded.
    pitch_align: u32,
}

/// XOR of the given bits of x and of y.
#[derive(Clone, Copy, Debug, Default)]
struct Bit {
    of_x: u32,
    of_y: u32,
}

impl Bit {
    fn x(bit: u32) -> Self {
        Self { of_x: 1 << bit, of_y: 0 }
    }

    fn y(bit: u32) -> Self {
        Self { of_x: 0, of_y: 1 << bit }
    }

    fn xor(self, other: Self) -> Self {
        Self { of_x: self.of_x ^ other.of_x, of_y: self.of_y ^ other.of_y }
    }

    fn of(self, x: u32, y: u32) -> u32 {
        ((x & self.of_x).count_ones() + (y & self.of_y).count_ones()) & 1
    }
}

/// Parses bits in addrlib's notation: `X0 Y0 Y3^X7`.
fn equation(text: &str) -> Vec<Bit> {
    let term = |term: &str| match term.split_at(1) {
        ("X", bit) => Bit::x(bit.parse().expect("a bit")),
        ("Y", bit) => Bit::y(bit.parse().expect("a bit")),
        _ => panic!("{term} is no bit"),
    };
    let sum = |text: &str| text.split('^').map(term).fold(Bit::default(), Bit::xor);
    text.split_whitespace().map(sum).collect()
}

/// Returns bits of slots from bits of a byte address. `text` contains, starting with bit 0, the axis whose
/// next bit each address bit uses.
fn axes(text: &str, bytes_per_block: u32) -> Vec<Bit> {
    let (mut x, mut y) = (0, 0);
    let mut bits = Vec::new();
    for axis in text.chars().filter(|axis| *axis != ' ') {
        let next = if axis == 'X' { &mut x } else { &mut y };
        bits.push(if axis == 'X' { Bit::x(*next) } else { Bit::y(*next) });
        *next += 1;
    }
    // The lowest address bits count bytes within a block.
    let log2 = bytes_per_block.ilog2();
    bits.drain(..log2 as usize);
    bits.into_iter().map(|bit| Bit { of_x: bit.of_x >> log2, ..bit }).collect()
}

/// Returns bits of the two axes in turn, then the remaining bits of the longer axis.
fn morton(width_log2: u32, height_log2: u32, is_y_first: bool) -> Vec<Bit> {
    let both = width_log2.min(height_log2);
    let pair = |i| if is_y_first { [Bit::y(i), Bit::x(i)] } else { [Bit::x(i), Bit::y(i)] };
    let rest = (both..width_log2).map(Bit::x).chain((both..height_log2).map(Bit::y));
    (0..both).flat_map(pair).chain(rest).collect()
}

/// Returns the equation of GFX9's modes of 64 KiB: `HwlComputeThinEquation` and `HwlComputeBlock256Equation`
/// of gfx9addrlib.cpp (GPUOpen-Drivers/pal). Within 256 bytes, the order depends on the mode (`S` standard,
/// `D` display). Above, bits of y and x alternate. Bits of the pipe and of the bank are XORed with the bits
/// that mirror them, some of which are above the tile.
fn gfx9(micro_tile: &str, bytes_per_block: u32, pipe_bits: usize, bank_bits: usize) -> Vec<Bit> {
    const INTERLEAVE: usize = 8;
    const TILE: usize = 16;
    let log2 = bytes_per_block.ilog2() as usize;
    let mut address = vec![Bit::default(); log2];
    address.extend(equation(micro_tile));
    let used = |bit: fn(&Bit) -> u32| address.iter().filter(|of| bit(of) != 0).count() as u32;
    let (mut x, mut y) = (used(|bit| bit.of_x), used(|bit| bit.of_y));
    for i in INTERLEAVE..TILE + INTERLEAVE {
        address.push(if i % 2 == 0 { Bit::y(y) } else { Bit::x(x) });
        *if i % 2 == 0 { &mut y } else { &mut x } += 1;
    }
    let mut bits = address.clone();
    for (start, count) in [(INTERLEAVE, pipe_bits), (INTERLEAVE + pipe_bits, bank_bits)] {
        for i in 0..count {
            bits[start + i] = bits[start + i].xor(address[start + 2 * count - 1 - i]);
        }
    }
    bits[log2..TILE].to_vec()
}

impl Layout {
    fn tiles(name: impl fmt::Display, bytes_per_block: u32, size_log2: [u32; 2], bits: Vec<Bit>) -> Self {
        let [width_log2, height_log2] = size_log2;
        let tiles = Tiles { width_log2, height_log2, bits, constant: 0, pitch_align: 1 };
        Self::new(name, bytes_per_block, Kind::Tiles(tiles))
    }

    fn new(name: impl fmt::Display, bytes_per_block: u32, kind: Kind) -> Self {
        Self { name: format!("{name}, {bytes_per_block} bytes per block"), bytes_per_block, kind }
    }

    /// Returns the layout with `constant` XORed into the slot within a tile.
    fn with_constant(mut self, constant: u32) -> Self {
        if let Kind::Tiles(tiles) = &mut self.kind {
            tiles.constant = constant;
            self.name += &format!(", XOR {constant:#x}");
        }
        self
    }

    /// Returns the layout with rows of tiles padded to a multiple of `align`.
    fn with_pitch_align(mut self, align: u32) -> Self {
        if let Kind::Tiles(tiles) = &mut self.kind {
            tiles.pitch_align = align;
            self.name += &format!(", rows of {align}");
        }
        self
    }

    /// Returns the layout's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of bytes per block: 8 or 16.
    pub fn bytes_per_block(&self) -> u32 {
        self.bytes_per_block
    }

    /// Returns the slots of a texture's blocks, row by row.
    pub fn slots(&self, width: u32, height: u32) -> Vec<u32> {
        let log2 = self.bytes_per_block.ilog2();
        match &self.kind {
            Kind::Tiles(tiles) => tiles.slots(width, height),
            // Tiles are at most as high as the texture needs: `Tiling::clamp` of Mesa's
            // src/nouveau/nil/tiling.rs.
            Kind::BlockLinear { gob, gob_count } => {
                let gobs_log2 = gob_count.min(&height.div_ceil(8).next_power_of_two()).ilog2();
                let bits = gob.iter().copied().chain((3..3 + gobs_log2).map(Bit::y)).collect();
                let (width_log2, height_log2) = (6 - log2, 3 + gobs_log2);
                let tiles = Tiles { width_log2, height_log2, bits, constant: 0, pitch_align: 1 };
                tiles.slots(width, height)
            }
            // "Twiddled" in Mesa's docs/drivers/asahi.rst.
            Kind::Twiddled => {
                let large = if self.bytes_per_block == 8 { (6, 5) } else { (5, 5) };
                let small = width.min(height).next_power_of_two().ilog2();
                let is_large = width >= 1 << large.0 && height >= 1 << large.1;
                let (width_log2, height_log2) = if is_large { large } else { (small, small) };
                let bits = morton(width_log2, height_log2, false);
                Tiles { width_log2, height_log2, bits, constant: 0, pitch_align: 1 }.slots(width, height)
            }
            Kind::Adreno { channels, highest_bank_bit } => {
                let slot = |x, y| adreno(x, y, width, self.bytes_per_block, *channels, *highest_bank_bit);
                (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| slot(x, y)).collect()
            }
        }
    }

    /// Returns the memory of a texture with the given blocks, row by row, and `padding` everywhere else.
    ///
    /// # Panics
    /// If the number of blocks is not `width` × `height`.
    pub fn memory(&self, width: u32, height: u32, blocks: &[u8], padding: u8) -> Vec<u8> {
        let bytes = self.bytes_per_block as usize;
        let slots = self.slots(width, height);
        assert_eq!(blocks.len(), slots.len() * bytes, "blocks of {width}×{height}");
        let last = slots.iter().copied().max().map_or(0, |slot| slot as usize);
        let mut memory = vec![padding; (last + 1).next_multiple_of(4096 / bytes) * bytes];
        for (slot, block) in slots.into_iter().zip(blocks.chunks_exact(bytes)) {
            memory[slot as usize * bytes..][..bytes].copy_from_slice(block);
        }
        memory
    }
}

impl Tiles {
    fn slots(&self, width: u32, height: u32) -> Vec<u32> {
        let pitch = width.div_ceil(1 << self.width_log2).next_multiple_of(self.pitch_align);
        let slot = |x: u32, y: u32| {
            let tile = (y >> self.height_log2) * pitch + (x >> self.width_log2);
            let inside = (0..).zip(&self.bits).fold(self.constant, |slot, (i, bit)| slot ^ bit.of(x, y) << i);
            (tile << self.bits.len()) + inside
        };
        (0..height).flat_map(|y| (0..width).map(move |x| slot(x, y))).collect()
    }
}

/// Returns the slot of a block in the layout of Adreno 6xx and 7xx, from the comments of Mesa's
/// src/freedreno/fdl/fd6_tiled_memcpy.cc.
///
/// Tiles have 256 bytes. A macro tile of 4 KiB has 4×4 of them, in an order of XORs. Then two bits of the row
/// of macro tiles are XORed into the address, starting at the highest bank bit − 1 (levels 2 and 3 of bank
/// swizzling). This happens only if rows are aligned so that nothing leaves its row. Rows are padded to four
/// macro tiles. This padding is an assumption, which makes them aligned.
fn adreno(x: u32, y: u32, width: u32, bytes_per_block: u32, channels: u32, highest_bank_bit: u32) -> u32 {
    let bit = |of: u32, i: u32| of >> i & 1;
    let tile_width = if bytes_per_block == 8 { 8 } else { 4 };
    let (tile_x, tile_y) = (x / tile_width, y / 4);
    let (x, y) = (x % tile_width, y % 4);
    let inside = bit(x, 0) | bit(y, 0) << 1 | bit(x, 1) << 2 | bit(y, 1) << 3 | bit(x, 2) << 4;
    let [x0, y0, y1] = [bit(tile_x, 0), bit(tile_y, 0), bit(tile_y, 1)];
    let mut bits = [x0 ^ y1, x0 ^ y0 ^ y1, x0 ^ y0];
    if bytes_per_block < 16 {
        bits[1] ^= bit(tile_x, 1);
        if channels == 8 {
            bits[2] ^= bit(tile_x, 2) ^ bit(tile_y, 2);
        }
    }
    let macro_row = tile_y / 4;
    let stride = width.div_ceil(4 * tile_width).next_multiple_of(4);
    let mut in_row = (bits[0] | bits[1] << 1 | bits[2] << 2 | (tile_x >> 1) << 3) << 8;
    for level in 0..2 {
        if stride.is_multiple_of(1 << (highest_bank_bit - 12 + level)) {
            in_row ^= bit(macro_row, level) << (highest_bank_bit - 1 + level);
        }
    }
    (macro_row * stride * 4096 + in_row) / bytes_per_block + inside
}

/// Returns all layouts, for 8 and for 16 bytes per block.
pub fn layouts() -> Vec<Layout> {
    let mut layouts = Vec::new();
    for bytes in [8, 16] {
        layouts.push(Layout::tiles("linear", bytes, [0, 0], Vec::new()));
        layouts.push(Layout::tiles("linear", bytes, [0, 0], Vec::new()).with_pitch_align(256 / bytes));
        for log2 in 3..=5 {
            for (name, is_y_first) in [("X", false), ("Y", true)] {
                let name = format!("Morton, {name} first, {side}×{side}", side = 1 << log2);
                layouts.push(Layout::tiles(name, bytes, [log2, log2], morton(log2, log2, is_y_first)));
            }
        }
        layouts.extend(nvidia(bytes));
        layouts.extend(amd(bytes));
        layouts.extend(intel(bytes));
        layouts.push(Layout::new("Apple twiddled", bytes, Kind::Twiddled));
        for (channels, highest_bank_bit) in [(4, 14), (8, 14), (8, 15)] {
            let name = format!("Adreno, {channels} channels, highest bank bit {highest_bank_bit}");
            layouts.push(Layout::new(name, bytes, Kind::Adreno { channels, highest_bank_bit }));
        }
    }
    layouts
}

/// Returns NVIDIA's layouts: GOBs of 64 bytes × 8 rows, in the two orders that Mesa describes. One is that of
/// the Orin manual's pixel address, in the comments of src/nouveau/nil/copy.rs. The other is that of desktop
/// GPUs since Turing, `TuringColor2D` of src/nouveau/nil/tiling.rs.
fn nvidia(bytes: u32) -> Vec<Layout> {
    let gobs = [("Orin manual", "XXXX Y X YY X"), ("since Turing", "XXXX YY X Y X")];
    let layout = |(name, gob): (&str, &str), gob_count: u32| {
        let kind = Kind::BlockLinear { gob: axes(gob, bytes), gob_count };
        Layout::new(format!("NVIDIA {name}, {gob_count} GOBs"), bytes, kind)
    };
    gobs.into_iter().flat_map(|gob| (0..=5).map(move |log2| layout(gob, 1 << log2))).collect()
}

/// Returns AMD's modes of 64 KiB. GFX9 uses its equations. GFX10 and 11 use the tables `GFX10_SW_64K_*` and
/// `GFX11_SW_64K_*` of gfx10SwizzlePattern.h and gfx11SwizzlePattern.h (GPUOpen-Drivers/pal), with slice 0.
/// The constant is `pipeBankXor`, which drivers choose per surface.
fn amd(bytes: u32) -> Vec<Layout> {
    let of_8 = bytes == 8;
    let size = if of_8 { [7, 6] } else { [6, 6] };
    let standard = if of_8 { "X0 Y0 Y1 X1 X2" } else { "Y0 Y1 X0 X1" };
    let display = if of_8 { "X0 Y0 X1 X2 Y1" } else { "X0 Y0 X1 Y1" };
    let mut found = vec![
        Layout::tiles("AMD GFX9 64KB_S_X, 4 pipe bits", bytes, size, gfx9(standard, bytes, 4, 4)),
        Layout::tiles("AMD GFX9 64KB_D_X, 2 pipe bits", bytes, size, gfx9(display, bytes, 2, 4)),
    ];
    let tables = [
        (
            "AMD GFX10 64KB_R_X, 8 pipes",
            "X0 Y0 X1 X2 Y1 X3^Y3 X4^Y4 X5^Y5 X3 Y2 X4 Y5 X6",
            "X0 Y0 X1 Y1 X3^Y3 X4^Y4 X5^Y5 X2 Y2 X3 Y4 X5",
        ),
        (
            "AMD GFX10 64KB_S_X, 16 pipes",
            "X0 Y0 Y1 X1 X2 Y2^X6 X3^Y5 Y3^X5 X4^Y4 Y4 X5 Y5 X6",
            "Y0 Y1 X0 X1 Y2^X5 X2^Y5 Y3^X4 X3^Y4 Y4 X4 Y5 X5",
        ),
        (
            "AMD GFX10.3 64KB_R_X, 16 pipes, 4 packers",
            "X0 Y0 X1 X2 Y1 Y4^X6^Y6 X4^Y4 X5^Y5 X5^X7^Y7 Y2 X3 Y3^X7 X6^Y6",
            "X0 Y0 X1 Y1 Y4^X6^Y6 X4^Y4 X5^Y5 X5^X7^Y7 X2 Y2 X3^Y6 Y3^X6",
        ),
        (
            "AMD GFX11 64KB_D_X, 32 pipes, 8 packers",
            "X0 Y0 X1 X2 Y1 Y2^X7 X3^Y6 Y3^X6 X4^Y5 Y4^X5 X5 Y5 X6",
            "X0 Y0 X1 Y1 Y2^X6 X2^Y6 Y3^X5 X3^Y5 X4^Y4 X4 Y5 X5",
        ),
        (
            "AMD GFX11 64KB_R_X, 32 pipes, 8 packers",
            "X0 Y0 X1 X2 Y1 Y4^X7^Y7 X4^Y4 Y5^X6 X5^Y6 X6^Y6 Y2 X3 Y3^X7",
            "X0 Y0 X1 Y1 Y4^X7^Y7 X4^Y4 Y5^X6 X5^Y6 X3^Y6 X2 Y2 Y3^X6",
        ),
    ];
    found.extend(
        tables.map(|(name, a, b)| Layout::tiles(name, bytes, size, equation(if of_8 { a } else { b }))),
    );
    // Pipe and bank bits start at byte 256.
    let constant = 0xa5 << (8 - bytes.ilog2()) & ((1 << (16 - bytes.ilog2())) - 1);
    let with_constant: Vec<_> = found.iter().map(|layout| layout.clone().with_constant(constant)).collect();
    found.extend(with_constant);
    found
}

/// Returns Intel's layouts. Y and 4 use the table of Mesa's docs/isl/tiling.rst; 64 uses `INTEL_TILE_64_64`
/// and `INTEL_TILE_64_128` of CpuSwizzleBlt.c (intel/gmmlib).
fn intel(bytes: u32) -> [Layout; 3] {
    let layout = |name, address: &str| {
        let bits = axes(address, bytes);
        let log2 = |of: fn(&Bit) -> u32| bits.iter().filter(|bit| of(bit) != 0).count() as u32;
        Layout::tiles(name, bytes, [log2(|bit| bit.of_x), log2(|bit| bit.of_y)], bits)
    };
    [
        layout("Intel Tile Y", "XXXX YYYYY XXX"),
        layout("Intel Tile 4", "XXXX YY XX Y X YY"),
        layout("Intel Tile 64", "XXXX YY XX Y X YY XXX Y"),
    ]
}
