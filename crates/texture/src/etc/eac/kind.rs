//! The eight values of a block, in integers.

/// Modifiers of the indices 4 to 7 of each table. Index k − 4 means `−1 − modifier` of index k, so the eight
/// values are symmetric around half a step below the base.
pub(crate) const TABLES: [[i32; 4]; 16] = [
    [2, 5, 8, 14],
    [2, 6, 9, 12],
    [1, 4, 7, 12],
    [1, 3, 5, 12],
    [2, 5, 7, 11],
    [2, 6, 8, 10],
    [3, 6, 7, 10],
    [2, 4, 7, 10],
    [1, 5, 7, 9],
    [1, 4, 7, 9],
    [1, 3, 7, 9],
    [1, 4, 6, 9],
    [2, 3, 6, 9],
    [0, 1, 2, 9],
    [3, 5, 7, 8],
    [2, 4, 6, 8],
];

/// Kind of channel: how a base, a multiplier and a modifier become a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Steps of a value in a step of the base.
    pub unit: i32,
    /// Value of base 0.
    pub offset: i32,
    /// Smallest and largest value.
    pub range: [i32; 2],
    /// Smallest and largest base.
    pub bases: [i32; 2],
    /// Smallest multiplier that encoders write.
    pub least_multiplier: i32,
    /// Steps of a modifier if the multiplier is 0.
    zero_scale: i32,
}

/// Alpha of ETC2: 8 bits. Multiplier 0 is legal, but encoders must not write it.
pub(crate) const ALPHA: Kind =
    Kind { unit: 1, offset: 0, range: [0, 255], bases: [0, 255], least_multiplier: 1, zero_scale: 0 };
/// R11 and RG11, unsigned: 2047ths. Multiplier 0 means 1/8.
pub(crate) const UNORM: Kind =
    Kind { unit: 8, offset: 4, range: [0, 2047], bases: [0, 255], least_multiplier: 0, zero_scale: 1 };
/// R11 and RG11, signed: 1023rds. Multiplier 0 means 1/8, and base −128 means −127.
pub(crate) const SNORM: Kind =
    Kind { unit: 8, offset: 0, range: [-1023, 1023], bases: [-127, 127], least_multiplier: 0, zero_scale: 1 };

impl Kind {
    /// True if bases are signed.
    pub const fn is_signed(&self) -> bool {
        self.bases[0] < 0
    }

    /// Returns the steps of a modifier.
    #[inline(always)]
    pub fn scale(&self, multiplier: i32) -> i32 {
        if multiplier == 0 { self.zero_scale } else { self.unit * multiplier }
    }

    /// Returns the values of the eight indices of a block.
    #[inline(always)]
    pub fn palette(&self, block: u64) -> [i32; 8] {
        let stored = (block >> 56) as u8;
        let base = if self.is_signed() { i32::from(stored as i8).max(-127) } else { i32::from(stored) };
        let scale = self.scale((block >> 52) as i32 & 15);
        let modifiers = TABLES[(block >> 48) as usize & 15];
        let [least, greatest] = self.range;
        std::array::from_fn(|k| {
            let modifier = if k < 4 { -1 - modifiers[k] } else { modifiers[k - 4] };
            (self.unit * base + self.offset + scale * modifier).clamp(least, greatest)
        })
    }

    /// Returns the value nearest to `source` of `top`, which is the largest source: 255 or 65535. Signed
    /// sources 0 to `top` mean −1 to 1, as in normal maps.
    #[inline(always)]
    pub fn target(&self, source: i32, top: i32) -> i32 {
        let [least, greatest] = self.range;
        // At most 65535 · 4094 + 65535, below 2²⁹.
        (2 * (greatest - least) * source + top) / (2 * top) + least
    }

    /// Returns the byte nearest to a value. The signed value 0, between two bytes, becomes 128.
    #[inline(always)]
    pub fn byte(&self, value: i32) -> u8 {
        let [least, greatest] = self.range;
        let span = greatest - least;
        ((2 * 255 * (value - least) + span) / (2 * span)) as u8
    }

    /// Returns a value from 0 to 1, signed −1 to 1 as (x + 1)/2.
    #[inline(always)]
    pub fn float(&self, value: i32) -> f32 {
        let [least, greatest] = self.range;
        (value - least) as f32 / (greatest - least) as f32
    }
}
