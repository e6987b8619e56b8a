//! Guarantees to callers, checked when this is compiled.

/// Not implemented by arrays and references to them.
trait IsSlice {}

impl<T> IsSlice for &[T] {}

const fn slice<T: IsSlice + Copy>(_: T) {}

fn sent<T: Send>() {}

#[test]
fn lists_of_all_values_may_grow() {
    slice(brickwork_formats::VolumeFormat::ALL);
    #[cfg(feature = "io")]
    slice(brickwork_formats::SliceFormat::ALL);
}

#[test]
fn volumes_are_read_on_any_thread() {
    sent::<brickwork_formats::OpenedVolume>();
    sent::<brickwork_formats::VolumePipe>();
    sent::<brickwork_formats::OpenError>();
}
