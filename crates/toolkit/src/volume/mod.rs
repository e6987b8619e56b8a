//! Volumes: opening, conversion, loading and rendering; slices; renderings as PNG files.
//!
//! [`VolumeInput`] → [`VolumePart`] (mip level, frame, channel) → [`LoadedVolume`] → [`Scene`] (look,
//! background) → [`Painter`] (device) → renderings. [`render_default`] does all of this with the defaults.

mod bwv_bytes;
mod convert;
mod error;
mod input;
mod lengths;
mod loaded;
mod look;
mod lost_rescaling;
mod output_format;
mod painter;
mod part;
mod png_file;
mod render_default;
mod scene;
mod slice;
#[cfg(test)]
mod tests;

pub use bwv_bytes::BwvBytes;
pub use convert::{ConvertOptions, convert};
pub use error::VolumeError;
pub use input::{CompressedInput, VolumeInput};
pub use lengths::lengths_text;
pub use loaded::LoadedVolume;
pub use look::{BACKGROUND, ChosenLook, LookOptions, RenderMode, SURFACE_COLOR, Transfer};
pub use lost_rescaling::LostRescaling;
pub use output_format::{OutputFormatError, output_format};
pub use painter::{DEFAULT_GPU_MEMORY, PagedMemory, Painter};
pub use part::{LoadOptions, PartOptions, VolumePart};
pub use png_file::{encode_rendering, write_rendering};
pub use render_default::render_default;
pub use scene::{Scene, default_camera, orbit};
pub use slice::{
    Axis, Label, SliceAxis, SliceColors, SliceImage, SliceOptions, SlicePixels, SlicePlane, SliceValues,
    labels,
};
