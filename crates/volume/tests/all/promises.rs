//! Guarantees to callers, checked when this is compiled.

/// Not implemented by arrays and references to them.
trait IsSlice {}

impl<T> IsSlice for &[T] {}

const fn slice<T: IsSlice + Copy>(_: T) {}

fn sent<T: Send>() {}

#[test]
fn lists_of_all_values_may_grow() {
    use brickwork_volume::{BrickSize, Profile, VoxelType, guthe2016, render};
    slice(BrickSize::ALL);
    slice(Profile::ALL);
    slice(VoxelType::ALL);
    slice(guthe2016::Transform::ALL);
    slice(render::Preset::ALL);
}

#[test]
fn voxels_are_read_on_any_thread() {
    sent::<brickwork_volume::VoxelStream>();
}
