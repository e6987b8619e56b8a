//! Block formats, one folder each, and the code that their encoders share.

pub(crate) mod batch;
pub mod bc1;
pub(crate) mod bc2;
pub(crate) mod bc3;
pub(crate) mod bc4;
pub(crate) mod bc5;
pub mod bc6h;
pub mod bc7;
pub(crate) mod block;
pub(crate) mod codec;
pub(crate) mod least_squares;
pub(crate) mod numbers;
pub(crate) mod order;
pub(crate) mod real_time;
#[cfg(test)]
mod toy;

#[cfg(feature = "gpu")]
pub(crate) use codec::CodecKernels;
pub(crate) use codec::{
    BlockCoder, Codec, DecodeRow, ImageProperties, NewRowEncoder, RowDecoder, RowEncoder,
};
