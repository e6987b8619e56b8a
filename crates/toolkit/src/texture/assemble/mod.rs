//! Cubes, arrays and 3D textures from several files, or cubes from one picture.
//!
//! ```text
//! pictures ─→ faces by name, or cut from crosses, strips and panoramas ─→ encode ┐
//! textures ─→ faces by name ─→ join (data is copied) ──────────────────────────┴→ container
//! ```

mod face_names;
mod files;
mod join;
mod pictures;
mod result;

pub use face_names::{FaceOrder, cubes_among, face_of_word, order_faces};
pub use files::{AssembleOptions, assemble_files};
pub use result::{AssembledFile, AssembledFrom};
