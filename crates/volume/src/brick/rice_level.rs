//! Rice levels: how the codes of eight voxels become bits.
//!
//! Rice level 0: all codes are zero, and take no bits. Rice level 1 + 2k + t: the low k bits of a code are
//! its *remainder*, the rest is its *quotient* Q. With t = 0, Q is written as Q ones and a zero. With t = 1,
//! Q of 0 and 1 share the zero, followed by one bit that distinguishes them, and Q above 1 is written as Q −
//! 1 ones and a zero. This is half a step between k and k + 1. It suits noise, whose distribution is flatter
//! at zero than Rice codes assume.

use super::limits::{MAX_ONES, WIDE};

/// Returns the k and t of a Rice level that is not 0.
#[inline(always)]
pub(crate) const fn split(rice_level: u32) -> (u32, u32) {
    ((rice_level - 1) >> 1, (rice_level - 1) & 1)
}

/// Returns the number of low bits of each code that are its remainder.
#[inline(always)]
pub(crate) const fn low_bits(rice_level: u32) -> u32 {
    if rice_level == 0 { 0 } else { split(rice_level).0 }
}

/// Returns the maximum number of ones of a code at `rice_level`; no zero follows that many. Codes are at most
/// `range`, those of wide bricks at most 2³² − 1.
#[inline(always)]
pub(crate) const fn most_ones(rice_level: u32, range: u32) -> u32 {
    let (k, t) = split(if rice_level == 0 { 1 } else { rice_level });
    let largest = if range >= WIDE { u32::MAX } else { range };
    let ones = (largest >> k).saturating_sub(t);
    if ones < MAX_ONES { ones } else { MAX_ONES }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ranges_need_few_ones() {
        assert_eq!(most_ones(1, 1), 1);
        assert_eq!(most_ones(2, 1), 0);
        assert_eq!(most_ones(0, 3), 3);
        assert_eq!(most_ones(3, 3), 1);
        assert_eq!(most_ones(4, 7), 2);
        assert_eq!(most_ones(1, 1000), MAX_ONES);
    }
}
