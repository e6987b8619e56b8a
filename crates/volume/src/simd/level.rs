//! The choice of the instruction set.

use brickwork_base::{SimdVariableError, simd_variable};

/// Environment variable that selects an instruction set.
const VARIABLE: &str = "BRICKWORK_VOLUME_SIMD";

/// Checks the environment variable `BRICKWORK_VOLUME_SIMD`, for programs that report a wrong value when they
/// start.
///
/// # Errors
/// [`SimdVariableError`] if it is set, not empty, and not `portable` or, on a CPU of x86-64 that has them,
/// `avx2` or `avx512`.
pub fn check_simd_variable() -> Result<(), SimdVariableError> {
    #[cfg(target_arch = "x86_64")]
    Level::wanted()?;
    #[cfg(not(target_arch = "x86_64"))]
    simd_variable(VARIABLE, &[("portable", ())])?;
    Ok(())
}

/// The instruction sets there is code for; later ones include earlier ones.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VNNI.
    Avx512,
}

/// The names that the variable takes.
#[cfg(target_arch = "x86_64")]
const NAMES: [(&str, Level); 3] =
    [("portable", Level::Portable), ("avx2", Level::Avx2), ("avx512", Level::Avx512)];

#[cfg(target_arch = "x86_64")]
impl Level {
    /// Returns the best instruction set of this CPU, or another one of this CPU that the environment variable
    /// `BRICKWORK_VOLUME_SIMD` names.
    #[inline]
    pub fn get() -> Self {
        static LEVEL: std::sync::LazyLock<Level> =
            std::sync::LazyLock::new(|| Level::wanted().ok().flatten().unwrap_or_else(Level::of_cpu));
        *LEVEL
    }

    /// Returns the instruction set that `BRICKWORK_VOLUME_SIMD` names; `None` if it is unset or empty.
    pub fn wanted() -> Result<Option<Self>, SimdVariableError> {
        let best = Self::of_cpu();
        let available: Vec<_> = NAMES.into_iter().filter(|&(_, level)| level <= best).collect();
        simd_variable(VARIABLE, &available)
    }

    /// Returns the best instruction set of this CPU.
    fn of_cpu() -> Self {
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vnni");
        match (has_avx2, has_avx512) {
            (true, true) => Self::Avx512,
            (true, false) => Self::Avx2,
            _ => Self::Portable,
        }
    }
}
