//! Compilation of a function for every instruction set, and arrays without closures.

/// `dispatch!(level, function(argument, …))` calls the generic `function(token, argument, …)` compiled for
/// the instruction set `level`, an [`AvailableLevel`](super::AvailableLevel).
///
/// `dispatch!(encoder level, …)` does the same, except that the crate's unit tests have only the copies
/// without SIMD and for AVX2, which shortens their compilation. `tests/all` has all copies and compares them.
macro_rules! dispatch {
    (encoder $level:expr, $function:ident($($argument:ident: $type:ty),*)) => {{
        #[cfg(not(test))]
        $crate::simd::dispatch!($level, $function($($argument: $type),*));
        #[cfg(test)]
        {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $type),*) {
                // SAFETY: this function enables the instructions that the token proves.
                $function(unsafe { $crate::simd::Avx2::new() }, $($argument),*)
            }
            let level: $crate::simd::AvailableLevel = $level;
            match level.get() {
                // SAFETY: an `AvailableLevel` exists only if `SimdLevel::is_available` is true, and AVX-512 F
                // includes AVX2.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::SimdLevel::Avx2 | $crate::simd::SimdLevel::Avx512 => unsafe {
                    avx2($($argument),*)
                },
                _ => $function($crate::simd::Scalar, $($argument),*),
            }
        }
    }};
    ($level:expr, $function:ident($($argument:ident: $type:ty),*)) => {{
        // The following functions are copies of the function, one for each instruction set.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse4.1")]
        fn sse41($($argument: $type),*) {
            // SAFETY: this function enables the instructions that the token proves.
            $function(unsafe { $crate::simd::Sse41::new() }, $($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn avx2($($argument: $type),*) {
            // SAFETY: this function enables the instructions that the token proves.
            $function(unsafe { $crate::simd::Avx2::new() }, $($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
        fn avx512($($argument: $type),*) {
            // SAFETY: this function enables the instructions that the token proves.
            $function(unsafe { $crate::simd::Avx512::new() }, $($argument),*)
        }
        #[cfg(target_arch = "aarch64")]
        #[target_feature(enable = "neon")]
        fn neon($($argument: $type),*) {
            // SAFETY: this function enables the instructions that the token proves.
            $function(unsafe { $crate::simd::Neon::new() }, $($argument),*)
        }
        let level: $crate::simd::AvailableLevel = $level;
        match level.get() {
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            $crate::simd::SimdLevel::Scalar => $function($crate::simd::Scalar, $($argument),*),
            // A second copy, which is never called, would double the size of the module.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            $crate::simd::SimdLevel::Scalar | $crate::simd::SimdLevel::Simd128 => {
                $function($crate::simd::Simd128::new(), $($argument),*)
            }
            // SAFETY: an `AvailableLevel` exists only if `SimdLevel::is_available` is true.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Sse41 => unsafe { sse41($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Avx2 => unsafe { avx2($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Avx512 => unsafe { avx512($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "aarch64")]
            $crate::simd::SimdLevel::Neon => unsafe { neon($($argument),*) },
        }
    }};
}
pub(crate) use dispatch;

/// `each!(i in 3 => expression)` is `[expression with i = 0, with i = 1, with i = 2]`.
///
/// Generic lane code has neither closures nor `array::map` on its hot paths. Only functions with
/// `inline(always)` are certainly compiled for the instruction set of the function that [`dispatch!`] calls,
/// and closures cannot have this attribute. A remaining closure costs a call for every operation in it.
macro_rules! each {
    ($i:ident in 2 => $e:expr) => { each!(@ $i $e, 0 1) };
    ($i:ident in 3 => $e:expr) => { each!(@ $i $e, 0 1 2) };
    ($i:ident in 4 => $e:expr) => { each!(@ $i $e, 0 1 2 3) };
    ($i:ident in 8 => $e:expr) => { each!(@ $i $e, 0 1 2 3 4 5 6 7) };
    ($i:ident in 16 => $e:expr) => { each!(@ $i $e, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $i:ident $e:expr, $($n:literal)*) => {
        [$({ #[allow(non_upper_case_globals)] const $i: usize = $n; $e }),*]
    };
}
pub(crate) use each;
