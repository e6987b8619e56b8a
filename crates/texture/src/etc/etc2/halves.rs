//! Individual and differential blocks: a base colour and a table for each half.
//!
//! ```text
//! for each table: the texels' modifiers → base colour = mean of the texels − mean of the modifiers → codes
//! codes around the best → both halves, which must be close to each other in a differential block
//! ```

use super::{
    found::{DIFFERENTIAL, Found, INDIVIDUAL},
    texels::{Block, Half, HalfCost, Shift, code, five, four, modifiers, modifiers_of},
};
use crate::simd::{Float, LaneFn, Mask, Simd, each};

/// Largest codes of 4 and 5 bits.
pub(super) const FOUR: f32 = 15.0;
pub(super) const FIVE: f32 = 31.0;

/// Tables of a half with the smallest errors, the best first, and the shifts that they need.
#[derive(Clone, Copy)]
struct Ranked<S: Simd> {
    costs: [S::F; RANKED],
    tables: [S::F; RANKED],
    shifts: [S::F; RANKED],
}

/// Number of ranked tables.
const RANKED: usize = 4;

impl<S: Simd> Ranked<S> {
    #[inline(always)]
    fn new(s: S) -> Self {
        let zeros = [s.f(0.0); RANKED];
        Self { costs: [s.f(f32::MAX); RANKED], tables: zeros, shifts: zeros }
    }

    #[inline(always)]
    fn insert(&mut self, mut cost: S::F, mut table: S::F, mut shift: S::F) {
        for place in 0..RANKED {
            let (own, of_own, own_shift) = (self.costs[place], self.tables[place], self.shifts[place]);
            let better = cost.lt(own);
            self.costs[place] = own.min(cost);
            self.tables[place] = of_own.or_if(better, table);
            self.shifts[place] = own_shift.or_if(better, shift);
            cost = cost.max(own);
            table = table.or_if(better, of_own);
            shift = shift.or_if(better, own_shift);
        }
    }
}

/// Best codes of a half.
#[derive(Clone, Copy)]
pub(super) struct Choice<S: Simd> {
    pub cost: S::F,
    pub codes: [S::F; 3],
    pub table: S::F,
}

impl<S: Simd> Choice<S> {
    #[inline(always)]
    pub fn new(s: S) -> Self {
        Self { cost: s.f(f32::MAX), codes: [s.f(0.0); 3], table: s.f(0.0) }
    }

    #[inline(always)]
    pub fn offer(&mut self, cost: S::F, codes: [S::F; 3], table: S::F) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.table = self.table.or_if(better, table);
        for (own, code) in self.codes.iter_mut().zip(codes) {
            *own = own.or_if(better, code);
        }
    }
}

/// Smallest and largest codes of a half.
pub(super) type Limits<S> = [[<S as Simd>::F; 3]; 2];

/// Returns the limits of the format.
#[inline(always)]
pub(super) fn all<S: Simd>(s: S, most: f32) -> Limits<S> {
    [[s.f(0.0); 3], [s.f(most); 3]]
}

/// Returns the limits of a half of a differential block, if the other one has these codes.
#[inline(always)]
pub(super) fn near<S: Simd>(s: S, codes: [S::F; 3], is_second: bool) -> Limits<S> {
    let (below, above) = if is_second { (-4.0, 3.0) } else { (-3.0, 4.0) };
    [
        each!(c in 3 => (codes[c] + s.f(below)).max(s.f(0.0))),
        each!(c in 3 => (codes[c] + s.f(above)).min(s.f(FIVE))),
    ]
}

/// Returns the values of codes.
#[inline(always)]
pub(super) fn values<S: Simd>(s: S, codes: [S::F; 3], most: f32) -> [S::F; 3] {
    if most == FOUR { four(s, codes) } else { five(s, codes) }
}

/// Halves of a block, and the shift of the base colour that each table needs.
pub(super) struct Halves<'a, S: Simd> {
    block: &'a Block<S>,
    halves: [Half<S>; 4],
    shifts: [[S::F; 8]; 4],
    /// False if the format has no individual mode.
    has_individual: bool,
}

/// Codes of 5 bits of each table by its shift, and the ranking of the tables.
struct Fits<'a, S: Simd> {
    of: &'a Halves<'a, S>,
    half: usize,
}

impl<S: Simd> LaneFn<S> for Fits<'_, S> {
    type Output = (Choice<S>, Ranked<S>);

    #[inline(always)]
    fn run(self, s: S) -> (Choice<S>, Ranked<S>) {
        let (block, half) = (self.of.block, &self.of.halves[self.half]);
        let (mut best, mut ranked) = (Choice::new(s), Ranked::new(s));
        for (table, &shift) in self.of.shifts[self.half].iter().enumerate() {
            let codes = each!(c in 3 => code(s, half.mean[c] - shift, FIVE));
            let modifiers = modifiers_of(s, table, block.punched);
            let cost = s.call(HalfCost { block, half, base: five(s, codes), modifiers });
            let table = s.f(table as f32);
            best.offer(cost, codes, table);
            ranked.insert(cost, table, shift);
        }
        (best, ranked)
    }
}

/// Codes of the ranked tables by their shifts, between limits.
struct Refits<'a, S: Simd> {
    of: &'a Halves<'a, S>,
    half: usize,
    ranked: &'a Ranked<S>,
    limits: &'a Limits<S>,
    most: f32,
}

impl<S: Simd> LaneFn<S> for Refits<'_, S> {
    type Output = Choice<S>;

    #[inline(always)]
    fn run(self, s: S) -> Choice<S> {
        let (block, half, [least, greatest]) = (self.of.block, &self.of.halves[self.half], self.limits);
        let mut best = Choice::new(s);
        for (&table, &shift) in self.ranked.tables.iter().zip(&self.ranked.shifts) {
            let codes =
                each!(c in 3 => code(s, half.mean[c] - shift, self.most).max(least[c]).min(greatest[c]));
            let modifiers = modifiers(s, table, block.punched);
            let cost = s.call(HalfCost { block, half, base: values(s, codes, self.most), modifiers });
            best.offer(cost, codes, table);
        }
        best
    }
}

/// Search of the codes around the best ones.
struct Window<'a, S: Simd> {
    of: &'a Halves<'a, S>,
    half: usize,
    start: &'a Choice<S>,
    limits: &'a Limits<S>,
    most: f32,
    ranked: &'a Ranked<S>,
    size: WindowSize,
}

impl<S: Simd> LaneFn<S> for Window<'_, S> {
    type Output = Choice<S>;

    #[inline(always)]
    fn run(self, s: S) -> Choice<S> {
        let Self { of, half, start, limits: [least, greatest], most, ranked, size } = self;
        let WindowSize { radius, tables } = size;
        let mut best = *start;
        let (block, half) = (of.block, &of.halves[half]);
        let mut of_ranked = [[s.f(0.0); 2]; RANKED];
        for (modifiers_of_rank, &table) in of_ranked.iter_mut().zip(&ranked.tables) {
            *modifiers_of_rank = modifiers(s, table, of.block.punched);
        }
        let width = 2 * radius + 1;
        for i in 0..width * width * width {
            let offset: [i32; 3] =
                [i % width - radius, i / width % width - radius, i / (width * width) - radius];
            let codes = each!(c in 3 => {
                (start.codes[c] + s.f(offset[c] as f32)).max(least[c]).min(greatest[c])
            });
            let base = values(s, codes, most);
            if tables > RANKED {
                for table in 0..8 {
                    let modifiers = modifiers_of(s, table, of.block.punched);
                    best.offer(s.call(HalfCost { block, half, base, modifiers }), codes, s.f(table as f32));
                }
            } else {
                for rank in 0..tables {
                    let cost = s.call(HalfCost { block, half, base, modifiers: of_ranked[rank] });
                    best.offer(cost, codes, ranked.tables[rank]);
                }
            }
        }
        best
    }
}

/// Size of a window.
#[derive(Clone, Copy)]
pub(super) struct WindowSize {
    /// Codes on each side.
    pub radius: i32,
    /// Number of tables, those with the smallest errors: 1 to 4, or 8 for all.
    pub tables: usize,
}

/// Windows of a quality.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Windows of each half of differential blocks, one around the best codes of the other.
    pub windows: &'static [WindowSize],
    /// Windows of halves that must be near the other half.
    pub near: &'static [WindowSize],
    /// Windows of the halves of individual blocks.
    pub individual: &'static [WindowSize],
}

impl<'a, S: Simd> Halves<'a, S> {
    /// Fits the base colour of each table to its modifiers.
    #[inline(always)]
    pub fn fitted(s: S, block: &'a Block<S>, has_individual: bool) -> Self {
        let halves = each!(h in 4 => block.half(s, h));
        let mut shifts = [[s.f(0.0); 8]; 4];
        for (half, shifts) in halves.iter().zip(&mut shifts) {
            for (table, shift) in shifts.iter_mut().enumerate() {
                let modifiers = modifiers_of(s, table, block.punched);
                for _ in 0..2 {
                    *shift = s.call(Shift { block, half, shift: *shift, modifiers });
                }
            }
        }
        Self { block, halves, shifts, has_individual }
    }

    /// Offers blocks whose codes are those of the fits, or in windows around them.
    #[inline(always)]
    pub fn search(&self, s: S, extent: Extent, found: &mut Found<S>) {
        for flip in 0..2 {
            let fits = each!(i in 2 => s.call(Fits { of: self, half: 2 * flip + i }));
            let limits = all(s, FIVE);
            let [first, second] = each!(i in 2 => {
                self.improved(s, 2 * flip + i, &fits[i], &limits, FIVE, extent.windows)
            });
            let far = is_far(s, &first, &second);
            let mut candidate = pair(s, flip, DIFFERENTIAL, &first, &second);
            candidate.cost = candidate.cost.or_if(far, s.f(f32::MAX));
            found.offer(&candidate);
            if far.any() {
                let limits = near(s, first.codes, true);
                let nearer = self.within(s, 2 * flip + 1, &fits[1].1, &limits, FIVE, extent.near);
                let mut candidate = pair(s, flip, DIFFERENTIAL, &first, &nearer);
                let limits = near(s, second.codes, false);
                let nearer = self.within(s, 2 * flip, &fits[0].1, &limits, FIVE, extent.near);
                candidate.offer(&pair(s, flip, DIFFERENTIAL, &nearer, &second));
                // Lanes do not depend on their neighbours.
                candidate.cost = s.f(f32::MAX).or_if(far, candidate.cost);
                found.offer(&candidate);
            }
            if self.has_individual {
                let limits = all(s, FOUR);
                let [first, second] = each!(i in 2 => {
                    self.within(s, 2 * flip + i, &fits[i].1, &limits, FOUR, extent.individual)
                });
                found.offer(&pair(s, flip, INDIVIDUAL, &first, &second));
            }
        }
    }

    /// Returns the best codes of ranked tables between limits.
    #[inline(always)]
    fn within(
        &self,
        s: S,
        half: usize,
        ranked: &Ranked<S>,
        limits: &Limits<S>,
        most: f32,
        windows: &[WindowSize],
    ) -> Choice<S> {
        let best = s.call(Refits { of: self, half, ranked, limits, most });
        self.improved(s, half, &(best, *ranked), limits, most, windows)
    }

    /// Returns the best codes in windows.
    #[inline(always)]
    fn improved(
        &self,
        s: S,
        half: usize,
        (start, ranked): &(Choice<S>, Ranked<S>),
        limits: &Limits<S>,
        most: f32,
        windows: &[WindowSize],
    ) -> Choice<S> {
        let mut best = *start;
        for &size in windows {
            let start = &best;
            best = s.call(Window { of: self, half, start, limits, most, ranked, size });
        }
        best
    }
}

/// True where the second half is too far from the first one for a differential block.
#[inline(always)]
pub(super) fn is_far<S: Simd>(s: S, first: &Choice<S>, second: &Choice<S>) -> S::M {
    let mut far = s.none();
    for c in 0..3 {
        let difference = second.codes[c] - first.codes[c];
        far = far | difference.lt(s.f(-4.0)) | s.f(3.0).lt(difference);
    }
    far
}

/// Returns the block of two halves.
#[inline(always)]
pub(super) fn pair<S: Simd>(s: S, flip: usize, mode: f32, first: &Choice<S>, second: &Choice<S>) -> Found<S> {
    Found {
        cost: first.cost + second.cost,
        mode: s.f(mode),
        flip: s.f(flip as f32),
        codes: [first.codes, second.codes, [s.f(0.0); 3]],
        tables: [first.table, second.table],
    }
}
