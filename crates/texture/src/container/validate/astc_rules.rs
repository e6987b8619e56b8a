//! Rules of `.astc` files.
//!
//! Source: Arm, *The .astc File Format*, in the documentation of astcenc.

use super::rule::rules;

rules! {
    MAGIC Error "ASTC-101" "magic"
        "the file starts with the bytes 13 AB A1 5C"
    HEADER_ENDS Error "ASTC-102" "astc_header"
        "the file contains its header"
    BLOCK Error "ASTC-103" "block_x, block_y, block_z"
        "the block size is a footprint of the specification"
    BLOCK_3D Warning "ASTC-104" "block_z"
        "blocks have one slice (else they are not examined)"
    SIZE Error "ASTC-105" "dim_x, dim_y, dim_z"
        "no side of the image is 0"
    DATA_ENDS Error "ASTC-201" "Blocks"
        "the file contains all blocks"
    TRAILING_BYTES Warning "ASTC-202" "Blocks"
        "the file ends with its last block"
    ILLEGAL_BLOCKS Warning "ASTC-203" "Khronos Data Format, 23: ASTC"
        "blocks are legal and have a low dynamic range (others decode to magenta)"
}
