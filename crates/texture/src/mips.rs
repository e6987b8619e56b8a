//! Mip levels.
