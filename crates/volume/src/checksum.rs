//! CRC-32C of the parts of a file, and CRC-32 of gzip.
//!
//! Other crates compute them by instructions of the CPU. WebAssembly has no such instructions, and these
//! crates' tables would be 24 KB of a module, which no compression makes smaller. There, the tables are made
//! when they are first needed.

#[cfg(any(test, target_arch = "wasm32"))]
mod tables;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crc32c::{crc32c, crc32c_append};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use flate2::Crc;
#[cfg(target_arch = "wasm32")]
pub(crate) use tables::{Crc, crc32c, crc32c_append};
