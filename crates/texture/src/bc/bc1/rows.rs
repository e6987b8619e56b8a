//! Rows of blocks of an image. Blocks that need no search are written at once. The others are gathered into
//! batches, encoded in lanes and scattered.

#[cfg(feature = "lsdxt")]
use super::lsdxt;
use super::{
    Method, distinct,
    encode::{BatchBlocks, encode_batch},
    lanes::class,
    settings::Settings,
    single_color::{MeanCodes, SingleColor},
    two_colors::TwoColors,
};
use crate::{
    Cancelled, EncodeOptions, Quality, Task,
    bc::batch::{Batch, BatchTexels, RGB},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};

/// Maximum number of blocks that wait to be sorted.
const IN_ORDER: usize = 1024;

/// Encoder of rows of blocks of one image.
pub(crate) struct Bc1RowEncoder {
    simd: AvailableLevel,
    settings: Settings,
    single_color: SingleColor,
    means: Box<MeanCodes>,
    /// Present if the quality requires it. It does not use transparent black.
    two_colors: Option<TwoColors>,
    /// True if blocks are sorted by their number of colours: see `distinct.rs`.
    in_order: bool,
    /// Texels with a lower alpha are transparent; 0 if there are none.
    alpha_threshold: u8,
}

/// Block whose texels are all transparent: c0 = c1 = 0 selects three colours, and every index is 3.
const TRANSPARENT_BLOCK: [u8; 8] = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];

impl Bc1RowEncoder {
    /// Returns an encoder for images with or without alpha.
    pub fn new(simd: AvailableLevel, options: &EncodeOptions, has_alpha: bool) -> Self {
        let settings = Settings::new(options);
        let single_color = SingleColor::new(&settings.rule, options.weights, options.bc1.three_color);
        Self {
            simd,
            settings,
            means: single_color.mean_codes(),
            single_color,
            two_colors: (options.quality >= Quality::Fast && !options.bc1.transparent_black)
                .then(|| TwoColors::new(options.rounding_rule, options.weights, options.bc1.three_color)),
            in_order: options.quality >= Quality::High
                && matches!(options.bc1.method, Method::Auto | Method::ClusterFit),
            alpha_threshold: if has_alpha { options.bc1.alpha_threshold } else { 0 },
        }
    }

    /// Encodes a row of blocks to `blocks`, 8 bytes each.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let blocks = blocks.as_chunks_mut::<8>().0;
        let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
        let mut waiting = Waiting::default();
        for column in 0..blocks.len() {
            let seen = waiting.whole.load(rows, column);
            let transparent = seen.has_transparency && waiting.whole.least_alpha() < self.alpha_threshold;
            if transparent || column >= whole_columns {
                self.masked_block(&mut waiting, column, rows.visible(column), blocks, task)?;
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
            if self.in_order {
                let texels = waiting.whole.block();
                waiting.in_order.push((distinct::count(&texels), column, texels));
                if waiting.in_order.len() == IN_ORDER {
                    self.flush_in_order(&mut waiting, blocks, task)?;
                }
                continue;
            }
            waiting.whole.keep(column);
            if waiting.whole.is_full() {
                self.flush(Kind::Whole(0), &mut waiting.whole, blocks, task)?;
            }
        }
        self.flush_in_order(&mut waiting, blocks, task)?;
        self.flush(Kind::Whole(waiting.colors), &mut waiting.whole, blocks, task)?;
        self.flush(Kind::Padded, &mut waiting.padded, blocks, task)?;
        self.flush(Kind::Transparent, &mut waiting.transparent, blocks, task)
    }

    /// Encodes the last loaded block, of which the columns and rows in `visible` are in the image. It is
    /// called if those are not all, or if texels may be transparent.
    #[cold]
    fn masked_block(
        &self,
        waiting: &mut Waiting,
        column: usize,
        visible: [u32; 2],
        blocks: &mut [[u8; 8]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
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
        // Padding repeats visible texels, so if no visible texel counts, all are transparent.
        let Some(&first) = texels.iter().find(|&&texel| texel >> 24 == class::OPAQUE as u32) else {
            blocks[column] = TRANSPARENT_BLOCK;
            return Ok(());
        };
        let is_single = texels.iter().all(|texel| texel >> 24 == 0 || (texel ^ first) & RGB == 0);
        if is_single {
            let block = u64::from_le_bytes(self.single_color.block(first, transparent != 0));
            blocks[column] = (block | u64::from(transparent) << 32).to_le_bytes();
            return Ok(());
        }
        let (kind, batch) = if transparent != 0 {
            (Kind::Transparent, &mut waiting.transparent)
        } else {
            (Kind::Padded, &mut waiting.padded)
        };
        if transparent == 0
            && let Some(two_colors) = &self.two_colors
            && let Some(block) = two_colors.block(&texels, counting)
        {
            blocks[column] = block;
            return Ok(());
        }
        batch.put(column, &texels);
        if batch.is_full() {
            self.flush(kind, batch, blocks, task)?;
        }
        Ok(())
    }

    /// Encodes the blocks that wait to be sorted by their number of colours.
    fn flush_in_order(
        &self,
        waiting: &mut Waiting,
        blocks: &mut [[u8; 8]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        waiting.in_order.sort_unstable_by_key(|&(colors, column, _)| (colors, column));
        for (colors, column, texels) in waiting.in_order.drain(..) {
            waiting.whole.put(column, &texels);
            waiting.colors = waiting.colors.max(colors);
            if waiting.whole.is_full() {
                let colors = std::mem::take(&mut waiting.colors);
                self.flush(Kind::Whole(colors), &mut waiting.whole, blocks, task)?;
            }
        }
        Ok(())
    }

    /// Encodes the blocks that wait.
    fn flush(
        &self,
        kind: Kind,
        batch: &mut Batch,
        blocks: &mut [[u8; 8]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let (texels, columns) = batch.take();
        if columns.is_empty() {
            return Ok(());
        }
        task.check()?;
        let mut encoded = BatchBlocks::default();
        let (level, settings, means) = (self.simd, &self.settings, &*self.means);
        match (settings.method, kind) {
            (Method::Auto | Method::ClusterFit, Kind::Whole(colors)) => {
                encode_whole(level, settings, means, texels, colors, &mut encoded);
            }
            (Method::Auto | Method::ClusterFit, Kind::Padded | Kind::Transparent) => {
                let transparent = kind == Kind::Transparent;
                encode_masked(level, settings, means, transparent, texels, &mut encoded);
            }
            #[cfg(feature = "lsdxt")]
            (Method::Lsdxt, _) => {
                let (masked, transparent) = (!matches!(kind, Kind::Whole(_)), kind == Kind::Transparent);
                encode_by_lsdxt(level, settings, masked, transparent, texels, &mut encoded);
            }
        }
        for (lane, &column) in columns.iter().enumerate() {
            let block = &mut blocks[column];
            block[..4].copy_from_slice(&encoded.endpoints[lane].to_le_bytes());
            block[4..].copy_from_slice(&encoded.indices[lane].to_le_bytes());
        }
        Ok(())
    }
}

/// Encoder of the colours of BC2 and BC3: blocks of four colours, independent of alpha, in the second half of
/// 16 bytes.
pub(crate) struct ColorEncoder(Bc1RowEncoder);

impl ColorEncoder {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions) -> Self {
        Self(Bc1RowEncoder::new(simd, &Self::options(options), false))
    }

    /// Returns the options for blocks of colours.
    pub fn options(options: &EncodeOptions) -> EncodeOptions {
        options.with(|o| {
            o.bc1.three_color = false;
            o.bc1.transparent_black = false;
            o.bc1.alpha_threshold = 0;
        })
    }

    /// Encodes a row of blocks to the upper halves of `blocks`.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let mut colors = vec![0; blocks.len() / 2];
        self.0.encode_row(rows, &mut colors, task)?;
        for (block, color) in blocks.chunks_exact_mut(16).zip(colors.as_chunks::<8>().0) {
            block[8..].copy_from_slice(color);
        }
        Ok(())
    }
}

/// Kind of encoding that the lanes of a batch need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Every texel counts. No block has more colours than this number, unless it is 0.
    Whole(usize),
    /// Some texels are past the image's edge, none is transparent.
    Padded,
    /// Some texels are transparent.
    Transparent,
}

/// Blocks that wait, by kind.
#[derive(Default)]
struct Waiting {
    whole: Batch,
    /// Maximum number of colours of a block in `whole`; 0 if they are not counted.
    colors: usize,
    padded: Batch,
    transparent: Batch,
    /// Blocks in which every texel counts, with their numbers of colours and their columns.
    in_order: Vec<(usize, usize, [u32; 16])>,
}

#[inline(always)]
fn whole<S: Simd>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    texels: &BatchTexels,
    colors: usize,
    blocks: &mut BatchBlocks,
) {
    encode_batch::<S, false>(s, settings, means, false, texels, colors, blocks);
}

#[inline(always)]
fn masked<S: Simd>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    transparent: bool,
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    encode_batch::<S, true>(s, settings, means, transparent, texels, 0, blocks);
}

#[allow(unsafe_code)]
fn encode_whole(
    level: AvailableLevel,
    settings: &Settings,
    means: &MeanCodes,
    texels: &BatchTexels,
    colors: usize,
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        whole(
            settings: &Settings,
            means: &MeanCodes,
            texels: &BatchTexels,
            colors: usize,
            blocks: &mut BatchBlocks
        )
    );
}

#[allow(unsafe_code)]
fn encode_masked(
    level: AvailableLevel,
    settings: &Settings,
    means: &MeanCodes,
    transparent: bool,
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        masked(
            settings: &Settings,
            means: &MeanCodes,
            transparent: bool,
            texels: &BatchTexels,
            blocks: &mut BatchBlocks
        )
    );
}

#[cfg(feature = "lsdxt")]
#[inline(always)]
fn by_lsdxt<S: Simd>(
    s: S,
    settings: &Settings,
    masked: bool,
    transparent: bool,
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    lsdxt::encode_batch(s, settings, masked, transparent, texels, blocks);
}

#[cfg(feature = "lsdxt")]
#[allow(unsafe_code)]
fn encode_by_lsdxt(
    level: AvailableLevel,
    settings: &Settings,
    masked: bool,
    transparent: bool,
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        by_lsdxt(
            settings: &Settings,
            masked: bool,
            transparent: bool,
            texels: &BatchTexels,
            blocks: &mut BatchBlocks
        )
    );
}
