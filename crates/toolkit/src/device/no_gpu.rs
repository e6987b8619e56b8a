//! Types of a toolkit without the feature `gpu`.

use super::{DeviceError, FallbackReason};
use brickwork_texture::Encoder;
use std::{convert::Infallible, path::PathBuf};

/// A GPU, which cannot be opened without the feature `gpu`.
#[derive(Clone, Debug)]
pub struct Gpu(Infallible);

/// A choice among GPUs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdapterChoice {
    /// The best GPU.
    #[default]
    Best,
    /// The GPU with this number.
    Index(usize),
    /// The first GPU whose name contains this text, ignoring case.
    Name(String),
}

impl AdapterChoice {
    /// Parses a choice: a number is an index, any other text is part of a name.
    pub fn parse(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Index)
    }
}

impl Gpu {
    pub(super) fn open_chosen(_: &AdapterChoice, _: Option<PathBuf>) -> Result<Self, DeviceError> {
        Err(DeviceError::NotBuilt)
    }

    pub(super) fn open_auto(_: Option<PathBuf>) -> Result<Self, FallbackReason> {
        Err(FallbackReason::NotBuilt)
    }

    /// Cannot be called, because there is no GPU.
    pub(crate) fn never(&self) -> ! {
        match self.0 {}
    }

    /// Returns the encoder of textures.
    pub fn encoder(&self) -> Encoder {
        match self.0 {}
    }

    /// Returns the adapter's name.
    pub fn name(&self) -> &str {
        match self.0 {}
    }

    /// Writes compiled kernels to the cache folder.
    pub fn save_kernels(&self) {
        match self.0 {}
    }
}
