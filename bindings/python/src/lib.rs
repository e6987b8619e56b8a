//! Extension module `brickwork._brickwork`: what the Python package `brickwork` calls.
//!
//! | file | contents |
//! |---|---|
//! | `work.rs` | calls without the interpreter's lock: threads, progress, signals |
//! | `errors.rs` | errors of the libraries as Python exceptions |
//! | `arrays.rs` | NumPy arrays as voxels of a type known at run time |
//! | `source.rs` | bytes of a file: on disk, in memory, or from a Python object |
//! | `header.rs` | the description of a volume |
//! | `compress.rs`, `volume_file.rs`, `any_volume.rs`, `convert.rs` | volumes |
//! | `chunk.rs` | chunks of Zarr arrays |
//! | `render.rs`, `stats.rs` | renderings and statistics of volumes |
//! | `texels.rs`, `encode.rs`, `texture.rs` | images, their encoding, textures, blocks, metrics |
//!
//! The module takes arrays in one form. The package's Python code brings all others into it, and documents
//! and checks the arguments of users.

mod any_volume;
mod arrays;
mod chunk;
mod compress;
mod convert;
mod encode;
mod errors;
mod header;
mod render;
mod save;
mod settings;
mod source;
mod stats;
mod texels;
mod texture;
mod volume_file;
mod work;

/// The extension module.
#[pyo3::pymodule]
mod _brickwork {
    #[pymodule_export]
    use crate::{
        any_volume::{AnyVolume, open_volume},
        chunk::{ChunkReader, brick_sizes, bricks_decoded, decode_chunk, decode_chunk_file, encode_chunk},
        compress::compress,
        convert::{convert, is_bwv_name, is_zarr_name},
        encode::encode,
        errors::FormatError,
        header::Header,
        render::{Scene, open_scene, png, save_png, slice},
        stats::statistics,
        texture::{
            Texture, block_bytes, block_extent, compare_images, decode_blocks, decoded_type, encode_blocks,
            open_texture,
        },
        volume_file::VolumeFile,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
