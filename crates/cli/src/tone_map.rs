//! Options about half floats in pictures of 8 bits, for commands that make them.

use crate::values;
use brickwork_texture::{ToneCurve, ToneMap};
use clap::Args;

/// Options about half floats in pictures of 8 bits.
#[derive(Args)]
pub struct ToneMapArgs {
    /// Stops by which the light of half floats is multiplied before the tone map: 1 doubles it
    #[arg(long, value_name = "EV", default_value_t = 0.0, allow_hyphen_values = true,
        value_parser = values::exposure, help_heading = "Half floats in pictures")]
    exposure: f32,

    /// Curve from light to displayed values: clamp; reinhard is x / (1 + x); aces-like resembles ACES
    #[arg(long, value_name = "NAME", default_value = "clamp", value_parser = values::tone_curve_parser(),
        help_heading = "Half floats in pictures")]
    tone_map: ToneCurve,
}

impl ToneMapArgs {
    /// Returns the tone map.
    pub fn tone_map(&self) -> ToneMap {
        ToneMap::default().with(|o| {
            o.exposure = self.exposure;
            o.curve = self.tone_map;
        })
    }
}
