//! Parameters, tables and constants of BC1's kernels. The WGSL in this folder does the same as the Rust, with
//! the same numbers.

#[cfg(feature = "lsdxt")]
use super::lsdxt::refine::MEAN_SCALES;
use super::{
    cluster_fit, encode, fit,
    lanes::class,
    moves::{MOVES, SINGLE_COUNT},
    other_axes::{self, OTHER_AXES},
    palette::{ChannelRule, Interpolant},
    parts::Parts,
    reindex::{OF_THREE, REINDEXINGS},
    settings::{self, Effort, Settings},
    single_color::SingleColor,
};
use crate::{
    EncodeOptions, Quality,
    bc::{block::CENTER, order},
    chain::Dispatch,
};
use brickwork_gpu::Constant;

/// [`Interpolant`] of three channels, twin of `struct Interpolant` in params.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct InterpolantParams {
    k0: [f32; 4],
    k1: [f32; 4],
    bias: [f32; 4],
    scale: [f32; 4],
    falling: [f32; 4],
}

/// Twin of `struct Params` in params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    top: [f32; 4],
    widen: [f32; 4],
    weight: [f32; 4],
    endpoint: InterpolantParams,
    third: InterpolantParams,
    half: InterpolantParams,
    stretch: [f32; 4],
    /// One past the last block of the dispatch.
    blocks: u32,
    three_color: u32,
    transparent_black: u32,
    /// Place of the region's first block, blocks in a row, and pitch of the rows of blocks, in blocks.
    first: u32,
    columns: u32,
    pitch: u32,
    orderings: u32,
    families: u32,
    starts: u32,
    rounds: u32,
    restarts: u32,
    range_only: u32,
    three_restarts: u32,
    other_starts: u32,
    other_place: u32,
    first_block: u32,
    block_words: u32,
    first_word: u32,
    /// Always 4. A loop up to this number is not unrolled, which keeps its registers few.
    block_rows: u32,
    padding: u32,
}

/// Position of the two words of colours in a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub block_words: u32,
    pub first_word: u32,
}

/// Twin of `struct Simple` in simple.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct SimpleParams {
    size: [u32; 2],
    columns: u32,
    blocks: u32,
    alpha_threshold: u32,
    three_color: u32,
    weight: [u32; 3],
    first: u32,
    pitch: u32,
    block_words: u32,
    first_word: u32,
    padding: u32,
}

fn channels(rule: &[ChannelRule; 3], of: impl Fn(&ChannelRule) -> f32) -> [f32; 4] {
    [of(&rule[0]), of(&rule[1]), of(&rule[2]), 0.0]
}

impl InterpolantParams {
    fn new(rule: &[ChannelRule; 3], of: impl Fn(&ChannelRule) -> &Interpolant) -> Self {
        let value = |get: fn(&Interpolant) -> f32| channels(rule, |rule| get(of(rule)));
        Self {
            k0: value(|i| f32::from(i.k0)),
            k1: value(|i| f32::from(i.k1)),
            bias: value(|i| i.lane_bias()),
            scale: value(|i| i.lane_scale()),
            falling: value(|i| f32::from(i.falling_bias)),
        }
    }
}

impl Params {
    /// Returns the parameters for cluster fit.
    pub fn new(settings: &Settings) -> Self {
        let rule = &settings.rule.channels;
        let weights = settings.weights.rgb().map(f32::from);
        let stretch = settings.stretch();
        let effort = Effort::new(settings.quality);
        let families = if settings.transparent_black { 4 } else { 2 };
        Self {
            top: channels(rule, |rule| f32::from(rule.top())),
            widen: channels(rule, ChannelRule::widening),
            weight: [weights[0], weights[1], weights[2], 0.0],
            endpoint: InterpolantParams::new(rule, |rule| &rule.endpoint),
            third: InterpolantParams::new(rule, |rule| &rule.third),
            half: InterpolantParams::new(rule, |rule| &rule.half),
            stretch: [stretch[0], stretch[1], stretch[2], 0.0],
            blocks: 0,
            three_color: settings.three_color.into(),
            transparent_black: settings.transparent_black.into(),
            first: 0,
            columns: 1,
            pitch: 1,
            orderings: if settings.transparent_black { 3 } else { 1 },
            families,
            starts: effort.starts as u32,
            rounds: effort.rounds as u32,
            restarts: effort.restarts as u32,
            range_only: (settings.quality == Quality::Ultrafast).into(),
            three_restarts: effort.three_restarts as u32,
            other_starts: effort.other_starts as u32,
            other_place: families * effort.starts as u32,
            first_block: 0,
            block_words: 2,
            first_word: 0,
            block_rows: 4,
            padding: 0,
        }
    }
}

impl Params {
    /// Returns the parameters for LSDxt, which passes nothing between kernels.
    #[cfg(feature = "lsdxt")]
    pub fn for_lsdxt(settings: &Settings) -> Self {
        Self { orderings: 0, families: 0, ..Self::new(settings) }
    }

    /// Returns the parameters for the stages that search along other axes.
    pub fn of_other_axes(&self) -> Self {
        let orderings = OTHER_AXES as u32;
        // Four colours and three, along each axis.
        Self { orderings, families: 2 * orderings, starts: self.other_starts, ..*self }
    }

    /// Returns the number of starts of each block.
    pub fn start_count(&self) -> u32 {
        self.other_place + self.of_other_axes().count(Parts::Starts)
    }

    /// Returns the maximum number of orderings of each block at a time.
    pub fn ordering_count(&self) -> u32 {
        if self.other_starts > 0 { self.orderings.max(OTHER_AXES as u32) } else { self.orderings }
    }

    /// Returns the parameters for writing to `place`.
    pub fn to(self, place: Place) -> Self {
        Self { block_words: place.block_words, first_word: place.first_word, ..self }
    }

    /// Returns the parameters of one dispatch. `has_masks` is true if texels may be left out.
    pub fn of(&self, dispatch: &Dispatch, has_masks: bool) -> Self {
        // Ultrafast searches only blocks with such texels.
        Self {
            blocks: dispatch.end_block,
            first_block: dispatch.first_block,
            first: dispatch.target,
            columns: dispatch.columns,
            pitch: dispatch.pitch,
            families: if self.range_only != 0 && !has_masks { 0 } else { self.families },
            ..*self
        }
    }

    /// Returns the number of parts of each block; 0 if there is nothing to do.
    pub fn count(&self, parts: Parts) -> u32 {
        match parts {
            Parts::Block => 1,
            Parts::Orderings => self.orderings,
            Parts::Families => self.families,
            Parts::Starts => self.families * self.starts,
            Parts::Climbs => self.families * (1 + self.restarts),
        }
    }
}

impl SimpleParams {
    pub fn of(dispatch: &Dispatch, options: &EncodeOptions, place: Place) -> Self {
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            blocks: dispatch.end_block,
            alpha_threshold: if dispatch.has_alpha { options.bc1.alpha_threshold.into() } else { 0 },
            three_color: options.bc1.three_color.into(),
            weight: options.weights.rgb().map(u32::from),
            first: dispatch.target,
            pitch: dispatch.pitch,
            block_words: place.block_words,
            first_word: place.first_word,
            padding: 0,
        }
    }
}

/// LSDxt's table, which only its own kernels read.
#[cfg(not(feature = "lsdxt"))]
const MEAN_SCALES: [f32; 0] = [];

/// Returns the contents of the kernels' binding `tables`, in order: 1 / D, the code scales, the moves, the
/// scales of LSDxt's means, the positions of clusters with other indices (two bits each).
pub(crate) fn tables() -> Vec<f32> {
    let mut tables = cluster_fit::gains().to_vec();
    tables.extend(fit::CODE_SCALES_5);
    tables.extend(fit::CODE_SCALES_6);
    tables.extend(MOVES.iter().flat_map(|step| step.codes));
    tables.extend(MEAN_SCALES);
    tables.extend(REINDEXINGS.map(|places| {
        let bits = places.iter().rev().fold(0, |bits, place| bits << 2 | u32::from(*place));
        bits as f32
    }));
    tables
}

/// Returns the table of simple.wgsl for one decoder.
pub(crate) fn matches(settings: &Settings) -> Vec<u32> {
    SingleColor::new(&settings.rule, settings.weights, settings.three_color).packed()
}

/// Flag beside the number of sorted texels: the block has transparent ones.
const HIDDEN: u32 = 1 << 7;

/// Returns the constants that the WGSL takes from Rust.
pub(super) fn constants() -> Vec<(&'static str, Constant)> {
    let size = fit::MAX_DETERMINANT + 1;
    let sizes = [
        ("GAINS", 0),
        ("CODE_SCALES_5", size),
        ("CODE_SCALES_6", 2 * size),
        ("MOVES", 3 * size),
        ("MEAN_SCALES", 3 * size + 6 * MOVES.len()),
        ("REINDEXINGS", 3 * size + 6 * MOVES.len() + MEAN_SCALES.len()),
        ("REINDEXING_COUNT", REINDEXINGS.len()),
        ("REINDEXINGS_OF_THREE", OF_THREE),
        ("OTHER_AXIS_COUNT", OTHER_AXES),
        ("OTHER_AXIS_STEPS", other_axes::STEPS),
        ("MOVE_COUNT", MOVES.len()),
        ("SINGLE_MOVE_COUNT", SINGLE_COUNT),
        ("SHORT_CLIMB_AT", settings::SHORT_CLIMB_AT),
        ("LONG_CLIMB_AT", settings::LONG_CLIMB_AT),
        ("AXIS_STEPS", encode::AXIS_STEPS),
        ("RANGE_AXIS_STEPS", encode::RANGE_AXIS_STEPS),
        ("CLASS_TRANSPARENT", class::TRANSPARENT as usize),
        ("CLASS_PADDING", class::PADDING as usize),
        ("CLASS_OPAQUE", class::OPAQUE as usize),
        ("CLASS_DONE", class::DONE as usize),
        ("HIDDEN", HIDDEN as usize),
    ];
    let floats = [("CENTER", CENTER), ("NORMAL_HALF", order::NORMAL / 2.0)];
    let sizes = sizes.into_iter().map(|(name, value)| (name, (value as u32).into()));
    sizes.chain(floats.map(|(name, value)| (name, value.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::chain::{order_kernel, simple_kernel},
        *,
    };
    use brickwork_gpu::testing::{layout, offsets};
    use std::mem::offset_of;

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let order = &order_kernel();
        let (interpolant, size) = layout(order, "Interpolant");
        let expected =
            offsets!(InterpolantParams: "k0" k0, "k1" k1, "bias" bias, "scale" scale, "falling" falling);
        assert_eq!((interpolant, size), (expected, size_of::<InterpolantParams>()));
        let (rule, size) = layout(order, "Rule");
        let expected = offsets!(
            Params: "top" top, "widen" widen, "weight" weight, "endpoint" endpoint, "third" third,
            "half" half);
        assert_eq!((rule, size), (expected, offset_of!(Params, stretch)));
        let (params, size) = layout(order, "Params");
        let expected = offsets!(
            Params: "rule" top, "stretch" stretch, "blocks" blocks, "three_color" three_color,
            "transparent_black" transparent_black, "first" first, "columns" columns, "pitch" pitch,
            "orderings" orderings, "families" families, "starts" starts, "rounds" rounds, "restarts" restarts,
            "range_only" range_only, "three_restarts" three_restarts, "other_starts" other_starts,
            "other_place" other_place, "first_block" first_block, "block_words" block_words,
            "first_word" first_word, "block_rows" block_rows, "padding" padding);
        assert_eq!((params, size), (expected, size_of::<Params>()));
        let (simple, size) = layout(&simple_kernel(), "Simple");
        let expected = offsets!(
            SimpleParams: "size" size, "columns" columns, "blocks" blocks, "alpha_threshold" alpha_threshold,
            "three_color" three_color);
        assert_eq!(simple[..5], expected);
        assert_eq!(simple[5].1, offset_of!(SimpleParams, weight));
        let expected = offsets!(
            SimpleParams: "first" first, "pitch" pitch, "block_words" block_words, "first_word" first_word);
        assert_eq!(simple[8..], expected);
        assert_eq!(size, size_of::<SimpleParams>());
    }
}
