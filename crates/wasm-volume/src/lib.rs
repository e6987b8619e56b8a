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
//! There are two modules of this code: the small one reads `.bwv` files, and the *full* one
//! (feature `full`) also reads other formats and renders on the CPU.
//!
//! No thread is started. A panic is a trap, after which the host must discard the instance.
//!
//! | file | contents |
//! |---|---|
//! | `exports.rs` | functions of the module |
//! | `memory.rs` | input and output |
//! | `request.rs` | fields of JSON objects |
//! | `source.rs` | open files: their facts, and parts of them |
//! | `source/` | volumes that the host reads; files of other formats, in the full module |
//! | `chunk.rs` | chunks of the Zarr codec |
//! | `slice.rs` | slices as images |
//! | `view.rs` | a part in memory, or read on demand: look, camera, slices, the kernels' inputs |
//! | `facts.rs` | objects of facts, as JSON |
//! | `failure.rs` | errors |

mod chunk;
mod exports;
mod facts;
mod failure;
mod memory;
mod request;
mod slice;
mod source;
mod view;
