//! Volumes: renderings written as PNG files.

mod png_file;

pub use png_file::write_rendering;
