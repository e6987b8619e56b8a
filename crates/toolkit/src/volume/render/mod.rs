//! Renderings as the program and the bindings request them.
//!
//! | file | contents |
//! |---|---|
//! | `values.rs`, `transfer.rs` | syntax of values; transfer functions, also from files |
//! | `options.rs` | all options of a rendering |
//! | `renderings.rs` | a loaded volume and its cameras |
//! | `render_default.rs` | a rendering without options |

mod options;
mod render_default;
mod renderings;
mod transfer;
pub mod values;

pub use options::RenderOptions;
pub use render_default::render_default;
pub use renderings::Renderings;
pub use transfer::{TransferChoice, TransferFault, transfer_points};
