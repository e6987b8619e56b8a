//! Slices in images: folders of PNG, TIFF, BMP and JPEG files, TIFF stacks, and what DICOM shares with them.
//!
//! | file | contents |
//! |---|---|
//! | `slice.rs` | checks of slices, and their bytes |
//! | `image_stack.rs`, `slice_names.rs` | the images of a folder, and their order |
//! | `slice_image/`, `image_head.rs`, `tiff_stack/` | readers of images |
//! | `palette.rs`, `packed_bits.rs`, `ycbcr.rs` | stored numbers as voxels |
//! | `slice_files.rs` | a volume as a folder of slices |

pub(crate) mod image_head;
pub(crate) mod image_stack;
pub(crate) mod packed_bits;
pub(crate) mod palette;
pub(crate) mod slice;
pub(crate) mod slice_files;
pub(crate) mod slice_image;
pub(crate) mod slice_names;
pub mod tiff_stack;
pub(crate) mod ycbcr;
