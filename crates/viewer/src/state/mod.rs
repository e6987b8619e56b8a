//! State of the window, without a window: cameras, looks, transfer functions, slices.

mod curve;
mod look;
mod orbit;
mod slice;

pub use curve::Curve;
pub use look::{ChannelSettings, LookSettings, Mode};
pub use orbit::{Orbit, StandardView};
pub use slice::Plane;
