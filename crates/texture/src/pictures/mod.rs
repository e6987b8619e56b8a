//! Pictures of DDS, KTX2 and `.astc` files, textures or pictures of any image file, and textures of pictures.
//!
//! ```text
//! bytes → DDS, KTX2, .astc? → Texture
//!              └ texels of no TextureFormat → Surface → Picture
//!         others → brickwork_image::image_file::read → Picture
//! ```
//!
//! As a picture, a texture file is mip level 0 of its first layer, face or slice.

mod any;
mod astc;
mod dds;
mod dds_masks;
mod dds_rows;
mod dds_texels;
mod decode_surface;
mod desc;
mod error;
mod float_surface;
mod ktx2;
mod part;
mod read;
mod resize;
mod suggest;
mod surface;
mod swizzled;

pub use any::{AnyImage, AnyInfo, info_any, open, read_any};
pub use read::read;
pub use resize::resize;
pub use suggest::{Suggestion, suggest_format};
