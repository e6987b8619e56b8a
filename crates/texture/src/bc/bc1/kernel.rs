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
    pub first_block: u32,
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
            first_block: 0,
        }
    }
}

impl SimpleParams {
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

/// What [`thread`] and the kernels of LSDxt bind: parameters, tables, texels, blocks.
pub(super) fn bindings() -> Vec<Binding> {
    vec![Binding::Uniform, Binding::Read, Binding::Read, Binding::Write]
}

/// The encoder with one block a thread.
pub(crate) fn thread(quality: Quality) -> Kernel {
    let effort = Effort::new(quality);
    Kernel {
        name: "bc1 thread",
        wgsl: [include_str!("lanes.wgsl"), include_str!("thread.wgsl"), &constants()].join("\n"),
        bindings: bindings(),
        overrides: vec![
            ("RANGE_ONLY", f64::from(u8::from(quality == Quality::Ultrafast))),
            ("STARTS", effort.starts as f64),
            ("ROUNDS", effort.rounds as f64),
            ("RESTARTS", effort.restarts as f64),
        ],
    }
}
