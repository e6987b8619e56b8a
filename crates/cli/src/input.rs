//! Images that are read from files and standard input.

pub use brickwork_toolkit::{
    batch::{FileId, Input},
    texture::{IMAGE_EXTENSIONS, TEXTURE_EXTENSIONS},
};
