//! Contains no code. A package that depends on this one has its dependencies with all features that any
//! package of the workspace uses. Cargo unites the features of the packages that a command selects. Without
//! this package, `cargo test`, `cargo test -p brickwork-viewer`, `cargo test -p zarrs-brickwork` and `cargo
//! build -p brickwork-bench` would each compile the codecs and wgpu again. It enables the feature `zarr`: the
//! tests of zarrs-brickwork need zarrs in any case. (zarrs enables `preserve_order` of serde_json, which
//! `Header::set_metadata` allows for.)
