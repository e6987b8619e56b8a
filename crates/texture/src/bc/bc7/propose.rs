//! Candidates of a block: what a plan tries, and how promising it is.

use super::{
    ModeSet,
    estimate::{NONE, Rankings},
    jobs::Kind,
    pack::Choice,
    plan::{Plan, Separate},
};

/// Number of [`Wave`]s.
pub(crate) const WAVES: usize = 3;

/// Turn in which a candidate is fitted, from 0 on: the most promising come first.
pub(crate) type Wave = u8;

/// Properties of a block.
#[derive(Clone, Copy, Default)]
pub(crate) struct Block {
    /// Texels that are in the image.
    pub visible: u16,
    /// True if any texel is not opaque.
    pub has_alpha: bool,
    /// True if opaque texels must stay opaque, as alpha is stored with colours.
    pub keeps_opaque: bool,
    /// True if there are at most two colours.
    pub is_two: bool,
}

/// A way to encode a block.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub block: u16,
    pub choice: Choice,
    /// Number of parts.
    pub part_count: u8,
    /// Kinds and numbers of the parts' jobs.
    pub parts: [(Kind, u32); 3],
    /// Positions in `parts`, the one with the most texels first.
    pub order: [u8; 3],
    /// Position among the candidates of the second plan; `u32::MAX` if that does not try it.
    pub position_in_lesser: u32,
    /// Number of parts that have been fitted, the first in `order`.
    pub fitted: u8,
    /// Sums of their errors, in each pass.
    pub errors: [i32; 2],
}

impl Candidate {
    /// Returns the kinds and numbers of its jobs.
    #[inline]
    pub fn parts(&self) -> &[(Kind, u32)] {
        &self.parts[..usize::from(self.part_count)]
    }

    /// Returns the job of the next part to be fitted; `None` if all have been.
    #[inline]
    pub fn next_part(&self) -> Option<(Kind, u32)> {
        let Self { parts, order, fitted, part_count, .. } = self;
        (fitted < part_count).then(|| parts[usize::from(order[usize::from(*fitted)])])
    }

    /// True if all parts have been fitted.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.fitted == self.part_count
    }
}

/// Returns the mode of the first candidate.
pub(crate) fn first_mode(modes: ModeSet) -> u8 {
    [6, 5, 4].into_iter().find(|&mode| modes.contains(mode)).unwrap_or(7)
}

/// Returns the first candidate of a block.
pub(crate) fn first_choice(modes: ModeSet, block: &Block) -> (Choice, [Kind; 2]) {
    let mode = first_mode(modes);
    let kinds = match mode {
        6 if block.has_alpha => [Kind::Mode6; 2],
        6 => [Kind::Mode6Opaque; 2],
        5 => [Kind::Mode5Color, Kind::Mode5Alpha],
        4 => [Kind::Mode4Color, Kind::Mode4FineAlpha],
        _ => [Kind::Mode7; 2],
    };
    (Choice { mode, ..Choice::default() }, kinds)
}

/// Calls `propose` with the most promising partitions of a block, whose rankings are in a lane.
pub(crate) fn partitions(
    plan: &Plan,
    block: &Block,
    rankings: &Rankings,
    lane: usize,
    mut propose: impl FnMut(Choice, [Kind; 2], Wave),
) {
    let kinds = [Kind::Mode0, Kind::Mode1, Kind::Mode2, Kind::Mode3, Kind::Mode7];
    for (mode, kind) in [0, 1, 2, 3, 7].into_iter().zip(kinds) {
        let tries = plan.tries[mode];
        let tried = rankings.keys[mode][..tries].iter().map(|keys| keys[lane]).take_while(|&key| key != NONE);
        for (place, key) in tried.clone().enumerate() {
            let wave = u8::from(4 * place >= tries) + u8::from(2 * place >= tries);
            propose(Choice::partition(mode, key), [kind; 2], wave);
        }
        // What lower qualities try.
        let mode_of_first = if block.has_alpha { 7 } else { 1 };
        if mode != mode_of_first || tries == 0 {
            continue;
        }
        for first in rankings.first.map(|keys| keys[lane]) {
            if first != NONE && !tried.clone().any(|key| key == first) {
                propose(Choice::partition(mode, first), [kind; 2], 1);
            }
        }
    }
}

/// Calls `propose` with the candidates in modes 4 and 5.
pub(crate) fn separate(
    plan: &Plan,
    modes: ModeSet,
    block: &Block,
    mut propose: impl FnMut(Choice, [Kind; 2], Wave),
) {
    let rotations = match (block.has_alpha, plan.separate) {
        (true, Separate::All | Separate::AllOfAlpha | Separate::FiveOfAlpha) => 0..4,
        (false, Separate::All) => u8::from(!block.is_two)..4,
        (true, _) => 0..1,
        (false, _) => 0..u8::from(block.is_two),
    };
    for rotation in rotations {
        let wave = if rotation == 0 { 0 } else { 2 };
        if modes.contains(5) {
            let choice = Choice { mode: 5, rotation, ..Choice::default() };
            propose(choice, [Kind::Mode5Color, Kind::Mode5Alpha], wave);
        }
        let is_five_only = rotation > 0 && plan.separate == Separate::FiveOfAlpha;
        let is_two_only = !block.has_alpha && plan.separate != Separate::All;
        if modes.contains(4) && !is_two_only && !is_five_only {
            let choice = Choice { mode: 4, rotation, ..Choice::default() };
            propose(choice, [Kind::Mode4Color, Kind::Mode4FineAlpha], wave);
            let choice = Choice { is_exchanged: true, ..choice };
            propose(choice, [Kind::Mode4FineColor, Kind::Mode4Alpha], wave);
        }
    }
}
