//! Byte counts in messages.

use std::fmt;

/// Count of bytes, displayed for people: `4 GiB`, `3.2 TiB`, `17 bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper around one number")]
pub struct ByteCount(pub u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.0.max(1).ilog2() / 10;
        let name = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit as usize];
        let whole = self.0 >> (10 * unit);
        if self.0 == whole << (10 * unit) {
            write!(f, "{whole} {name}")
        } else {
            // The number is rounded up, so that a need never looks equal to the limit that it exceeds.
            let tenths = (u128::from(self.0) * 10).div_ceil(1 << (10 * unit));
            write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_and_never_rounded_down() {
        let shown = [17, 4 << 30, (4 << 30) + 1, u64::MAX].map(|count| ByteCount(count).to_string());
        assert_eq!(shown, ["17 bytes", "4 GiB", "4.1 GiB", "16.0 EiB"]);
    }
}
