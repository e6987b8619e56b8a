//! Looks: the rules that turn samples along a ray into a pixel.

use super::{Display, RenderError, TransferFunction, transfer::TransferTable};

/// Rule that turns samples along a ray into a pixel, made for the display values of one volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Look(pub(super) LookMode);

/// The modes of rendering.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LookMode {
    Mip {
        table: TransferTable,
    },
    Dvr {
        table: TransferTable,
    },
    Iso {
        /// A display value in 16.8 fixed point.
        threshold: u32,
        color: [f32; 3],
    },
    Labels {
        labels: VisibleLabels,
    },
}

impl Look {
    /// Returns direct volume rendering: nearer parts hide farther ones by their opacity.
    ///
    /// # Errors
    /// [`RenderError::Transparent`] if all opacities are 0.
    pub fn dvr(function: &TransferFunction, display: &Display) -> Result<Self, RenderError> {
        if function.is_transparent() {
            return Err(RenderError::Transparent);
        }
        Ok(Self(LookMode::Dvr { table: function.table(display) }))
    }

    /// Returns maximum intensity projection: the colour of the largest sample, opaque where the ray meets the
    /// volume. Opacities are ignored.
    pub fn mip(function: &TransferFunction, display: &Display) -> Self {
        Self(LookMode::Mip { table: function.table(display) })
    }

    /// Returns an isosurface: the lit surface on which samples rise to `value` or above. `color` is red,
    /// green and blue from 0 to 1; numbers outside become the nearest of these.
    ///
    /// # Errors
    /// [`RenderError::Iso`] if the value is not a finite number.
    pub fn isosurface(display: &Display, value: f64, color: [f32; 3]) -> Result<Self, RenderError> {
        if !value.is_finite() {
            return Err(RenderError::Iso { value });
        }
        // One more than any sample: no surface.
        let threshold = (display.of_value(value) * 256.0).ceil().clamp(0.0, 65536.0 * 256.0) as u32;
        let color = color.map(|channel| channel.clamp(0.0, 1.0));
        Ok(Self(LookMode::Iso { threshold, color }))
    }

    /// Returns labels in distinct colours, opaque, without interpolation.
    pub const fn labels(labels: VisibleLabels) -> Self {
        Self(LookMode::Labels { labels })
    }

    /// True if samples are interpolated between voxels.
    pub(super) const fn is_interpolated(&self) -> bool {
        !matches!(self.0, LookMode::Labels { .. })
    }
}

/// The labels that show, by display value.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleLabels {
    visible: Vec<bool>,
    /// The number of visible ones before each.
    counts: Vec<u32>,
}

impl Default for VisibleLabels {
    /// Returns all labels except 0.
    fn default() -> Self {
        Self::new(|label| label != 0)
    }
}

impl VisibleLabels {
    /// Returns the labels for which `is_visible` is true.
    pub fn new(is_visible: impl Fn(u16) -> bool) -> Self {
        let visible: Vec<bool> = (0..=u16::MAX).map(is_visible).collect();
        let mut counts = vec![0];
        for visible in &visible {
            counts.push(counts[counts.len() - 1] + u32::from(*visible));
        }
        Self { visible, counts }
    }

    /// True if a label is visible.
    #[inline]
    pub fn has(&self, label: u16) -> bool {
        self.visible[usize::from(label)]
    }

    /// Returns a bit per label, 32 in a word.
    #[cfg(feature = "kernel-inputs")]
    pub(super) fn bits(&self) -> Vec<u32> {
        let word = |labels: &[bool]| (0..32).fold(0, |word, i| word | u32::from(labels[i]) << i);
        self.visible.chunks_exact(32).map(word).collect()
    }

    /// True if any label of a range is visible.
    pub(super) fn has_any(&self, [least, largest]: [u16; 2]) -> bool {
        self.counts[usize::from(largest) + 1] > self.counts[usize::from(least)]
    }
}

/// The shades of labels' colours, from 0 to 255.
pub(super) const VALUES: [u32; 3] = [235, 255, 200];

/// Saturations of the colours.
pub(super) const SATURATIONS: [u32; 3] = [150, 110, 175];

/// Golden section of 65536, which is the full circle of hues.
pub(super) const GOLDEN_SECTION: u32 = 40503;

/// Returns the colour of a label: red, green and blue of 8 bits. Hues are a golden section apart, in three
/// strengths and three shades, all from integers.
pub const fn label_color(label: u16) -> [u8; 3] {
    let label = label as u32;
    // The circle is in six parts.
    let hue = (label.wrapping_mul(GOLDEN_SECTION) & 0xffff) * 6;
    let (part, rest) = (hue >> 16, hue >> 8 & 255);
    let value = VALUES[(label % 3) as usize];
    let saturation = SATURATIONS[(label / 3 % 3) as usize];
    let low = value * (255 - saturation) / 255;
    let rising = low + (value - low) * rest / 255;
    let falling = value - (value - low) * rest / 255;
    let [red, green, blue] = match part {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    };
    [red as u8, green as u8, blue as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_distinct_colours() {
        let distance = |a: u16, b: u16| -> i32 {
            let (a, b) = (label_color(a), label_color(b));
            a.iter().zip(b).map(|(&a, b)| (i32::from(a) - i32::from(b)).abs()).sum()
        };
        for label in 1..1000u16 {
            assert!(distance(label, label + 1) > 100, "{label}: {}", distance(label, label + 1));
            for next in 2..8 {
                assert!(distance(label, label + next) > 24, "{label} {}", label + next);
            }
        }
    }

    #[test]
    fn ranges_of_labels_are_counted() {
        let labels = VisibleLabels::new(|label| label == 5 || label == 65535);
        assert!(labels.has(5) && !labels.has(0));
        assert!(labels.has_any([5, 5]) && labels.has_any([0, 9]) && labels.has_any([65535, 65535]));
        assert!(!labels.has_any([6, 65534]) && !labels.has_any([0, 4]));
        assert!(!VisibleLabels::default().has_any([0, 0]));
    }
}
