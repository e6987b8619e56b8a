//! Options of encoders, including those of single formats.

mod bc1;
mod bc6h;
mod bc7;
mod channel_weights;
mod encode_options;
mod mip_filter;
mod quality;
mod rdo_lambda;
mod real_time;
mod rounding_rule;

pub use bc1::{Bc1Options, Method};
pub use bc6h::{Bc6hMetric, Bc6hOptions};
pub use bc7::{Bc7Options, ModeSet, ModeSetError};
pub use channel_weights::ChannelWeights;
pub use encode_options::EncodeOptions;
pub use mip_filter::{MipExtreme, MipFilter, MipWrap};
pub use quality::Quality;
pub use rdo_lambda::{RdoLambda, RdoLambdaError};
pub use real_time::RealTime;
pub use rounding_rule::RoundingRule;
