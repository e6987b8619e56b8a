//! What stands for the GPU's encoder in a program without the feature `gpu`.

use crate::{device::NoGpu, exit::Exit, failure::Failure};
use brickwork_texture::{EncodeError, Encoder};
use std::convert::Infallible;

/// There is none.
#[derive(Clone, Debug)]
pub struct Gpu(Infallible);

impl Gpu {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: Option<&str>) -> Result<Self, Failure> {
        let reason = "this brickwork was built without GPU support";
        Err(Failure::new(Exit::Unsupported, reason).hint("build it with the feature gpu"))
    }

    /// None, which needs no note here.
    ///
    /// # Errors
    /// Never.
    pub fn auto() -> Result<Option<Self>, NoGpu> {
        Ok(None)
    }

    /// Never.
    pub fn failed(_: &EncodeError) -> bool {
        false
    }

    /// The encoder.
    pub fn encoder(&self) -> Encoder {
        match self.0 {}
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        match self.0 {}
    }

    /// Does nothing.
    pub fn save_kernels(&self) {
        match self.0 {}
    }
}
