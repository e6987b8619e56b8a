//! BC6H: RGB half floats, unsigned (UF16) or signed (SF16), 4×4 texels in 16 bytes.
//!
//! Layout, little-endian: the prefix that selects the mode, the bits of the endpoints in the order in
//! `modes.rs`, the partition if there are two subsets, then the indices. The indices of anchors are stored
//! without their highest bit, which is 0. Partitions, anchors and weights are those of BC7.
//!
//! Values are the bit patterns of half floats as integers: endpoints are interpolated between patterns, not
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
