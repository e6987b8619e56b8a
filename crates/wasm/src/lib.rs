//! Encoders and decoders of the CPU as WebAssembly modules, one for each feature: BC1 to BC5, BC6H, BC7, ETC2
//! with EAC, and ASTC.
//! Their users are the worker of the web package (`web/src/cpu`) and `web/test/cpu.test.mjs`, which contains
//! the tests.
//!
//! A module has one job at a time. The host reserves the input (`brickwork_input`), copies texels or blocks
//! to the address, calls `brickwork_encode` or `brickwork_decode`, reads the output (`brickwork_output`,
//! `brickwork_output_length`) and frees both (`brickwork_free`). If the status is not 0, the output is the
//! error's text in UTF-8.
//!
//! No thread is started. A panic is a trap, after which the host must discard the instance.
//!
//! | file | contents |
//! |---|---|
//! | `exports.rs` | functions of the module |
//! | `memory.rs` | input and output of the job |
//! | `request.rs` | numbers of formats and options |
//! | `job.rs` | encoding and decoding |
//! | `failure.rs` | errors |

// RUSTFLAGS replaces the flags of the configuration. Scalar code is several times as slow.
#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!("the module needs -C target-feature=+simd128, which .cargo/config.toml sets");

mod exports;
mod failure;
mod job;
mod memory;
mod request;
