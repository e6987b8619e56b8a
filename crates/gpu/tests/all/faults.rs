//! Faults of the GPU are named errors: nothing panics, nothing hangs.

use brickwork_base::testing::skip;
use brickwork_gpu::{
    AdapterChoice, Binding, Context, ContextOptions, Download, GpuError, Kernel, Pipeline, Timer,
    testing::{child, context, open},
    wgpu,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};
use wgpu::BufferUsages as Usage;

fn options(adapter: &str) -> ContextOptions {
    ContextOptions::default().with(|o| o.adapter = AdapterChoice::parse(adapter))
}

fn kernel(name: &'static str, wgsl: &str) -> Kernel {
    Kernel::new(name, &[Binding::Write]).part(wgsl)
}

/// Doubles the numbers of a buffer.
fn double() -> Kernel {
    let wgsl = "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3u) { numbers[id.x] *= 2; }";
    kernel("double", wgsl)
}

/// Four numbers, doubled by the GPU.
fn doubled(context: &Context) -> Result<Vec<u8>, GpuError> {
    let pipeline = context.pipeline(&double())?;
    let buffer = context.buffer("numbers", 16, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)?;
    context.checked("doubling", || run(context, &pipeline, &buffer))?;
    Download::new(context, &buffer, 0..16)?.wait(context)
}

fn run(context: &Context, pipeline: &Pipeline, buffer: &wgpu::Buffer) {
    context.queue().write_buffer(buffer, 0, bytemuck::cast_slice(&[1u32, 2, 3, 4]));
    let bound = pipeline.bind(context.device(), &[buffer.as_entire_binding()]);
    let mut commands = context.device().create_command_encoder(&Default::default());
    pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, 1);
    context.queue().submit([commands.finish()]);
}

fn assert_doubled(context: &Context) {
    let bytes = doubled(context).unwrap();
    assert_eq!(bytemuck::cast_slice::<u8, u32>(&bytes), [2, 4, 6, 8]);
}

#[test]
fn no_driver_is_no_adapter() {
    // Drivers are found when the instance is created, so a separate process must look for them.
    if cfg!(target_os = "linux") {
        let variables = [("VK_DRIVER_FILES", "/nonexistent"), ("VK_ICD_FILENAMES", "/nonexistent")];
        child(module_path!(), "no_driver_is_no_adapter", &[], &variables, || {
            assert_eq!(Context::open(&ContextOptions::default()).unwrap_err(), GpuError::NoAdapter);
        });
    }
}

#[test]
fn an_unknown_adapter_is_told_with_those_there_are() {
    let Some(context) = context() else { return };
    let name = &context.info().unwrap().name;
    for choice in ["nonsense", "4321"] {
        match Context::open(&options(choice)).unwrap_err() {
            GpuError::UnknownAdapter { choice: told, known } => {
                assert_eq!(told, choice);
                assert!(known.contains(name), "{known}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn an_adapter_is_found_by_number_and_by_part_of_its_name() {
    let Some(context) = context() else { return };
    let info = context.info().unwrap();
    let by_number = Context::open(&options(&info.index.to_string())).unwrap();
    assert_eq!(by_number.info(), Some(info));
    let part = info.name[..4].to_uppercase();
    assert!(Context::open(&options(&part)).is_ok(), "{part}");
    // llvmpipe's name ends in "256 bits": a number, but no adapter's.
    if let Some(number) = info.name.split(|c: char| !c.is_ascii_digit()).find(|number| number.len() >= 3) {
        assert!(Context::open(&options(number)).is_ok(), "{number}");
    }
}

#[test]
fn nothing_works_on_a_lost_device_and_nothing_panics() {
    let Some(context) = context() else { return };
    assert_doubled(&context);
    let pipeline = context.pipeline(&double()).unwrap();
    let buffer = context.buffer("numbers", 16, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST).unwrap();
    let timer = Timer::new(&context, 1);
    let [first, second] = [(); 2].map(|()| Download::new(&context, &buffer, 0..16).unwrap());

    context.device().destroy();
    // A download under way arrives or is lost.
    match first.wait(&context) {
        Ok(bytes) => assert_eq!(bytes.len(), 16),
        Err(error) => assert!(matches!(error, GpuError::Lost { .. }), "{error}"),
    }
    let _ = context.checked("doubling", || run(&context, &pipeline, &buffer));
    let lost = |error| assert!(matches!(error, GpuError::Lost { .. }), "{error}");
    lost(doubled(&context).unwrap_err());
    lost(doubled(&context).unwrap_err());
    lost(context.poll().unwrap_err());
    lost(context.pipeline(&kernel("another", "fn main() {}")).unwrap_err());
    lost(context.buffer("more", 16, Usage::STORAGE).unwrap_err());
    lost(second.wait(&context).unwrap_err());
    if let Some(timer) = timer {
        lost(timer.read(&context).unwrap_err());
    }
}

#[test]
fn a_buffer_beyond_the_limit_is_not_asked_for() {
    let Some(context) = context() else { return };
    let limits = context.device().limits();
    for (usage, limit) in [
        (Usage::STORAGE, limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)),
        (Usage::COPY_DST, limits.max_buffer_size),
    ] {
        let error = context.buffer("texels", limit + 1, usage).unwrap_err();
        assert_eq!(error, GpuError::Limit { what: "texels", needed: limit + 1, limit });
    }
    assert_doubled(&context);
}

#[test]
fn mistakes_are_told_by_name_and_the_device_goes_on() {
    let Some(context) = context() else { return };
    let usage = Usage::MAP_READ | Usage::MAP_WRITE;
    let description = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
    let error = context.checked("a mistake", || context.device().create_buffer(&description)).unwrap_err();
    assert!(matches!(error, GpuError::Validation { what: "a mistake", .. }), "{error}");
    assert_doubled(&context);
}

#[test]
fn memory_that_is_not_there_is_told() {
    let in_child = || {
        let Some(context) = context() else { return };
        let size = context.device().limits().max_buffer_size / 4 * 4;
        let mut buffers = Vec::new();
        let error = (0..64).find_map(|_| match context.buffer("much", size, Usage::COPY_DST) {
            Ok(buffer) => {
                buffers.push(buffer);
                None
            }
            Err(error) => Some(error),
        });
        // Newer lavapipes promise any amount and crash when it is used; .ci/gpus also runs this on
        // SwiftShader.
        if error.is_none() && context.info().unwrap().name.contains("llvmpipe") {
            return skip("lavapipe promises any amount of memory");
        }
        assert_eq!(error, Some(GpuError::OutOfMemory { what: "much" }));
        drop(buffers);
        assert_doubled(&context);
    };
    // Software adapters promise any amount, unless the process may not have it.
    if cfg!(target_os = "linux") && context().is_some_and(|context| context.info().unwrap().is_software()) {
        child(
            module_path!(),
            "memory_that_is_not_there_is_told",
            &["sh", "-c", "ulimit -v 8000000; exec \"$@\"", "sh"],
            &[],
            in_child,
        );
    }
}

#[test]
fn refused_kernels_are_named() {
    let Some(context) = context() else { return };
    let binding = "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;";
    for (name, wgsl) in [
        ("not WGSL", "kernel void main() {}".to_owned()),
        ("not typed", format!("{binding} @compute @workgroup_size(1) fn main() {{ numbers[0] = 1.5; }}")),
        ("no entry point", format!("{binding} @compute @workgroup_size(1) fn other() {{ numbers[0] = 1; }}")),
        // A kernel that uses more workgroup memory than there is would go unnoticed: wgpu 30 does not check.
        ("too many", "@compute @workgroup_size(4096) fn main() { }".to_owned()),
    ] {
        // The second time like the first: no half-made kernel is kept.
        for _ in 0..2 {
            match context.pipeline(&kernel(name, &wgsl)) {
                Err(GpuError::KernelRefused { kernel, reason }) => {
                    assert_eq!(kernel, name);
                    assert!(!reason.is_empty());
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    let error = context.pipeline(&double().with("unknown", 1.0)).unwrap_err();
    assert!(matches!(&error, GpuError::KernelRefused { kernel, .. } if kernel == "double"), "{error}");
    assert_doubled(&context);
}

#[test]
fn two_kernels_of_one_name_are_told() {
    let Some(context) = context() else { return };
    assert_doubled(&context);
    let other = kernel("double", &double().wgsl().replace("*= 2", "*= 3"));
    let no_bindings = Kernel::new("double", &[]).part(double().wgsl());
    for clash in [other, no_bindings] {
        match context.pipeline(&clash) {
            Err(GpuError::KernelName { kernel }) => assert_eq!(kernel, "double"),
            other => panic!("{other:?}"),
        }
    }
    // Nothing was compiled under this name yet: a refused kernel does not claim it.
    assert!(context.pipeline(&kernel("triple", "nonsense")).is_err());
    context.pipeline(&kernel("triple", &double().wgsl().replace("*= 2", "*= 3"))).unwrap();
    assert_doubled(&context);
}

#[test]
fn different_kernels_are_compiled_side_by_side() {
    let Some(context) = context() else { return };
    // Slow work for naga.
    let sum = "numbers[0] += numbers[1] * 3u + numbers[2]; ".repeat(2_000);
    let large = "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
        @compute @workgroup_size(1) fn main() { ";
    let large = kernel("large", &format!("{large} {sum} }}"));
    let (started, starts) = mpsc::channel();
    thread::scope(|scope| {
        let slow = scope.spawn(|| {
            started.send(()).unwrap();
            context.pipeline(&large).map(|_| Instant::now())
        });
        starts.recv().unwrap();
        // The other thread is on its way to the kernels' lock.
        thread::sleep(Duration::from_millis(50));
        context.pipeline(&double()).unwrap();
        let small_done = Instant::now();
        let large_done = slow.join().unwrap().unwrap();
        assert!(small_done < large_done, "the small kernel waited for the large one");
    });
}

#[test]
fn the_pipeline_cache_is_written_read_and_dropped_when_damaged() {
    let folder = env::temp_dir().join(format!("brickwork-cache-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let options = ContextOptions::default().with(|o| o.cache_folder = Some(folder.join("deep")));
    let Some(context) = open(&options) else { return };
    if !context.info().unwrap().pipeline_cache {
        return skip("no pipeline cache");
    }
    assert_doubled(&context);
    assert!(!folder.exists(), "nothing is written before it is asked for");
    context.save_cache().unwrap();
    let file = only_file(&folder.join("deep"));
    let bytes = fs::read(&file).unwrap();

    // Read again, it contains all that is needed, and nothing is added.
    let modified = || fs::metadata(&file).unwrap().modified().unwrap();
    let before = modified();
    for _ in 0..2 {
        let context = open(&options).unwrap();
        assert_doubled(&context);
        context.save_cache().unwrap();
        assert_eq!((only_file(&folder.join("deep")), modified()), (file.clone(), before));
    }

    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 0x55;
    for damaged in [Vec::new(), bytes[..bytes.len() / 2].to_vec(), vec![0xff; bytes.len()], flipped] {
        fs::write(&file, &damaged).unwrap();
        let context = open(&options).unwrap();
        assert_doubled(&context);
        context.save_cache().unwrap();
        assert_eq!(fs::read(&file).unwrap().len(), bytes.len());
        assert_ne!(fs::read(&file).unwrap(), damaged);
    }

    // A folder that cannot be created is not the kernels' fault.
    let options = options.with(|o| o.cache_folder = Some(file.join("below a file")));
    let context = open(&options).unwrap();
    assert_doubled(&context);
    assert!(context.save_cache().is_err());
    fs::remove_dir_all(&folder).unwrap();
}

fn only_file(folder: &Path) -> PathBuf {
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}
