//! Transfer functions: from values to colour and opacity.

use super::{Display, RenderError, TransferPointFault};

/// Maximum number of entries of a table, less two.
const MAX_STEPS: u32 = 1024;

/// Maximum opacity of a unit of length.
const MAX_OPACITY: f64 = 0.9999;

/// The colour and opacity at a value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a value, its color and its opacity")]
pub struct TransferPoint {
    /// Value of the point, a number of the volume.
    pub value: f64,
    /// Red, green, blue as a PNG has them, from 0 to 1; not multiplied by the opacity.
    pub color: [f64; 3],
    /// The opacity of one unit of length (the smallest distance between voxels), from 0 to 1.
    pub opacity: f64,
}

/// Colour and opacity by value, linear between points. Below the first and above the last point they are
/// those of that point.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferFunction {
    points: Vec<TransferPoint>,
}

impl TransferFunction {
    /// Returns the function through `points`, sorted by value. Two points of one value form a step.
    ///
    /// # Errors
    /// [`RenderError::NoPoints`]; [`RenderError::Point`] if a value is not finite or smaller than that of the
    /// point before, or if a colour or opacity is not from 0 to 1.
    pub fn new(points: Vec<TransferPoint>) -> Result<Self, RenderError> {
        if points.is_empty() {
            return Err(RenderError::NoPoints);
        }
        let mut last = f64::NEG_INFINITY;
        for (index, point) in points.iter().enumerate() {
            let is_share = |x: &f64| (0.0..=1.0).contains(x);
            let fault = if !point.value.is_finite() {
                TransferPointFault::Value
            } else if point.value < last {
                TransferPointFault::Order
            } else if !point.color.iter().all(is_share) {
                TransferPointFault::Color
            } else if !is_share(&point.opacity) {
                TransferPointFault::Opacity
            } else {
                last = point.value;
                continue;
            };
            return Err(RenderError::Point { index, fault });
        }
        Ok(Self { points })
    }

    /// Returns a function from black at `low` to white at `high`, with the opacity growing to `opacity`.
    ///
    /// # Errors
    /// [`RenderError::Window`] unless `low` is smaller than `high`, both finite.
    pub fn window(low: f64, high: f64, opacity: f64) -> Result<Self, RenderError> {
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(RenderError::Window { low, high });
        }
        let point = |value, grey, opacity| TransferPoint { value, color: [grey; 3], opacity };
        Self::new(vec![point(low, 0.0, 0.0), point(high, 1.0, opacity)])
    }

    /// Returns the points.
    pub fn points(&self) -> &[TransferPoint] {
        &self.points
    }

    /// Returns the same colours and opacities over the values from `low` to `high`.
    ///
    /// # Errors
    /// [`RenderError::Window`] unless `low` is smaller than `high`, both finite.
    pub fn stretched(&self, low: f64, high: f64) -> Result<Self, RenderError> {
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(RenderError::Window { low, high });
        }
        let [first, last] = [self.points[0].value, self.points[self.points.len() - 1].value];
        let scale = if last > first { (high - low) / (last - first) } else { 0.0 };
        let moved =
            |point: &TransferPoint| TransferPoint { value: low + (point.value - first) * scale, ..*point };
        Self::new(self.points.iter().map(moved).collect())
    }

    /// True if all opacities are 0: then direct volume rendering shows nothing.
    pub fn is_transparent(&self) -> bool {
        self.points.iter().all(|point| point.opacity == 0.0)
    }

    /// Returns the table of a volume of these display values.
    pub(super) fn table(&self, display: &Display) -> TransferTable {
        // Points outside the samples count, too: a line to them crosses the samples.
        let at = |point: &TransferPoint| (display.of_value(point.value) * 256.0).clamp(-FAR, FAR);
        let places: Vec<f64> = self.points.iter().map(at).collect();
        let inside = |place: f64| place.clamp(0.0, LARGEST_SAMPLE);
        let first = inside(places[0]).floor() as u32;
        let span = inside(places[places.len() - 1]).ceil() as u32 - first;
        let mut shift = 0;
        while span.div_ceil(1 << shift) > MAX_STEPS {
            shift += 1;
        }
        let steps = span.div_ceil(1 << shift);
        let entry = |i: u32| self.entry(&places, f64::from(first) + f64::from(i) * f64::from(1 << shift));
        let entries: Vec<[f32; 4]> = (0..=steps + 1).map(entry).collect();
        let most = entries.iter().fold(0.0f32, |most, [.., extinction]| most.max(*extinction));
        let counts = |is_counted: &dyn Fn(f32) -> bool| {
            let mut counts = vec![0];
            for [.., extinction] in &entries {
                counts.push(counts[counts.len() - 1] + u32::from(is_counted(*extinction)));
            }
            counts
        };
        let visible = counts(&|extinction| extinction > 0.0);
        let well_visible = counts(&|extinction| extinction > 0.0 && extinction >= most / 32.0);
        TransferTable { first, shift, entries, visible, well_visible }
    }

    /// Returns the entry at a position among `places`, those of the points.
    fn entry(&self, places: &[f64], place: f64) -> [f32; 4] {
        let after = places.partition_point(|&p| p <= place);
        let (a, b) = (after.saturating_sub(1), after.min(places.len() - 1));
        let span = places[b] - places[a];
        let part = if span > 0.0 { ((place - places[a]) / span).clamp(0.0, 1.0) } else { 0.0 };
        let (a, b) = (&self.points[a], &self.points[b]);
        let between = |a: f64, b: f64| a + (b - a) * part;
        let opacity = between(a.opacity, b.opacity).min(MAX_OPACITY);
        let [red, green, blue] = std::array::from_fn(|i| between(a.color[i], b.color[i]) as f32);
        let extinction = if opacity > 0.0 { -(1.0 - opacity).log2() } else { 0.0 };
        [red, green, blue, extinction as f32]
    }
}

/// Maximum distance of a point from sample 0, so that differences stay exact to 2⁻¹⁰ samples.
const FAR: f64 = (1u64 << 42) as f64;

/// The largest sample.
const LARGEST_SAMPLE: f64 = (65535 << 8) as f64;

/// A transfer function as the ray caster reads it: entries at samples `first + (i << shift)`, linear between.
/// Samples are display values in 16.8 fixed point.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferTable {
    first: u32,
    shift: u32,
    entries: Vec<[f32; 4]>,
    /// Number of entries before each that are not transparent.
    visible: Vec<u32>,
    /// Number of those with at least 1/32 of the largest extinction.
    well_visible: Vec<u32>,
}

impl TransferTable {
    /// Returns the sample of entry 0; smaller ones have this entry.
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// Returns the number of bits between two entries.
    #[cfg(feature = "kernel-inputs")]
    pub const fn shift(&self) -> u32 {
        self.shift
    }

    /// Returns red, green, blue, and the extinction of each entry: the transmittance of one unit of length is
    /// 2 to the power of minus the extinction. There are at least 2 entries; the last one is repeated.
    /// Extinction is 0 for invisible samples.
    #[cfg(feature = "kernel-inputs")]
    pub fn entries(&self) -> &[[f32; 4]] {
        &self.entries
    }

    /// Returns the samples that the entries span.
    pub const fn span(&self) -> u32 {
        (self.entries.len() as u32 - 2) << self.shift
    }

    /// Returns the entry of a sample, and how far it is to the next one in units of 2^-`shift`.
    #[inline(always)]
    fn place(&self, sample: u32) -> (usize, u32) {
        let place = sample.saturating_sub(self.first).min(self.span());
        ((place >> self.shift) as usize, place & ((1 << self.shift) - 1))
    }

    /// Returns colour and extinction of a sample.
    #[inline(always)]
    pub fn look_up(&self, sample: u32) -> [f32; 4] {
        let (at, part) = self.place(sample);
        let part = part as f32 / (1u32 << self.shift) as f32;
        let (a, b) = (self.entries[at], self.entries[at + 1]);
        std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
    }

    /// True if any sample between display values may show: exactly 0 extinction otherwise.
    pub fn shows(&self, range: [u16; 2]) -> bool {
        self.has_any(&self.visible, range)
    }

    /// True if any sample between display values has at least 1/32 of the largest extinction.
    pub fn shows_well(&self, range: [u16; 2]) -> bool {
        self.has_any(&self.well_visible, range)
    }

    fn has_any(&self, counts: &[u32], [least, largest]: [u16; 2]) -> bool {
        let from = self.place(u32::from(least) << 8).0;
        let (to, part) = self.place(u32::from(largest) << 8);
        // The next entry counts only if the value is beyond this one.
        let to = to + usize::from(part > 0);
        counts[to + 1] > counts[from]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{VoxelKind, VoxelType};

    fn point(value: f64, grey: f64, opacity: f64) -> TransferPoint {
        TransferPoint { value, color: [grey; 3], opacity }
    }

    fn display(voxel_type: VoxelType) -> Display {
        Display::new(voxel_type, VoxelKind::Intensity, 0.0, 1.0)
    }

    #[test]
    fn tables_are_linear_between_points() {
        let points = vec![point(-100.0, 0.0, 0.0), point(100.0, 0.5, 0.0), point(300.0, 1.0, 0.5)];
        let table = TransferFunction::new(points).expect("points").table(&display(VoxelType::I16));
        let at = |value: f64| table.look_up(((value + 32768.0) * 256.0) as u32);
        for (value, grey, extinction) in [
            (-2000.0, 0.0, 0.0),
            (-100.0, 0.0, 0.0),
            (0.0, 0.25, 0.0),
            (200.0, 0.75, 0.415),
            (300.0, 1.0, 1.0),
            (9000.0, 1.0, 1.0),
        ] {
            let [red, .., found] = at(value);
            assert!((red - grey).abs() < 2e-3 && (found - extinction).abs() < 4e-3, "{value}: {red} {found}");
        }
        let range = |low: i32, high: i32| [(low + 32768) as u16, (high + 32768) as u16];
        assert!(
            !table.shows(range(-32768, 99)) && table.shows(range(0, 103)) && table.shows(range(400, 500))
        );
    }

    #[test]
    fn narrow_and_single_points_have_tables() {
        let one = TransferFunction::new(vec![point(7.0, 1.0, 0.5)]).expect("a point");
        let table = one.table(&display(VoxelType::U8));
        assert_eq!([0, 7 << 8, 255 << 8].map(|sample| table.look_up(sample)[3]), [1.0; 3]);
        let out = TransferFunction::new(vec![point(1e9, 1.0, 0.5), point(2e9, 1.0, 0.5)]).expect("points");
        assert_eq!(out.table(&display(VoxelType::U8)).look_up(0)[3], 1.0);
        let step = |value| {
            let step = vec![point(value, 0.0, 0.0), point(value, 1.0, 1.0)];
            TransferFunction::new(step).expect("points").table(&display(VoxelType::F64))
        };
        assert!(step(0.5).look_up(u32::MAX >> 8)[3] > 10.0);
        // All voxels are below this one.
        assert_eq!(step(9.0).look_up(u32::MAX >> 8)[3], 0.0);
    }

    /// A window wider than the values shows them as it says.
    #[test]
    fn points_outside_the_values_count() {
        let table = TransferFunction::window(-1.0, 3.0, 0.5).expect("a window");
        let table = table.table(&display(VoxelType::F32));
        for (sample, grey) in [(0, 0.25), (32768 << 8, 0.375), (65535 << 8, 0.5)] {
            let [red, ..] = table.look_up(sample);
            assert!((red - grey).abs() < 1e-3, "{sample}: {red}");
        }
    }

    #[test]
    fn what_cannot_be_a_function_is_refused() {
        let reason =
            |points: Vec<TransferPoint>| TransferFunction::new(points).expect_err("refused").to_string();
        assert!(reason(vec![]).contains("empty"));
        assert!(reason(vec![point(2.0, 0.0, 0.1), point(1.0, 0.0, 0.1)]).contains("point 1"));
        assert!(reason(vec![point(f64::NAN, 0.0, 0.1)]).contains("finite"));
        assert!(reason(vec![point(0.0, 2.0, 0.1)]).contains("red, green and blue"));
        assert!(reason(vec![point(0.0, 0.0, 1.1)]).contains("opacity"));
        assert!(TransferFunction::window(5.0, 5.0, 1.0).is_err());
        assert!(TransferFunction::window(f64::NAN, 5.0, 1.0).is_err());
    }
}
