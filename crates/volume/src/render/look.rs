//! What a picture shows of a volume.

use super::{Display, RenderError, transfer::TransferTable};

/// How samples along a ray become a pixel.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Look {
    /// The colour of the largest sample: maximum intensity projection. Opaque wherever the ray meets the
    /// volume.
    Mip {
        /// Its extinction is ignored.
        table: TransferTable,
    },
    /// Direct volume rendering: what lies in front of the rest hides it by its opacity.
    Dvr {
        /// Colour and extinction.
        table: TransferTable,
    },
    /// The surface on which samples rise to a threshold or above, lit.
    Iso {
        /// A display value in 16.8 fixed point.
        threshold: u32,
        /// The surface's colour: red, green, blue from 0 to 1.
        color: [f32; 3],
        /// Samples change over two voxels much more than this at a surface (24 bits): less fades the light.
        fade: f32,
    },
    /// Labels in distinct colours, opaque, without interpolation.
    Labels {
        /// Which labels show.
        labels: VisibleLabels,
    },
}

impl Look {
    /// The surface at a value.
    ///
    /// # Errors
    /// [`RenderError::Iso`] if the value is not a finite number.
    pub fn iso(display: &Display, value: f64, color: [f32; 3]) -> Result<Self, RenderError> {
        if !value.is_finite() {
            return Err(RenderError::Iso { value });
        }
        // (One more than any sample: no surface.)
        let threshold = (display.of_value(value) * 256.0).ceil().clamp(0.0, 65536.0 * 256.0) as u32;
        Ok(Self::Iso { threshold, color, fade: 0.0 })
    }
}

/// Which labels show, by display value.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleLabels {
    visible: Vec<bool>,
    /// How many before each are visible.
    counts: Vec<u32>,
}

impl Default for VisibleLabels {
    /// All but 0.
    fn default() -> Self {
        Self::new(|label| label != 0)
    }
}

impl VisibleLabels {
    /// Those of which `is_visible` is true.
    pub fn new(is_visible: impl Fn(u16) -> bool) -> Self {
        let visible: Vec<bool> = (0..=u16::MAX).map(is_visible).collect();
        let mut counts = vec![0];
        for visible in &visible {
            counts.push(counts[counts.len() - 1] + u32::from(*visible));
        }
        Self { visible, counts }
    }

    /// Whether a label is visible.
    #[inline]
    pub fn has(&self, label: u16) -> bool {
        self.visible[usize::from(label)]
    }

    /// A bit per label, 32 in a word.
    #[cfg(feature = "gpu")]
    pub(super) fn bits(&self) -> Vec<u32> {
        let word = |labels: &[bool]| (0..32).fold(0, |word, i| word | u32::from(labels[i]) << i);
        self.visible.chunks_exact(32).map(word).collect()
    }

    /// Whether any label of a range is visible.
    pub fn has_any(&self, [least, largest]: [u16; 2]) -> bool {
        self.counts[usize::from(largest) + 1] > self.counts[usize::from(least)]
    }
}

/// The shades of labels' colours, from 0 to 255.
pub(super) const VALUES: [u32; 3] = [235, 255, 200];

/// Their strengths.
pub(super) const SATURATIONS: [u32; 3] = [150, 110, 175];

/// The golden section of 65536, which is once around the circle of hues.
pub(super) const GOLDEN_SECTION: u32 = 40503;

/// The colour of a label: red, green and blue of 8 bits. Hues are a golden section apart, in three strengths
/// and three shades, all from integers.
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
