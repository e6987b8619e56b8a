//! Doc tests of code that must not compile outside of this crate.

/// ```compile_fail,E0639
/// fn again(value: brickwork_texture::EncodeOptions) -> brickwork_texture::EncodeOptions {
///     brickwork_texture::EncodeOptions { ..value }
/// }
/// ```
struct EncodeOptionsMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_texture::TextureDesc) -> brickwork_texture::TextureDesc {
///     brickwork_texture::TextureDesc { ..value }
/// }
/// ```
struct TextureDescMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_texture::DecodedImage) -> brickwork_texture::DecodedImage {
///     brickwork_texture::DecodedImage { ..value }
/// }
/// ```
struct DecodedImageMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_texture::metrics::Metrics) -> brickwork_texture::metrics::Metrics {
///     brickwork_texture::metrics::Metrics { ..value }
/// }
/// ```
struct MetricsMayGrow;

/// ```compile_fail,E0639
/// fn again(value: brickwork_texture::container::Info) -> brickwork_texture::container::Info {
///     brickwork_texture::container::Info { ..value }
/// }
/// ```
struct InfoMayGrow;
