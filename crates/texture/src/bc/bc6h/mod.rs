//! BC6H: RGB half floats, unsigned (UF16) or signed (SF16), 4×4 texels in 16 bytes.
//!
//! Layout, little endian: the prefix that names the mode, the bits of the endpoints in the order that
//! `modes.rs` lists, the partition if there are two subsets, indices. Indices of a subset's anchor lack their
//! highest bit, which is 0. Partitions, anchors and weights are those of BC7.
//!
//! Values are the bit patterns of half floats, as integers: endpoints are interpolated between patterns, not
//! between numbers.
//!
//! Source: the Khronos Data Format Specification 1.4, section 20.2.

// | file | stage |
// |---|---|
// | `modes.rs` | the fields of the fourteen modes |
// | `decode.rs`, `codec.rs` | a block to texels; the codecs |

mod codec;
mod decode;
mod modes;

pub(crate) use codec::{SFLOAT, UFLOAT};
pub use decode::block_mode;
