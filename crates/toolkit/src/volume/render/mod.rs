//! Renderings as the program and the bindings request them.
//!
//! | file | contents |
//! |---|---|
//! | `transfer.rs` | transfer functions, also from files |
//! | `options.rs` | all options of a rendering |
//! | `renderings.rs` | a loaded volume and its cameras |
//! | `render_default.rs` | a rendering without options |

mod options;
mod render_default;
mod renderings;
mod transfer;

pub use options::RenderOptions;
pub use render_default::render_default;
pub use renderings::Renderings;
pub use transfer::{TransferChoice, transfer_points};
