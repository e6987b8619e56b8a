//! Changes of textures without encoding: container, header, mip levels, colour space, swizzle, Zstandard. The
//! blocks or plain texels stay the same.

mod file;
mod note;
mod options;

pub(super) use file::header_of;
pub use file::{ConvertedFile, convert_file};
pub use note::ConvertNote;
pub(super) use note::{note_of_size, notes_of, states_color_space};
pub use options::{Supercompression, TextureConvertOptions};
