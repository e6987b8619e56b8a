//! Structs of the header. Their comments are there.

use crate::{
    names::{self, CHANNEL_TYPES},
    pointer::{Bytes, BytesMut, Sized32, User},
    status::Failure,
};
use brickwork_texture::{Image as AnyImage, ImageIndex, ImageView, ImageViewMut, TexelType};

/// `brickwork_image`
#[repr(C)]
#[derive(Debug)]
pub struct Image {
    pub data: Bytes,
    pub data_bytes: usize,
    pub row_bytes: usize,
    pub width: u32,
    pub height: u32,
    pub channel_type: u32,
    pub channel_count: u32,
}

/// `brickwork_image_mut`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ImageMut {
    pub data: BytesMut,
    pub data_bytes: usize,
    pub row_bytes: usize,
    pub width: u32,
    pub height: u32,
    pub channel_type: u32,
    pub reserved: u32,
}

/// `brickwork_image_index`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub layer: u32,
    pub face: u32,
    pub mip_level: u32,
    pub slice: u32,
}

/// `brickwork_write_config`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WriteConfig {
    pub struct_size: u32,
    pub dds_header: u32,
    pub zstd_level: u32,
}

/// `brickwork_progress_fn`, or null
pub type ProgressFn = Option<extern "C" fn(user: User, stage: u32, done: u64, total: u64)>;

/// `brickwork_task_config`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TaskConfig {
    pub struct_size: u32,
    pub threads: u32,
    pub on_progress: ProgressFn,
    pub user: User,
}

/// `brickwork_texture_desc`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Desc {
    pub struct_size: u32,
    pub format: u32,
    pub kind: u32,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub layers: u32,
    pub faces: u32,
    pub mip_levels: u32,
    pub color_space: u32,
    pub alpha_mode: u32,
    pub block_bytes: u32,
    pub data_bytes: u64,
    pub block_width: u32,
    pub block_height: u32,
    pub vulkan_format: u32,
    pub dxgi_format: u32,
    pub metal_format: u32,
    pub swizzle: u32,
}

#[allow(unsafe_code)]
mod sized {
    use super::{Desc, Sized32, TaskConfig, WriteConfig};

    // SAFETY: `repr(C)`, the first field is a `u32`, and the others are numbers.
    unsafe impl Sized32 for WriteConfig {
        const INIT: &str = "call brickwork_write_config_init";
    }

    // SAFETY: as for `WriteConfig`.
    unsafe impl Sized32 for Desc {
        const INIT: &str = "set it to sizeof";
    }

    // SAFETY: `repr(C)`, and the first field is a `u32`. By the header, the callback is null or a function.
    unsafe impl Sized32 for TaskConfig {
        const INIT: &str = "call brickwork_task_config_init";
    }
}

impl Image {
    /// Returns the type of the texels.
    pub fn texel_type(&self) -> Result<TexelType, Failure> {
        let channel_type = names::value(CHANNEL_TYPES, self.channel_type, "channel_type")?;
        TexelType::new(channel_type, self.channel_count).ok_or_else(|| {
            let count = self.channel_count;
            Failure::argument(format!("channel_count is {count}, expected a number from 1 to 4"))
        })
    }

    /// Returns the texels.
    pub fn view(&self) -> Result<Box<dyn AnyImage + '_>, Failure> {
        let texel_type = self.texel_type()?;
        let row_bytes = row_bytes(self.row_bytes, self.width, texel_type.bytes())?;
        let bytes = self.data.get(self.data_bytes, "data")?;
        Ok(ImageView::from_bytes(texel_type, bytes, self.width, self.height, row_bytes)?)
    }
}

impl ImageMut {
    /// Returns the texels to be written.
    pub fn view(&mut self) -> Result<ImageViewMut<'_>, Failure> {
        let channel_type = names::value(CHANNEL_TYPES, self.channel_type, "channel_type")?;
        if self.reserved != 0 {
            return Err(Failure::argument(format!("reserved is {}, expected 0", self.reserved)));
        }
        let row_bytes = row_bytes(self.row_bytes, self.width, 4 * channel_type.bytes())?;
        let bytes = self.data.get(self.data_bytes, "data")?;
        Ok(ImageViewMut::from_bytes(channel_type, bytes, self.width, self.height, row_bytes)?)
    }
}

/// Returns the bytes from row to row; 0 means no gaps.
fn row_bytes(given: usize, width: u32, texel_bytes: u32) -> Result<usize, Failure> {
    if given != 0 {
        return Ok(given);
    }
    let bytes = u64::from(width) * u64::from(texel_bytes);
    usize::try_from(bytes).map_err(|_| Failure::argument(format!("a row of {bytes} bytes is too long")))
}

impl From<Index> for ImageIndex {
    fn from(index: Index) -> Self {
        let Index { layer, face, mip_level, slice } = index;
        Self { layer, face, mip_level, slice }
    }
}
