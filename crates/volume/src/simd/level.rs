//! The choice of the instruction set.

use std::{env, sync::LazyLock};

/// The instruction sets there is code for; later ones include earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VNNI.
    Avx512,
}

/// The names that `BRICKWORK_VOLUME_SIMD` takes.
const NAMES: [(&str, Level); 3] =
    [("portable", Level::Portable), ("avx2", Level::Avx2), ("avx512", Level::Avx512)];

impl Level {
    /// Returns the best instruction set of this CPU, or that of the environment variable
    /// `BRICKWORK_VOLUME_SIMD` if it is lesser.
    #[inline]
    pub fn get() -> Self {
        static LEVEL: LazyLock<Level> = LazyLock::new(|| {
            let wanted = env::var("BRICKWORK_VOLUME_SIMD").unwrap_or_default();
            let wanted = NAMES.iter().find(|(name, _)| *name == wanted).map(|&(_, level)| level);
            Level::of_cpu().min(wanted.unwrap_or(Level::Avx512))
        });
        *LEVEL
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
