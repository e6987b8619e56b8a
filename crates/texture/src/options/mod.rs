//! The options of encoders, those of single formats included.

mod bc1;
mod bc7;
mod channel_weights;
mod encode_options;
mod quality;
mod rdo_lambda;
mod rounding_rule;

pub use bc1::{Bc1Options, ClusterFitVariant, LsdxtVariant, Method};
pub use bc7::{Bc7Options, ModeSet, ModeSetError, RealTime};
pub use channel_weights::ChannelWeights;
pub use encode_options::EncodeOptions;
pub use quality::Quality;
pub use rdo_lambda::{RdoLambda, RdoLambdaError};
pub use rounding_rule::Decoder;
