//! Calls that start and poll: none waits, and their results equal those of the calls that block.

use brickwork_gpu::{
    AdapterChoice, Binding, Context, ContextOptions, Download, GpuError, Kernel, Timer, adapters,
    adapters_async, testing::context, wgpu,
};
use std::{
    future::Future as _,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context as TaskContext, Poll, Wake, Waker},
    thread,
    time::Duration,
};
use wgpu::BufferUsages as Usage;

/// Threads of [`slow_sums`].
const COUNT: u32 = 64 << 10;

/// Writes a number per thread, which takes a software adapter a large part of a second.
fn slow_sums() -> Kernel {
    Kernel::new("slow sums", &[Binding::Write]).part(
        "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u) {
            var sum = id.x;
            for (var i = 0u; i < 20000u; i++) { sum = sum * 1664525u + (sum >> 7u) + i; }
            numbers[id.x] = sum;
        }",
    )
}

/// Submits [`slow_sums`], with its time if there is a timer.
fn submit(context: &Context, timer: Option<&Timer>) -> wgpu::Buffer {
    let size = 4 * u64::from(COUNT);
    let buffer = context.buffer("numbers", size, Usage::STORAGE | Usage::COPY_SRC).unwrap();
    let pipeline = context.pipeline(&slow_sums()).unwrap();
    let bound = pipeline.bind(context.device(), &[buffer.as_entire_binding()]);
    let mut commands = context.device().create_command_encoder(&Default::default());
    let description =
        wgpu::ComputePassDescriptor { label: None, timestamp_writes: timer.map(|timer| timer.writes(0)) };
    pipeline.dispatch(&mut commands.begin_compute_pass(&description), &bound, COUNT / 64);
    if let Some(timer) = timer {
        timer.resolve(&mut commands);
    }
    context.queue().submit([commands.finish()]);
    buffer
}

/// A call that waited for the GPU would find its results. Software adapters work while commands are
/// submitted.
fn assert_not_ready(context: &Context, is_ready: bool) {
    assert!(!is_ready || context.info().unwrap().is_software(), "the call waited");
}

fn download(context: &Context) -> Download {
    let buffer = submit(context, None);
    Download::new(context, &buffer, 0..buffer.size()).unwrap()
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_download_is_polled_until_it_is_there() {
    let Some(context) = context() else { return };
    let expected = download(&context).wait(&context).unwrap();
    let started = download(&context);
    assert_not_ready(&context, started.is_ready(&context).unwrap());
    while !started.is_ready(&context).unwrap() {
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(started.take(&context).unwrap(), expected);
}

#[test]
fn bytes_that_have_not_arrived_are_not_waited_for() {
    let Some(context) = context() else { return };
    let error = download(&context).take(&context).unwrap_err();
    assert_eq!(error, GpuError::NotArrived);
}

#[test]
fn the_future_of_a_download_is_woken_by_its_arrival() {
    let Some(context) = context() else { return };
    let expected = download(&context).wait(&context).unwrap();
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut task = TaskContext::from_waker(&waker);
    let mut bytes = pin!(download(&context).bytes(&context));
    assert!(bytes.as_mut().poll(&mut task).is_pending());
    assert_eq!(woken.0.load(Ordering::SeqCst), 0);
    context.wait().unwrap();
    assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    let Poll::Ready(found) = bytes.as_mut().poll(&mut task) else { panic!("woken, but not ready") };
    assert_eq!(found.unwrap(), expected);
}

#[test]
fn finished_work_wakes_a_future() {
    let Some(context) = context() else { return };
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut task = TaskContext::from_waker(&waker);
    submit(&context, None);
    let mut finished = pin!(context.finished());
    assert!(finished.as_mut().poll(&mut task).is_pending());
    assert_eq!(woken.0.load(Ordering::SeqCst), 0);
    context.wait().unwrap();
    assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    assert_eq!(finished.as_mut().poll(&mut task), Poll::Ready(Ok(())));
}

#[test]
fn a_future_is_run_until_its_check_fails() {
    let Some(context) = context() else { return };
    let expected = download(&context).wait(&context).unwrap();
    assert_eq!(context.run(download(&context).bytes(&context), || Ok(())), Ok(expected));
    // Two polls, for which the future waits, and no more.
    let mut checks = 0;
    let never = std::future::pending::<Result<(), GpuError>>();
    let result = context.run(never, || {
        checks += 1;
        if checks < 3 { Ok(()) } else { Err(GpuError::NoAdapter) }
    });
    assert_eq!((result, checks), (Err(GpuError::NoAdapter), 3));
}

#[test]
fn times_are_polled_until_they_are_there() {
    let Some(context) = context() else { return };
    let Some(timer) = Timer::new(&context, 1) else { return };
    submit(&context, Some(&timer));
    let times = timer.start_read(&context).unwrap();
    assert_not_ready(&context, times.is_ready(&context).unwrap());
    while !times.is_ready(&context).unwrap() {
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(times.take(&context).unwrap(), timer.read(&context).unwrap());
}

#[test]
fn devices_and_pipelines_are_futures_too() {
    let Some(context) = context() else { return };
    let infos = |adapters: Vec<_>| -> Vec<_> {
        adapters.iter().map(brickwork_gpu::Adapter::info).cloned().collect::<Vec<_>>()
    };
    assert_eq!(infos(pollster::block_on(adapters_async())), infos(adapters()));
    let options =
        ContextOptions::default().with(|o| o.adapter = AdapterChoice::parse(&context.info().unwrap().name));
    let opened = pollster::block_on(Context::open_async(&options)).unwrap();
    assert_eq!(opened.info(), context.info());
    // Compiled once: the pipeline of one call is that of the other.
    let [first, second] = [
        pollster::block_on(opened.pipeline_async(&slow_sums())).unwrap(),
        opened.pipeline(&slow_sums()).unwrap(),
    ];
    assert_eq!(first.raw(), second.raw());
    let refused = Kernel::new("refused", &[]).part("nonsense");
    let error = pollster::block_on(opened.pipeline_async(&refused)).unwrap_err();
    assert!(matches!(&error, GpuError::KernelRefused { kernel, .. } if kernel == "refused"), "{error}");
    let other = Kernel::new("slow sums", &[]).part(slow_sums().wgsl());
    let error = pollster::block_on(opened.pipeline_async(&other)).unwrap_err();
    assert_eq!(error, GpuError::KernelName { kernel: "slow sums".to_owned() });
}

#[test]
fn errors_of_work_are_futures_too() {
    let Some(context) = context() else { return };
    let usage = Usage::MAP_READ | Usage::MAP_WRITE;
    let description = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
    let work = || context.device().create_buffer(&description);
    let error = pollster::block_on(context.checked_async("a mistake", work)).unwrap_err();
    assert!(matches!(error, GpuError::Validation { what: "a mistake", .. }), "{error}");
    assert_eq!(pollster::block_on(context.checked_async("nothing", || 3)), Ok(3));
    assert_eq!(pollster::block_on(context.settle()), Ok(()));
}
