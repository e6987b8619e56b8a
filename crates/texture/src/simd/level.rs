//! Instruction sets, and those that this CPU has.

use brickwork_base::{SimdVariableError, simd_variable};
use std::sync::LazyLock;

/// Instruction set for which the encoders are compiled. The blocks are the same on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No SIMD: one block at a time. Not available on wasm32 with SIMD128.
    Scalar,
    /// x86-64 with SSE4.1: 4 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Sse41,
    /// x86-64 with AVX2 and FMA: 8 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL, and FMA: 16 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AArch64's NEON: 4 blocks at a time.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// WebAssembly's SIMD of 128 bits, without the relaxed instructions: 4 blocks at a time. The target
    /// feature `simd128` selects it at compile time.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// Checks the environment variable `BRICKWORK_TEXTURE_SIMD`, for programs that report a wrong value when they
/// start.
///
/// # Errors
/// [`SimdVariableError`] if it is set, not empty, and not the [`name`](SimdLevel::name) of an instruction set
/// of this program and CPU.
pub fn check_simd_variable() -> Result<(), SimdVariableError> {
    SimdLevel::wanted()?;
    Ok(())
}

/// Instruction set that this CPU has. Only this module creates values, so that no missing instruction set is
/// used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AvailableLevel(SimdLevel);

impl AvailableLevel {
    /// Returns the fastest instruction set, or that of `BRICKWORK_TEXTURE_SIMD`.
    pub fn detect() -> Self {
        static DETECTED: LazyLock<AvailableLevel> = LazyLock::new(|| {
            let wanted = SimdLevel::wanted().ok().flatten();
            let fastest_first = SimdLevel::ALL.iter().rev().copied();
            let found = wanted.into_iter().chain(fastest_first).find_map(AvailableLevel::of);
            found.unwrap_or(AvailableLevel(SimdLevel::Scalar))
        });
        *DETECTED
    }

    /// Returns `level`, if this CPU has it.
    pub fn of(level: SimdLevel) -> Option<Self> {
        level.is_available().then_some(Self(level))
    }

    /// Returns the level.
    pub const fn get(self) -> SimdLevel {
        self.0
    }
}

impl SimdLevel {
    /// All instruction sets for which this program was compiled, slowest first.
    pub const ALL: &[Self] = &[
        Self::Scalar,
        #[cfg(target_arch = "x86_64")]
        Self::Sse41,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "aarch64")]
        Self::Neon,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Self::Simd128,
    ];

    /// Returns the fastest instruction set that this CPU has. To compare instruction sets on one machine, set
    /// the environment variable `BRICKWORK_TEXTURE_SIMD` to another's [`name`](Self::name). Any other value,
    /// for which [`check_simd_variable`] returns an error, has no effect.
    pub fn detect() -> Self {
        AvailableLevel::detect().get()
    }

    /// Returns the instruction set that `BRICKWORK_TEXTURE_SIMD` names; `None` if it is unset or empty.
    fn wanted() -> Result<Option<Self>, SimdVariableError> {
        let available = Self::ALL.iter().copied().filter(|level| level.is_available());
        let named: Vec<_> = available.map(|level| (level.name(), level)).collect();
        simd_variable("BRICKWORK_TEXTURE_SIMD", &named)
    }

    /// True if this CPU has the instruction set.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => cfg!(not(all(target_arch = "wasm32", target_feature = "simd128"))),
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("fma")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
        }
    }

    /// Returns the name in reports: `scalar`, `sse4.1`, `avx2`, `avx512`, `neon` or `simd128`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => "sse4.1",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => "simd128",
        }
    }
}
