//! Support for the tests of every crate that has kernels (feature `testing`): checks of a kernel without a
//! GPU, its compile time in a driver, and a device on which it runs. For benchmarks, also a kernel in the
//! form that drivers receive.

mod child;
mod device;
mod files;
mod first_dispatch;
mod languages;
mod layout;
mod limits;
mod names;
mod spirv;

pub use crate::offsets;
pub use child::child;
pub use device::{context, open};
pub use files::assert_files_used;
pub use first_dispatch::{FirstDispatch, assert_compiled_soon, first_dispatches, reference};
pub use languages::assert_every_language;
pub use layout::layout;
pub use limits::assert_default_limits;
pub use names::assert_one_text_per_name;
pub use spirv::{SpirvTarget, spirv};
