//! The GPU's side of BC1: kernels, their tables and their parameters. The WGSL beside this file says the same as the
//! Rust does, in the same numbers.
//!
//! Cluster fit is five stages of a thread for each small task; or two kernels in the papers' shape
//! stand for the first three, as [`ClusterFitVariant`] says.

use super::{
    cluster_fit, encode,
    encode::{Effort, Settings},
    fit,
    lanes::{CENTER, class},
    lsdxt::refine::MEAN_SCALES,
    moves::{MOVES, SINGLE_COUNT},
    order,
    palette::{ChannelRule, Interpolant},
    parts::{
        ASSIGN, AXIS, BEST, CLUSTER_FIT, CLUSTERS, FAMILIES, FIT, LANES, MOVES, NEAREST, PALETTE, PARAMS,
        WORDS,
    },
    single_color::SingleColor,
    two_colors,
};
use crate::{EncodeOptions, Quality, gpu::ClusterFitVariant};
use brickwork_gpu::{Binding, Constant, Kernel};

/// An [`Interpolant`] of three channels, as `struct Interpolant` of params.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct InterpolantParams {
    k0: [f32; 4],
    k1: [f32; 4],
    bias: [f32; 4],
    scale: [f32; 4],
    falling: [f32; 4],
}

/// `struct Params` of params.wgsl.
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
    pub blocks: u32,
    three_color: u32,
    transparent_black: u32,
    /// Where the first block goes, how many are in a row, and how far rows lie apart, in blocks.
    pub first: u32,
    pub columns: u32,
    pub pitch: u32,
    orderings: u32,
    families: u32,
    starts: u32,
    rounds: u32,
    restarts: u32,
    range_only: u32,
    pub first_block: u32,
    padding: [u32; 3],
}

/// `struct Simple` of simple.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct SimpleParams {
    pub size: [u32; 2],
    pub columns: u32,
    pub blocks: u32,
    alpha_threshold: u32,
    three_color: u32,
    weight: [u32; 3],
    pub first: u32,
    pub pitch: u32,
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
    /// For cluster fit.
    pub fn new(settings: &Settings) -> Self {
        let rule = &settings.rule.channels;
        let weights = settings.weights.rgb().map(f32::from);
        let stretch = settings.stretch();
        let effort = Effort::new(settings.quality);
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
            families: if settings.transparent_black { 4 } else { 2 },
            starts: effort.starts as u32,
            rounds: effort.rounds as u32,
            restarts: effort.restarts as u32,
            range_only: (settings.quality == Quality::Ultrafast).into(),
            first_block: 0,
            padding: [0; 3],
        }
    }
}

impl SimpleParams {
    /// Whether texels may be transparent.
    pub fn has_transparent(&self) -> bool {
        self.alpha_threshold > 0
    }

    pub fn new(options: &EncodeOptions, has_alpha: bool) -> Self {
        Self {
            size: [0; 2],
            columns: 1,
            blocks: 0,
            alpha_threshold: if has_alpha { options.alpha_threshold.into() } else { 0 },
            three_color: options.three_color.into(),
            weight: options.weights.rgb().map(u32::from),
            first: 0,
            pitch: 1,
            padding: 0,
        }
    }
}

/// What kernels bind as `tables`, one table after the other: 1 / D, the code scales, the moves, the scales of LSDxt's means.
pub(crate) fn tables() -> Vec<f32> {
    let mut tables = cluster_fit::gains().to_vec();
    tables.extend(fit::CODE_SCALES_5);
    tables.extend(fit::CODE_SCALES_6);
    tables.extend(MOVES.iter().flatten());
    tables.extend(MEAN_SCALES);
    tables
}

/// The table of simple.wgsl for one decoder.
pub(crate) fn matches(settings: &Settings) -> Vec<u32> {
    SingleColor::new(&settings.rule, settings.weights, settings.three_color).packed()
}

/// What the WGSL takes from the Rust.
pub(super) fn constants() -> Vec<(&'static str, Constant)> {
    let size = fit::MAX_DETERMINANT + 1;
    let sizes = [
        ("GAINS", 0),
        ("CODE_SCALES_5", size),
        ("CODE_SCALES_6", 2 * size),
        ("MOVES", 3 * size),
        ("MEAN_SCALES", 3 * size + 6 * MOVES.len()),
        ("MOVE_COUNT", MOVES.len()),
        ("SINGLE_MOVE_COUNT", SINGLE_COUNT),
        ("SHORT_CLIMB_AT", encode::SHORT_CLIMB_AT),
        ("LONG_CLIMB_AT", encode::LONG_CLIMB_AT),
        ("AXIS_STEPS", encode::AXIS_STEPS),
        ("RANGE_AXIS_STEPS", encode::RANGE_AXIS_STEPS),
        ("CLASS_TRANSPARENT", class::TRANSPARENT as usize),
        ("CLASS_PADDING", class::PADDING as usize),
        ("CLASS_OPAQUE", class::OPAQUE as usize),
        ("CLASS_DONE", class::DONE as usize),
    ];
    let floats = [("CENTER", CENTER), ("NORMAL_HALF", order::NORMAL / 2.0)];
    let sizes = sizes.into_iter().map(|(name, value)| (name, (value as u32).into()));
    sizes.chain(floats.map(|(name, value)| (name, value.into()))).collect()
}

/// Classes of texels, and blocks that are transparent or of one colour.
pub(crate) fn simple() -> Kernel {
    Kernel::new("bc1 simple", &[Binding::Uniform, Binding::Read, Binding::Write, Binding::Write])
        .part(include_str!("simple.wgsl"))
        .constants(constants())
}

/// Every kernel of BC1.
pub(crate) fn all() -> Vec<Kernel> {
    let mut kernels = vec![simple(), two_colors()];
    kernels.extend(stages().into_iter().map(|stage| stage.kernel));
    kernels.extend(ClusterFitVariant::ALL.into_iter().filter_map(groups).flatten().map(|stage| stage.kernel));
    kernels
}

/// Blocks of two colours, after [`simple`].
pub(crate) fn two_colors() -> Kernel {
    Kernel::new("bc1 two colors", &[Binding::Uniform, Binding::Read, Binding::Write, Binding::Write])
        .parts(&[PARAMS, LANES, PALETTE, WORDS, include_str!("two_colors.wgsl")])
        .constants(constants())
        .constants(two_colors::kernel_constants().map(|(name, value)| (name, value as u32)))
        .constant("SLACK", two_colors::SLACK)
}

/// What the kernels of LSDxt bind: parameters, tables, texels, blocks.
pub(super) const LSDXT_BINDINGS: [Binding; 4] =
    [Binding::Uniform, Binding::Read, Binding::Read, Binding::Write];

/// What the stages of cluster fit hand on, beside the texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Sorted texels of each ordering.
    Sorted,
    /// The range fit of each block.
    Ranged,
    /// Cuts, then cost and endpoints, of each start.
    Starts,
    /// Cost and endpoints of each climb.
    Climbed,
    /// The blocks themselves.
    Blocks,
}

/// A kernel that goes over all blocks that are not simple, and how its work is shared out.
pub(crate) struct Stage {
    pub kernel: Kernel,
    /// What it binds after the parameters, the tables and the texels.
    pub binds: &'static [Between],
    pub share: Share,
}

/// How work is shared out over workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub parts: Parts,
    /// Parts that one workgroup takes.
    pub of_group: u32,
    /// Blocks that one dispatch takes at most.
    pub of_dispatch: u32,
}

/// What each block's work consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    Block,
    Orderings,
    Families,
    /// The starts of each family.
    Starts,
    /// The climbs of each family.
    Climbs,
}

impl Share {
    /// So many parts in a workgroup.
    pub const fn groups_of(of_group: u32, parts: Parts) -> Self {
        Self { parts, of_group, of_dispatch: u32::MAX }
    }

    /// One thread a part, in workgroups of 64.
    pub const fn threads(parts: Parts) -> Self {
        Self::groups_of(64, parts)
    }
}

impl Params {
    /// Bytes of each block that are handed on.
    pub fn bytes(&self, between: Between) -> u64 {
        u64::from(match between {
            Between::Sorted => 64 * self.orderings,
            Between::Ranged => 8 * self.orderings.min(1),
            Between::Blocks => 8,
            Between::Starts => 8 * self.families * self.starts,
            Between::Climbed => 8 * self.families * (1 + self.restarts),
        })
    }

    /// For LSDxt, which hands nothing on.
    pub fn for_lsdxt(settings: &Settings) -> Self {
        Self { orderings: 0, families: 0, ..Self::new(settings) }
    }

    /// Leaves out what only blocks with transparent or padded texels need, where this quality can.
    pub fn without_masks(mut self) -> Self {
        if self.range_only != 0 {
            self.families = 0;
        }
        self
    }

    /// How many parts each block has; none where there is nothing to do.
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

fn stage(
    name: &'static str,
    text: &[&str],
    binds: &'static [Between],
    writes: &[Between],
    share: Share,
) -> Stage {
    let access = |what: &Between| if writes.contains(what) { Binding::Write } else { Binding::Read };
    let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Read];
    bindings.extend(binds.iter().map(access));
    let kernel = Kernel::new(name, &bindings).parts(text);
    Stage { kernel: kernel.constants(constants()), binds, share }
}

/// The stages of cluster fit with a thread for each task, in order.
fn stages() -> [Stage; 5] {
    use Between::{Blocks, Climbed, Ranged, Sorted, Starts};
    let common = |parts: &[&'static str]| [&[PARAMS, LANES], parts].concat();
    let order = common(&[PALETTE, NEAREST, CLUSTERS, ASSIGN, FIT, AXIS, include_str!("order.wgsl")]);
    let search = common(&[FAMILIES, CLUSTERS, CLUSTER_FIT, AXIS, include_str!("search.wgsl")]);
    let endpoints = common(&[FAMILIES, PALETTE, NEAREST, CLUSTERS, ASSIGN, FIT, BEST]);
    let descend = [&endpoints[..], &[CLUSTER_FIT, include_str!("descend.wgsl")]].concat();
    let climb = [&endpoints[..], &[MOVES, include_str!("climb.wgsl")]].concat();
    let finish = common(&[FAMILIES, PALETTE, NEAREST, BEST, WORDS, include_str!("finish.wgsl")]);
    let of = |name, text: Vec<_>, binds, writes, share| stage(name, &text, binds, writes, share);
    [
        of("bc1 order", order, &[Sorted, Ranged], &[Sorted, Ranged], Share::threads(Parts::Orderings)),
        of("bc1 search", search, &[Sorted, Starts], &[Starts], Share::threads(Parts::Families)),
        of("bc1 descend", descend, &[Sorted, Starts], &[Starts], Share::threads(Parts::Starts)),
        of("bc1 climb", climb, &[Starts, Climbed], &[Climbed], Share::threads(Parts::Climbs)),
        of("bc1 finish", finish, &[Ranged, Climbed, Blocks], &[Blocks], Share::threads(Parts::Block)),
    ]
}

/// The kernels of a variant that stand for the first three stages.
fn groups(variant: ClusterFitVariant) -> Option<[Stage; 2]> {
    use Between::{Ranged, Sorted, Starts};
    use ClusterFitVariant::{FourBlocks, Group64, Group128, Group256, Stages, Subgroup};
    let (order, search, threads, blocks) = match variant {
        Stages => return None,
        Group64 => ("bc1 order, group of 64", "bc1 search, group of 64", 64, 1),
        Group128 => ("bc1 order, group of 128", "bc1 search, group of 128", 128, 1),
        Group256 => ("bc1 order, group of 256", "bc1 search, group of 256", 256, 1),
        FourBlocks => ("bc1 order, four blocks", "bc1 search, four blocks", 16, 4),
        Subgroup => ("bc1 order, subgroups", "bc1 search, four blocks", 16, 4),
    };
    let exchange = match variant {
        Subgroup => include_str!("group_subgroup.wgsl"),
        _ => include_str!("group_shared.wgsl"),
    };
    let common = [PARAMS, LANES, PALETTE, NEAREST, CLUSTERS, ASSIGN, FIT, AXIS, include_str!("group.wgsl")];
    let share = |parts| Share::groups_of(blocks, parts);
    let order_text = [&common[..], &[include_str!("group_order.wgsl"), exchange]].concat();
    let search_text =
        [&common[..], &[FAMILIES, CLUSTER_FIT, BEST, include_str!("group_search.wgsl")]].concat();
    let stages = [
        stage(order, &order_text, &[Sorted, Ranged], &[Sorted, Ranged], share(Parts::Orderings)),
        stage(search, &search_text, &[Sorted, Starts], &[Starts], share(Parts::Families)),
    ];
    Some(stages.map(|stage| {
        let kernel = stage.kernel.constant("THREADS", threads).constant("BLOCKS", blocks);
        Stage { kernel, ..stage }
    }))
}

/// The kernels of cluster fit, in order.
pub(crate) fn cluster_fit(variant: ClusterFitVariant) -> Vec<Stage> {
    let stages = stages();
    match groups(variant) {
        None => stages.into(),
        Some(groups) => groups.into_iter().chain(stages.into_iter().skip(3)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::{layout, offsets};
    use std::mem::offset_of;

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let order = &stages()[0].kernel;
        let (interpolant, size) = layout(order, "Interpolant");
        let expected =
            offsets!(InterpolantParams: "k0" k0, "k1" k1, "bias" bias, "scale" scale, "falling" falling);
        assert_eq!((interpolant, size), (expected, size_of::<InterpolantParams>()));
        let (rule, size) = layout(order, "Rule");
        let expected = offsets!(
            Params: "top" top, "widen" widen, "weight" weight, "endpoint" endpoint, "third" third, "half" half);
        assert_eq!((rule, size), (expected, offset_of!(Params, stretch)));
        let (params, size) = layout(order, "Params");
        let expected = offsets!(
            Params: "rule" top, "stretch" stretch, "blocks" blocks, "three_color" three_color,
            "transparent_black" transparent_black, "first" first, "columns" columns, "pitch" pitch,
            "orderings" orderings, "families" families, "starts" starts, "rounds" rounds, "restarts" restarts,
            "range_only" range_only, "first_block" first_block);
        assert_eq!((params, size), (expected, size_of::<Params>()));
        let (simple, size) = layout(&simple(), "Simple");
        let expected = offsets!(
            SimpleParams: "size" size, "columns" columns, "blocks" blocks, "alpha_threshold" alpha_threshold,
            "three_color" three_color);
        assert_eq!(simple[..5], expected);
        assert_eq!(simple[5].1, offset_of!(SimpleParams, weight));
        assert_eq!(simple[8..], offsets!(SimpleParams: "first" first, "pitch" pitch));
        assert_eq!(size, size_of::<SimpleParams>());
    }
}
