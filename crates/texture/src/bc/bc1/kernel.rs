//! The GPU's side of BC1: kernels, their tables and their parameters. The WGSL beside this file says the same as the
//! Rust does, in the same numbers.

use super::{
    cluster_fit, encode,
    encode::{Effort, Settings},
    fit,
    lanes::{CENTER, class},
    lsdxt::refine::MEAN_SCALES,
    moves::{MOVES, SINGLE_COUNT},
    order,
    palette::{ChannelRule, Interpolant},
    single_color::SingleColor,
    two_colors,
};
use crate::{EncodeOptions, Quality};
use brickwork_gpu::{Binding, Kernel};

/// An [`Interpolant`] of three channels, as `struct Interpolant` of lanes.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct InterpolantParams {
    k0: [f32; 4],
    k1: [f32; 4],
    bias: [f32; 4],
    scale: [f32; 4],
    falling: [f32; 4],
}

/// `struct Params` of lanes.wgsl.
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
    pub row: u32,
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
    padding: [u32; 2],
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
    pub row: u32,
    weight: [u32; 3],
    pub first: u32,
    pub pitch: u32,
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
            row: 0,
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
            padding: [0; 2],
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
            row: 0,
            weight: options.weights.rgb().map(u32::from),
            first: 0,
            pitch: 1,
        }
    }
}

/// The tables of lanes.wgsl, one after the other: 1 / D, the code scales, the moves, the scales of LSDxt's means.
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
pub(super) fn constants() -> String {
    let size = fit::MAX_DETERMINANT + 1;
    let integers = [
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
    let mut text = String::new();
    for (name, value) in integers {
        text += &format!("const {name} = {value}u;\n");
    }
    text + &format!("const CENTER = {CENTER:?};\nconst NORMAL_HALF = {:?};\n", order::NORMAL / 2.0)
}

/// Classes of texels, and blocks that are transparent or of one colour.
pub(crate) fn simple() -> Kernel {
    Kernel {
        name: "bc1 simple",
        wgsl: [include_str!("simple.wgsl"), &constants()].join("\n"),
        bindings: vec![Binding::Uniform, Binding::Read, Binding::Write, Binding::Write],
        overrides: Vec::new(),
    }
}

/// Every kernel of BC1.
pub(crate) fn all() -> Vec<Kernel> {
    let mut kernels = vec![simple(), two_colors()];
    kernels.extend(Params::stages().map(|stage| stage.kernel));
    kernels
}

/// Blocks of two colours, after [`simple`].
pub(crate) fn two_colors() -> Kernel {
    let mut text = [include_str!("lanes.wgsl"), include_str!("two_colors.wgsl"), &constants()].join("\n");
    for (name, value) in two_colors::kernel_constants() {
        text += &format!("const {name} = {value}u;\n");
    }
    text += &format!("const SLACK = {};\n", two_colors::SLACK);
    Kernel {
        name: "bc1 two colors",
        wgsl: text,
        bindings: vec![Binding::Uniform, Binding::Read, Binding::Write, Binding::Write],
        overrides: Vec::new(),
    }
}

/// What the kernels of LSDxt bind: parameters, tables, texels, blocks.
pub(super) fn bindings() -> Vec<Binding> {
    vec![Binding::Uniform, Binding::Read, Binding::Read, Binding::Write]
}

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

/// A stage of cluster fit.
pub(crate) struct Stage {
    pub kernel: Kernel,
    /// What it binds after the parameters, the tables and the texels.
    pub binds: &'static [Between],
}

impl Params {
    /// Bytes of each block that are handed on.
    pub fn bytes(&self, between: Between) -> u64 {
        u64::from(match between {
            Between::Sorted => 64 * self.orderings,
            Between::Ranged | Between::Blocks => 8,
            Between::Starts => 8 * self.families * self.starts,
            Between::Climbed => 8 * self.families * (1 + self.restarts),
        })
    }

    /// Leaves out what only blocks with transparent or padded texels need, where this quality can.
    pub fn without_masks(mut self) -> Self {
        if self.range_only != 0 {
            self.families = 0;
        }
        self
    }

    /// Threads of each block in each stage; none where there is nothing to do.
    pub fn stage_threads(&self) -> [u32; 5] {
        [self.orderings, self.families, self.families * self.starts, self.families * (1 + self.restarts), 1]
    }

    /// The stages of cluster fit, in order.
    pub fn stages() -> [Stage; 5] {
        use Between::{Blocks, Climbed, Ranged, Sorted, Starts};
        let stage = |name, text: &str, binds: &'static [Between]| {
            let access = |what: &Between| match (name, what) {
                ("bc1 order", _) | (_, Blocks) => Binding::Write,
                ("bc1 search" | "bc1 descend", Starts) | ("bc1 climb", Climbed) => Binding::Write,
                _ => Binding::Read,
            };
            let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Read];
            bindings.extend(binds.iter().map(access));
            let wgsl = [include_str!("lanes.wgsl"), text, &constants()].join("\n");
            Stage { kernel: Kernel { name, wgsl, bindings, overrides: Vec::new() }, binds }
        };
        [
            stage("bc1 order", include_str!("order.wgsl"), &[Sorted, Ranged]),
            stage("bc1 search", include_str!("search.wgsl"), &[Sorted, Starts]),
            stage("bc1 descend", include_str!("descend.wgsl"), &[Sorted, Starts]),
            stage("bc1 climb", include_str!("climb.wgsl"), &[Starts, Climbed]),
            stage("bc1 finish", include_str!("finish.wgsl"), &[Ranged, Climbed, Blocks]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::layout::{layout, offsets};
    use std::mem::offset_of;

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let order = &Params::stages()[0].kernel;
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
            "transparent_black" transparent_black, "row" row, "first" first, "columns" columns, "pitch" pitch,
            "orderings" orderings, "families" families, "starts" starts, "rounds" rounds, "restarts" restarts,
            "range_only" range_only, "first_block" first_block);
        assert_eq!((params, size), (expected, size_of::<Params>()));
        let (simple, size) = layout(&simple(), "Simple");
        let expected = offsets!(
            SimpleParams: "size" size, "columns" columns, "blocks" blocks, "alpha_threshold" alpha_threshold,
            "three_color" three_color, "row" row);
        assert_eq!(simple[..6], expected);
        assert_eq!(simple[6].1, offset_of!(SimpleParams, weight));
        assert_eq!(simple[9..], offsets!(SimpleParams: "first" first, "pitch" pitch));
        assert_eq!(size, size_of::<SimpleParams>());
    }
}
