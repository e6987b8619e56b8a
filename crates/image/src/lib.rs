//! Texels of any type and colour.
//!
//! An [`Image`] is texels whose type is known only at run time. Every [`ImageView`] is one.
//!
//! ```
//! use brickwork_image::{Image, ImageView};
//!
//! let texels = [[0u16, 32768, 65535]; 4];
//! let image = ImageView::new(&texels, 2, 2)?;
//! assert_eq!(image.row_rgba8(1, &mut [[0; 4]; 2]), [[0, 128, 255, 255]; 2]);
//! # Ok::<(), brickwork_image::ImageError>(())
//! ```
//!
//! # What may change
//!
//! Enums and structs that may grow are `#[non_exhaustive]`. The signatures of this crate contain types of
//! [`bytemuck`] and [`half`]. They are re-exported here. A new major version of one of them is a new major
//! version of this crate.

// Each public enum and struct may grow, or its documentation says why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod alpha;
mod channel;
mod channel_type;
mod color_space;
#[cfg(feature = "io")]
pub mod cube;
mod flip;
mod image;
mod image_bytes;
#[cfg(feature = "io")]
pub mod image_file;
mod image_view;
mod image_view_mut;
pub mod light;
#[cfg(feature = "io")]
mod owned_image;
pub mod srgb;
mod texel;
mod texel_type;
mod tone_map;

pub use brickwork_base::{CancelToken, Cancelled, ErrorKind, Progress, Stage, Task, Threads, UnknownName};
pub use {bytemuck, half};

pub use alpha::{AlphaProduct, make_straight, premultiply};
pub use channel::Channel;
pub use channel_type::ChannelType;
pub use color_space::ColorSpace;
pub use flip::flip_rows;
pub use image::Image;
pub use image_view::{ImageError, ImageView};
pub use image_view_mut::{ImageViewMut, TexelsMut};
pub use texel::Texel;
pub use texel_type::TexelType;
pub use tone_map::{ToneCurve, ToneMap};

#[cfg(doctest)]
mod promises;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
