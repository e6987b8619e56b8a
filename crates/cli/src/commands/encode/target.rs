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
    /// BC1, BC3, BC4, BC5, BC7: search for the largest λ of --rdo with a PSNR of at least DB
    ///
    /// The PSNR is that of the stored colours of the first mip level (with BC1's transparency, of visible
    /// texels), or of alpha if it is lower. The image is encoded up to nine times.
    #[arg(long, value_name = "DB", value_parser = values::target_psnr,
        conflicts_with_all = ["rdo", "target_size"])]
    target_psnr: Option<f64>,

    /// BC1, BC3, BC4, BC5, BC7: search for the smallest λ of --rdo with at most SIZE, such as 300K, or P% of
    /// the size without --rdo
    ///
    /// With --zstd, the size is that of the file, else that of the blocks after Deflate, as in an archive.
    /// The image is encoded up to nine times.
    #[arg(long, value_name = "SIZE|P%", value_parser = values::target_size, conflicts_with = "rdo")]
    target_size: Option<RdoTarget>,
}

impl TargetArgs {
    /// Returns the target, if there is one.
    pub fn target(&self) -> Option<RdoTarget> {
        self.target_psnr.map(RdoTarget::Psnr).or(self.target_size)
    }
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
