//! Rows of blocks of an image: blocks with an answer of their own are written at once, the others gathered into
//! groups, encoded in lanes and scattered.

use super::{
    encode::{GROUP, GroupBlocks, GroupTexels, Settings, encode_group},
    lanes::class,
    lsdxt,
    single_color::SingleColor,
    two_colors::TwoColors,
};
use crate::{
    EncodeOptions, ImageView, Method, Quality, SimdLevel, Texel,
    simd::{Simd, dispatch},
};

/// Encodes rows of blocks of one image.
pub(crate) struct RowEncoder {
    simd: SimdLevel,
    settings: Settings,
    single_color: SingleColor,
    /// Where the quality asks for it. It knows no transparent black.
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
            two_colors: (options.quality >= Quality::High && !options.transparent_black)
                .then(|| TwoColors::new(&settings.rule, options.weights, options.three_color)),
            alpha_threshold: if has_alpha { options.alpha_threshold } else { 0 },
        }
    }

    /// Encodes row of blocks `row` of `image` to `blocks`, 8 bytes each.
    pub fn encode_row<T: Texel>(&self, image: &ImageView<'_, T>, row: u32, blocks: &mut [u8]) {
        let blocks = blocks.as_chunks_mut::<8>().0;
        let rows = image.block_row(row);
        let visible_rows = (image.height() - row * 4).min(4);
        let whole_columns = if visible_rows == 4 { image.width() as usize / 4 } else { 0 };
        let mut waiting = Waiting::default();
        for column in 0..blocks.len() {
            let seen = waiting.whole.load(&rows, column);
            let transparent = seen.may_be_transparent && waiting.whole.least_alpha() < self.alpha_threshold;
            if transparent || column >= whole_columns {
                let visible_columns = (image.width() - column as u32 * 4).min(4);
                self.masked_block(&mut waiting, column, [visible_columns, visible_rows], blocks);
                continue;
            }
            if seen.differences & RGB == 0 {
                blocks[column] = self.single_color.block(waiting.whole.texel(0), false);
                continue;
            }
            if let Some(two_colors) = &self.two_colors
                && let Some(block) = two_colors.block(&waiting.whole.block(), 0xffff)
            {
                blocks[column] = block;
                continue;
            }
            waiting.whole.keep(column);
            self.flush(Kind::Whole, &mut waiting.whole, blocks, GROUP);
        }
        self.flush(Kind::Whole, &mut waiting.whole, blocks, 1);
        self.flush(Kind::Padded, &mut waiting.padded, blocks, 1);
        self.flush(Kind::Transparent, &mut waiting.transparent, blocks, 1);
    }

    /// The block just loaded, `visible` columns and rows of which are in the image, where that is not all or texels
    /// may be transparent.
    #[cold]
    fn masked_block(&self, waiting: &mut Waiting, column: usize, visible: [u32; 2], blocks: &mut [[u8; 8]]) {
        let mut texels = waiting.whole.block();
        let (mut counting, mut transparent) = (0u16, 0u32);
        for (t, texel) in texels.iter_mut().enumerate() {
            let is_visible = (t as u32 % 4) < visible[0] && (t as u32 / 4) < visible[1];
            let class = if texel.to_le_bytes()[3] < self.alpha_threshold {
                transparent |= 3 << (2 * t);
                class::TRANSPARENT
            } else if is_visible {
                counting |= 1 << t;
                class::OPAQUE
            } else {
                class::PADDING
            };
            *texel = *texel & RGB | (class as u32) << 24;
        }
        // Padding repeats visible texels, so no visible one counts only where all are transparent.
        let Some(&first) = texels.iter().find(|&&texel| texel >> 24 == class::OPAQUE as u32) else {
            blocks[column] = TRANSPARENT_BLOCK;
            return;
        };
        let is_single = texels.iter().all(|texel| texel >> 24 == 0 || (texel ^ first) & RGB == 0);
        if is_single {
            let block = u64::from_le_bytes(self.single_color.block(first, transparent != 0));
            blocks[column] = (block | u64::from(transparent) << 32).to_le_bytes();
            return;
        }
        let (kind, pending) = if transparent != 0 {
            (Kind::Transparent, &mut waiting.transparent)
        } else {
            (Kind::Padded, &mut waiting.padded)
        };
        if transparent == 0
            && let Some(two_colors) = &self.two_colors
            && let Some(block) = two_colors.block(&texels, counting)
        {
            blocks[column] = block;
            return;
        }
        pending.put(column, &texels);
        self.flush(kind, pending, blocks, GROUP);
    }

    /// Encodes the blocks that wait if there are at least `least`.
    fn flush(&self, kind: Kind, pending: &mut Pending, blocks: &mut [[u8; 8]], least: usize) {
        if pending.count < least {
            return;
        }
        let mut encoded = GroupBlocks::default();
        let (level, settings) = (self.simd, &self.settings);
        match (settings.method, kind) {
            (Method::Auto | Method::ClusterFit, Kind::Whole) => {
                encode_whole(level, settings, &pending.texels, &mut encoded);
            }
            (Method::Auto | Method::ClusterFit, Kind::Padded | Kind::Transparent) => {
                let transparent = kind == Kind::Transparent;
                encode_masked(level, settings, transparent, &pending.texels, &mut encoded);
            }
            (Method::Lsdxt, _) => {
                let (masked, transparent) = (kind != Kind::Whole, kind == Kind::Transparent);
                encode_by_lsdxt(level, settings, masked, transparent, &pending.texels, &mut encoded);
            }
        }
        for (lane, &column) in pending.columns[..pending.count].iter().enumerate() {
            let block = &mut blocks[column];
            block[..4].copy_from_slice(&encoded.endpoints[lane].to_le_bytes());
            block[4..].copy_from_slice(&encoded.indices[lane].to_le_bytes());
        }
        pending.count = 0;
    }
}

/// One block from 16 texels, row by row, as [`CpuEncoder`](crate::CpuEncoder) would encode them. For experiments and
/// tests: each call builds the tables that a whole image shares.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc1::encode_block};
///
/// let red = encode_block(&[[255, 0, 0, 255]; 16], &EncodeOptions::default());
/// assert_eq!(red[..4], [0x00, 0xf8, 0x00, 0xf8]);
/// ```
pub fn encode_block(texels: &[[u8; 4]; 16], options: &EncodeOptions) -> [u8; 8] {
    let image = ImageView::new(texels, 4, 4).expect("16 texels are 4×4");
    let mut block = [0; 8];
    RowEncoder::new(SimdLevel::detect(), options, true).encode_row(&image, 0, &mut block);
    block
}

/// What the lanes of a group need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Every texel counts.
    Whole,
    /// Some texels lie past the image's edge, none is transparent.
    Padded,
    /// Some texels are transparent.
    Transparent,
}

/// Blocks that wait, by kind.
#[derive(Default)]
struct Waiting {
    whole: Pending,
    padded: Pending,
    transparent: Pending,
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

    /// Puts a block of `column` in the next lane and keeps it.
    fn put(&mut self, column: usize, texels: &[u32; 16]) {
        for (lanes, &texel) in self.texels.iter_mut().zip(texels) {
            lanes[self.count] = texel as i32;
        }
        self.keep(column);
    }

    /// Keeps the block loaded last, which belongs to `column`.
    fn keep(&mut self, column: usize) {
        self.columns[self.count] = column;
        self.count += 1;
    }
}

#[inline(always)]
fn whole<S: Simd>(s: S, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    encode_group::<S, false>(s, settings, false, texels, blocks);
}

#[inline(always)]
fn masked<S: Simd>(
    s: S,
    settings: &Settings,
    transparent: bool,
    texels: &GroupTexels,
    blocks: &mut GroupBlocks,
) {
    encode_group::<S, true>(s, settings, transparent, texels, blocks);
}

#[allow(unsafe_code)]
fn encode_whole(level: SimdLevel, settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks) {
    dispatch!(level, whole(settings: &Settings, texels: &GroupTexels, blocks: &mut GroupBlocks));
}

#[allow(unsafe_code)]
fn encode_masked(
    level: SimdLevel,
    settings: &Settings,
    transparent: bool,
    texels: &GroupTexels,
    blocks: &mut GroupBlocks,
) {
    dispatch!(
        level,
        masked(settings: &Settings, transparent: bool, texels: &GroupTexels, blocks: &mut GroupBlocks)
    );
}

#[inline(always)]
fn by_lsdxt<S: Simd>(
    s: S,
    settings: &Settings,
    masked: bool,
    transparent: bool,
    texels: &GroupTexels,
    blocks: &mut GroupBlocks,
) {
    lsdxt::encode_group(s, settings, masked, transparent, texels, blocks);
}

#[allow(unsafe_code)]
fn encode_by_lsdxt(
    level: SimdLevel,
    settings: &Settings,
    masked: bool,
    transparent: bool,
    texels: &GroupTexels,
    blocks: &mut GroupBlocks,
) {
    dispatch!(
        level,
        by_lsdxt(settings: &Settings, masked: bool, transparent: bool, texels: &GroupTexels, blocks: &mut GroupBlocks)
    );
}
