//! intel_tex_2: Intel's ISPC texture compressor, as the object files that the crate brings along.
//!
//! The crate does not link the C++ library that its objects need (`__gxx_personality_v0`); ctt's crates do.

use super::{Contestant, Role, package};
use crate::picture::Picture;
use intel_tex_2::{RgbaSurface, bc1};

pub fn contestant(pictures: &[Picture]) -> Contestant<'_> {
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        let &Picture { width, height, .. } = picture;
        let surface = RgbaSurface { data: picture.bytes(), width, height, stride: width * 4 };
        bc1::compress_blocks_into(&surface, blocks);
        Ok(())
    });
    Contestant { name: package("intel_tex_2"), role: Role::Peer, encode }
}
