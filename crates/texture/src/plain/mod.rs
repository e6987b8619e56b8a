//! Plain texels: conversion of rows of an image to the bytes of a texture and back.
//!
//! | format | from texels | to texels |
//! |---|---|---|
//! | 8 and 16 bits | [`Texel::to_rgba8`](crate::Texel::to_rgba8), `to_rgba16` | the same number |
//! | signed | (2v − 1) · 127 or 32767 of the value v, clamped to 0..=1, rounded to nearest | (n + 1) / 2 |
//! | half and single floats | `to_rgba_f16`, `to_rgba_f32` | the same number |
//! | RGB9E5, R11G11B10 | `small_floats.rs`, from singles | half floats, exact |
//!
//! Missing channels become 0, and a missing alpha 1.

mod pack;
mod small_floats;
mod unpack;

pub(crate) use pack::pack;
pub(crate) use unpack::{ReadRow, RowReader, native_channels, row_reader};
