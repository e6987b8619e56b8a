//! Rows of blocks of an image: blocks with an answer of their own are written at once, the others gathered into
//! groups, encoded in lanes and scattered.

use super::{
    encode::{GROUP, GroupBlocks, GroupTexels, Settings, encode_group},
    single_color::SingleColor,
    two_colors::TwoColors,
};
use crate::{
    EncodeOptions, ImageView, Quality, SimdLevel, Texel,
    simd::{Simd, dispatch},
};

/// Encodes rows of blocks of one image.
pub(crate) struct RowEncoder {
    simd: SimdLevel,
    settings: Settings,
    single_color: SingleColor,
    /// Where the quality asks for it.
    two_colors: Option<TwoColors>,
    /// Texels with a lower alpha are transparent; 0 if there are none.
    alpha_threshold: u8,
}

/// Every texel is transparent: c0 = c1 = 0 means three colours, and index 3.
const TRANSPARENT_BLOCK: [u8; 8] = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];

const RGB: u32 = 0xff_ffff;

impl RowEncoder {
    /// An encoder for images whose texels have alpha or not.
    pub fn new(simd: SimdLevel, options: &EncodeOptions, has_alpha: bool) -> Self {
        let settings = Settings::new(options);
        Self {
            simd,
            settings,
            single_color: SingleColor::new(&settings.rule, options.weights, options.three_color),
            two_colors: (options.quality >= Quality::High)
                .then(|| TwoColors::new(&settings.rule, options.weights, options.three_color)),
            alpha_threshold: if has_alpha { options.alpha_threshold } else { 0 },
        }
    }

    /// Encodes row of blocks `row` of `image` to `blocks`, 8 bytes each.
    pub fn encode_row<T: Texel>(&self, image: &ImageView<'_, T>, row: u32, blocks: &mut [u8]) {
        let blocks = blocks.as_chunks_mut::<8>().0;
        let rows = image.block_row(row);
        let (mut opaque, mut masked) = (Pending::default(), Pending::default());
        for column in 0..blocks.len() {
            let seen = opaque.load(&rows, column);
            if seen.may_be_transparent && opaque.least_alpha() < self.alpha_threshold {
                self.punch_through(&mut opaque, &mut masked, column, blocks);
                continue;
            }
            if seen.differences & RGB == 0 {
                blocks[column] = self.single_color.block(opaque.texel(0), false);
                continue;
            }
            if let Some(two_colors) = &self.two_colors
                && !self.settings.transparent_black
                && let Some(block) = two_colors.block(&opaque.block())
            {
                blocks[column] = block;
                continue;
            }
            opaque.keep(column);
            if opaque.count == GROUP {
                self.flush::<false>(&mut opaque, blocks);
            }
        }
        self.flush::<false>(&mut opaque, blocks);
        self.flush::<true>(&mut masked, blocks);
    }

    /// A block, just loaded to the next lane of `opaque`, that has transparent texels.
    #[cold]
    fn punch_through(
        &self,
        opaque: &mut Pending,
        masked: &mut Pending,
        column: usize,
        blocks: &mut [[u8; 8]],
    ) {
        let lane = masked.count;
        let (mut first, mut differences, mut transparent) = (None, 0, 0u32);
        for t in 0..16 {
            let texel = opaque.texel(t);
            let is_opaque = texel >> 24 >= u32::from(self.alpha_threshold);
            masked.texels[t][lane] = (texel & RGB | if is_opaque { 0xff00_0000 } else { 0 }) as i32;
            if is_opaque {
                differences |= texel ^ *first.get_or_insert(texel);
            } else {
                transparent |= 3 << (2 * t);
            }
        }
        let Some(first) = first else {
            blocks[column] = TRANSPARENT_BLOCK;
            return;
        };
        if differences & RGB == 0 {
            let mut block = u64::from_le_bytes(self.single_color.block(first, true));
            block |= u64::from(transparent) << 32;
            blocks[column] = block.to_le_bytes();
            return;
        }
        masked.keep(column);
        if masked.count == GROUP {
            self.flush::<true>(masked, blocks);
        }
    }

    fn flush<const MASKED: bool>(&self, pending: &mut Pending, blocks: &mut [[u8; 8]]) {
        if pending.count == 0 {
            return;
        }
        let mut encoded = GroupBlocks::default();
        if MASKED {
            encode_masked(self.simd, &self.settings, &pending.texels, &mut encoded);
        } else {
            encode_opaque(self.simd, &self.settings, &pending.texels, &mut encoded);
        }
        for (lane, &column) in pending.columns[..pending.count].iter().enumerate() {
            let block = &mut blocks[column];
            block[..4].copy_from_slice(&encoded.endpoints[lane].to_le_bytes());
            block[4..].copy_from_slice(&encoded.indices[lane].to_le_bytes());
        }
        pending.count = 0;
    }
}

/// Blocks that wait until a group is full.
#[derive(Default)]
struct Pending {
    count: usize,
    columns: [usize; GROUP],
    texels: GroupTexels,
}

/// What loading a block showed.
struct Seen {
    /// Bits that are not the same in all texels.
    differences: u32,
    /// Whether an alpha is not 255.
    may_be_transparent: bool,
}

impl Pending {
    /// Loads the block at `column` of four rows of texels to the next lane.
    #[inline(always)]
    fn load<T: Texel>(&mut self, rows: &[&[T]; 4], column: usize) -> Seen {
        let first = u32::from_le_bytes(rows[0][column * 4].to_rgba8());
        let mut differences = 0;
        for (texels, row) in self.texels.chunks_exact_mut(4).zip(rows) {
            let four: [T; 4] = match row.get(column * 4..).and_then(|rest| rest.first_chunk()) {
                Some(four) => *four,
                None => [0, 1, 2, 3].map(|x| row[(column * 4 + x).min(row.len() - 1)]),
            };
            for (lanes, texel) in texels.iter_mut().zip(four) {
                let texel = u32::from_le_bytes(texel.to_rgba8());
                differences |= texel ^ first;
                lanes[self.count] = texel as i32;
            }
        }
        Seen { differences, may_be_transparent: T::HAS_ALPHA && (differences | !first) & !RGB != 0 }
    }

    /// The least alpha of the block loaded last.
    fn least_alpha(&self) -> u8 {
        self.block().iter().map(|texel| texel.to_le_bytes()[3]).min().unwrap_or(255)
    }

    /// Texel `t` of the block loaded last, red in the lowest byte.
    fn texel(&self, t: usize) -> u32 {
        self.texels[t][self.count] as u32
    }

    /// The block loaded last.
    fn block(&self) -> [u32; 16] {
        std::array::from_fn(|t| self.texel(t))
    }

    /// Keeps the block loaded last, which belongs to `column`.
    fn keep(&mut self, column: usize) {
        self.columns[self.count] = column;
        self.count += 1;
    }
}

#[inline(always)]
fn opaque<S: Simd>(s: S, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    encode_group::<S, false>(s, settings, texels, blocks);
}

#[inline(always)]
fn masked<S: Simd>(s: S, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    encode_group::<S, true>(s, settings, texels, blocks);
}

#[allow(unsafe_code)]
fn encode_opaque(level: SimdLevel, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    dispatch!(level, opaque(settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks));
}

#[allow(unsafe_code)]
fn encode_masked(level: SimdLevel, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    dispatch!(level, masked(settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks));
}
