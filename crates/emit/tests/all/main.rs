//! Tests of the emitted data: against the planners, the kernels and the files in the tree.

mod chains;
mod generated;
mod kernels;
