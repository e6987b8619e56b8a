//! The commands, one file or folder each.

pub mod assemble;
pub mod audit;
#[cfg(feature = "papers")]
pub mod bench;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod decode;
#[cfg(feature = "gpu")]
pub mod devices;
pub mod encode;
pub mod extract;
pub mod info;
pub mod init;
pub mod report;
pub mod schema;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(not(feature = "serve"))]
#[path = "no_serve.rs"]
pub mod serve;
#[cfg(feature = "gpu")]
pub mod tiling;
pub mod validate;
pub mod view;
pub mod volume;
