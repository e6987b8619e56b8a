//! Audit of folders: the GPU memory that textures take, and the saving and loss of block formats.
//!
//! ```text
//! folders → plan (files; glTF → model → uses of images) → run, side by side: file → picture → memory
//!   today → keep (reasons to leave it alone), or trial (sample, encoded and measured) → report → page
//! ```
//!
//! `uri` keeps glTF files from naming files outside of the folder.

mod error;
mod file;
mod keep;
mod memory;
mod model;
mod options;
mod page;
mod picture;
mod plan;
mod run;
mod sample;
#[cfg(test)]
mod tests;
mod trial;
mod uri;
mod uses;

pub use error::{AuditError, ModelFault};
pub use options::AuditOptions;
pub use page::audit_page;
pub use plan::AuditPlan;

/// Extensions of glTF files.
const MODEL_EXTENSIONS: [&str; 2] = ["gltf", "glb"];
