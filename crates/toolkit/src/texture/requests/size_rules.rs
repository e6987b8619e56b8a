//! Size of a texture, from the size of its picture.

/// A requested size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PictureSize {
    /// Width and height in texels.
    Texels(u32, u32),
    /// Percentage of the picture's width and height.
    Percent(f64),
}

/// Rounding of a side to a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PowerOfTwo {
    /// The power with the smaller ratio to the side: 90 becomes 64, 91 becomes 128.
    Nearest,
    /// The next power that is not below the side.
    Up,
    /// The next power that is not above the side.
    Down,
}

impl PowerOfTwo {
    /// All kinds.
    pub const ALL: &[Self] = &[Self::Nearest, Self::Up, Self::Down];

    /// Returns the name, as used by the program's `--power-of-two`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Up => "up",
            Self::Down => "down",
        }
    }

    fn of(self, side: u32) -> u32 {
        let down = 1u32 << side.max(1).ilog2();
        let up = side.max(1).checked_next_power_of_two().unwrap_or(down);
        match self {
            Self::Down => down,
            Self::Up => up,
            Self::Nearest if u64::from(side) * u64::from(side) < u64::from(down) * u64::from(up) => down,
            Self::Nearest => up,
        }
    }
}

/// Rules for the size of a texture. They apply in the order of the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SizeRules {
    /// The size. Default: none, which means that of the picture.
    pub size: Option<PictureSize>,
    /// Maximum of both sides, in texels. Larger pictures shrink with the same ratio of their sides. Default:
    /// none.
    pub max: Option<u32>,
    /// Rounding of each side to a power of two. Default: none.
    pub power_of_two: Option<PowerOfTwo>,
    /// True to round each side up to a multiple of 4, or down if it would exceed the maximum. No side is
    /// below 4, even if the maximum is. Direct3D requires such sides of block-compressed textures. Default:
    /// false.
    pub multiple_of_4: bool,
}

impl SizeRules {
    /// True if a picture may get another size.
    pub(in crate::texture) fn change_sizes(&self) -> bool {
        *self != Self::default()
    }

    /// Returns the size of the texture of a picture with these sides. No side is below 1.
    pub fn of(&self, picture: [u32; 2]) -> [u32; 2] {
        let size = match self.size {
            None => picture,
            Some(PictureSize::Texels(width, height)) => [width, height],
            Some(PictureSize::Percent(percent)) => {
                picture.map(|side| (f64::from(side) * percent / 100.0).round() as u32)
            }
        };
        let size = size.map(|side| side.max(1));
        let longest = size[0].max(size[1]);
        let size = match self.max.map(|max| max.max(1)) {
            Some(max) if longest > max => size.map(|side| {
                let scaled = (u64::from(side) * u64::from(max) + u64::from(longest) / 2) / u64::from(longest);
                (scaled as u32).max(1)
            }),
            _ => size,
        };
        let max = self.max.unwrap_or(u32::MAX);
        let size = match self.power_of_two {
            Some(rule) => size.map(|side| {
                Some(rule.of(side)).filter(|&side| side <= max).unwrap_or(PowerOfTwo::Down.of(side))
            }),
            None => size,
        };
        let multiple = |side: u32| {
            let up = side.checked_next_multiple_of(4).filter(|&up| up <= max);
            up.unwrap_or(side / 4 * 4).max(4)
        };
        if self.multiple_of_4 { size.map(multiple) } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_apply_in_order() {
        let rules = SizeRules::default();
        assert_eq!(rules.of([300, 7]), [300, 7]);
        assert_eq!((SizeRules { size: Some(PictureSize::Texels(5, 900)), ..rules }).of([300, 7]), [5, 900]);
        assert_eq!((SizeRules { size: Some(PictureSize::Percent(50.0)), ..rules }).of([301, 1]), [151, 1]);
        assert_eq!((SizeRules { max: Some(100), ..rules }).of([300, 7]), [100, 2]);
        assert_eq!((SizeRules { max: Some(100), ..rules }).of([10, 1000]), [1, 100]);
        assert_eq!((SizeRules { max: Some(1000), ..rules }).of([300, 7]), [300, 7]);
        assert_eq!((SizeRules { multiple_of_4: true, ..rules }).of([301, 2]), [304, 4]);
        assert_eq!((SizeRules { multiple_of_4: true, max: Some(302), ..rules }).of([301, 301]), [300, 300]);
        let half = SizeRules { size: Some(PictureSize::Percent(50.0)), ..rules };
        let all =
            SizeRules { max: Some(600), power_of_two: Some(PowerOfTwo::Up), multiple_of_4: true, ..half };
        assert_eq!(all.of([2000, 300]), [512, 128]);
    }

    #[test]
    fn powers_of_two_are_nearest_in_ratio() {
        let sides = |rule: PowerOfTwo| [1, 2, 3, 90, 91, 1024, u32::MAX].map(|side| rule.of(side));
        assert_eq!(sides(PowerOfTwo::Nearest), [1, 2, 4, 64, 128, 1024, 1 << 31]);
        assert_eq!(sides(PowerOfTwo::Up), [1, 2, 4, 128, 128, 1024, 1 << 31]);
        assert_eq!(sides(PowerOfTwo::Down), [1, 2, 2, 64, 64, 1024, 1 << 31]);
    }
}
