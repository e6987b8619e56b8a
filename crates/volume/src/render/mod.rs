//! Pictures of volumes: a ray caster on the CPU.
//!
//! Integers decide: where samples lie, which voxels they are taken from, what they are (24 bits),
//! what a ray skips and hits. Floats only turn samples into colours, continuously. So a twin on another
//! machine gives the same picture within 1 of 255.
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

mod bricks;
mod camera;
mod cast;
mod caster;
mod display;
mod dvr;
mod error;
mod focus;
#[cfg(feature = "gpu")]
mod gpu;
mod iso;
mod labels;
mod look;
mod mip;
mod narrow;
mod narrowing;
mod presets;
mod rays;
mod renderer;
mod resident;
mod sample;
mod sampler;
mod shade;
mod space;
mod survey;
#[cfg(test)]
mod tests;
mod transfer;
mod vector;
mod view;

pub use bricks::{DisplayBricks, RawBricks};
pub use camera::{Camera, Projection, Up};
pub use cast::Rendering;
pub use display::Display;
pub use error::RenderError;
pub use focus::Focus;
#[cfg(feature = "gpu")]
pub use gpu::GpuRenderer;
#[cfg(feature = "gpu")]
pub(crate) use gpu::kernels as gpu_kernels;
pub use look::{Look, VisibleLabels, label_color};
pub use narrow::NarrowVoxels;
pub use narrowing::WideLabel;
pub use presets::Preset;
pub use rays::MAX_SIDE;
pub use renderer::Renderer;
pub use resident::ResidentBricks;
pub use sampler::RenderStatistics;
pub use survey::{Hounsfield, Survey};
pub use transfer::{TransferFunction, TransferPoint};
pub use view::View;
