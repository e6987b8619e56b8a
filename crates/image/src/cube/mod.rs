//! Faces of a cube from one picture: a cross, a strip, or a panorama.
//!
//! ```text
//! horizontal cross (4:3)    vertical cross (3:4)    strips (6:1, 1:6)        panorama (2:1)
//!      +Y                        +Y                 +X −X +Y −Y +Z −Z        centre +Z, right +X, top +Y
//!   −X +Z +X −Z               −X +Z +X              (or one below the other)
//!      −Y                        −Y
//!                                −Z (upside down)
//! ```
//!
//! Faces are those of Direct3D, Vulkan and KTX2: a left-handed system, with +X to the right, +Y up and +Z
//! ahead. Each face is seen from inside the cube. `direction.rs` has the direction of each texel.
//!
//! Mip levels by the box filter need no treatment of seams. The filter covers texels of one face only, so
//! that each face's level 1×1 is its mean. Samplers of all graphics interfaces interpolate across edges.

mod cut;
mod direction;
mod error;
mod faces;
mod layout;
mod panorama;

pub use error::CubeError;
pub use faces::faces;
pub use layout::CubeLayout;
