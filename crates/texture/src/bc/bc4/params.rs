//! Parameters, tables and constants of BC4's kernels.

use super::{
    encode::{MOVES, SPREADS},
    line::offset,
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{Quality, chain::Dispatch};
use brickwork_gpu::Constant;

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
    block_words: u32,
    first_word: u32,
    channels: u32,
    first_bit: u32,
    quality: u32,
    is_signed: u32,
    top: f32,
    grid: f32,
    position_scale: f32,
    position_offset: f32,
    offset_eight: f32,
    offset_six: f32,
    rate_eight: f32,
    rate_six: f32,
    step_eight: f32,
    step_six: f32,
    slack: f32,
}

/// Channels of a texel that are encoded, and the size of their block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels {
    /// First channel, and number of channels.
    pub first: u32,
    pub count: u32,
    /// Size of a block in bytes. The channels' blocks are at its start.
    pub block_bytes: u32,
}

impl Params {
    pub fn new(rule: &ValueRule, quality: Quality, channels: Channels, dispatch: &Dispatch) -> Self {
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            block_words: channels.block_bytes / 4,
            first_word: 0,
            channels: channels.count,
            first_bit: 8 * channels.first,
            quality: quality as u32,
            is_signed: rule.is_signed.into(),
            top: rule.top() as f32,
            grid: rule.grid() as f32,
            position_scale: if rule.has_rests() { 1778.0 / 51.0 } else { rule.grid() as f32 },
            position_offset: match (rule.is_real(), rule.has_rests()) {
                (true, true) => 1.0 / 128.0,
                (true, false) => 0.25,
                (false, _) => 0.0,
            },
            offset_eight: offset(rule, EIGHT_VALUES),
            offset_six: offset(rule, SIX_VALUES),
            rate_eight: EIGHT_VALUES as f32 / rule.grid() as f32,
            rate_six: SIX_VALUES as f32 / rule.grid() as f32,
            step_eight: rule.grid() as f32 / EIGHT_VALUES as f32,
            step_six: rule.grid() as f32 / SIX_VALUES as f32,
            slack: (!rule.is_real()).into(),
        }
    }
}

/// Number of spans of endpoints: 0 to 255.
const SPAN_COUNT: usize = 256;
/// Number of determinants of least squares. The largest is that of eight texels at each end of seven steps.
const DETERMINANT_COUNT: usize = 3136 + 1;

/// Returns the contents of the kernels' binding `tables`, in order: the reciprocals of spans and of
/// determinants, since GPUs need not round quotients correctly; the moves; the spreads; ½ / n.
pub(crate) fn tables() -> Vec<f32> {
    let reciprocal = |n: usize| if n == 0 { 0.0 } else { 1.0 / n as f32 };
    let mut tables: Vec<f32> = (0..SPAN_COUNT).map(reciprocal).collect();
    tables.extend((0..DETERMINANT_COUNT).map(reciprocal));
    tables.extend(MOVES.iter().flat_map(|&(low, high)| [low, high]));
    tables.extend(SPREADS.iter().flat_map(|&(used, i)| [used as f32, i as f32]));
    tables.extend((0..8).map(|n| if n == 0 { 0.0 } else { 0.5 / n as f32 }));
    tables
}

/// Returns the constants that the WGSL takes from Rust.
pub(super) fn constants() -> Vec<(&'static str, Constant)> {
    let determinants = SPAN_COUNT;
    let moves = determinants + DETERMINANT_COUNT;
    let spreads = moves + 2 * MOVES.len();
    let numbers = [
        ("DETERMINANTS", determinants),
        ("MOVES", moves),
        ("MOVE_COUNT", MOVES.len()),
        ("SPREADS", spreads),
        ("SPREAD_COUNT", SPREADS.len()),
        ("HALVES", spreads + 2 * SPREADS.len()),
        ("NORMAL", Quality::Normal as usize),
        ("HIGH", Quality::High as usize),
    ];
    let floats = [
        ("EIGHT_STEPS", EIGHT_VALUES as f32),
        ("SIX_STEPS", SIX_VALUES as f32),
        ("SIGNED_SCALE", 254.0 / 255.0),
        ("NO_COST", 1e12),
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
            "first" first, "pitch" pitch, "block_words" block_words, "first_word" first_word,
            "channels" channels, "first_bit" first_bit, "quality" quality, "is_signed" is_signed, "top" top,
            "grid" grid, "position_scale" position_scale, "position_offset" position_offset,
            "offset_eight" offset_eight, "offset_six" offset_six, "rate_eight" rate_eight,
            "rate_six" rate_six, "step_eight" step_eight, "step_six" step_six, "slack" slack);
        assert_eq!((params, size), (expected, size_of::<Params>()));
    }
}
