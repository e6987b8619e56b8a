//! Volumes: opening, loading and rendering; slices; renderings as PNG files.
//!
//! [`VolumeInput`] → [`VolumePart`] (mip level, frame, channel) → [`LoadedVolume`] → [`Scene`] (look,
//! background) → [`Painter`] (device) → renderings. [`RenderOptions`] and [`Renderings`] do all of this.
//! Scenes and slices of volumes in memory do not need the feature `files`.

#[cfg(feature = "files")]
mod bwv_bytes;
mod channels;
mod error;
mod geometry;
#[cfg(feature = "files")]
mod input;
mod label_check;
mod loaded;
mod look;
#[cfg(feature = "files")]
mod lost_rescaling;
#[cfg(feature = "files")]
mod overlay;
#[cfg(feature = "files")]
mod painter;
#[cfg(feature = "files")]
mod part;
mod physical;
#[cfg(feature = "files")]
mod png_file;
#[cfg(feature = "files")]
mod render;
mod scene;
mod slice;
#[cfg(feature = "files")]
mod slice_image;
#[cfg(feature = "files")]
mod statistics;
#[cfg(all(test, feature = "files"))]
mod tests;
#[cfg(feature = "files")]
pub mod values;

#[cfg(feature = "files")]
pub use bwv_bytes::BwvBytes;
pub use channels::{
    ChannelChoice, ChannelSet, MAX_SHOWN_CHANNELS, ShownChannel, channel_notes, shown_channels,
};
#[cfg(feature = "files")]
pub use error::TransferFault;
pub use error::VolumeError;
pub use geometry::geometry_difference;
#[cfg(feature = "files")]
pub use input::{CompressedInput, VolumeInput};
pub use loaded::LoadedVolume;
pub use look::{BACKGROUND, ChosenLook, LookOptions, RenderMode, SURFACE_COLOR, Transfer, ValueKind};
#[cfg(feature = "files")]
pub use lost_rescaling::LostRescaling;
#[cfg(feature = "files")]
pub use overlay::{LabelSet, Overlay, OverlayOptions};
#[cfg(feature = "files")]
pub use painter::{DEFAULT_GPU_MEMORY, PagedMemory, Painter};
#[cfg(feature = "files")]
pub use part::{LoadOptions, PartOptions, VolumePart};
pub use physical::physical_voxels;
#[cfg(feature = "files")]
pub use png_file::{encode_rendering, write_rendering};
#[cfg(feature = "files")]
pub use render::{RenderOptions, Renderings, TransferChoice, render_default, transfer_points};
pub use scene::{Scene, default_camera, orbit};
pub use slice::{Label, SliceAxis, SliceColors, SlicePlane, SliceValues, labels};
#[cfg(feature = "files")]
pub use slice::{SlicePixels, encode_slice, label_color_of, labels_of_part};
#[cfg(feature = "files")]
pub use slice_image::{ChannelSum, SliceImage, SliceOptions, SliceOrientation, read_slice};
#[cfg(feature = "files")]
pub use statistics::{LabelVoxels, VolumeStatistics, file_statistics, volume_statistics};
