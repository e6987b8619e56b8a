//! Tests of the library from outside, in one binary, so that its generic code is compiled once.

mod cache;
mod cancel;
mod chunk;
mod common;
mod damage;
mod example_in_hex;
mod file;
mod forged;
mod golden;
mod label_bricks;
mod promises;
mod reading;
mod render;
mod slow_decoder;
mod strides;
mod supplied;
mod threads;
mod windows;
