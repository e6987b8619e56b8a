//! Bricks and offsets encoded by the paper's scheme.

mod brick;
mod offsets;
mod rbuc;
mod transform;

pub(super) use brick::encode_brick;
