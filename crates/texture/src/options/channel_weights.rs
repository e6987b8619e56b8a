//! Weights of the channels.

/// Weights of squared errors in red, green and blue. Only the ratios matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelWeights {
    rgb: [u8; 3],
}

impl ChannelWeights {
    /// Equal weights, as in PSNR over RGB.
    pub const UNIFORM: Self = Self { rgb: [1, 1, 1] };
    /// Luma weights of BT.709 in 256ths.
    pub const LUMA: Self = Self { rgb: [54, 183, 19] };
    /// Largest sum of the three weights. Up to this sum, errors are exact in 24 bits.
    pub const MAX_SUM: u16 = 256;

    /// Returns weights for red, green and blue; `None` if one is 0 or their sum exceeds
    /// [`MAX_SUM`](Self::MAX_SUM).
    pub const fn new(red: u8, green: u8, blue: u8) -> Option<Self> {
        let sum = red as u16 + green as u16 + blue as u16;
        if red == 0 || green == 0 || blue == 0 || sum > Self::MAX_SUM {
            return None;
        }
        Some(Self { rgb: [red, green, blue] })
    }

    /// Returns the weights of red, green and blue.
    pub const fn rgb(self) -> [u8; 3] {
        self.rgb
    }

    /// Returns the weights of red, green, blue and alpha, which has the average weight of a colour. The sum
    /// is at most 256, so that the errors of a texel are exact in floats.
    pub(crate) fn rgba(self) -> [f32; 4] {
        let rgb = self.rgb.map(f32::from);
        let sum: f32 = rgb.iter().sum();
        let scale = if sum > 189.0 { 189.0 / sum } else { 1.0 };
        let [r, g, b] = rgb.map(|weight| (weight * scale).round().max(1.0));
        [r, g, b, ((r + g + b) / 3.0).round()]
    }
}

impl Default for ChannelWeights {
    fn default() -> Self {
        Self::UNIFORM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_bounded() {
        assert!(ChannelWeights::new(0, 1, 1).is_none());
        assert!(ChannelWeights::new(255, 1, 1).is_none());
        assert_eq!(ChannelWeights::new(254, 1, 1).unwrap().rgb(), [254, 1, 1]);
        assert_eq!(ChannelWeights::LUMA.rgb().map(u16::from).iter().sum::<u16>(), 256);
    }
}
