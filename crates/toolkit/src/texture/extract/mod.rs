//! Images and parts of a texture as separate files: pictures, textures with the same blocks, or raw blocks.

mod options;
mod run;
mod selected;

pub use options::{ExtractForm, ExtractOutput, Selection, TextureExtractOptions};
pub use run::extract_images;
