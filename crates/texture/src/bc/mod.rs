//! The block formats, one folder each, and what encoders need of any of them.

pub(crate) mod batch;
pub mod bc1;
pub(crate) mod codec;
mod formats;
#[cfg(test)]
mod toy;

pub(crate) use codec::{Codec, RowEncoder};
pub(crate) use formats::codec_of;
#[cfg(feature = "gpu")]
pub(crate) use formats::kernels;
