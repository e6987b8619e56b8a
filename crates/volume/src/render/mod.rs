//! Rendering of volumes: a ray caster on the CPU.
//!
//! Integers decide the positions of samples, their voxels, their values (24 bits), and what a ray skips and
//! hits. Floats only turn samples into colours, continuously. So a twin on another machine gives the same
//! rendering within 1 of 255.
//!
//! ```
//! use brickwork_volume::{Dims, Header, Task, VolumeView, VoxelKind, VoxelType};
//! use brickwork_volume::render::{Camera, DisplayBricks, Look, RawBricks, Renderer, TransferFunction};
//! use std::sync::Arc;
//!
//! let dims = Dims::cube(20);
//! let voxels: Vec<u8> = (0..8000).map(|i| if dims.position(i).0 < 10 { 200 } else { 0 }).collect();
//! let (view, task) = (VolumeView::new(&voxels, dims)?, Task::new());
//! let bricks = Arc::new(RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &task)?);
//! let look = Look::dvr(&TransferFunction::window(50.0, 200.0, 0.5)?, &bricks.display())?;
//! let view = Camera { azimuth: 30.0, ..Camera::default() }.view(&Header::new(VoxelType::U8, dims), 64, 48)?;
//! let picture = Renderer::new(bricks, look, &task)?.render(&view, &task)?;
//! assert_eq!(picture.pixels.len(), 64 * 48);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// | file | stage |
// |---|---|
// | `display.rs`, `extent.rs`, `outliers.rs` | voxels of any type as 16 bits, and their range |
// | `bricks.rs`, `raw_bricks.rs` | the source of bricks; bricks cut from raw voxels |
// | `resident.rs`, `streamed.rs` | bricks of a volume in memory, or of one whose pages are read on demand |
// | `camera.rs`, `focus.rs`, `view.rs`, `rays.rs` | from angles to rays in integers of 2⁻¹⁶ voxels |
// | `renderer.rs` | a volume and its look, prepared |
// | `space.rs` | cells and blocks of cells, their visibility, leaps over invisible ones |
// | `sampler.rs`, `sample.rs` | bricks and cells of a thread; trilinear interpolation, 24 bits |
// | `cast.rs`, `caster.rs` | tiles and threads |
// | `mip.rs`, `dvr.rs`, `iso.rs`, `labels.rs` | a ray in each mode |
// | `shade.rs` | light, in floats |
// | `transfer.rs`, `presets.rs`, `survey.rs` | transfer functions, fitted to a volume |
// | `inputs/` | looks and views as the bytes that kernels read |
// | `gpu/`, `*.wgsl` | kernels, views, pages; the cache of decoded bricks |
//
// A *cell* is 4×4×4 positions of the first corner of a sample: half a voxel after its brick. Its samples
// need that brick and the next ones along each axis, so its range is that of eight bricks. A sample shows or
// not exactly: between two zeros of a transfer function everything is 0. Therefore skipping does not change
// a byte.
//
// On a GPU, 32 lanes cast the rays of 8×4 pixels, plane by plane. `gather` visits bricks in the order of
// their numbers; a lane keeps the tag of its entry, and one ballot finds a brick. `least` and `ballot` use
// subgroups of 32 or more, or workgroup memory. `sample` and `gather` are called once in each kernel, in a
// loop, because each call compiles the whole decoder again.

mod bricks;
mod camera;
mod cast;
mod caster;
mod display;
mod dvr;
mod error;
mod extent;
mod focus;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "kernel-inputs")]
pub(crate) mod inputs;
mod iso;
mod labels;
mod look;
mod mip;
mod narrow;
mod narrowing;
mod outliers;
mod presets;
mod raw_bricks;
mod rays;
mod renderer;
mod resident;
mod sample;
mod sampler;
mod shade;
mod space;
#[cfg(feature = "kernel-inputs")]
pub(crate) mod streamed;
mod survey;
#[cfg(test)]
mod tests;
mod transfer;
mod vector;
mod view;

pub use bricks::DisplayBricks;
pub use camera::{Camera, Projection, Up};
pub use cast::Rendering;
pub use display::Display;
pub use display::label_display;
pub use error::{RenderError, TransferPointFault};
pub use focus::Focus;
#[cfg(feature = "gpu")]
pub use gpu::GpuRenderer;
#[cfg(feature = "gpu")]
pub(crate) use gpu::{browser_kernels, kernels as gpu_kernels};
pub use look::{Look, VisibleLabels, label_color};
pub use narrow::NarrowVoxels;
pub use narrowing::WideLabel;
pub use presets::Preset;
pub use raw_bricks::RawBricks;
pub use rays::MAX_SIDE;
pub use renderer::Renderer;
pub use resident::ResidentBricks;
pub use sampler::RenderStatistics;
pub use survey::{Hounsfield, Survey};
pub use transfer::{TransferFunction, TransferPoint};
pub use view::View;
