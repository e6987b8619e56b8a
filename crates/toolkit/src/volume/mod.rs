//! Volumes: opening, loading and rendering; slices; renderings as PNG files.
//!
//! [`VolumeInput`] → [`VolumePart`] (mip level, frame, channel) → [`LoadedVolume`] → [`Scene`] (look,
//! background) → [`Painter`] (device) → renderings. [`render_default`] does all of this with the defaults.
//! Scenes and slices of volumes in memory do not need the feature `files`.

#[cfg(feature = "files")]
mod bwv_bytes;
mod error;
#[cfg(feature = "files")]
mod input;
mod loaded;
mod look;
#[cfg(feature = "files")]
mod lost_rescaling;
#[cfg(feature = "files")]
mod painter;
#[cfg(feature = "files")]
mod part;
mod physical;
#[cfg(feature = "files")]
mod png_file;
#[cfg(feature = "files")]
mod render_default;
mod scene;
mod slice;
#[cfg(all(test, feature = "files"))]
mod tests;

#[cfg(feature = "files")]
pub use bwv_bytes::BwvBytes;
pub use error::VolumeError;
#[cfg(feature = "files")]
pub use input::{CompressedInput, VolumeInput};
pub use loaded::LoadedVolume;
pub use look::{BACKGROUND, ChosenLook, LookOptions, RenderMode, SURFACE_COLOR, Transfer};
#[cfg(feature = "files")]
pub use lost_rescaling::LostRescaling;
#[cfg(feature = "files")]
pub use painter::{DEFAULT_GPU_MEMORY, PagedMemory, Painter};
#[cfg(feature = "files")]
pub use part::{LoadOptions, PartOptions, VolumePart};
pub use physical::physical_voxels;
#[cfg(feature = "files")]
pub use png_file::{encode_rendering, write_rendering};
#[cfg(feature = "files")]
pub use render_default::render_default;
pub use scene::{Scene, default_camera, orbit};
pub use slice::{Label, SliceAxis, SliceColors, SlicePlane, SliceValues, labels};
#[cfg(feature = "files")]
pub use slice::{label_color_of, labels_of_part};
