//! The encoders that are compared: ours and those of other crates, each behind one closure.
//!
//! All run on the caller's thread, take every texel as opaque, and weight the three channels equally if they
//! have such an option.

mod astc;
mod bc7;
#[cfg(bc7enc_rdo)]
mod bc7enc_rdo;
mod block_compression;
mod brickwork;
mod contestant;
mod ctt;
mod etc;
mod etc2comp;
mod formats;
#[cfg(icbc)]
mod icbc;
mod intel_tex;
#[cfg(nvtt)]
pub mod nvtt;
mod optimizer;
mod oracles;
pub mod rdo;
mod tbc;
mod texpresso;

use crate::picture::Picture;
use anyhow::Result;

/// Returns every contestant, in the order of the tables. The pictures may be converted here, untimed, to a
/// pixel type that a peer requires.
pub fn contestants(pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let mut all = brickwork::contestants(pictures);
    all.extend(texpresso::contestants(pictures));
    all.push(intel_tex::contestant(pictures));
    all.push(block_compression::contestant(pictures));
    all.push(tbc::contestant(pictures));
    all.extend(ctt::contestants(pictures)?);
    #[cfg(icbc)]
    all.extend(icbc::contestants(pictures));
    Ok(all)
}

pub use brickwork::{lsdxt_contestants, real_time_levels};
pub use contestant::{Contestant, Encode, Role, package};
pub use formats::contestants as contestants_for;
pub use oracles::check as check_decoder;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contestant_is_named_with_the_version_that_is_linked() {
        for contestant in contestants(&[]).unwrap() {
            assert!(!contestant.name.contains("unknown"), "{}", contestant.name);
        }
        assert_eq!(package("no such crate"), "no such crate of unknown version");
    }
}
