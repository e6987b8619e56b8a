//! Faults of GPUs, and requests that a GPU cannot meet.

mod block_image_fault;
mod gpu_error;
mod missing_ability;
mod unsupported;

pub use block_image_fault::BlockImageFault;
pub use gpu_error::GpuError;
pub use missing_ability::{MissingAbilities, MissingAbility};
pub use unsupported::UnsupportedReason;
