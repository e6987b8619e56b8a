//! Blocks of 8-bit texels in lanes, one block in each.

use crate::simd::{Float, Int, Simd, each};

/// Number subtracted from a channel value to centre it.
pub(crate) const CENTER: f32 = 128.0;

/// Texels of one block per lane, with the first `CHANNELS` of red, green, blue and alpha. If `MASKED`, some
/// texels may be left out: they have no error and do not count in sums.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd, const CHANNELS: usize, const MASKED: bool> {
    /// Texels as loaded, red in the lowest byte.
    pub packed: [S::I; 16],
    /// Centred channels, `x[channel][texel]`; 0 where the texel is left out.
    pub x: [[S::F; 16]; CHANNELS],
    /// True for texels that are left out.
    pub out: [S::M; 16],
    /// Number of texels that are not left out.
    pub count: S::F,
    /// Sums of the centred channels.
    pub sum: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize, const MASKED: bool> Block<S, CHANNELS, MASKED> {
    /// Unpacks texels. Those in `out` are left out; `out` is ignored unless `MASKED`.
    #[inline(always)]
    pub fn of(s: S, packed: [S::I; 16], out: [S::M; 16]) -> Self {
        let zero = s.f(0.0);
        let mut x = [[zero; 16]; CHANNELS];
        let mut count = s.f(16.0);
        let channels = each!(t in 16 => centered(s, packed[t]));
        for c in 0..CHANNELS {
            x[c] = each!(t in 16 => channels[t][c]);
        }
        if MASKED {
            for t in 0..16 {
                count = count.add_if(out[t], s.f(-1.0));
                for x in &mut x {
                    x[t] = x[t].or_if(out[t], zero);
                }
            }
        }
        let mut sum = [zero; CHANNELS];
        for (sum, x) in sum.iter_mut().zip(&x) {
            for &x in x {
                *sum = *sum + x;
            }
        }
        Self { packed, x, out, count, sum }
    }

    /// Returns the channels' means, 0 to 255, rounded to nearest, halves up; 0 in lanes where every texel is
    /// left out.
    #[inline(always)]
    pub fn mean(&self, s: S) -> [S::I; CHANNELS] {
        let scale = s.gather(&HALVES, self.count.to_i());
        // (2·sum + count) / 2·count. The added quarter keeps the product away from the integers, regardless
        // of the rounding of scale and product.
        let offset = self.count * s.f(2.0 * CENTER + 1.0) + s.f(0.25);
        let mut mean = [s.i(0); CHANNELS];
        for (mean, &sum) in mean.iter_mut().zip(&self.sum) {
            *mean = ((sum + sum + offset) * scale).floor().to_i();
        }
        mean
    }
}

/// 1/2n for each n; 0 for n = 0.
static HALVES: [f32; 17] = {
    let mut halves = [0.0; 17];
    let mut n = 1;
    while n <= 16 {
        halves[n] = 0.5 / n as f32;
        n += 1;
    }
    halves
};

/// Returns the four bytes of a packed texel, lowest first.
#[inline(always)]
pub(crate) fn bytes<S: Simd>(s: S, packed: S::I) -> [S::F; 4] {
    let byte = s.i(255);
    [
        (packed & byte).to_f(),
        (packed.shr::<8>() & byte).to_f(),
        (packed.shr::<16>() & byte).to_f(),
        packed.shr::<24>().to_f(),
    ]
}

/// Returns the centred channels of a packed texel.
#[inline(always)]
pub(crate) fn centered<S: Simd>(s: S, packed: S::I) -> [S::F; 4] {
    let (channels, center) = (bytes(s, packed), s.f(CENTER));
    each!(c in 4 => channels[c] - center)
}
