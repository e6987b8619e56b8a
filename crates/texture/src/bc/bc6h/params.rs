//! Parameters, tables and constants of BC6H's kernels.

use super::{
    assign::SMALLER,
    candidate::NO_ERROR,
    coding::Coding,
    descend::{DIRECTIONS, LENGTHS},
    fit::{AXIS_STEPS, EXTENSIONS, ONE_SUBSET},
    kind::Kind,
    level,
    modes::MODES,
    moments::TINY,
    rank::INDEX_SHARE,
    texels::{INFINITY, LARGEST, LEAST_WEIGHT, MARGIN, PARTITIONS},
};
use crate::{
    bc::bc7::partitions::{TWO_ANCHORS, TWO_SUBSETS},
    chain::Dispatch,
    simd::Scalar,
};
use brickwork_gpu::Constant;

/// Twin of `struct Params` in params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Params {
    size: [u32; 2],
    columns: u32,
    first_block: u32,
    end_block: u32,
    first: u32,
    pitch: u32,
    zero: u32,
    work: Work,
}

/// Work of a step: the members of `struct Params` that differ between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Work {
    pub slots: u32,
    pub parts: u32,
    pub from_slot: u32,
    pub to_slot: u32,
    pub whole_first: u32,
    pub whole_end: u32,
    pub extensions: u32,
    pub known: u32,
    pub known_extensions: u32,
    pub rounds: u32,
    pub modes: u32,
    pub measures: u32,
    pub sweeps: u32,
    pub lengths: u32,
}

impl Params {
    pub fn new(work: Work, dispatch: &Dispatch) -> Self {
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            zero: 0,
            work,
        }
    }
}

/// Returns the number of pairs of words of a block's values: texels, the middle of their ranges, and for
/// logarithmic errors the levels and weights of each texel.
pub(super) const fn value_pairs<K: Kind>() -> usize {
    if K::LOG { 17 + 3 * 16 } else { 17 }
}

/// Numbers in the table for each mode's coding.
const CODING_NUMBERS: usize = 7;

/// Positions of the tables.
const CODINGS: usize = PARTITIONS;
const EXTENSION_SHARES: usize = CODINGS + CODING_NUMBERS * MODES.len();
const STEP_DIRECTIONS: usize = EXTENSION_SHARES + 2 * EXTENSIONS.len();
const STEP_LENGTHS: usize = STEP_DIRECTIONS + 2 * DIRECTIONS.len();
const LAYOUTS: usize = STEP_LENGTHS + LENGTHS.len();
const FIELDS: usize = LAYOUTS + MODES.len();

/// Returns the contents of the kernels' binding `tables`, in order: second subsets and their anchors, codings
/// of modes, extensions of lines, directions and lengths of steps, layouts of modes and their fields.
pub(super) fn tables<K: Kind>() -> Vec<u32> {
    let mut tables: Vec<u32> = Vec::new();
    for (subset, anchor) in TWO_SUBSETS.into_iter().zip(TWO_ANCHORS).take(PARTITIONS) {
        tables.push(u32::from(subset) | u32::from(anchor) << 16);
    }
    for mode in 0..MODES.len() {
        tables.extend(Coding::splat::<K>(Scalar, mode).numbers().map(f32::to_bits));
    }
    tables.extend(EXTENSIONS.as_flattened().iter().map(|share| share.to_bits()));
    tables.extend(DIRECTIONS.as_flattened().iter().map(|step| step.to_bits()));
    tables.extend(LENGTHS.map(f32::to_bits));
    let mut fields = Vec::new();
    for mode in &MODES {
        let first = fields.len() as u32;
        fields.extend(mode.fields.iter().map(|field| {
            field.channel as u32 | (field.endpoint as u32) << 2 | field.first << 4 | field.count << 8
        }));
        let deltas = u32::from(mode.has_deltas) << 8;
        tables.push(mode.prefix | mode.prefix_bits << 5 | deltas | first << 9 | (fields.len() as u32) << 20);
    }
    tables.extend(fields);
    tables
}

/// Returns the constants that the WGSL takes from Rust.
pub(super) fn constants<K: Kind>() -> Vec<(&'static str, Constant)> {
    let numbers = [
        ("IS_SIGNED", usize::from(K::SIGNED)),
        ("SECOND", 0),
        ("CODINGS", CODINGS),
        ("EXTENSIONS", EXTENSION_SHARES),
        ("DIRECTIONS", STEP_DIRECTIONS),
        ("LENGTHS", STEP_LENGTHS),
        ("LAYOUTS", LAYOUTS),
        ("FIELDS", FIELDS),
        ("AXIS_STEPS", AXIS_STEPS),
        ("ONE_SUBSET", ONE_SUBSET.start),
        ("MODE_COUNT", MODES.len()),
        ("NO_KEY", i32::MAX as usize),
        ("VALUE_PAIRS", value_pairs::<K>()),
    ];
    let floats = [
        ("TOP", K::TOP),
        ("WIDEN", K::WIDEN),
        ("FINISH", K::FINISH),
        ("TINY", TINY),
        ("INDEX_SHARE", INDEX_SHARE),
        ("SMALLER", SMALLER),
        ("NO_ERROR", NO_ERROR),
        ("LEVEL_SCALE", level::SCALE),
        ("LEVELS_OF_E", level::SCALE * std::f32::consts::LOG2_E),
        ("NORMAL", level::NORMAL),
        ("SUBNORMAL_STEP", level::SUBNORMAL_STEP),
        ("LEAST_WEIGHT", LEAST_WEIGHT),
        ("WEIGHT_STEP", 64.0 / 7.0),
        ("WEIGHT_STEP_OF_WHOLE", 64.0 / 15.0),
    ];
    let integers = [("LARGEST", LARGEST), ("INFINITY", INFINITY), ("MARGIN", MARGIN)];
    let numbers = numbers.into_iter().map(|(name, value)| (name, (value as u32).into()));
    let floats = floats.into_iter().map(|(name, value)| (name, value.into()));
    numbers.chain(floats).chain(integers.into_iter().map(|(name, value)| (name, value.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::chain::kernels, *};
    use brickwork_gpu::testing::layout;
    use std::mem::offset_of;

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (params, size) = layout(&kernels()[0], "Params");
        let work = offset_of!(Params, work);
        let expected = [
            ("size", offset_of!(Params, size)),
            ("columns", offset_of!(Params, columns)),
            ("first_block", offset_of!(Params, first_block)),
            ("end_block", offset_of!(Params, end_block)),
            ("first", offset_of!(Params, first)),
            ("pitch", offset_of!(Params, pitch)),
            ("zero", offset_of!(Params, zero)),
            ("slots", work + offset_of!(Work, slots)),
            ("parts", work + offset_of!(Work, parts)),
            ("from_slot", work + offset_of!(Work, from_slot)),
            ("to_slot", work + offset_of!(Work, to_slot)),
            ("whole_first", work + offset_of!(Work, whole_first)),
            ("whole_end", work + offset_of!(Work, whole_end)),
            ("extensions", work + offset_of!(Work, extensions)),
            ("known", work + offset_of!(Work, known)),
            ("known_extensions", work + offset_of!(Work, known_extensions)),
            ("rounds", work + offset_of!(Work, rounds)),
            ("modes", work + offset_of!(Work, modes)),
            ("measures", work + offset_of!(Work, measures)),
            ("sweeps", work + offset_of!(Work, sweeps)),
            ("lengths", work + offset_of!(Work, lengths)),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(name, at)| (name.to_owned(), at)).collect();
        assert_eq!((params, size), (expected, size_of::<Params>()));
    }

    #[test]
    fn positions_are_those_of_the_tables() {
        let tables = tables::<super::super::kind::Unsigned>();
        assert_eq!(tables[EXTENSION_SHARES + 2..][..2], [0.07f32.to_bits(); 2]);
        assert_eq!(tables[STEP_DIRECTIONS], 1.0f32.to_bits());
        assert_eq!(tables[STEP_LENGTHS + 5], (-4.0f32).to_bits());
        // The last mode has the prefix 15 of five bits, differences, and the last 24 fields.
        let count = (tables.len() - FIELDS) as u32;
        assert_eq!(tables[FIELDS - 1], 15 | 5 << 5 | 1 << 8 | (count - 24) << 9 | count << 20);
    }
}
