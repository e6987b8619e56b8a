//! Guarantees that codecs rely on: one binary of tests, so that wgpu is linked once.

mod faults;
mod start_poll;
mod testing;
