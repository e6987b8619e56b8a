//! Tests of the library from outside, in one binary.

mod bc1;
mod guthe2016;
mod kernels;
