#![doc = include_str!("../README.md")]

mod codec;
mod configuration;
mod failure;
mod partial_decoder;
mod shape;

pub use codec::BrickworkCodec;
