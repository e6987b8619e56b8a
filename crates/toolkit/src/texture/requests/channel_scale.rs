//! Linear changes of channels, and their syntax.

use super::PictureChannel;
use brickwork_image::Channel;
use brickwork_texture::{Swizzle, SwizzleSource};
use std::fmt;

/// Linear change of a channel: `scale · x + bias`, for numbers x from 0 to 1. Results of integers are rounded
/// to nearest, and clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a linear function has two coefficients")]
pub struct ChannelScale {
    /// Factor. Default: 1.
    pub scale: f64,
    /// Number that is added. Default: 0.
    pub bias: f64,
}

impl Default for ChannelScale {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl ChannelScale {
    /// No change.
    pub const IDENTITY: Self = Self { scale: 1.0, bias: 0.0 };

    /// Returns the changed channel.
    pub(in crate::texture) fn applied<C: Channel>(self, channel: C) -> C {
        if self == Self::IDENTITY {
            return channel;
        }
        C::of(channel.value() * self.scale + C::ONE * self.bias)
    }
}

/// A source and its change, displayed as `1-a` or `r*0.5+0.5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::texture) struct ChannelTerm {
    pub source: SwizzleSource,
    pub change: ChannelScale,
}

impl ChannelTerm {
    /// Returns a channel of a picture.
    pub fn of_channel(channel: PictureChannel, change: ChannelScale) -> Self {
        let source = match channel {
            PictureChannel::Red => SwizzleSource::Red,
            PictureChannel::Green => SwizzleSource::Green,
            PictureChannel::Blue => SwizzleSource::Blue,
            PictureChannel::Alpha => SwizzleSource::Alpha,
        };
        Self { source, change }
    }

    /// Returns the channel of a picture; none for a constant.
    pub fn channel(self) -> Option<PictureChannel> {
        let of = |channel: &&PictureChannel| Self::of_channel(**channel, self.change).source == self.source;
        PictureChannel::ALL.iter().find(of).copied()
    }

    /// Parses `r`, `1-r`, `r*0.5`, `r*0.5+0.5`, `r-0.1`, `1-r*0.5`, with any channel, or a constant such as
    /// `0` or `0.5`.
    pub fn parse(text: &str) -> Option<Self> {
        let Some(at) = text.find(['r', 'g', 'b', 'a']) else { return constant(text) };
        let (before, letter, after) = (&text[..at], &text[at..=at], &text[at + 1..]);
        let Swizzle([source, ..]) = Swizzle::parse(&letter.repeat(4))?;
        let (sign, mut bias) = match before {
            "" => (1.0, 0.0),
            _ => (-1.0, number(before.strip_suffix('-')?)?),
        };
        let (scale, sum) = match after.strip_prefix('*') {
            None => (1.0, after),
            Some(rest) => {
                let end = rest.find(['+', '-']).unwrap_or(rest.len());
                (number(&rest[..end])?, &rest[end..])
            }
        };
        if let Some(number_text) = sum.strip_prefix('+') {
            bias += number(number_text)?;
        } else if let Some(number_text) = sum.strip_prefix('-') {
            bias -= number(number_text)?;
        } else if !sum.is_empty() {
            return None;
        }
        Some(Self { source, change: ChannelScale { scale: sign * scale, bias } })
    }
}

fn constant(text: &str) -> Option<ChannelTerm> {
    let scale = number(text)?;
    let source = if scale == 0.0 { SwizzleSource::Zero } else { SwizzleSource::One };
    let scale = if scale == 0.0 { 1.0 } else { scale };
    Some(ChannelTerm { source, change: ChannelScale { scale, bias: 0.0 } })
}

/// Parses a number without sign and exponent.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|_| is_plain)
}

impl fmt::Display for ChannelTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, change: ChannelScale { scale, bias } } = *self;
        if source == SwizzleSource::One && bias == 0.0 {
            return write!(f, "{scale}");
        }
        let mut bias = bias;
        if scale < 0.0 {
            write!(f, "{}-", bias.max(0.0))?;
            bias = bias.min(0.0);
        }
        f.write_str(&Swizzle([source; 4]).letters()[..1])?;
        if scale.abs() != 1.0 {
            write!(f, "*{}", scale.abs())?;
        }
        match bias {
            _ if bias > 0.0 => write!(f, "+{bias}"),
            _ if bias < 0.0 => write!(f, "{bias}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lead_back() {
        let half = |scale, bias| ChannelScale { scale, bias };
        for (text, source, change, shown) in [
            ("r", SwizzleSource::Red, half(1.0, 0.0), "r"),
            ("1-a", SwizzleSource::Alpha, half(-1.0, 1.0), "1-a"),
            ("g*0.5+0.5", SwizzleSource::Green, half(0.5, 0.5), "g*0.5+0.5"),
            ("b*2-1", SwizzleSource::Blue, half(2.0, -1.0), "b*2-1"),
            ("1-r*.5", SwizzleSource::Red, half(-0.5, 1.0), "1-r*0.5"),
            ("0-r-0.25", SwizzleSource::Red, half(-1.0, -0.25), "0-r-0.25"),
            ("a+0.25", SwizzleSource::Alpha, half(1.0, 0.25), "a+0.25"),
            ("0", SwizzleSource::Zero, half(1.0, 0.0), "0"),
            ("1", SwizzleSource::One, half(1.0, 0.0), "1"),
            ("0.5", SwizzleSource::One, half(0.5, 0.0), "0.5"),
        ] {
            let term = ChannelTerm::parse(text).unwrap();
            assert_eq!((term.source, term.change), (source, change), "{text}");
            assert_eq!((term.to_string(), ChannelTerm::parse(shown)), (shown.to_owned(), Some(term)));
        }
        for wrong in ["", "x", "1-", "rr", "r*", "r*x", "r+", "1e3", "-r", "r*-1", "2*r", "r/2", "é"] {
            assert_eq!(ChannelTerm::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn integers_are_rounded_and_clamped() {
        let of = |text: &str| ChannelTerm::parse(text).unwrap().change;
        assert_eq!([0u8, 1, 128, 255].map(|v| of("1-r").applied(v)), [255, 254, 127, 0]);
        assert_eq!([0u8, 128, 255].map(|v| of("r*0.5+0.5").applied(v)), [128, 192, 255]);
        assert_eq!([0u16, 1, 65535].map(|v| of("1-r").applied(v)), [65535, 65534, 0]);
        assert_eq!([0u8, 100, 200].map(|v| of("r*2-0.5").applied(v)), [0, 73, 255]);
        assert_eq!([-1.0f32, 3.0].map(|v| of("1-r").applied(v)), [2.0, -2.0]);
    }
}
