//! Abilities that a request needs and a device, its driver or its backend lacks.

/// The reason why a device cannot do what was requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedReason {
    /// The backend has nothing of this kind.
    #[error("this backend has none")]
    Backend,
    /// The request needs another backend or a later version of its API, such as `Vulkan 1.1`.
    #[error("requires {0}")]
    Requires(&'static str),
    /// The backend's API has no name for the texture format.
    #[error("{api} has no such format")]
    Format {
        /// Name of the API.
        api: &'static str,
    },
    /// Width or height is not a multiple of 4 texels.
    #[error("its size is not a multiple of 4")]
    PartialBlocks,
    /// The driver does not cast textures of blocks to textures of integers.
    #[error("the driver has no relaxed format casting")]
    FormatCasting,
    /// A texture exceeds the driver's limits.
    #[error(
        "{}×{} texels, {mip_levels} mip levels or {layers} layers exceed the limits of {}×{}, \
         {max_mip_levels} and {max_layers}",
        size[0], size[1], max_size[0], max_size[1]
    )]
    TextureLimits {
        /// Width and height in texels.
        size: [u32; 2],
        /// Number of mip levels.
        mip_levels: u32,
        /// Number of layers.
        layers: u32,
        /// Largest width and height in texels.
        max_size: [u32; 2],
        /// Largest number of mip levels.
        max_mip_levels: u32,
        /// Largest number of layers.
        max_layers: u32,
    },
    /// The texture has more layers or mip levels than the API can count.
    #[error("it has too many layers")]
    Layers,
    /// No memory of the device holds both a texture and a buffer.
    #[error("no memory of the device takes both")]
    SharedMemory,
    /// The driver refused without a known reason.
    #[error("the driver says {0}")]
    Driver(String),
}
