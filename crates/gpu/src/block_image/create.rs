//! Creation of images by the backend of the device.

#[cfg(windows)]
use super::d3d12;
#[cfg(target_vendor = "apple")]
use super::metal;
#[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
use super::vulkan;
use super::{BlockImage, BlockImageDesc};
#[cfg(any(target_vendor = "apple", target_arch = "wasm32"))]
use crate::UnsupportedReason;
use crate::{BlockImageFault, Context, GpuError};

impl BlockImageDesc {
    /// Checks that wgpu can sample such a texture here, by creating one without blocks to write.
    fn check(&self, context: &Context) -> Result<(), GpuError> {
        let what = "a texture of blocks";
        if self.format.block_dimensions() != (4, 4) || !matches!(self.block_bytes(), 8 | 16) {
            return Err(BlockImageFault::Format(self.format).into());
        }
        let limits = context.device().limits();
        let largest = self.size[0].max(self.size[1]);
        if largest > limits.max_texture_dimension_2d {
            let limit = limits.max_texture_dimension_2d.into();
            return Err(GpuError::Limit { what, needed: largest.into(), limit });
        }
        // The smallest texture with these mip levels and layers.
        let side = (4 << self.mip_levels.saturating_sub(3).min(16)).min(limits.max_texture_dimension_2d);
        let least = Self { size: [side, 4], layers: self.layers, ..*self };
        if self.size.contains(&0) || self.mip_levels == 0 || self.mip_levels > 32 - largest.leading_zeros() {
            let Self { size, mip_levels, .. } = *self;
            return Err(BlockImageFault::MipLevels { size, mip_levels }.into());
        }
        let made = context.checked(what, || context.device().create_texture(&least.texture(what)))?;
        made.destroy();
        Ok(())
    }

    /// Creates a texture with this shape that no kernel writes, on any backend. Its usages are
    /// `TEXTURE_BINDING`, `COPY_SRC` and `COPY_DST`. Views with and without sRGB are allowed. wgpu refuses
    /// sizes that are not multiples of 4; Vulkan does not. All blocks are zero.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a size that is not a multiple of 4, without Vulkan; else as
    /// [`BlockImage::with_view`].
    pub fn create_texture(&self, context: &Context) -> Result<wgpu::Texture, GpuError> {
        self.check(context)?;
        let what = "a texture of blocks";
        if self.size.iter().all(|texels| texels % 4 == 0) {
            let formats = self.view_formats();
            let description = wgpu::TextureDescriptor { view_formats: &formats, ..self.texture(what) };
            return context.checked(what, || context.device().create_texture(&description));
        }
        #[cfg(target_vendor = "apple")]
        let made = metal::plain(context, self);
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        let made = vulkan::plain(context, self);
        #[cfg(target_arch = "wasm32")]
        let made = Err(GpuError::Unsupported { what, reason: UnsupportedReason::PartialBlocks });
        made.and_then(|texture| {
            self.clear(context, &texture)?;
            Ok(texture)
        })
    }
}

impl BlockImage {
    /// Creates an image that kernels access with one texel per block, by Vulkan's
    /// `BLOCK_TEXEL_VIEW_COMPATIBLE` or Direct3D 12's relaxed format casting. All blocks are zero.
    ///
    /// # Errors
    /// - [`GpuError::Unsupported`] on other backends, or if the driver has no such images.
    /// - [`GpuError::Limit`], [`GpuError::OutOfMemory`] or [`GpuError::Lost`].
    /// - [`GpuError::BlockImage`] if there are no images of this description.
    /// - [`GpuError::Validation`] if the device has no textures of this shape.
    pub fn with_view(context: &Context, desc: &BlockImageDesc) -> Result<Self, GpuError> {
        desc.check(context)?;
        #[cfg(windows)]
        if let Some(image) = d3d12::with_view(context, desc) {
            return image.and_then(|image| image.cleared(context));
        }
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        return vulkan::with_view(context, desc).and_then(|image| image.cleared(context));
        #[cfg(any(target_vendor = "apple", target_arch = "wasm32"))]
        Err(GpuError::Unsupported {
            what: "a view of blocks as integers",
            reason: UnsupportedReason::Backend,
        })
    }

    /// Creates an image whose memory is shared with a buffer. Its blocks and the padding between them are
    /// zero.
    ///
    /// # Errors
    /// As [`with_view`](Self::with_view); also [`GpuError::Limit`] if the memory is larger than a storage
    /// binding may be.
    pub fn with_memory(context: &Context, desc: &BlockImageDesc) -> Result<Self, GpuError> {
        desc.check(context)?;
        #[cfg(target_vendor = "apple")]
        return metal::with_memory(context, desc).and_then(|image| image.cleared(context));
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        return vulkan::with_memory(context, desc).and_then(|image| image.cleared(context));
        #[cfg(target_arch = "wasm32")]
        Err(GpuError::Unsupported {
            what: "a buffer in an image's memory",
            reason: UnsupportedReason::Backend,
        })
    }
}
