//! Groups of configurations: the same parts and endpoint modes with different ranges of weights.

use super::{
    header::{color_range, integers},
    levels,
    sequence::{RANGES, Range},
};

/// Family of endpoint modes. In each, the modes have one more value for alpha pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Modes 8 and 9, with alpha 12 and 13: two colours, or one and the offset of the other.
    Color,
    /// Modes 0, with alpha 4: two grey values.
    Grey,
    /// Modes 6, with alpha 10: one colour, and the factor of the other.
    Scale,
}

/// A group: parts, planes and endpoint modes of blocks with 4×4 weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Number of parts, 1 to 3.
    pub parts: usize,
    /// Channel with its own weights.
    pub plane: Option<usize>,
    pub has_alpha: bool,
    pub family: Family,
    /// Ranges of weights by number, the most useful first.
    pub weights: &'static [usize],
}

/// Maximum number of ranges of weights in a group.
pub(crate) const MAX_RANGES: usize = 6;

impl Group {
    const COLOR: Self = Self {
        parts: 1,
        plane: None,
        has_alpha: false,
        family: Family::Color,
        weights: &[L24, L20, L16, L32, L12, L10],
    };
    const ALPHA: Self = Self { has_alpha: true, weights: &[L12, L16, L8, L10, L20, L6], ..Self::COLOR };

    /// Returns the endpoint mode; `is_offset` selects the second of family [`Color`](Family::Color).
    pub const fn mode(&self, is_offset: bool) -> u8 {
        let mode = match self.family {
            Family::Color => 8 + is_offset as u8,
            Family::Grey => 0,
            Family::Scale => 6,
        };
        mode + 4 * self.has_alpha as u8
    }

    /// Returns the number of weights.
    pub const fn weight_count(&self) -> usize {
        if self.plane.is_some() { 32 } else { 16 }
    }

    /// Returns the number of the range of colours beside the range of weights at `place`.
    const fn color_range(&self, place: usize) -> usize {
        let weight_bits = RANGES[self.weights[place]].sequence_bits(self.weight_count());
        let other_bits = if self.parts > 1 { 29 } else { 17 } + if self.plane.is_some() { 2 } else { 0 };
        match color_range(integers(self.mode(false)) * self.parts, 128 - other_bits - weight_bits) {
            Some(range) => range,
            None => panic!("an illegal configuration"),
        }
    }
}

// Numbers of ranges by their levels.
const L3: usize = 1;
pub(crate) const L4: usize = 2;
const L5: usize = 3;
const L6: usize = 4;
const L8: usize = 5;
const L10: usize = 6;
const L12: usize = 7;
const L16: usize = 8;
const L20: usize = 9;
const L24: usize = 10;
const L32: usize = 11;

macro_rules! groups {
    ($($name:ident = $group:expr;)*) => {
        /// All groups.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum GroupName { $($name),* }
        impl GroupName {
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
        /// Groups by name.
        static GROUPS: [Group; GroupName::ALL.len()] = [$($group),*];
    };
}

groups! {
    One = Group::COLOR;
    DualRed = Group { plane: Some(0), weights: &[L5, L4, L6, L3], ..Group::COLOR };
    DualGreen = Group { plane: Some(1), weights: &[L5, L4, L6, L3], ..Group::COLOR };
    DualBlue = Group { plane: Some(2), weights: &[L5, L4, L6, L3], ..Group::COLOR };
    Two = Group { parts: 2, weights: &[L6, L8, L5, L4, L3, L10], ..Group::COLOR };
    Three = Group { parts: 3, weights: &[L3, L4, L5, L6], ..Group::COLOR };
    ScaleTwo = Group { parts: 2, family: Family::Scale, weights: &[L8, L6, L10, L12, L5], ..Group::COLOR };
    ScaleThree = Group { parts: 3, family: Family::Scale, weights: &[L5, L6, L4, L3], ..Group::COLOR };
    AlphaOne = Group::ALPHA;
    AlphaDualRed = Group { plane: Some(0), weights: &[L4, L3, L5, L6], ..Group::ALPHA };
    AlphaDualGreen = Group { plane: Some(1), weights: &[L4, L3, L5, L6], ..Group::ALPHA };
    AlphaDualBlue = Group { plane: Some(2), weights: &[L4, L3, L5, L6], ..Group::ALPHA };
    AlphaDualAlpha = Group { plane: Some(3), weights: &[L4, L5, L3, L6], ..Group::ALPHA };
    AlphaTwo = Group { parts: 2, weights: &[L4, L3, L5, L6, L8], ..Group::ALPHA };
    GreyOne = Group { family: Family::Grey, weights: &[L32], ..Group::COLOR };
    GreyTwo = Group { parts: 2, family: Family::Grey, weights: &[L16, L20], ..Group::COLOR };
    GreyThree = Group { parts: 3, family: Family::Grey, weights: &[L8, L10], ..Group::COLOR };
    GreyAlphaOne = Group { family: Family::Grey, weights: &[L24, L32], ..Group::ALPHA };
    GreyAlphaDual = Group { plane: Some(3), family: Family::Grey, weights: &[L5, L6], ..Group::ALPHA };
    GreyAlphaTwo = Group { parts: 2, family: Family::Grey, weights: &[L6, L8, L5], ..Group::ALPHA };
}

/// Numbers of the ranges of colours of each group, beside those of weights.
static COLOR_RANGES: [[u8; MAX_RANGES]; GROUPS.len()] = {
    let mut ranges = [[0; MAX_RANGES]; GROUPS.len()];
    let mut number = 0;
    while number < ranges.len() {
        let mut place = 0;
        while place < GROUPS[number].weights.len() {
            ranges[number][place] = GROUPS[number].color_range(place) as u8;
            place += 1;
        }
        number += 1;
    }
    ranges
};

impl GroupName {
    /// Returns the group.
    pub fn group(self) -> &'static Group {
        &GROUPS[self as usize]
    }

    /// Returns the number of the range of colours beside the range of weights at `place` of the group.
    pub fn color_range(self, place: usize) -> u8 {
        COLOR_RANGES[self as usize][place]
    }
}

/// Returns the codes of a range of weights by rank, lowest weight first.
pub(crate) fn weight_codes(range: usize) -> [u8; 32] {
    let table = levels::weights(range);
    let mut codes = [0; 32];
    let count = Range::levels(RANGES[range]);
    for (code, place) in (0..).zip(&mut codes[..count]) {
        *place = code;
    }
    codes[..count].sort_unstable_by_key(|&code| table[usize::from(code)]);
    codes
}
