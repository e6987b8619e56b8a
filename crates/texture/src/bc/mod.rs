//! The block formats, one folder each.

pub mod bc1;
