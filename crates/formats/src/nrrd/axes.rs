//! Roles of a file's axes: channels first, then x, y and z, then time.

use crate::{FormatError, NrrdFeature, header::header_text::short};

/// Maximum number of axes that a field may list.
pub const MAX_AXES: usize = 16;

/// Indices of the axes, by their role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// True if axis 0 is the channels.
    pub has_channels: bool,
    /// Index of the x axis; y and z follow it.
    pub x: usize,
    /// Number of axes of space: 3, or 2 for a single slice.
    pub space_count: usize,
    /// Index of the axis of frames.
    pub frames: Option<usize>,
}

/// Role of an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Space,
    Time,
    /// Items one after the other: numbers of a voxel, or volumes.
    List,
    /// Numbers that form one thing: a vector, a colour, a matrix.
    Vector,
    /// Not of space; the file states no more.
    Unknown,
}

fn role(kind: &str, has_direction: bool) -> Role {
    match kind.to_ascii_lowercase().as_str() {
        "domain" | "space" => Role::Space,
        "time" => Role::Time,
        "list" => Role::List,
        "none" | "???" if has_direction => Role::Space,
        "none" | "???" => Role::Unknown,
        _ => Role::Vector,
    }
}

impl Axes {
    /// Finds the roles from each axis' kind (`???` if not given) and whether it has, or may have, a
    /// direction. A list as the first axis is of frames if `is_frames`, else of channels.
    ///
    /// # Errors
    /// [`FormatError::Unsupported`].
    pub fn of(axes: &[(&str, bool)], is_frames: bool) -> Result<Self, FormatError> {
        let roles: Vec<Role> = axes.iter().map(|&(kind, has_direction)| role(kind, has_direction)).collect();
        let count = roles.len();
        let first = roles.first();
        if let Some(Role::Time | Role::List) = first
            && (is_frames || first == Some(&Role::Time))
            && roles[1..].iter().all(|role| *role == Role::Space)
            && count == 4
        {
            return Ok(Self { has_channels: false, x: 1, space_count: 3, frames: Some(0) });
        }
        let has_channels = matches!(first, Some(Role::Vector | Role::List | Role::Unknown));
        let x = usize::from(has_channels);
        for (i, role) in roles.iter().enumerate().skip(x) {
            let (axis, kind) = (i + 1, short(axes[i].0));
            match role {
                Role::Space => {}
                Role::Vector => return Err(NrrdFeature::LateVector { axis, count, kind }.into()),
                _ if i == x + 3 && i + 1 == count => {}
                _ => return Err(NrrdFeature::Axis { axis, count, kind }.into()),
            }
        }
        match count - x {
            count @ (2 | 3) => Ok(Self { has_channels, x, space_count: count, frames: None }),
            4 => Ok(Self { has_channels, x, space_count: 3, frames: Some(x + 3) }),
            others => Err(NrrdFeature::AxisCount(others).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses kinds; `-` before a kind means that it has no direction.
    fn of(kinds: &str) -> Result<Axes, String> {
        let axes: Vec<_> = kinds
            .split(' ')
            .map(|kind| kind.strip_prefix('-').map_or((kind, true), |kind| (kind, false)))
            .collect();
        Axes::of(&axes, false).map_err(|error| error.to_string())
    }

    #[test]
    fn channels_come_first_and_time_last() {
        for (kinds, has_channels, frames) in [
            ("domain domain domain", false, None),
            ("??? ??? ???", false, None),
            ("-vector domain domain domain", true, None),
            ("-RGB-color space space space", true, None),
            ("-list domain domain domain", true, None),
            ("-??? domain domain domain", true, None),
            ("domain domain domain time", false, Some(3)),
            ("domain domain domain domain", false, Some(3)),
            ("domain domain domain -list", false, Some(3)),
            ("??? ??? ??? ???", false, Some(3)),
            ("-RGBA-color domain domain domain -time", true, Some(4)),
            ("-none domain domain domain -none", true, Some(4)),
        ] {
            let x = usize::from(has_channels);
            assert_eq!(of(kinds), Ok(Axes { has_channels, x, space_count: 3, frames }), "{kinds}");
        }
    }

    #[test]
    fn frames_may_come_first() {
        let frames = Axes { has_channels: false, x: 1, space_count: 3, frames: Some(0) };
        let of = |first, is_frames| {
            Axes::of(&[(first, false), ("domain", true), ("domain", true), ("domain", true)], is_frames)
        };
        assert_eq!(of("list", true).expect("a sequence"), frames);
        assert_eq!(of("time", false).expect("times"), frames);
        assert!(of("list", false).expect("channels").has_channels);
        assert!(of("vector", true).expect("channels").has_channels);
    }

    #[test]
    fn a_slice_has_two_axes_of_space() {
        for (kinds, has_channels) in [("domain domain", false), ("-vector ??? ???", true)] {
            let x = usize::from(has_channels);
            assert_eq!(of(kinds), Ok(Axes { has_channels, x, space_count: 2, frames: None }), "{kinds}");
        }
    }

    #[test]
    fn other_orders_are_refused() {
        for (kinds, reason) in [
            ("domain domain domain -vector", "a vector axis that is not the first (axis 4 of 4"),
            ("domain -RGB-color domain domain", "a vector axis that is not the first (axis 2 of 4"),
            ("time domain domain", "an axis of kind \"time\" in place 1 of 3"),
            ("domain domain -list", "an axis of kind \"list\" in place 3 of 3"),
            ("-vector domain", "an image of 1 axes of space and time"),
            ("domain", "an image of 1 axes"),
            ("domain domain domain domain domain", "an image of 5 axes"),
            ("-vector -list domain domain domain", "an axis of kind \"list\" in place 2 of 5"),
        ] {
            let error = of(kinds).expect_err(kinds);
            assert!(error.contains(reason), "{kinds}: {error}");
        }
    }
}
