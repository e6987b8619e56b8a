//! Doc tests of code that must not compile outside of this crate.

/// ```compile_fail,E0639
/// fn again(value: brickwork_volume::Header) -> brickwork_volume::Header {
///     brickwork_volume::Header { ..value }
/// }
/// ```
struct HeaderMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_volume::Statistics) -> brickwork_volume::Statistics {
///     brickwork_volume::Statistics { ..value }
/// }
/// ```
struct StatisticsMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_volume::Comparison) -> brickwork_volume::Comparison {
///     brickwork_volume::Comparison { ..value }
/// }
/// ```
struct ComparisonMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_volume::render::Rendering) -> brickwork_volume::render::Rendering {
///     brickwork_volume::render::Rendering { ..value }
/// }
/// ```
struct RenderingMayGrow;

/// ```compile_fail,E0277
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Grey(u8);
/// unsafe impl brickwork_volume::bytemuck::Zeroable for Grey {}
/// unsafe impl brickwork_volume::bytemuck::Pod for Grey {}
/// impl brickwork_volume::Voxel for Grey {
///     const TYPE: brickwork_volume::VoxelType = brickwork_volume::VoxelType::U8;
///     fn to_ordinal(self) -> u64 {
///         self.0.into()
///     }
///     fn from_ordinal(ordinal: u64) -> Self {
///         Self(ordinal as u8)
///     }
///     fn mean(voxels: &[Self]) -> Self {
///         voxels[0]
///     }
/// }
/// ```
struct VoxelIsSealed;
