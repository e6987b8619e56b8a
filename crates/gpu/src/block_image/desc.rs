//! Shape of an image of blocks.

use wgpu::TextureUsages;

/// Shape of a [`BlockImage`](super::BlockImage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockImageDesc {
    /// A format of 4×4 blocks.
    pub format: wgpu::TextureFormat,
    /// Width and height of mip level 0 in texels.
    pub size: [u32; 2],
    /// Number of mip levels.
    pub mip_levels: u32,
    /// Number of array layers.
    pub layers: u32,
}

impl BlockImageDesc {
    /// Returns a shape with one mip level and one array layer.
    pub const fn new(format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        Self { format, size, mip_levels: 1, layers: 1 }
    }

    /// Returns the size of a block in bytes: 8 or 16.
    pub fn block_bytes(&self) -> u32 {
        self.format.block_copy_size(None).unwrap_or_default()
    }

    /// Returns the columns and rows of blocks in a mip level.
    pub fn blocks(&self, mip_level: u32) -> [u32; 2] {
        self.size.map(|texels| (texels >> mip_level).max(1).div_ceil(4))
    }

    /// Returns the size of mip level 0.
    pub(super) fn extent(&self) -> wgpu::Extent3d {
        wgpu::Extent3d { width: self.size[0], height: self.size[1], depth_or_array_layers: self.layers }
    }

    /// Returns the formats in which the texture may be viewed: with and without sRGB.
    pub(super) fn view_formats(&self) -> [wgpu::TextureFormat; 2] {
        [self.format.remove_srgb_suffix(), self.format.add_srgb_suffix()]
    }

    /// Returns the description of such a texture that kernels do not write.
    pub(super) fn texture(&self, label: &'static str) -> wgpu::TextureDescriptor<'static> {
        wgpu::TextureDescriptor {
            label: Some(label),
            size: self.extent(),
            mip_level_count: self.mip_levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
            view_formats: &[],
        }
    }
}
