//! Parameters, tables and constants of BC7's kernels.

use super::{
    coding::{CodingLanes, PBits},
    estimate::losses,
    fit::STARTS,
    jobs::Kind,
    modes::MODES,
    part::{MOST, Weights},
    partitions::{THREE_ANCHORS, THREE_SUBSETS, TWO_ANCHORS, TWO_SUBSETS},
    plan::{AXIS_STEPS, Plan, Separate},
    single_color::SingleColor,
};
use crate::{EncodeOptions, chain::Dispatch, simd::Scalar};
use brickwork_gpu::Constant;
use std::f32::consts::FRAC_1_SQRT_2;

/// Twin of `struct Params` in params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    size: [u32; 2],
    columns: u32,
    first_block: u32,
    end_block: u32,
    first: u32,
    pitch: u32,
    zero: u32,
    weights: [f32; 4],
    tries: [u32; 4],
    tries_with_alpha: u32,
    limit: i32,
    two: u32,
    three: u32,
    all_slots: u32,
    first_slot: u32,
    slots: u32,
    parts: u32,
    starts: u32,
    rounds: u32,
    try_p_bits: u32,
    sweeps: u32,
    climbs: u32,
    exact: u32,
    separate: u32,
    modes: u32,
    is_second: u32,
    unused: [u32; 3],
}

/// Candidates that a step works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    pub all: u32,
    pub first: u32,
    pub count: u32,
    /// Number of parts of each candidate.
    pub parts: u32,
}

/// Returns the maximum number of candidates that a block has under a plan.
pub(crate) fn most_candidates(plan: &Plan) -> u32 {
    let separate = match plan.separate {
        Separate::OfAlpha => 3,
        Separate::FiveOfAlpha => 3 + 3,
        Separate::AllOfAlpha | Separate::All => 4 * 3,
    };
    let opaque: usize = plan.tries[..4].iter().sum();
    (1 + 2 + opaque.max(plan.tries[7]) + separate) as u32
}

impl Params {
    pub fn new(
        options: &EncodeOptions,
        plan: &Plan,
        is_second: bool,
        slots: Slots,
        dispatch: &Dispatch,
    ) -> Self {
        let tries = plan.tries.map(|tries| tries as u32);
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            zero: 0,
            weights: Weights::new(options.weights).0,
            tries: [tries[0], tries[1], tries[2], tries[3]],
            tries_with_alpha: tries[7],
            limit: plan.limit,
            two: plan.two as u32,
            three: plan.three as u32,
            all_slots: slots.all,
            first_slot: slots.first,
            slots: slots.count,
            parts: slots.parts,
            starts: plan.effort.starts as u32,
            rounds: plan.effort.rounds as u32,
            try_p_bits: plan.effort.p_bits.into(),
            sweeps: plan.sweeps as u32,
            climbs: plan.climbs as u32,
            exact: plan.exact.into(),
            separate: plan.separate as u32,
            modes: (0..8).map(|mode| u32::from(options.bc7.modes.contains(mode)) << mode).sum(),
            is_second: is_second.into(),
            unused: [0; 3],
        }
    }
}

/// Positions of the tables.
struct Places {
    three_subsets: usize,
    three_anchors: usize,
    four_of: usize,
    losses: usize,
    single_colors: usize,
    layouts: usize,
    starts: usize,
    codings: usize,
}

const PLACES: Places = {
    let four_of = 3 * 64;
    let losses = four_of + 17;
    let single_colors = losses + 2 * 8;
    let layouts = single_colors + 256;
    let starts = layouts + 8;
    let codings = starts + 3 * 3 * STARTS.len();
    Places { three_subsets: 64, three_anchors: 128, four_of, losses, single_colors, layouts, starts, codings }
};

/// Returns the contents of the kernels' binding `tables`, in order: subsets and anchors, 4/n, losses,
/// endpoints of single colours, layouts of modes, starts, codings.
pub(crate) fn tables() -> Vec<u32> {
    let mut tables: Vec<u32> = Vec::new();
    for (subset, anchor) in TWO_SUBSETS.into_iter().zip(TWO_ANCHORS) {
        tables.push(u32::from(subset) | u32::from(anchor) << 16);
    }
    tables.extend(THREE_SUBSETS);
    let [second, third] = THREE_ANCHORS;
    tables.extend(second.into_iter().zip(third).map(|(a, b)| u32::from(a) | u32::from(b) << 8));
    tables.extend((0..=16).map(|n| if n == 0 { 0 } else { (4.0 / n as f32).to_bits() }));
    for mode in 0..8 {
        tables.extend(losses(mode).map(f32::to_bits));
    }
    tables.extend(SingleColor::new().ends().map(|[a, b]| u32::from(a) | u32::from(b) << 8));
    for mode in &MODES {
        let p_bits = if mode.own_p_bits { 1 } else { 2 * u32::from(mode.shared_p_bits) };
        tables.push(
            mode.color
                | mode.alpha << 4
                | p_bits << 8
                | mode.index << 12
                | mode.partition << 16
                | mode.index_selection << 20
                | mode.second_index << 24,
        );
    }
    for index_bits in 2..=4 {
        for [of_a, of_b] in STARTS {
            let rest = ((1 << index_bits) - 1) as f32 - of_a - of_b;
            let has_room = rest > 0.0;
            let shares = if has_room { [of_a / rest, of_b / rest] } else { [0.0; 2] };
            tables.push(has_room.into());
            tables.extend(shares.map(f32::to_bits));
        }
    }
    for kind in Kind::ALL {
        let coding = kind.coding();
        let p_bits = match coding.p_bits {
            PBits::None => 0,
            PBits::Own => 1,
            PBits::Shared => 2,
            PBits::Set => 3,
        };
        tables.extend([p_bits, kind.channels() as u32]);
        tables.extend(CodingLanes::new(Scalar, coding).numbers().map(f32::to_bits));
        tables.push((PLACES.starts + (coding.index_bits as usize - 2) * 3 * STARTS.len()) as u32);
    }
    tables
}

/// Returns the constants that the WGSL takes from Rust.
pub(super) fn constants() -> Vec<(&'static str, Constant)> {
    let numbers = [
        ("TWO_SUBSETS", 0),
        ("THREE_SUBSETS", PLACES.three_subsets),
        ("THREE_ANCHORS", PLACES.three_anchors),
        ("FOUR_OF", PLACES.four_of),
        ("LOSSES", PLACES.losses),
        ("SINGLE_COLORS", PLACES.single_colors),
        ("LAYOUTS", PLACES.layouts),
        ("CODINGS", PLACES.codings),
        ("AXIS_STEPS", AXIS_STEPS),
    ];
    let floats = [
        ("MOST", MOST),
        ("TURN_GREY", super::estimate::TURN_GREY),
        ("TURN_RED", FRAC_1_SQRT_2),
        ("TURN_GREEN", super::estimate::TURN_GREEN),
    ];
    let numbers = numbers.into_iter().map(|(name, value)| (name, (value as u32).into()));
    numbers.chain(floats.map(|(name, value)| (name, value.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::chain::kernels, *};
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (params, size) = layout(&kernels()[0], "Params");
        let expected = offsets!(
            Params: "size" size, "columns" columns, "first_block" first_block, "end_block" end_block,
            "first" first, "pitch" pitch, "zero" zero, "weights" weights, "tries" tries,
            "tries_with_alpha" tries_with_alpha, "limit" limit, "two" two, "three" three,
            "all_slots" all_slots, "first_slot" first_slot, "slots" slots, "parts" parts, "starts" starts,
            "rounds" rounds, "try_p_bits" try_p_bits, "sweeps" sweeps, "climbs" climbs, "exact" exact,
            "separate" separate, "modes" modes, "is_second" is_second);
        assert_eq!((params, size), (expected, size_of::<Params>()));
    }
}
