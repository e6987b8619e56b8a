//! Work during which the window must not wait: renderings and slices, each on a separate thread.

mod mailbox;
mod pictures;
mod slices;

pub use mailbox::Mailbox;
pub use pictures::{Frame, PictureRequest, Pictures, Scene};
pub use slices::{ChannelSlices, Coloring, SliceRequest, Slices};
