//! Options that only BC7 has.

use std::{fmt, str::FromStr};

/// Options of [`EncodeOptions`](crate::EncodeOptions) that only BC7 has.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc7::ModeSet};
///
/// let mut options = EncodeOptions::default();
/// options.bc7.modes = ModeSet::new(&[1, 6]).unwrap();
/// assert!(!options.bc7.modes.contains(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bc7Options {
    /// Modes that blocks may have. Default: [`ModeSet::ALL`].
    pub modes: ModeSet,
}

impl Bc7Options {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Set of modes of BC7, 0 to 7. At least one stores alpha: modes 4 to 7 do.
///
/// It is parsed from a list such as `"1,6"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModeSet(u8);

impl ModeSet {
    /// All modes.
    pub const ALL: Self = Self(0xff);

    /// Returns the set of the listed modes, or `None` if one is above 7 or none stores alpha.
    pub fn new(modes: &[u8]) -> Option<Self> {
        let mut set = 0;
        for &mode in modes {
            set |= 1u8.checked_shl(u32::from(mode))?;
        }
        (set >> 4 != 0).then_some(Self(set))
    }

    /// True if blocks may have this mode; false above 7.
    pub const fn contains(self, mode: u8) -> bool {
        mode < 8 && self.0 >> mode & 1 != 0
    }
}

impl Default for ModeSet {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Display for ModeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<_> = (0..8).filter(|&mode| self.contains(mode)).map(|mode| mode.to_string()).collect();
        f.write_str(&modes.join(","))
    }
}

/// Reason why a list of modes was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModeSetError {
    /// A mode is not a number from 0 to 7.
    #[error("\"{0}\" is not a mode from 0 to 7")]
    Mode(String),
    /// No mode stores alpha.
    #[error("modes 0 to 3 store no alpha; add one of 4, 5, 6 and 7")]
    NoAlpha,
}

impl FromStr for ModeSet {
    type Err = ModeSetError;

    fn from_str(list: &str) -> Result<Self, ModeSetError> {
        let mut modes = Vec::new();
        for item in list.split(',') {
            let mode = item.trim().parse().ok().filter(|&mode: &u8| mode < 8);
            modes.push(mode.ok_or_else(|| ModeSetError::Mode(item.trim().to_owned()))?);
        }
        Self::new(&modes).ok_or(ModeSetError::NoAlpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_modes_are_checked() {
        assert_eq!("6, 1".parse::<ModeSet>().unwrap().to_string(), "1,6");
        assert_eq!("0,1,2,3,4,5,6,7".parse(), Ok(ModeSet::ALL));
        assert_eq!("1,8".parse::<ModeSet>().unwrap_err(), ModeSetError::Mode("8".to_owned()));
        assert_eq!("".parse::<ModeSet>().unwrap_err(), ModeSetError::Mode(String::new()));
        assert_eq!("0,3".parse::<ModeSet>().unwrap_err(), ModeSetError::NoAlpha);
        assert!(ModeSet::new(&[200]).is_none());
        assert!(!ModeSet::ALL.contains(8));
    }
}
