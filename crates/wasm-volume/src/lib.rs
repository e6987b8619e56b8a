//! Volumes as a WebAssembly module: the reader of `.bwv` files by byte ranges, looks, cameras, slices, and
//! what the ray casters' kernels read. Its users are the worker of the web package (`web/src/volume`) and
//! `web/test/volume.test.mjs`, which contains its tests.
//!
//! A module has one volume at a time. The module reads no file and makes no request. The host copies bytes or
//! a JSON object to the input (`brickwork_input`), calls a function, reads the output (`brickwork_output`,
//! `brickwork_output_length`) and frees both (`brickwork_free`). If the status is not 0, the output is the
//! error's text in UTF-8.
//!
//! ```text
//! brickwork_open → (brickwork_needed → brickwork_supply)… → brickwork_facts       a .bwv file, by ranges
//! brickwork_open_whole                                     → brickwork_facts   another format: full module
//! brickwork_describe                                       → brickwork_facts   voxels that the host reads
//! brickwork_slice_region → brickwork_supply_voxels → brickwork_load, brickwork_file_slice
//! brickwork_page_boxes   → brickwork_supply_page   → brickwork_buffer
//! brickwork_missing → brickwork_supply… → brickwork_load → brickwork_look → brickwork_view → dispatches
//!                                       → brickwork_read                  → brickwork_slice
//!                         brickwork_view → brickwork_render                     on the CPU (full module)
//! brickwork_missing_pages → brickwork_supply… → brickwork_buffer                pages of a part on demand
//! brickwork_missing_slice → brickwork_supply… → brickwork_file_slice           a slice of any mip level
//! ```
//!
//! There are three modules of this code. The smallest one (feature `regions`) only decodes chunks of the Zarr
//! codec, for the package `@brickwork/zarr-codec`. The small one (feature `volumes`) reads `.bwv` files, and
//! the *full* one (feature `full`) also reads other formats and renders on the CPU.
//!
//! ```text
//! brickwork_decode_chunk                                                       a whole chunk
//! brickwork_chunk_suffix → brickwork_chunk_ranges → brickwork_chunk_region     a part of a chunk
//! ```
//!
//! No thread is started. A panic is a trap, after which the host must discard the instance.
//!
//! | file | contents |
//! |---|---|
//! | `exports/` | functions of the module |
//! | `memory.rs` | input and output |
//! | `open.rs` | the open file, and the loaded part |
//! | `request.rs` | fields of JSON objects |
//! | `source.rs` | open files: their facts, and parts of them |
//! | `source/` | volumes that the host reads; files of other formats, in the full module |
//! | `chunk/` | chunks of the Zarr codec |
//! | `slice.rs` | slices as images |
//! | `view.rs` | a part in memory, or read on demand: look, camera, slices, the kernels' inputs |
//! | `facts.rs` | objects of facts, as JSON |
//! | `failure/` | errors |

mod chunk;
mod exports;
mod failure;
mod memory;

#[cfg(feature = "volumes")]
mod facts;
#[cfg(feature = "volumes")]
mod open;
#[cfg(feature = "volumes")]
mod request;
#[cfg(feature = "volumes")]
mod slice;
#[cfg(feature = "volumes")]
mod source;
#[cfg(feature = "volumes")]
mod view;
