//! Use cases that Brickwork's program, its viewer and its bindings share.
//!
//! The codecs are in `brickwork-texture` and `brickwork-volume`. This crate selects a device, opens any
//! file, turns input images into a texture and a volume into a rendering.

// Each public enum and struct may grow, or states why it does not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

#[cfg(feature = "files")]
pub mod batch;
#[cfg(all(test, feature = "files"))]
mod cancel_tests;
#[cfg(feature = "files")]
pub mod device;
#[cfg(feature = "files")]
pub mod report;
#[cfg(feature = "files")]
pub mod texture;
pub mod volume;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
