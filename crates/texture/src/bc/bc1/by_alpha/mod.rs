//! Colours of BC2 and BC3 whose errors count by the texels' alpha.
//!
//! A pass over blocks that are encoded already, wherever that was: so all devices give the same bytes. Blocks
//! whose texels have different alpha are searched once more, by cluster fit with weights, and changed where
//! the weighted error gets lower.
//!
//! Weights make sums too large for exact floats: here every product is rounded on its own, and none is added
//! by `mul_add` unless it is an integer below 2²⁴. Errors are integers.
//!
//! | file | stage |
//! |---|---|
//! | `rows.rs` | weights from alpha; blocks gathered and written |
//! | `block.rs` | a block in each lane; errors and clusters of a palette |
//! | `start.rs` | every order-preserving clustering, scored by its least-squares line |
//! | `fit.rs` | endpoints for given indices |
//! | `search.rs` | what each quality does with these |

mod block;
mod fit;
mod rows;
mod search;
mod start;

pub(crate) use rows::AlphaWeigher;
