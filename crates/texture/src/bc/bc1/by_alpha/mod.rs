//! Weighting of colour errors in BC2 and BC3 by the texels' alpha.
//!
//! This pass works on blocks that are already encoded, on either the CPU or a GPU. All devices therefore give
//! the same bytes. Blocks whose texels differ in alpha are searched again, by cluster fit with weights. They
//! change where the weighted error gets lower.
//!
//! Weights make sums too large for exact floats. Every product is therefore rounded separately. `mul_add` is
//! used only for integers below 2²⁴. Errors are integers.
//!
//! | file | stage |
//! |---|---|
//! | `rows.rs` | weights from alpha; blocks gathered and written |
//! | `block.rs` | a block in each lane; errors and clusters of a palette |
//! | `start.rs` | every order-preserving clustering, scored by its least-squares line |
//! | `fit.rs` | endpoints for given indices |
//! | `search.rs` | search that each quality makes with these |

mod block;
mod fit;
mod rows;
mod search;
mod start;

pub(crate) use rows::AlphaWeigher;
