//! Axes of an array, which its file may not name.

use std::{fmt, str::FromStr};

/// Maximum length of the last of four axes without names that is taken for channels.
pub(crate) const MAX_UNNAMED_CHANNELS: usize = 4;

/// Axis of the numbers of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the axes of a volume")]
pub enum Axis {
    /// Frames in time, `t`.
    Frame,
    /// Channels, `c`.
    Channel,
    /// Slices, `z`.
    Z,
    /// Rows, `y`.
    Y,
    /// Columns, `x`.
    X,
}

impl Axis {
    /// All axes.
    pub const ALL: &[Self] = &[Self::Frame, Self::Channel, Self::Z, Self::Y, Self::X];

    /// Returns the letter.
    pub const fn letter(self) -> char {
        match self {
            Self::Frame => 't',
            Self::Channel => 'c',
            Self::Z => 'z',
            Self::Y => 'y',
            Self::X => 'x',
        }
    }
}

/// The axes of an array, the slowest first as in NumPy's shape: some of t, c, z, y and x, with y and x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisOrder {
    axes: [Axis; 5],
    count: usize,
}

impl AxisOrder {
    /// Axes with frames in front of each voxel: z, y, x, t.
    pub(crate) const FRAMES_FIRST: Self =
        Self { axes: [Axis::Z, Axis::Y, Axis::X, Axis::Frame, Axis::X], count: 4 };

    /// Returns the order of these axes; `None` if one occurs twice, or y or x is missing.
    pub fn new(axes: &[Axis]) -> Option<Self> {
        let is_twice = |(index, axis): (usize, &Axis)| axes[..index].contains(axis);
        let is_volume = axes.contains(&Axis::Y) && axes.contains(&Axis::X);
        if !is_volume || axes.iter().enumerate().any(is_twice) {
            return None;
        }
        let mut all = [Axis::X; 5];
        all[..axes.len()].copy_from_slice(axes);
        Some(Self { axes: all, count: axes.len() })
    }

    /// Returns the axes of an array of this shape that does not name them: t, z, y, x, c. Without channels
    /// if there are four and the last one is longer than [`MAX_UNNAMED_CHANNELS`], else without frames.
    pub(crate) fn of_shape(shape: &[usize]) -> Option<Self> {
        let has_channels = shape.len() > 4
            || shape.len() == 4 && shape.last().is_some_and(|&side| side <= MAX_UNNAMED_CHANNELS);
        let all = [Axis::Frame, Axis::Z, Axis::Y, Axis::X, Axis::Channel];
        let all = &all[..4 + usize::from(has_channels)];
        Self::new(&all[all.len().checked_sub(shape.len())?..])
    }

    /// Returns the axes, the slowest first.
    pub fn axes(&self) -> &[Axis] {
        &self.axes[..self.count]
    }

    /// Returns the opposite order.
    pub(crate) fn reversed(mut self) -> Self {
        self.axes[..self.count].reverse();
        self
    }

    /// True for the order of a volume's numbers: t, z, y, x, c.
    pub(crate) fn is_usual(&self) -> bool {
        let place = |axis: &Axis| match axis {
            Axis::Channel => Axis::ALL.len(),
            _ => *axis as usize,
        };
        self.axes().is_sorted_by_key(place)
    }
}

impl fmt::Display for AxisOrder {
    /// Writes the letters, such as `czyx`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.axes().iter().try_for_each(|axis| write!(f, "{}", axis.letter()))
    }
}

impl FromStr for AxisOrder {
    type Err = AxisOrderError;

    fn from_str(text: &str) -> Result<Self, AxisOrderError> {
        let axis = |letter| Axis::ALL.iter().copied().find(|axis| axis.letter() == letter);
        let axes: Option<Vec<Axis>> = text.to_ascii_lowercase().chars().map(axis).collect();
        axes.and_then(|axes| Self::new(&axes)).ok_or(AxisOrderError(()))
    }
}

/// Text that does not name the axes of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("axes are letters of t, c, z, y and x, each at most once, with y and x, such as czyx")]
pub struct AxisOrderError(());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_axes() {
        for text in ["yx", "zyx", "czyx", "tczyx", "xyzct"] {
            assert_eq!(text.parse::<AxisOrder>().expect(text).to_string(), text);
        }
        assert_eq!("CZYX".parse(), "czyx".parse::<AxisOrder>());
        for text in ["", "zx", "zyxx", "zyxq", "tczyxt", "czyxé"] {
            assert_eq!(text.parse::<AxisOrder>(), Err(AxisOrderError(())), "{text}");
        }
        let of = |text: &str| text.parse::<AxisOrder>().expect(text);
        let usual =
            ["yx", "zyx", "tyx", "zyxc", "tzyxc", "czyx", "zxy", "ytx"].map(|text| of(text).is_usual());
        assert_eq!(usual, [true, true, true, true, true, false, false, false]);
        assert_eq!((of("tczyx").reversed(), AxisOrder::FRAMES_FIRST), (of("xyzct"), of("zyxt")));
    }

    #[test]
    fn shapes_without_names_have_usual_axes() {
        for (shape, want) in [
            (&[7, 8][..], Some("yx")),
            (&[7, 8, 2], Some("zyx")),
            (&[7, 8, 9, 4], Some("zyxc")),
            (&[7, 8, 9, 5], Some("tzyx")),
            (&[6, 7, 8, 9, 40], Some("tzyxc")),
            (&[7], None),
            (&[1; 6], None),
        ] {
            let found = AxisOrder::of_shape(shape).map(|order| order.to_string());
            assert_eq!(found.as_deref(), want, "{shape:?}");
        }
    }
}
