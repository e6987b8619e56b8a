//! Guarantees to callers, checked at compile time.

/// A trait that arrays and references to them do not implement.
trait IsSlice {}

impl<T> IsSlice for &[T] {}

const fn slice<T: IsSlice + Copy>(_: T) {}

fn sent<T: Send + Sync + 'static>() {}

#[test]
fn lists_of_all_values_may_grow() {
    use brickwork_texture::bc::bc1;
    use brickwork_texture::{
        BlockFormat, Quality, RealTime, RoundingRule, SimdLevel, TexelFormat, container,
    };
    slice(BlockFormat::ALL);
    slice(RoundingRule::ALL);
    slice(Quality::ALL);
    slice(SimdLevel::ALL);
    slice(TexelFormat::ALL);
    slice(container::ContainerFormat::ALL);
    slice(bc1::Method::ALL);
    slice(RealTime::ALL);
    #[cfg(feature = "io")]
    slice(brickwork_image::image_file::FileFormat::ALL);
}

#[test]
fn errors_pass_between_threads() {
    sent::<brickwork_texture::container::ContainerError>();
    sent::<brickwork_texture::DecodeError>();
    sent::<brickwork_texture::EncodeError>();
    #[cfg(feature = "io")]
    sent::<brickwork_image::image_file::ImageReadError>();
}
