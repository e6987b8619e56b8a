//! Contains no code. A package that depends on this one has its dependencies with all features that any
//! package of the workspace uses. Cargo unites the features of the packages that a command selects. Without
//! this package, the viewer, the Python package and the bench would each compile the codecs again, zarrs's
//! tests that of volumes, the viewer and the bench wgpu: 694 compilations instead of 560 in CI and the bench.
//! `cargo test` alone has 334 instead of 402, because the feature `zarr` is enabled: the tests of
//! zarrs-brickwork need zarrs in any case. (zarrs enables `preserve_order` of serde_json, which
//! `Header::set_metadata` allows for.)
