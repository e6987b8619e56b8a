//! Contains no code. A package that depends on this one has its dependencies with all features that any
//! package of the workspace uses. Cargo unites the features of the packages that a command selects. Without
//! this package, `cargo test`, `cargo test -p brickwork-viewer` and `cargo build -p brickwork-bench` would
//! each compile the codecs and wgpu again.
