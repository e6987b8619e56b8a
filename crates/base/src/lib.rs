//! Types that Brickwork's crates share.
//!
//! [`Task`] connects a long call to its caller. [`ErrorKind`] classifies every error. [`whole_file`] and
//! [`whole_folder`] (feature `fs`) write outputs that exist completely or not at all. [`interrupt`] is for
//! programs that end while they write. [`regular_file`] reads small files. [`task_io`] has readers and
//! writers that a task stops, [`parallel`] work on the threads that it names. [`crc`] computes checksums
//! where the CPU has no instructions for them. [`natural_order()`] compares names of numbered files.
//! [`simd_variable()`] reads the variables that select an instruction set. [`testing`] (feature `testing`)
//! supports tests.

// Each public enum and struct may grow, or states why it does not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod byte_count;
mod cancel;
pub mod crc;
mod error_kind;
#[cfg(feature = "fs")]
pub mod interrupt;
mod natural_order;
pub mod parallel;
pub mod regular_file;
mod simd_variable;
mod task;
pub mod task_io;
#[cfg(feature = "testing")]
pub mod testing;
mod threads;
mod unknown_name;
#[cfg(feature = "fs")]
pub mod whole_file;
#[cfg(feature = "fs")]
pub mod whole_folder;

pub use byte_count::ByteCount;
pub use cancel::{CancelToken, Cancelled};
pub use error_kind::ErrorKind;
pub use natural_order::natural_order;
pub use simd_variable::{SimdVariableError, simd_variable};
pub use task::{Progress, Stage, Task};
pub use threads::Threads;
pub use unknown_name::UnknownName;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
