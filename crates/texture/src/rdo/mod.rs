//! Rate–distortion optimisation: blocks that a later LZ coder (Zstandard, deflate) writes in fewer bits.
//!
//! The pass processes an encoder's blocks in file order. They may come from the CPU or a GPU.
//!
//! ```text
//! for each strip of the image, for each unit (a block; of BC3 and BC5, each half of it)
//!     candidates: the unit as encoded
//!                 the earlier unit whose copy costs least
//!                 the endpoints of that unit, of other close ones with several pairs of them (BC7), of
//!                   earlier ones whose line is close to the texels, of the unit itself, and of the
//!                   texels' principal axis, each with indices chosen again
//!                 the unit's own endpoints with the indices of a close one (BC7)
//!     cost of a candidate: squared error + λ · bits
//!     write the candidate with the least cost
//! ```
//!
//! Bits are estimated (`rate.rs`): a literal costs what an order-0 model computes, and a match costs by its
//! distance. Indices are chosen by their error and by the cost of their bytes as literals.
//!
//! The idea of putting bytes of earlier blocks into later ones is that of R. Geldreich's "entropy reduction
//! transform" (bc7enc_rdo).
//!
//! | file | contents |
//! |---|---|
//! | `options/rdo_lambda.rs` | `RdoLambda`, the option |
//! | `encode/rdo_strips.rs` | an image cut into strips, which threads share |
//! | `optimizer.rs` | the candidates of a unit, and the cheapest one |
//! | `rate.rs` | the cost of literals and matches for an LZ coder |
//! | `history.rs`, `lines.rs` | earlier blocks, by content and by texels; earlier endpoints, by their line |
//! | `texels.rs` | decoded texels and their error |
//!
//! Strips depend on the image's size alone, and a strip refers only to itself. Therefore the bytes do not
//! depend on threads. Errors of candidates are the decoder's, in integers: in levels, or in eighths of a
//! level where a decoder does not round values to 8 bits (BC4, BC5). Floats, added in a fixed order, only
//! choose the candidates.

mod history;
mod lines;
mod optimizer;
mod rate;
mod texels;

pub(crate) use lines::Line;
pub(crate) use optimizer::{Optimizer, Prices, Unit};
pub(crate) use rate::Rate;
pub(crate) use texels::{Decoded, Target};

use crate::{Cancelled, Task, block_row::BlockRow};

/// Optimises the rows of blocks of one strip, one call after another. It checks the task for cancellation
/// within each row.
pub(crate) type StripOptimizer =
    Box<dyn FnMut(&BlockRow<'_, [u8; 4]>, &mut [u8], &Task<'_>) -> Result<(), Cancelled>>;
