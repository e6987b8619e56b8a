//! Images for encoders of textures: texels of any type, image files, colour, and the faces of cubes.
//!
//! ```text
//! image file → image_file::read → Picture → view ┐
//! texels in memory → ImageView ──────────────────┴→ Image: rows of RGBA in any form
//! ```
//!
//! ```
//! # #[cfg(feature = "io")] {
//! use brickwork_image::{ColorSpace, Image, Task, image_file::{ImageReadOptions, read}};
//!
//! let file = std::io::Cursor::new(b"P3 2 1 255 1 2 3 4 5 6");
//! let picture = read(file, None, &ImageReadOptions::default(), &Task::new())?;
//! assert_eq!((picture.width, picture.color_space), (2, ColorSpace::Srgb));
//! let mut buffer = [[0; 4]; 2];
//! assert_eq!(picture.view()?.row_rgba8(0, &mut buffer), [[1, 2, 3, 255], [4, 5, 6, 255]]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Texel`] is a type known at compile time, [`TexelType`] one known at run time. An [`ImageView`]
//!   borrows texels, an [`ImageViewMut`] is written by decoders. Every encoder and metric takes an
//!   [`Image`]: its size, its texel type, and its rows as bytes.
//! - `image_file` (feature `io`) reads image files as `Picture`s, upright, with straight alpha and colours in
//!   Rec. 709, and writes PNG and EXR. Files are untrusted: `image_file::decoder` has the limits, which
//!   readers of further formats share.
//! - `cube` (feature `io`) cuts the faces of cubes from crosses, strips and panoramas.
//! - [`srgb`] and [`light`] convert colours, [`ToneMap`] displays light. Only the four basic operations are
//!   used, which round alike everywhere, so that results are the same on every machine.
//!
//! This crate knows no textures: brickwork-texture reads DDS and KTX2 files, also as pictures.
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
mod dilate;
mod flip;
mod image;
mod image_bytes;
#[cfg(feature = "io")]
pub mod image_file;
mod image_view;
mod image_view_mut;
pub mod light;
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
pub use dilate::dilate;
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
