//! texpresso: libsquish in Rust.

use super::{Contestant, Role, package};
use crate::picture::Picture;
use texpresso::{Algorithm, COLOUR_WEIGHTS_UNIFORM, Format, Params};

pub fn contestants(pictures: &[Picture]) -> [Contestant<'_>; 3] {
    [
        ("range fit", Algorithm::RangeFit, Role::Peer),
        ("cluster fit", Algorithm::ClusterFit, Role::Base),
        ("iterative cluster fit", Algorithm::IterativeClusterFit, Role::Peer),
    ]
    .map(|(name, algorithm, role)| {
        let params = Params { algorithm, weights: COLOUR_WEIGHTS_UNIFORM, weigh_colour_by_alpha: false };
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            let (width, height) = (picture.width as usize, picture.height as usize);
            Format::Bc1.compress(picture.bytes(), width, height, params, blocks);
            Ok(())
        });
        Contestant { name: format!("{} {name}", package("texpresso")), role, encode }
    })
}
