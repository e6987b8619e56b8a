//! Replaces `whole.rs` in the module that reads `.bwv` files only. There is no [`Whole`], so the compiler
//! leaves out all code for one.

use super::Part;
use crate::failure::Failure;
use brickwork_toolkit::volume::LoadedVolume;
use brickwork_volume::{AnyVoxels, Header, ResidentOptions, Task, export::BWV_MAGIC};

/// A file of another format: none.
#[derive(Clone, Copy)]
pub enum Whole {}

impl Whole {
    pub const fn header(&self) -> &Header {
        match *self {}
    }

    pub const fn format(&self) -> &'static str {
        match *self {}
    }

    pub const fn notes(&self) -> &[String] {
        match *self {}
    }

    pub const fn voxels(&self, _: &Part, _: &Task<'_>) -> Result<AnyVoxels, Failure> {
        match *self {}
    }

    pub fn load(&self, _: Header, _: &ResidentOptions, _: &Task<'_>) -> Result<LoadedVolume, Failure> {
        match *self {}
    }
}

/// Returns `bwv` for the first bytes of a `.bwv` file, and nothing for others.
pub fn format_of(start: &[u8]) -> &'static str {
    if start.starts_with(&BWV_MAGIC) { "bwv" } else { "" }
}
