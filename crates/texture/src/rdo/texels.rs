//! The target of a block, and the decoded candidates, channel by channel.

/// Type of a channel's value: `u8` in levels of 0 to 255, or `i16` in fractions of a level, as
/// [`Unit::steps`](super::Unit::steps) defines them.
pub(crate) trait Sample: Copy {
    /// Returns the value in 16 bits.
    fn wide(self) -> i16;
}

impl Sample for u8 {
    #[inline(always)]
    fn wide(self) -> i16 {
        self.into()
    }
}

impl Sample for i16 {
    #[inline(always)]
    fn wide(self) -> i16 {
        self
    }
}

/// A decoded block.
#[derive(Clone, Copy)]
pub(crate) struct Decoded<const CHANNELS: usize, S = u8> {
    /// The channels that have an error, texel by texel.
    pub channels: [[S; 16]; CHANNELS],
    /// The texels whose alpha is 255, one bit each; 0 where a format leaves alpha to others.
    pub opaque: u16,
    /// The texels whose alpha is 0.
    pub clear: u16,
}

impl<const CHANNELS: usize> Decoded<CHANNELS> {
    /// Returns the block of 8-bit RGBA texels, with the channels from red on.
    #[inline(always)]
    pub fn of(texels: &[[u8; 4]; 16]) -> Self {
        let mut channels = [[0; 16]; CHANNELS];
        let (mut opaque, mut clear) = (0, 0);
        for (t, texel) in texels.iter().enumerate() {
            for c in 0..CHANNELS {
                channels[c][t] = texel[c];
            }
            opaque |= u16::from(texel[3] == 255) << t;
            clear |= u16::from(texel[3] == 0) << t;
        }
        Self { channels, opaque, clear }
    }
}

impl<const CHANNELS: usize, S: Sample> Decoded<CHANNELS, S> {
    /// Returns the sum of each channel.
    pub fn sums(&self) -> [i32; CHANNELS] {
        self.channels.map(|channel| channel.iter().map(|&value| i32::from(value.wide())).sum())
    }
}

/// The texels of the image that a block represents, and the constraints on the block.
pub(crate) struct Target<const CHANNELS: usize, S = u8> {
    pub texels: Decoded<CHANNELS, S>,
    /// All bits set for texels that count, those within the image.
    mask: [i16; 16],
    /// Number of the texels.
    count: i32,
    /// Weights of the squared errors of each channel.
    pub weights: [i32; CHANNELS],
    /// Texels that must keep alpha 255.
    must_be_opaque: u16,
    /// Texels that must keep alpha 0.
    must_be_clear: u16,
    sums: [i32; CHANNELS],
}

impl<const CHANNELS: usize, S: Sample> Target<CHANNELS, S> {
    /// Returns the target of the texels in `counted`.
    pub fn new(
        texels: Decoded<CHANNELS, S>,
        counted: u16,
        [must_be_opaque, must_be_clear]: [u16; 2],
        weights: [i32; CHANNELS],
    ) -> Self {
        let mask = std::array::from_fn(|t| -i16::from(counted >> t & 1 != 0));
        let sums = texels.sums();
        let count = counted.count_ones() as i32;
        Self { texels, mask, count, weights, must_be_opaque, must_be_clear, sums }
    }

    /// Returns true if texel `t` counts.
    #[inline(always)]
    pub fn counts(&self, t: usize) -> bool {
        self.mask[t] != 0
    }

    /// True if alpha is kept where it must be.
    #[inline(always)]
    pub fn allows(&self, decoded: &Decoded<CHANNELS, S>) -> bool {
        self.must_be_opaque & !decoded.opaque == 0 && self.must_be_clear & !decoded.clear == 0
    }

    /// True if texel `t` may have this alpha.
    #[inline(always)]
    pub fn allows_alpha(&self, t: usize, alpha: u8) -> bool {
        match alpha {
            255 => self.must_be_clear >> t & 1 == 0,
            0 => self.must_be_opaque >> t & 1 == 0,
            _ => (self.must_be_opaque | self.must_be_clear) >> t & 1 == 0,
        }
    }

    /// True if every texel must be opaque.
    pub fn is_opaque(&self) -> bool {
        self.must_be_opaque == u16::MAX
    }

    /// Returns the weighted squared error.
    #[inline(always)]
    pub fn error(&self, decoded: &Decoded<CHANNELS, S>) -> i32 {
        let mut error = 0;
        for c in 0..CHANNELS {
            let mut sum = 0;
            for t in 0..16 {
                let (texel, value) = (self.texels.channels[c][t].wide(), decoded.channels[c][t].wide());
                let difference = (texel - value) & self.mask[t];
                sum += i32::from(difference) * i32::from(difference);
            }
            error += sum * self.weights[c];
        }
        error
    }

    /// Returns a lower bound of the error of a block with these sums of channels.
    #[inline(always)]
    pub fn least_error(&self, sums: &[i32; CHANNELS]) -> i32 {
        if self.count < 16 {
            return 0;
        }
        let mut least = 0;
        for c in 0..CHANNELS {
            let difference = self.sums[c] - sums[c];
            // The square is below 2³¹: sums are at most 4080 levels, in eighths at most 32640.
            least += ((difference * difference) >> 4) * self.weights[c];
        }
        least
    }

    /// Returns the variance of the texels that count, in 16ths of a squared value: the mean of the channels,
    /// by their weights.
    pub fn variance(&self) -> i64 {
        let count = i64::from(self.count.max(1));
        let (mut variance, mut weight_sum) = (0, 0);
        for c in 0..CHANNELS {
            let (mut sum, mut squares) = (0i64, 0i64);
            for t in 0..16 {
                let value = i64::from(self.texels.channels[c][t].wide() & self.mask[t]);
                sum += value;
                squares += value * value;
            }
            let weight = i64::from(self.weights[c]);
            variance += (squares * count - sum * sum) * weight;
            weight_sum += weight;
        }
        variance * 16 / (count * count * weight_sum)
    }
}
