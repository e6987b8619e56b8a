//! Block formats, one folder each, and the code that their encoders share.

pub(crate) mod batch;
pub mod bc1;
mod bc2;
mod bc3;
mod bc4;
mod bc5;
pub mod bc6h;
pub mod bc7;
pub(crate) mod block;
pub(crate) mod codec;
mod formats;
pub(crate) mod least_squares;
pub(crate) mod order;
#[cfg(test)]
mod toy;

pub(crate) use codec::{Codec, DecodeRow, RowDecoder, RowEncoder};
pub(crate) use formats::codec_of;
#[cfg(feature = "gpu")]
pub(crate) use formats::{kernels, singles};
