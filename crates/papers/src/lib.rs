//! The documents that Brickwork implements. The page of each module says where the parts of its document are;
//! this crate has those that the encoders and renderers do not use.

// Each public enum and struct may grow, or states why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

pub mod guthe2016;
