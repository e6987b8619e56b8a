//! Doc tests of code that must not compile outside of this crate.

/// ```compile_fail,E0639
/// fn again(value: brickwork_image::image_file::Picture) -> brickwork_image::image_file::Picture {
///     brickwork_image::image_file::Picture { ..value }
/// }
/// ```
#[cfg(feature = "io")]
struct PictureMayGrow;

/// ```compile_fail,E0277
/// #[derive(Clone, Copy)]
/// struct Grey(u8);
/// unsafe impl brickwork_image::bytemuck::Zeroable for Grey {}
/// unsafe impl brickwork_image::bytemuck::Pod for Grey {}
/// impl brickwork_image::Texel for Grey {
///     const CHANNEL_COUNT: usize = 1;
///     fn to_rgba8(self) -> [u8; 4] {
///         [self.0, self.0, self.0, 255]
///     }
///     fn to_rgba16(self) -> [u16; 4] {
///         self.to_rgba8().map(|v| 257 * u16::from(v))
///     }
///     fn to_rgba_f16(self) -> [brickwork_image::half::f16; 4] {
///         self.to_rgba_f32().map(brickwork_image::half::f16::from_f32)
///     }
///     fn to_rgba_f32(self) -> [f32; 4] {
///         self.to_rgba8().map(|v| f32::from(v) / 255.0)
///     }
/// }
/// ```
struct TexelIsSealed;
