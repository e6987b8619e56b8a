//! A transfer function while it is edited.

use crate::volume::Values;
use brickwork_volume::render::{Preset, RenderError, TransferFunction, TransferPoint};

/// Maximum number of points.
const MAX_POINTS: usize = 64;

/// Points in the order of their values; there is always one.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<TransferPoint>,
    /// The point whose colour is edited.
    pub selected: Option<usize>,
    /// The preset that made the curve, until it is edited.
    pub preset: Option<Preset>,
}

impl Curve {
    /// Returns the curve through the points of a function.
    pub fn new(function: &TransferFunction) -> Self {
        Self { points: function.points().to_vec(), selected: None, preset: None }
    }

    /// Returns the curve of a preset for these values.
    ///
    /// # Errors
    /// The errors of [`Preset::function`].
    pub fn of_preset(preset: Preset, values: &Values) -> Result<Self, RenderError> {
        Ok(Self { preset: Some(preset), ..Self::new(&preset.function(values.survey())?) })
    }

    /// Returns the points.
    pub fn points(&self) -> &[TransferPoint] {
        &self.points
    }

    /// Returns the transfer function.
    ///
    /// # Errors
    /// [`RenderError::Point`] if a value is not a finite number.
    pub fn function(&self) -> Result<TransferFunction, RenderError> {
        TransferFunction::new(self.points.clone())
    }

    /// Returns colour and opacity at a value.
    pub fn at(&self, value: f64) -> TransferPoint {
        let after = self.points.partition_point(|point| point.value <= value);
        let (a, b) = (after.saturating_sub(1), after.min(self.points.len() - 1));
        let (a, b) = (&self.points[a], &self.points[b]);
        let span = b.value - a.value;
        let part = if span > 0.0 { ((value - a.value) / span).clamp(0.0, 1.0) } else { 0.0 };
        let between = |a: f64, b: f64| a + (b - a) * part;
        let color = std::array::from_fn(|i| between(a.color[i], b.color[i]));
        TransferPoint { value, color, opacity: between(a.opacity, b.opacity) }
    }

    /// Adds a point of this value and opacity, with the colour that was there, and selects it.
    pub fn add(&mut self, value: f64, opacity: f64) {
        if !value.is_finite() || self.points.len() >= MAX_POINTS {
            return;
        }
        let place = self.points.partition_point(|point| point.value <= value);
        let opacity = opacity.clamp(0.0, 1.0);
        self.points.insert(place, TransferPoint { opacity, ..self.at(value) });
        (self.selected, self.preset) = (Some(place), None);
    }

    /// Moves a point; it stays between its neighbours.
    pub fn move_to(&mut self, index: usize, value: f64, opacity: f64) {
        if !value.is_finite() {
            return;
        }
        let least = if index > 0 { self.points[index - 1].value } else { f64::NEG_INFINITY };
        let most = self.points.get(index + 1).map_or(f64::INFINITY, |point| point.value);
        self.preset = None;
        let point = &mut self.points[index];
        (point.value, point.opacity) = (value.clamp(least, most), opacity.clamp(0.0, 1.0));
    }

    /// Gives a point another colour.
    pub fn paint(&mut self, index: usize, color: [f64; 3]) {
        self.preset = None;
        self.points[index].color = color.map(|channel| channel.clamp(0.0, 1.0));
    }

    /// Removes a point, unless it is the last one.
    pub fn remove(&mut self, index: usize) {
        if self.points.len() > 1 {
            self.points.remove(index);
            (self.selected, self.preset) = (None, None);
        }
    }

    /// Returns the values of the first and of the last point.
    pub fn window(&self) -> [f64; 2] {
        [self.points[0].value, self.points[self.points.len() - 1].value]
    }

    /// Stretches the curve over other values.
    pub fn stretch(&mut self, [low, high]: [f64; 2]) {
        let [first, last] = self.window();
        if !(low < high && low.is_finite() && high.is_finite() && first < last) {
            return;
        }
        self.preset = None;
        for point in &mut self.points {
            point.value = low + (point.value - first) / (last - first) * (high - low);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Curve {
        Curve::new(&TransferFunction::window(100.0, 300.0, 0.5).expect("a window"))
    }

    #[test]
    fn points_are_added_where_the_curve_is() {
        let mut curve = curve();
        curve.add(200.0, 0.9);
        assert_eq!((curve.selected, curve.points().len()), (Some(1), 3));
        let point = curve.points()[1];
        assert_eq!((point.color, point.opacity), ([0.5; 3], 0.9));
        curve.add(f64::NAN, 0.5);
        curve.add(0.0, 7.0);
        assert_eq!((curve.points()[0].value, curve.points()[0].opacity), (0.0, 1.0));
        for i in 0..200 {
            curve.add(f64::from(i), 0.1);
        }
        assert_eq!(curve.points().len(), MAX_POINTS);
        assert!(curve.function().is_ok());
    }

    #[test]
    fn points_stay_between_their_neighbours() {
        let mut curve = curve();
        curve.add(200.0, 0.9);
        curve.move_to(1, 999.0, -1.0);
        assert_eq!((curve.points()[1].value, curve.points()[1].opacity), (300.0, 0.0));
        curve.move_to(0, 350.0, 0.2);
        assert_eq!(curve.points()[0].value, 300.0);
        assert!(curve.function().is_ok());
        curve.paint(1, [2.0, 0.5, -1.0]);
        assert_eq!(curve.points()[1].color, [1.0, 0.5, 0.0]);
    }

    #[test]
    fn the_last_point_stays() {
        let mut curve = curve();
        curve.selected = Some(1);
        curve.remove(1);
        assert_eq!((curve.selected, curve.points().len()), (None, 1));
        curve.remove(0);
        assert_eq!(curve.points().len(), 1);
        assert!(curve.function().is_ok_and(|function| function.is_transparent()));
        curve.stretch([0.0, 1.0]);
        assert_eq!(curve.window(), [100.0; 2]);
    }

    #[test]
    fn windows_stretch_all_points() {
        let mut curve = curve();
        curve.add(150.0, 0.3);
        curve.stretch([0.0, 400.0]);
        let values: Vec<f64> = curve.points().iter().map(|point| point.value).collect();
        assert_eq!(values, [0.0, 100.0, 400.0]);
        for window in [[5.0, 5.0], [9.0, 1.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
            curve.stretch(window);
        }
        assert_eq!(curve.window(), [0.0, 400.0]);
    }
}
