//! Individual and differential blocks: a base color and a table for each half.
//!
//! ```text
//! for each table: the texels' modifiers → base color = mean of the texels − mean of the modifiers → codes
//! codes around the best → both halves, which must be close to each other in a differential block
//! ```

use super::{
    found::{DIFFERENTIAL, Found, INDIVIDUAL},
    texels::{Block, Half, HalfCost, QuickTable, Shift, code, five, four, modifiers, modifiers_of},
};
use crate::simd::{Float, LaneFn, Mask, Simd, each};

/// Largest codes of 4 and 5 bits.
const FOUR: f32 = 15.0;
const FIVE: f32 = 31.0;

/// Best codes of a half.
#[derive(Clone, Copy)]
struct Choice<S: Simd> {
    cost: S::F,
    codes: [S::F; 3],
    table: S::F,
}

impl<S: Simd> Choice<S> {
    #[inline(always)]
    fn new(s: S) -> Self {
        Self { cost: s.f(f32::MAX), codes: [s.f(0.0); 3], table: s.f(0.0) }
    }

    #[inline(always)]
    fn offer(&mut self, cost: S::F, codes: [S::F; 3], table: S::F) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.table = self.table.or_if(better, table);
        for (own, code) in self.codes.iter_mut().zip(codes) {
            *own = own.or_if(better, code);
        }
    }
}

/// Smallest and largest codes of a half.
type Limits<S> = [[<S as Simd>::F; 3]; 2];

/// Returns the limits of the format.
#[inline(always)]
fn all<S: Simd>(s: S, most: f32) -> Limits<S> {
    [[s.f(0.0); 3], [s.f(most); 3]]
}

/// Returns the limits of a half of a differential block, if the other one has these codes.
#[inline(always)]
fn near<S: Simd>(s: S, codes: [S::F; 3], is_second: bool) -> Limits<S> {
    let (below, above) = if is_second { (-4.0, 3.0) } else { (-3.0, 4.0) };
    [
        each!(c in 3 => (codes[c] + s.f(below)).max(s.f(0.0))),
        each!(c in 3 => (codes[c] + s.f(above)).min(s.f(FIVE))),
    ]
}

/// Returns the values of codes.
#[inline(always)]
fn values<S: Simd>(s: S, codes: [S::F; 3], most: f32) -> [S::F; 3] {
    if most == FOUR { four(s, codes) } else { five(s, codes) }
}

/// Halves of a block, and the shift of the base color that each table needs.
pub(super) struct Halves<S: Simd> {
    halves: [Half<S>; 4],
    shifts: [[S::F; 8]; 4],
    punched: S::M,
    /// False if the format has no individual mode.
    has_individual: bool,
}

/// Fits of a table: codes by its shift, between limits.
struct Fits<'a, S: Simd> {
    of: &'a Halves<S>,
    half: usize,
    limits: &'a Limits<S>,
    most: f32,
}

impl<S: Simd> LaneFn<S> for Fits<'_, S> {
    type Output = Choice<S>;

    #[inline(always)]
    fn run(self, s: S) -> Choice<S> {
        let (half, [least, greatest]) = (&self.of.halves[self.half], self.limits);
        let mut best = Choice::new(s);
        for (table, &shift) in self.of.shifts[self.half].iter().enumerate() {
            let codes = each!(c in 3 => code(s, half.mean[c] - shift, self.most).max(least[c]).min(greatest[c]));
            let modifiers = modifiers_of(s, table, self.of.punched);
            let cost = s.call(HalfCost { half, base: values(s, codes, self.most), modifiers });
            best.offer(cost, codes, s.f(table as f32));
        }
        best
    }
}

/// Search of the codes around the best ones.
struct Window<'a, S: Simd> {
    of: &'a Halves<S>,
    half: usize,
    start: &'a Choice<S>,
    limits: &'a Limits<S>,
    most: f32,
    /// Codes on each side.
    radius: i32,
    /// True to try all tables, not only that of the start.
    all_tables: bool,
}

impl<S: Simd> LaneFn<S> for Window<'_, S> {
    type Output = Choice<S>;

    #[inline(always)]
    fn run(self, s: S) -> Choice<S> {
        let Self { of, half, start, limits: [least, greatest], most, radius, all_tables } = self;
        let mut best = *start;
        let half = &of.halves[half];
        let of_start = modifiers(s, start.table, of.punched);
        let width = 2 * radius + 1;
        for i in 0..width * width * width {
            let offset = [i % width - radius, i / width % width - radius, i / (width * width) - radius];
            let codes = each!(c in 3 => {
                (start.codes[c] + s.f(offset[c] as f32)).max(least[c]).min(greatest[c])
            });
            let base = values(s, codes, most);
            if !all_tables {
                let cost = s.call(HalfCost { half, base, modifiers: of_start });
                best.offer(cost, codes, start.table);
                continue;
            }
            for table in 0..8 {
                let modifiers = modifiers_of(s, table, of.punched);
                best.offer(s.call(HalfCost { half, base, modifiers }), codes, s.f(table as f32));
            }
        }
        best
    }
}

/// Windows of a quality.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Radius of a window, for all tables if true; windows follow each other.
    pub windows: &'static [(i32, bool)],
    /// The same for individual blocks.
    pub individual: &'static [(i32, bool)],
}

impl<S: Simd> Halves<S> {
    #[inline(always)]
    pub fn new(s: S, block: &Block<S>, has_individual: bool) -> Self {
        Self {
            halves: each!(h in 4 => block.half(s, h)),
            shifts: [[s.f(0.0); 8]; 4],
            punched: block.punched,
            has_individual,
        }
    }

    /// Offers differential blocks: the mean of each half with the best table, then fitted to it.
    #[inline(always)]
    pub fn quick(&self, s: S, found: &mut Found<S>) {
        for flip in 0..2 {
            let first = self.quick_half(s, 2 * flip, &all(s, FIVE));
            let mut second = self.quick_half(s, 2 * flip + 1, &all(s, FIVE));
            let far = is_far(s, &first, &second);
            if far.any() {
                let nearer = self.quick_half(s, 2 * flip + 1, &near(s, first.codes, true));
                second.cost = second.cost.or_if(far, nearer.cost);
                second.table = second.table.or_if(far, nearer.table);
                second.codes = each!(c in 3 => second.codes[c].or_if(far, nearer.codes[c]));
            }
            found.offer(&pair(s, flip, DIFFERENTIAL, &first, &second));
        }
    }

    #[inline(always)]
    fn quick_half(&self, s: S, index: usize, [least, greatest]: &Limits<S>) -> Choice<S> {
        let (half, punched) = (&self.halves[index], self.punched);
        let mut best = Choice::new(s);
        let codes = each!(c in 3 => code(s, half.mean[c], FIVE).max(least[c]).min(greatest[c]));
        let base = five(s, codes);
        let table = s.call(QuickTable { half, base, punched });
        let modifiers = modifiers(s, table, punched);
        best.offer(s.call(HalfCost { half, base, modifiers }), codes, table);
        let shift = s.call(Shift { half, shift: s.f(0.0), modifiers });
        let codes = each!(c in 3 => code(s, half.mean[c] - shift, FIVE).max(least[c]).min(greatest[c]));
        best.offer(s.call(HalfCost { half, base: five(s, codes), modifiers }), codes, table);
        best
    }

    /// Fits the base color of each table to its modifiers.
    #[inline(always)]
    pub fn fit(&mut self, s: S) {
        for (half, shifts) in self.halves.iter().zip(&mut self.shifts) {
            for (table, shift) in shifts.iter_mut().enumerate() {
                let modifiers = modifiers_of(s, table, self.punched);
                for _ in 0..2 {
                    *shift = s.call(Shift { half, shift: *shift, modifiers });
                }
            }
        }
    }

    /// Offers blocks whose codes are those of the fits, or in windows around them.
    #[inline(always)]
    pub fn search(&self, s: S, extent: Extent, found: &mut Found<S>) {
        for flip in 0..2 {
            let limits = all(s, FIVE);
            let [first, second] = [0, 1].map(|i| self.best(s, 2 * flip + i, &limits, FIVE, extent.windows));
            let far = is_far(s, &first, &second);
            let mut candidate = pair(s, flip, DIFFERENTIAL, &first, &second);
            candidate.cost = candidate.cost.or_if(far, s.f(f32::MAX));
            found.offer(&candidate);
            if far.any() {
                let limits = near(s, first.codes, true);
                let nearer = self.best(s, 2 * flip + 1, &limits, FIVE, extent.windows);
                found.offer(&pair(s, flip, DIFFERENTIAL, &first, &nearer));
                let limits = near(s, second.codes, false);
                let nearer = self.best(s, 2 * flip, &limits, FIVE, extent.windows);
                found.offer(&pair(s, flip, DIFFERENTIAL, &nearer, &second));
            }
            if self.has_individual {
                let limits = all(s, FOUR);
                let [first, second] =
                    [0, 1].map(|i| self.best(s, 2 * flip + i, &limits, FOUR, extent.individual));
                found.offer(&pair(s, flip, INDIVIDUAL, &first, &second));
            }
        }
    }

    #[inline(always)]
    fn best(
        &self,
        s: S,
        half: usize,
        limits: &Limits<S>,
        most: f32,
        windows: &[(i32, bool)],
    ) -> Choice<S> {
        let mut best = s.call(Fits { of: self, half, limits, most });
        for &(radius, all_tables) in windows {
            best = s.call(Window { of: self, half, start: &best, limits, most, radius, all_tables });
        }
        best
    }
}

/// True where the second half is too far from the first one for a differential block.
#[inline(always)]
fn is_far<S: Simd>(s: S, first: &Choice<S>, second: &Choice<S>) -> S::M {
    let mut far = s.none();
    for c in 0..3 {
        let difference = second.codes[c] - first.codes[c];
        far = far | difference.lt(s.f(-4.0)) | s.f(3.0).lt(difference);
    }
    far
}

/// Returns the block of two halves.
#[inline(always)]
fn pair<S: Simd>(s: S, flip: usize, mode: f32, first: &Choice<S>, second: &Choice<S>) -> Found<S> {
    Found {
        cost: first.cost + second.cost,
        mode: s.f(mode),
        flip: s.f(flip as f32),
        codes: [first.codes, second.codes, [s.f(0.0); 3]],
        tables: [first.table, second.table],
    }
}
