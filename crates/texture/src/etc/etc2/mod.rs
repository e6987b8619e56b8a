//! ETC2's colours.
mod decode;
pub(crate) mod pack;
mod tables;
pub(crate) use decode::{decoder, rgba_decoder};
