//! Every kernel is compiled soon: an application that meets it first waits for it.

use brickwork_texture::gpu::{
    Binding, Context, ContextOptions, Kernel, kernels, wgpu,
};
use cpu_time::ProcessTime;

/// The processor time, in seconds, to make a pipeline and run it once over buffers of zeros, which most drivers only then
/// compile for.
fn first_dispatch(context: &Context, kernel: &Kernel) -> f64 {
    let start = ProcessTime::now();
    let pipeline = context.pipeline(kernel).unwrap();
    let device = context.device();
    let usage = |binding| match binding {
        Binding::Uniform => wgpu::BufferUsages::UNIFORM,
        _ => wgpu::BufferUsages::STORAGE,
    };
    let buffers: Vec<_> = kernel
        .bindings()
        .iter()
        .map(|&binding| context.buffer("zeros", 4096, usage(binding)).unwrap())
        .collect();
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    let mut resources = Vec::new();
    for (binding, buffer) in kernel.bindings().iter().zip(&buffers) {
        resources.push(match binding {
            Binding::Texture => wgpu::BindingResource::TextureView(&view),
            _ => buffer.as_entire_binding(),
        });
    }
    let bound = pipeline.bind(device, &resources);
    let mut commands = device.create_command_encoder(&Default::default());
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch(&mut pass, &bound, 1);
    drop(pass);
    let submission = context.queue().submit([commands.finish()]);
    context.wait_for(&submission).unwrap();
    start.elapsed().as_secs_f64()
}

/// Half a second is the aim on the software adapters of Debian 12, whose compilers are slow; some is added because the
/// machine may be, too. Set `MESA_SHADER_CACHE_DISABLE=true`, or what was compiled yesterday is not compiled today.
#[test]
fn every_kernel_is_compiled_in_half_a_second() {
    let context = match Context::open(&ContextOptions::default()) {
        Ok(context) => context,
        Err(error) if std::env::var_os("BRICKWORK_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: no adapter ({error})");
            return;
        }
    };
    let info = context.info().unwrap().to_string();
    println!("{info}");
    // Mesa 25 takes two to five times as long as Mesa 22 on the same machine.
    let most = if info.contains("Mesa 22.") || info.contains("SwiftShader") { 0.75 } else { 6.0 };
    let mut slow = Vec::new();
    for kernel in kernels() {
        if kernel.wgsl().contains("subgroup_size") && !context.has_subgroups() {
            println!("{:>30}: skipped: no subgroups", kernel.name());
            continue;
        }
        let seconds = first_dispatch(&context, &kernel);
        println!("{:>30}: {seconds:.2} s", kernel.name());
        if seconds > most {
            slow.push((kernel.name(), seconds));
        }
    }
    assert!(slow.is_empty(), "more than {most} s on {info}: {slow:?}");
}
