//! Compile time of a kernel in the driver: an application waits for it at the first dispatch.

use super::{child, context};
use crate::{Binding, Context, Kernel};
use cpu_time::ProcessTime;

/// Cost of running a kernel for the first time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FirstDispatch {
    /// The kernel's name.
    pub name: String,
    /// Processor time in seconds.
    pub seconds: f64,
    /// Part of `seconds` until the pipeline is complete.
    pub pipeline_seconds: f64,
    /// `seconds` as a multiple of the time that [`reference()`] takes on the same device.
    pub references: f64,
}

/// Returns a kernel of the size of a simple stage, with which others are compared. Kernels with different
/// seeds are compiled separately.
pub fn reference(seed: u32) -> Kernel {
    const NAMES: [&str; 4] = ["reference 0", "reference 1", "reference 2", "reference 3"];
    Kernel::new(NAMES[seed as usize % 4], &[Binding::Write])
        .part(include_str!("reference.wgsl"))
        .constant("SEED", 2 * seed + 1)
}

/// Returns the first dispatch of each kernel, in a process where nothing else runs. If the device has no
/// subgroups, kernels that use them are left out. A kernel that takes more than `most` references is measured
/// again, up to three times. Each time, a new device and its own reference are used, and the lowest multiple
/// counts.
///
/// # Panics
/// If a kernel does not run.
pub fn first_dispatches(context: &Context, kernels: &[Kernel], most: f64) -> Vec<FirstDispatch> {
    // The very first kernel is not counted, because it warms up the compiler.
    let references: Vec<_> = (0..4).map(|seed| first_dispatch(context, &reference(seed)).0).collect();
    let one = references[1..].iter().copied().fold(f64::INFINITY, f64::min);
    println!("reference: {one:.3} s ({references:.3?})");
    let mut found = Vec::new();
    for kernel in kernels {
        let name = kernel.name();
        if kernel.wgsl().contains("subgroup_size") && !context.has_subgroups() {
            println!("{name:>30}: skipped: no subgroups");
            continue;
        }
        let (mut seconds, mut pipeline_seconds) = first_dispatch(context, kernel);
        let mut references = seconds / one;
        for _ in 0..2 {
            if references <= most {
                break;
            }
            let again = context_like(context);
            first_dispatch(&again, &reference(0));
            let (beside, _) = first_dispatch(&again, &reference(1));
            let (again, pipeline) = first_dispatch(&again, kernel);
            if again / beside < references {
                (seconds, pipeline_seconds, references) = (again, pipeline, again / beside);
            }
        }
        let parts = format!("{seconds:.3} s, {pipeline_seconds:.3} of it the pipeline");
        println!("{name:>30}: {parts}, {references:.1} references");
        found.push(FirstDispatch { name: name.to_owned(), seconds, pipeline_seconds, references });
    }
    found
}

fn context_like(known: &Context) -> Context {
    let again = context().expect("the adapter that was there");
    assert_eq!(again.info(), known.info());
    again
}

/// Asserts that no kernel's first dispatch takes longer than `most` times that of [`reference()`]. `most`
/// pairs a part of the adapter's name with its bound; the first match applies. Each bound should be close to
/// the measured value of that adapter.
///
/// Runs in a [`child`] process, with the same `module` and `test`, so that drivers have nothing cached from
/// earlier compilations.
///
/// # Panics
/// If a kernel takes longer, or no bound matches this adapter.
pub fn assert_compiled_soon(module: &str, test: &str, kernels: &[Kernel], most: &[(&str, f64)]) {
    assert!(!kernels.is_empty());
    let no_cache = [("MESA_SHADER_CACHE_DISABLE", "true"), ("__GL_SHADER_DISK_CACHE", "0")];
    child(module, test, &[], &no_cache, || {
        let Some(context) = context() else { return };
        let info = context.info().expect("an opened adapter").to_string();
        println!("{info}");
        let bound = most.iter().find(|(part, _)| info.contains(part));
        let (_, most) = *bound.unwrap_or_else(|| panic!("no bound is given for {info}"));
        let mut slow = first_dispatches(&context, kernels, most);
        slow.retain(|kernel| kernel.references > most);
        assert!(slow.is_empty(), "more than {most} references on {info}: {slow:?}");
    });
}

/// Returns the processor time, in seconds, of making a pipeline and running it once over buffers of zeros,
/// because most drivers compile only then. The second number is the pipeline's share.
fn first_dispatch(context: &Context, kernel: &Kernel) -> (f64, f64) {
    let start = ProcessTime::now();
    let pipeline = context.pipeline(kernel).unwrap_or_else(|error| panic!("{error}"));
    let pipeline_seconds = start.elapsed().as_secs_f64();
    let device = context.device();
    let usage = |binding| match binding {
        Binding::Uniform => wgpu::BufferUsages::UNIFORM,
        _ => wgpu::BufferUsages::STORAGE,
    };
    let buffers: Vec<_> = kernel
        .bindings()
        .iter()
        .map(|&binding| context.buffer("zeros", 1 << 16, usage(binding)).expect("memory"))
        .collect();
    let image = |dimension, format, usage| {
        let depth_or_array_layers = if dimension == wgpu::TextureDimension::D3 { 4 } else { 1 };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension,
            format,
            usage,
            view_formats: &[],
        });
        texture.create_view(&Default::default())
    };
    use wgpu::{TextureDimension as Dimension, TextureFormat as Format, TextureUsages as Usages};
    let view = image(Dimension::D2, Format::Rgba8Unorm, Usages::TEXTURE_BINDING);
    let volume = image(Dimension::D3, Format::R16Uint, Usages::TEXTURE_BINDING);
    let words = [Format::Rg32Uint, Format::Rgba32Uint]
        .map(|format| image(Dimension::D2, format, Usages::STORAGE_BINDING));
    let resources: Vec<_> = kernel
        .bindings()
        .iter()
        .zip(&buffers)
        .map(|(binding, buffer)| match binding {
            Binding::Texture => wgpu::BindingResource::TextureView(&view),
            Binding::Texture3d => wgpu::BindingResource::TextureView(&volume),
            Binding::StoreTwoWords => wgpu::BindingResource::TextureView(&words[0]),
            Binding::StoreFourWords => wgpu::BindingResource::TextureView(&words[1]),
            Binding::Uniform | Binding::Read | Binding::Write => buffer.as_entire_binding(),
        })
        .collect();
    let bound = pipeline.bind(device, &resources);
    let mut commands = device.create_command_encoder(&Default::default());
    pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, 1);
    let submission = context.queue().submit([commands.finish()]);
    context.wait_for(&submission).unwrap_or_else(|error| panic!("{error}"));
    (start.elapsed().as_secs_f64(), pipeline_seconds)
}
