//! Partition patterns: the part of each texel, computed from a seed of 10 bits.

/// Part of each texel of a footprint under one seed.
#[derive(Clone, Copy)]
pub(crate) struct Pattern {
    /// Factors of x and y, and summand, of each part's score. The part with the highest score wins, ties go
    /// to the first.
    scores: [[u32; 3]; 4],
    parts: usize,
    /// Shift of coordinates: 1 in blocks of fewer than 31 texels.
    shift: u32,
}

impl Pattern {
    /// Returns the pattern of `parts` parts, 2 to 4, with the seed `seed`, below 1,024.
    pub const fn new(footprint: (u32, u32), parts: usize, seed: u32) -> Self {
        let seed = seed + (parts as u32 - 1) * 1024;
        let random = hash(seed);
        let by_two = if seed & 2 != 0 { 4 } else { 5 };
        let by_three = if parts == 3 { 6 } else { 5 };
        let shifts = if seed & 1 != 0 { [by_two, by_three] } else { [by_three, by_two] };
        let mut scores = [[0; 3]; 4];
        let mut part = 0;
        while part < parts {
            let mut axis = 0;
            while axis < 2 {
                let factor = random >> (8 * part + 4 * axis) & 15;
                scores[part][axis] = (factor * factor) >> shifts[axis];
                axis += 1;
            }
            scores[part][2] = random >> (14 - 4 * part);
            part += 1;
        }
        Self { scores, parts, shift: (footprint.0 * footprint.1 < 31) as u32 }
    }

    /// Returns the part of a texel.
    #[inline]
    pub const fn part(&self, x: u32, y: u32) -> usize {
        let (x, y) = (x << self.shift, y << self.shift);
        let (mut best, mut best_score) = (0, 0);
        let mut part = 0;
        while part < self.parts {
            let [by_x, by_y, summand] = self.scores[part];
            let score = (by_x * x + by_y * y).wrapping_add(summand) & 63;
            if part == 0 || score > best_score {
                (best, best_score) = (part, score);
            }
            part += 1;
        }
        best
    }
}

/// Returns `hash52` of the specification.
const fn hash(mut p: u32) -> u32 {
    p ^= p >> 15;
    p = p.wrapping_sub(p << 17);
    p = p.wrapping_add(p << 7);
    p = p.wrapping_add(p << 4);
    p ^= p >> 5;
    p = p.wrapping_add(p << 16);
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^ p >> 17
}
