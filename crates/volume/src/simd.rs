//! The same code for every instruction set, chosen at run time. What it computes is in integers, so all give the same.

/// Work that is compiled for each instruction set. [`run`](Self::run) and all it calls must be `#[inline(always)]`.
pub(crate) trait Kernel {
    /// What it yields.
    type Output;

    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// Moving bits to and from scattered places.
pub(crate) trait Bits: Copy {
    /// Spreads the low bits of `bits` over the ones of `mask`, the lowest first.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Gathers the bits of `bits` at the ones of `mask`, the lowest first.
    fn extract(self, bits: u64, mask: u64) -> u64;

    /// 64 counts below 256.
    type Counts: Copy;

    /// Zeros.
    fn counts(self) -> Self::Counts;

    /// Adds bit i of `bits` to count i.
    fn add(self, counts: &mut Self::Counts, bits: u64);

    /// The counts.
    fn to_bytes(self, counts: Self::Counts) -> [u8; 64];
}

/// Plain code.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn deposit(self, mut bits: u64, mut mask: u64) -> u64 {
        let mut out = 0;
        while mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            out |= lowest & (bits & 1).wrapping_neg();
            bits >>= 1;
            mask ^= lowest;
        }
        out
    }

    #[inline(always)]
    fn extract(self, bits: u64, mut mask: u64) -> u64 {
        let (mut out, mut count) = (0, 0);
        while mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            out |= u64::from(bits & lowest != 0) << count;
            count += 1;
            mask ^= lowest;
        }
        out
    }

    type Counts = [u64; 8];

    #[inline(always)]
    fn counts(self) -> [u64; 8] {
        [0; 8]
    }

    #[inline(always)]
    fn add(self, counts: &mut [u64; 8], bits: u64) {
        for (count, byte) in counts.iter_mut().zip(bits.to_le_bytes()) {
            // Bit i of the byte alone in byte i; then a one there if it was set.
            let apart = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            *count += ((apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101;
        }
    }

    #[inline(always)]
    fn to_bytes(self, counts: [u64; 8]) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (bytes, count) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(counts) {
            *bytes = count.to_le_bytes();
        }
        bytes
    }
}

/// Does the work of `kernel` on the best instruction set this CPU has.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = x86::Avx2::detect() {
        return x86::run(token, kernel);
    }
    kernel.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Bits, Kernel};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_set1_epi32, _mm256_set1_epi64x,
        _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sub_epi8, _pdep_u64, _pext_u64,
    };

    /// Shows that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline]
        pub fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Self(()))
        }
    }

    impl Bits for Avx2 {
        #[inline(always)]
        fn deposit(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: the token shows that the CPU has BMI2.
            unsafe { _pdep_u64(bits, mask) }
        }

        #[inline(always)]
        fn extract(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: the token shows that the CPU has BMI2.
            unsafe { _pext_u64(bits, mask) }
        }

        type Counts = [__m256i; 2];

        #[inline(always)]
        fn counts(self) -> [__m256i; 2] {
            // SAFETY: the token shows that the CPU has AVX.
            unsafe { [_mm256_setzero_si256(); 2] }
        }

        #[inline(always)]
        fn add(self, counts: &mut [__m256i; 2], bits: u64) {
            for (count, half) in counts.iter_mut().zip([bits as i32, (bits >> 32) as i32]) {
                // SAFETY: the token shows that the CPU has AVX2.
                *count = unsafe {
                    // Each byte eight times, then bit i of it alone in byte i: as a mask, minus one where it was set.
                    let ones = 0x0101_0101_0101_0101;
                    let places = _mm256_setr_epi64x(0, ones, 2 * ones, 3 * ones);
                    let apart = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
                    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(half), places);
                    let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, apart), apart);
                    _mm256_sub_epi8(*count, set)
                };
            }
        }

        #[inline(always)]
        fn to_bytes(self, counts: [__m256i; 2]) -> [u8; 64] {
            bytemuck::cast(counts)
        }
    }

    #[inline]
    pub(super) fn run<K: Kernel>(token: Avx2, kernel: K) -> K::Output {
        // SAFETY: the token shows that the CPU has these instructions.
        unsafe { with_avx2(token, kernel) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn with_avx2<K: Kernel>(token: Avx2, kernel: K) -> K::Output {
        kernel.run(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Both(u64, u64);

    impl Kernel for Both {
        type Output = (u64, u64, [u8; 64]);

        fn run<B: Bits>(self, bits: B) -> Self::Output {
            let mut counts = bits.counts();
            bits.add(&mut counts, self.0);
            bits.add(&mut counts, self.1);
            (bits.deposit(self.0, self.1), bits.extract(self.0, self.1), bits.to_bytes(counts))
        }
    }

    #[test]
    fn every_instruction_set_moves_bits_alike() {
        let mut state = 1u64;
        for _ in 0..1000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (bits, mask) = (state, state.rotate_left(29) & state.rotate_left(11));
            let plain = Both(bits, mask).run(Portable);
            assert_eq!(dispatch(Both(bits, mask)), plain);
            for (i, count) in plain.2.into_iter().enumerate() {
                assert_eq!(u64::from(count), (bits >> i & 1) + (mask >> i & 1));
            }
        }
        assert_eq!(Portable.deposit(0b101, 0b1101_0000), 0b1001_0000);
        assert_eq!(Portable.extract(0b1001_0000, 0b1101_0000), 0b101);
    }
}
