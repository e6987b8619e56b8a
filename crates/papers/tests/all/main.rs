//! Tests of the library from outside, in one binary.

mod guthe2016;
