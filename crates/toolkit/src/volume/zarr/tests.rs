//! Tests of Zarr folders.
