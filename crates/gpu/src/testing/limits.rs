//! Kernels within `Limits::default()`, which every adapter and browser supports.

use super::languages::compiled;
use crate::{Binding, Kernel};
use naga::{
    AddressSpace, ImageClass, ImageDimension, StorageAccess, StorageFormat, TypeInner, proc::Layouter,
};

/// Asserts that every kernel has one entry point, `main`, and declares the bindings of [`Kernel::bindings`].
/// Also asserts that it stays within the storage buffers, the workgroup memory and the threads of a workgroup
/// of [`wgpu::Limits::default`]. wgpu itself does not check workgroup memory, and lets a caller bind more
/// than a kernel declares.
///
/// # Panics
/// If a kernel does not.
pub fn assert_default_limits(kernels: &[Kernel]) {
    assert!(!kernels.is_empty());
    let limits = wgpu::Limits::default();
    for kernel in kernels {
        let name = kernel.name();
        let (module, _) = compiled(kernel);
        let entry = &module.entry_points[0];
        assert_eq!((entry.name.as_str(), module.entry_points.len()), ("main", 1), "{name}");
        let threads: u32 = entry.workgroup_size.iter().product();
        let most = limits.max_compute_invocations_per_workgroup;
        assert!(threads <= most, "{name}: {threads} threads in a workgroup, the limit is {most}");
        let mut layouter = Layouter::default();
        layouter.update(module.to_ctx()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (mut storage, mut memory) = (0, 0);
        for (_, variable) in module.global_variables.iter() {
            let found = match variable.space {
                AddressSpace::Storage { access } => {
                    storage += 1;
                    let is_written = access.contains(StorageAccess::STORE);
                    Some(if is_written { Binding::Write } else { Binding::Read })
                }
                AddressSpace::Uniform => Some(Binding::Uniform),
                AddressSpace::WorkGroup => {
                    memory += layouter[variable.ty].size;
                    None
                }
                AddressSpace::Handle => match module.types[variable.ty].inner {
                    TypeInner::Image {
                        dim: ImageDimension::D3, class: ImageClass::Sampled { .. }, ..
                    } => Some(Binding::Texture3d),
                    TypeInner::Image { class: ImageClass::Sampled { .. }, .. } => Some(Binding::Texture),
                    TypeInner::Image {
                        dim: ImageDimension::D2,
                        class: ImageClass::Storage { format, .. },
                        ..
                    } => match format {
                        StorageFormat::Rg32Uint => Some(Binding::StoreTwoWords),
                        StorageFormat::Rgba32Uint => Some(Binding::StoreFourWords),
                        _ => panic!("{name}: {:?} is stored as {format:?}", variable.name),
                    },
                    _ => panic!("{name}: {:?} is nothing that Binding has", variable.name),
                },
                _ => None,
            };
            if let (Some(found), Some(place)) = (found, &variable.binding) {
                assert_eq!(place.group, 0, "{name}: {:?}", variable.name);
                let said = kernel.bindings().get(place.binding as usize);
                assert_eq!(said, Some(&found), "{name}: {:?} at {}", variable.name, place.binding);
            }
        }
        let most = limits.max_storage_buffers_per_shader_stage;
        assert!(storage <= most, "{name}: {storage} storage buffers, the limit is {most}");
        let most = limits.max_compute_workgroup_storage_size;
        assert!(memory <= most, "{name}: {memory} bytes of workgroup memory, the limit is {most}");
    }
}
