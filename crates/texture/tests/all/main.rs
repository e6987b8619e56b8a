//! Tests of the library from outside. They are one program, so that generic code is compiled once. Two tests
//! need a separate process: `image_file_memory` counts all allocations, and `first_dispatch` measures
//! processor time.

mod astc_blocks;
#[cfg(feature = "gpu")]
mod astc_gpu;
mod bc1_blocks;
#[cfg(feature = "gpu")]
mod bc1_gpu;
mod bc1_lsdxt;
mod bc4_blocks;
#[cfg(feature = "gpu")]
mod bc4_gpu;
mod bc6h_blocks;
mod bc6h_encoder;
#[cfg(feature = "gpu")]
mod bc6h_gpu;
mod bc7_blocks;
#[cfg(feature = "gpu")]
mod bc7_gpu;
mod bc_real_time;
#[cfg(feature = "gpu")]
mod bc_real_time_gpu;
mod by_alpha;
#[cfg(all(feature = "fs", feature = "io", feature = "ktx2-zstd"))]
mod cancel;
mod common;
#[cfg(all(feature = "fs", feature = "ktx2-zstd"))]
mod containers;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod corpus;
#[cfg(feature = "io")]
mod cube_mips;
#[cfg(feature = "io")]
mod dds_floats;
mod decoders;
#[cfg(feature = "gpu")]
mod direct_gpu;
#[cfg(feature = "gpu")]
mod etc_gpu;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod image_file;
#[cfg(feature = "gpu")]
mod kernels;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod ktx2_pictures;
#[cfg(feature = "gpu")]
mod mip_filters_gpu;
#[cfg(feature = "gpu")]
mod mips_gpu;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod mobile;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod parts;
#[cfg(all(feature = "io", feature = "ktx2-zstd"))]
mod plain_textures;
mod promises;
#[cfg(feature = "io")]
mod quality;
#[cfg(feature = "io")]
mod quality_hdr;
mod rdo;
#[cfg(feature = "gpu")]
mod record_gpu;
mod sixteen_bits;
#[cfg(feature = "gpu")]
mod start_gpu;
mod surfaces;
#[cfg(feature = "rayon")]
mod threads;
#[cfg(feature = "io")]
mod trouble;
#[cfg(feature = "io")]
mod trouble_dds;
mod twins;
#[cfg(feature = "ktx2-zstd")]
mod validate;
#[cfg(feature = "ktx2-zstd")]
mod validate_files;
#[cfg(not(feature = "ktx2-zstd"))]
mod without_zstd;
