//! One encoder with rate–distortion optimisation, behind a closure.

use anyhow::Result;

/// Encodes the picture of an index with a λ into blocks. Returns the CPU time of this thread in seconds.
pub type EncodeWith<'a> = Box<dyn Fn(usize, f32, &mut [u8]) -> Result<f64> + 'a>;

/// One encoder with a λ. Without optimisation, it is 0.
pub struct Optimizer<'a> {
    pub name: String,
    pub is_ours: bool,
    /// Each λ above 0, in ascending order. Encoders define λ differently.
    pub lambdas: &'static [f32],
    pub encode: EncodeWith<'a>,
}
