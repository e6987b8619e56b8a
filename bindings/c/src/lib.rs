//! C interface of Brickwork's textures. The header is `include/brickwork.h`, the guide docs/c.md.
//!
//! | file | contents |
//! |---|---|
//! | `pointer.rs` | arguments of the functions: pointers that are checked before they are used |
//! | `status.rs` | status codes, errors, the guard around each function |
//! | `structs.rs` | structs of the header |
//! | `names.rs` | numbers of the header for formats and properties |
//! | `version.rs`, `formats.rs` | functions without handles |
//! | `device.rs`, `task.rs`, `buffer.rs`, `texture.rs` | handles and their functions |
//! | `options.rs` | options of an encoder, by name |
//! | `encode.rs`, `decode.rs` | encoding and decoding |
//! | `c_tests.rs` | comparison of the header with these files |
//!
//! `.ci/c` finds the tests by the name `c_tests`, which all modules of tests have.
//!
//! The functions are safe Rust. Only `pointer.rs` contains unsafe code: the types of arguments, which C code
//! constructs. (`allow(unsafe_code)` below is for `no_mangle`.)

#[allow(unsafe_code)]
mod buffer;
#[cfg(test)]
mod c_tests;
#[allow(unsafe_code)]
mod decode;
#[allow(unsafe_code)]
mod device;
#[allow(unsafe_code)]
mod encode;
#[allow(unsafe_code)]
mod formats;
mod names;
#[allow(unsafe_code)]
mod options;
mod pointer;
#[allow(unsafe_code)]
mod status;
mod structs;
#[allow(unsafe_code)]
mod task;
#[allow(unsafe_code)]
mod texture;
#[allow(unsafe_code)]
mod version;
