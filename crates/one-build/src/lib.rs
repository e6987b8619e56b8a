//! Contains no code. A package that depends on this one has its dependencies with all features that any
//! package of the workspace uses. Cargo selects features for the packages of a command together. Without this
//! package, `cargo test`, `cargo test -p brickwork-viewer` and `cargo build -p brickwork-bench` would each
//! compile the codecs and wgpu again, which takes five minutes on two cores.
