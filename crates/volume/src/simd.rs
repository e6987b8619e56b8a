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
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

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
        type Output = (u64, u64);

        fn run<B: Bits>(self, bits: B) -> (u64, u64) {
            (bits.deposit(self.0, self.1), bits.extract(self.0, self.1))
        }
    }

    #[test]
    fn every_instruction_set_moves_bits_alike() {
        let mut state = 1u64;
        for _ in 0..1000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (bits, mask) = (state, state.rotate_left(29) & state.rotate_left(11));
            assert_eq!(dispatch(Both(bits, mask)), Both(bits, mask).run(Portable));
        }
        assert_eq!(Portable.deposit(0b101, 0b1101_0000), 0b1001_0000);
        assert_eq!(Portable.extract(0b1001_0000, 0b1101_0000), 0b101);
    }
}
