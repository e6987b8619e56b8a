//! CRC-32C of the parts of a file. WebAssembly has no instructions for it.

#[cfg(target_arch = "wasm32")]
pub(crate) use brickwork_base::crc::{crc32c, crc32c_append};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crc32c::{crc32c, crc32c_append};
