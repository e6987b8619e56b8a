//! Targets of rate–distortion optimisation.

use crate::{
    report::{Bytes, Decibels, counted},
    values,
};
use brickwork_toolkit::texture::{RdoSearch, RdoTarget};

/// Targets of rate–distortion optimisation.
#[derive(clap::Args)]
#[command(next_help_heading = "Blocks")]
pub struct TargetArgs {
    /// BC1, BC3, BC7: search for the largest λ of --rdo with a PSNR of at least DB
    ///
    /// The PSNR is that of the stored colours of the first mip level (with BC1's transparency, of visible
    /// texels), or of alpha if it is lower. The image is encoded up to nine times.
    #[arg(long, value_name = "DB", value_parser = psnr, conflicts_with_all = ["rdo", "target_size"])]
    target_psnr: Option<f64>,

    /// BC1, BC3, BC7: search for the smallest λ of --rdo with at most SIZE, such as 300K, or P% of the size
    /// without --rdo
    ///
    /// With --zstd, the size is that of the file, else that of the blocks after Deflate, as in an archive.
    /// The image is encoded up to nine times.
    #[arg(long, value_name = "SIZE|P%", value_parser = size, conflicts_with = "rdo")]
    target_size: Option<RdoTarget>,
}

impl TargetArgs {
    /// Returns the target, if there is one.
    pub fn target(&self) -> Option<RdoTarget> {
        self.target_psnr.map(RdoTarget::Psnr).or(self.target_size)
    }
}

fn psnr(text: &str) -> Result<f64, String> {
    let decibels = text.parse().ok().filter(|decibels: &f64| *decibels > 0.0 && *decibels <= 100.0);
    decibels.ok_or_else(|| "expected a number of decibels, above 0 and at most 100".to_owned())
}

fn size(text: &str) -> Result<RdoTarget, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return values::memory_size(text).map(RdoTarget::Bytes).map_err(|_| {
            "expected a size, such as 300K or 1000000 (bytes), or a share, such as 70%".to_owned()
        });
    };
    let share = percent.trim().parse().ok().filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
    share
        .map(|percent| RdoTarget::Share(percent / 100.0))
        .ok_or_else(|| "expected a share above 0 and at most 100 %, such as 70%".to_owned())
}

/// Returns the result of a search in a few words.
pub fn text(search: &RdoSearch) -> String {
    let target = match search.target {
        RdoTarget::Psnr(psnr) => format!("PSNR of at least {psnr} dB, reached {}", Decibels(search.psnr)),
        _ => format!("at most {}", Bytes(search.max_bytes.unwrap_or(0))),
    };
    let compression = if search.compression == "zstd" { "Zstandard" } else { "Deflate" };
    let encodings = counted(search.encodings, "encoding");
    format!("target {target} · {} after {compression} · {encodings}", Bytes(search.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_shares_are_read() {
        assert_eq!(size("300K"), Ok(RdoTarget::Bytes(300 << 10)));
        assert_eq!(size("70%"), Ok(RdoTarget::Share(0.7)));
        for text in ["0%", "101%", "x%", "-5", "5:1", ""] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(psnr("38.5"), Ok(38.5));
        for text in ["0", "-1", "nan", "inf", "x"] {
            assert!(psnr(text).is_err(), "{text}");
        }
    }
}
