//! Result of a search for a target of rate–distortion optimisation.

use crate::report::{Bytes, Decibels, counted};
use brickwork_toolkit::texture::{RdoSearch, RdoTarget};

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
