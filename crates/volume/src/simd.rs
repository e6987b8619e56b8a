//! The same code for every instruction set, chosen at run time. It computes with integers, so all give the
//! same results.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2_bytes;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod level;
mod operations;
mod portable;
mod portable_bytes;
#[allow(unsafe_code)]
mod prefetch;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(target_arch = "x86_64")]
use level::Level;
pub use level::check_simd_variable;
pub(crate) use operations::{
    Bits, ByteLanes, PairWeights, STREAM, SimdKernel, Weights, byte_pair_place, pair_place,
};
pub(crate) use portable::Portable;
pub(crate) use prefetch::prefetch;

/// Does the work of `kernel` on the best instruction set this CPU has.
#[inline]
pub(crate) fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = avx2::Avx2::detect() {
        return avx2::run(token, kernel);
    }
    kernel.run(Portable)
}

/// Works like [`dispatch`], also with AVX-512, for kernels that gain by it: each is compiled again.
#[inline]
pub(crate) fn dispatch_wide<K: SimdKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return avx512::run(token, kernel);
    }
    dispatch(kernel)
}

/// True if [`dispatch_bytes`] does the work of a kernel.
#[inline]
pub(crate) fn has_byte_lanes() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has_byte_lanes = avx2::Avx2::detect().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let has_byte_lanes = false;
    has_byte_lanes
}

/// Works like [`dispatch_wide`] for kernels of [`ByteLanes`], which gain nothing in portable code. Returns
/// `None`, and does nothing, if the CPU has neither AVX2 nor AVX-512.
#[inline]
pub(crate) fn dispatch_bytes<K: SimdKernel>(kernel: K) -> Option<K::Output> {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return Some(avx512::run(token, kernel));
    } else if let Some(token) = avx2::Avx2::detect() {
        return Some(avx2::run(token, kernel));
    }
    let _ = kernel;
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array;

    struct Both(u64, u64);

    impl SimdKernel for Both {
        type Output = (u64, u64, [u8; 64], [u64; 8], [u64; 3], [[u64; 8]; 5], [[i16; 16]; 11]);

        fn run<B: Bits>(self, bits: B) -> Self::Output {
            let mut counts = bits.counts();
            bits.add(&mut counts, self.0);
            bits.add(&mut counts, self.1);
            let k = self.0 as u32 >> 28;
            let codes =
                array::from_fn(|i| ((self.0 ^ self.1.rotate_left(i as u32)) & 0x7fff) as u16 >> (i / 8));
            let mut rows =
                array::from_fn(|i| array::from_fn(|g| self.0.rotate_left(i as u32 * 5) ^ self.1 << (3 * g)));
            let sums = bits.least_of_pairs(&mut rows, (self.1 >> 60) as usize & 3);
            // Values and codes of 0 to 900, weights of −15 to 15.
            let row = |from: u32| -> [i16; 16] {
                array::from_fn(|i| {
                    let number = self.0.rotate_left(from + 5 * i as u32) ^ self.1.rotate_left(from);
                    (number & 0x7fff) as i16 % 901
                })
            };
            let weight = |i: usize| (self.1.rotate_left(5 * i as u32) & 31) as i16 % 31 - 15;
            let weights = array::from_fn(|pair| {
                array::from_fn(|half| array::from_fn(|i| weight(32 * pair + 16 * half + i)))
            });
            let numbers = array::from_fn(|i| array::from_fn(|j| bits.row(row(8 * i as u32 + 31 * j as u32))));
            let mask = row(3).map(|number| -(number & 1));
            let (row_codes, largest) = (bits.and(bits.row(row(50)), bits.row(mask)), bits.row([900; 16]));
            let values = bits.values(numbers, &weights, row_codes, largest, bits.row(mask));
            let rows_back = [
                bits.back::<1>(row_codes),
                bits.back::<2>(row_codes),
                bits.and(bits.west(row_codes), bits.row(array::from_fn(|lane| -i16::from(lane % 4 > 0)))),
                bits.and(bits.north(row_codes), bits.row(array::from_fn(|lane| -i16::from(lane > 3)))),
                bits.or(row_codes, bits.row(mask)),
                values,
            ];
            let ordered = array::from_fn(|i| bits.row(array::from_fn(|lane| (16 * i + lane) as i16)));
            let slices = bits.slices(ordered);
            let quotients = array::from_fn(|i| (self.0.rotate_left(3 * i as u32) & 63) as u8);
            let joined = bits.join(&quotients, [self.0, self.1], [k % 9, self.1 as u32 % 9]);
            let rows_made = [slices[0], slices[1], slices[2], slices[3], joined];
            let sizes = bits.unary_sizes(&codes, k, self.1 & 1 == 1, self.1.count_ones() as u8);
            (
                bits.deposit(self.0, self.1),
                bits.extract(self.0, self.1),
                bits.to_bytes(counts),
                sizes,
                sums,
                rows,
                array::from_fn(|i| bits.numbers(if i < 6 { rows_back[i] } else { rows_made[i - 6] })),
            )
        }
    }

    #[test]
    fn every_instruction_set_moves_bits_alike() {
        let mut state = 1u64;
        // Miri takes long for each.
        for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (bits, mask) = (state, state.rotate_left(29) & state.rotate_left(11));
            let plain = Both(bits, mask).run(Portable);
            assert_eq!(dispatch(Both(bits, mask)), plain);
            assert_eq!(dispatch_wide(Both(bits, mask)), plain);
            for (i, count) in plain.2.into_iter().enumerate() {
                assert_eq!(u64::from(count), (bits >> i & 1) + (mask >> i & 1));
            }
        }
        // Masks of one run, and of the low bits of all bytes.
        let runs = (0..64).flat_map(|from| (from..64).map(move |to| u64::MAX >> (63 - (to - from)) << from));
        let fields = (0..=8).map(|k| 0x0101_0101_0101_0101 * ((1 << k) - 1));
        for mask in runs.chain(fields) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let places: Vec<u32> = (0..64).filter(|place| mask >> place & 1 == 1).collect();
            let moved = |from: &dyn Fn(u32, u32) -> (u32, u32)| {
                let bit = |(i, &place): (usize, &u32)| {
                    let (from, to) = from(i as u32, place);
                    (state >> from & 1) << to
                };
                places.iter().enumerate().map(bit).fold(0, |sum, bit| sum | bit)
            };
            assert_eq!(Portable.deposit(state, mask), moved(&|i, place| (i, place)), "{mask:x}");
            assert_eq!(Portable.extract(state, mask), moved(&|i, place| (place, i)), "{mask:x}");
        }
        assert_eq!(Portable.deposit(0b101, 0b1101_0000), 0b1001_0000);
        assert_eq!(Portable.extract(0b1001_0000, 0b1101_0000), 0b101);
    }
}
