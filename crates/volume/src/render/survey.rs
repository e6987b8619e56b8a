//! A look at a volume's values, so that presets suit it.

use super::{
    Display, DisplayBricks, RenderError,
    bricks::{BRICK, brick_dims},
};
use crate::{Cancelled, Stage, Task, VoxelType, steps::Steps};
use brickwork_base::parallel;

/// Maximum number of bricks looked at: of larger volumes every second, third, … along x.
const MAX_BRICKS: usize = 1 << 20;

/// The number of voxels with each display value, and its consequences.
#[derive(Clone, Debug)]
pub struct Survey {
    display: Display,
    counts: Vec<u64>,
    total: u64,
}

/// The conversion of values to Hounsfield units: `units = (value - air) * per_value - 1000`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hounsfield {
    /// The value of air.
    pub air: f64,
    /// Hounsfield units per unit of value.
    pub per_value: f64,
}

impl Hounsfield {
    /// Returns the value of a number of Hounsfield units.
    pub fn value(&self, units: f64) -> f64 {
        self.air + (units + 1000.0) / self.per_value
    }
}

impl Survey {
    /// Counts the values of a volume in parallel. If the volume has more than about a million bricks, it
    /// counts about a million of them.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn new(bricks: &dyn DisplayBricks, task: &Task<'_>) -> Result<Self, RenderError> {
        let (dims, sides) = (bricks.dims(), brick_dims(bricks.dims()));
        let stride = (sides.x * sides.y * sides.z).div_ceil(MAX_BRICKS);
        // Each layer of bricks has a separate table while it is counted: few layers at a time.
        let parts = 64.min(sides.z);
        let steps = Steps::new(task, Stage::Analyzing, sides.z as u64);
        let counted = parallel::try_map(task, 0..parts, |part| {
            let mut counts = vec![0u32; 1 << 16];
            for z in (part..sides.z).step_by(parts) {
                for y in 0..sides.y {
                    steps.check()?;
                    for x in ((y + z) % stride..sides.x).step_by(stride) {
                        let mut values = [0; 64];
                        bricks.brick([x, y, z].map(|place| place as u32), &mut values);
                        let Some(inside) = dims.clip((4 * x, 4 * y, 4 * z), BRICK) else { continue };
                        for (i, &value) in values.iter().enumerate() {
                            if inside.contains(BRICK.position(i)) {
                                counts[usize::from(value)] += 1;
                            }
                        }
                    }
                }
                steps.add(1);
            }
            Ok::<_, Cancelled>(counts)
        })?;
        let mut counts = vec![0u64; 1 << 16];
        for part in counted {
            for (sum, count) in counts.iter_mut().zip(part) {
                *sum += u64::from(count);
            }
        }
        Ok(Self::of_counts(bricks.display(), counts))
    }

    fn of_counts(display: Display, counts: Vec<u64>) -> Self {
        let mut counts = counts;
        let total: u64 = counts.iter().sum();
        // Values that scanners write for unmeasured voxels would be taken for air.
        if display.has_wrapped_negatives() {
            let padding: u64 = counts[..32768].iter().sum();
            counts[..32768].fill(0);
            return Self { display, counts, total: total - padding };
        }
        Self { display, counts, total }
    }

    /// Leaves out the values from the first to the second, which were not measured. If there are no others,
    /// they stay.
    #[must_use]
    pub fn without(self, range: [f64; 2]) -> Self {
        let [low, high] = range.map(|value| self.display.of_value(value).round());
        let mut counts = self.counts.clone();
        if high >= 0.0 && low <= 65535.0 {
            counts[low.max(0.0) as usize..=high.min(65535.0) as usize].fill(0);
        }
        match counts.iter().sum() {
            0 => self,
            total => Self { counts, total, ..self },
        }
    }

    /// Returns the number of voxels with each of the 65536 display values, without padding.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the value that `share` of the voxels do not exceed.
    pub fn percentile(&self, share: f64) -> f64 {
        let wanted = (self.total as f64 * share).ceil().max(1.0) as u64;
        let mut sum = 0;
        let found = self.counts.iter().position(|count| {
            sum += count;
            sum >= wanted
        });
        self.value(found.unwrap_or(0))
    }

    fn value(&self, display: usize) -> f64 {
        self.display.value(display as f64)
    }

    fn mode(&self, range: std::ops::Range<usize>) -> usize {
        // The first of several equal counts.
        range.rev().max_by_key(|&i| self.counts[i]).unwrap_or(0)
    }

    /// Returns the display value that best divides dark from bright, with the largest variance between both
    /// (Otsu 1979). The brightest thousandth is left out.
    fn division(&self) -> usize {
        let bound = self.display.of_value(self.percentile(0.999)).clamp(0.0, 65535.0) as usize;
        let counts = self.counts[..=bound].iter().enumerate();
        let (all, sum) = counts
            .clone()
            .fold((0.0, 0.0), |(all, sum), (i, &count)| (all + count as f64, sum + i as f64 * count as f64));
        let (mut below, mut sum_below) = (0.0, 0.0);
        // A single value is its own bound.
        let mut best = (0.0, bound..=bound);
        for (i, &count) in counts {
            below += count as f64;
            sum_below += i as f64 * count as f64;
            let above = all - below;
            if below == 0.0 || above == 0.0 {
                continue;
            }
            let difference = sum_below / below - (sum - sum_below) / above;
            let variance = below * above * difference * difference;
            if variance > best.0 * (1.0 + 1e-12) {
                best = (variance, i..=i);
            } else if count == 0 && *best.1.end() + 1 == i {
                // Any value of a gap divides as well.
                best.1 = *best.1.start()..=i;
            }
        }
        best.1.start().midpoint(*best.1.end())
    }

    /// Returns the most frequent dark value, which is air or background, and the value that best divides dark
    /// from bright.
    pub fn background_and_division(&self) -> [f64; 2] {
        let division = self.division();
        [self.value(self.mode(0..division + 1)), self.value(division)]
    }

    /// Returns the share of voxels that are background.
    pub fn background_share(&self) -> f64 {
        let background = self.mode(0..self.division() + 1);
        let near = background.saturating_sub(1)..=(background + 1).min(65535);
        self.counts[near].iter().sum::<u64>() as f64 / self.total.max(1) as f64
    }

    /// Returns the values from background to the brightest, except for one voxel in two thousand: a window
    /// for maximum intensity projection. The same value twice if there is only one.
    pub fn window(&self) -> [f64; 2] {
        let [background, _] = self.background_and_division();
        let bright = self.percentile(0.9995);
        [background, if bright > background { bright } else { self.percentile(1.0) }]
    }

    /// Returns a value for a surface: bone for Hounsfield units, else the value that divides dark from
    /// bright.
    pub fn surface(&self) -> f64 {
        match self.hounsfield() {
            Some(units) => units.value(300.0),
            None => self.background_and_division()[1],
        }
    }

    /// True if the values are floats.
    pub fn is_float(&self) -> bool {
        self.display.voxel_type().is_float()
    }

    /// Returns Hounsfield units, if the values look like those of a CT scanner: 16 bits, with air at −1000,
    /// or with air at 0 and denser matter far above.
    pub fn hounsfield(&self) -> Option<Hounsfield> {
        let is_wide = matches!(self.display.voxel_type(), VoxelType::I16 | VoxelType::U16 | VoxelType::I32);
        let [air, _] = self.background_and_division();
        // Unmeasured voxels surround a scan; there may be more of them than of air.
        let air_near = |value: f64| {
            let at = |value: f64| self.display.of_value(value).clamp(0.0, 65535.0) as usize;
            let range = at(value - 76.0)..at(value + 76.0) + 1;
            let share = self.counts[range.clone()].iter().sum::<u64>() as f64 / self.total.max(1) as f64;
            (share > 0.1).then(|| self.value(self.mode(range)))
        };
        let dense = self.percentile(0.999);
        if !is_wide {
            None
        } else if self.percentile(0.0001) < -500.0 {
            air_near(-1000.0).filter(|_| dense > 200.0).map(|_| Hounsfield { air: -1000.0, per_value: 1.0 })
        } else if (-50.0..=150.0).contains(&air) && dense > 1200.0 {
            air_near(24.0).map(|_| Hounsfield { air: 24.0, per_value: 1.0 })
        } else {
            None
        }
    }

    /// Returns guessed Hounsfield units if [`hounsfield`](Self::hounsfield) has none: the dark part is air,
    /// and the most frequent bright value is soft tissue.
    pub fn guessed_hounsfield(&self) -> Hounsfield {
        self.hounsfield().unwrap_or_else(|| {
            let division = self.division();
            let [air, tissue] = [self.mode(0..division + 1), self.mode(division + 1..1 << 16)];
            let span = self.value(tissue) - self.value(air);
            Hounsfield { air: self.value(air), per_value: if span > 0.0 { 1040.0 / span } else { 1.0 } }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VoxelKind;

    fn survey(voxel_type: VoxelType, counts: &[(f64, u64)]) -> Survey {
        let display = Display::new(voxel_type, VoxelKind::Intensity, 0.0, 1.0);
        let mut all = vec![0; 1 << 16];
        for &(value, count) in counts {
            all[display.of_value(value) as usize] += count;
        }
        Survey::of_counts(display, all)
    }

    #[test]
    fn air_and_tissue_are_found() {
        let head = survey(VoxelType::U8, &[(2.0, 500), (3.0, 90), (84.0, 300), (85.0, 200), (180.0, 60)]);
        assert_eq!(head.background_and_division(), [2.0, 43.0]);
        assert_eq!(head.hounsfield(), None);
        let units = head.guessed_hounsfield();
        assert_eq!((units.value(-1000.0), units.value(40.0)), (2.0, 84.0));
        assert_eq!([0.0, 0.5, 0.6, 1.0].map(|share| head.percentile(share)), [2.0, 3.0, 84.0, 180.0]);
        let scan = survey(VoxelType::I16, &[(-1000.0, 500), (40.0, 300), (900.0, 50)]);
        assert_eq!(scan.hounsfield(), Some(Hounsfield { air: -1000.0, per_value: 1.0 }));
        let scan = survey(VoxelType::U16, &[(20.0, 500), (1050.0, 300), (2300.0, 50)]);
        assert_eq!(scan.hounsfield(), Some(Hounsfield { air: 24.0, per_value: 1.0 }));
    }

    #[test]
    fn voxels_that_were_not_measured_do_not_count() {
        let counts = [(-32768.0, 900), (-1000.0, 500), (40.0, 300), (900.0, 50)];
        let scan = survey(VoxelType::I16, &counts).without([-32768.0, -32768.0]);
        assert_eq!(scan.hounsfield(), Some(Hounsfield { air: -1000.0, per_value: 1.0 }));
        assert_eq!(scan.percentile(0.0), -1000.0);
        assert_eq!(survey(VoxelType::I16, &[(7.0, 1)]).without([0.0, 9.0]).percentile(1.0), 7.0);
        assert_eq!(survey(VoxelType::U8, &[(7.0, 1)]).without([-9.0, -8.0]).percentile(1.0), 7.0);
    }

    #[test]
    fn one_value_is_its_own_background() {
        let flat = survey(VoxelType::U8, &[(7.0, 10)]);
        assert_eq!((flat.percentile(0.0), flat.percentile(1.0), flat.background_share()), (7.0, 7.0, 1.0));
        assert!(flat.guessed_hounsfield().per_value.is_finite());
    }
}
