//! Calls that work on the calling thread alone.

use crate::common::voxels;
use brickwork_volume::{
    BwvOptions, ByteOrder, Dims, Header, Profile, Progress, ReadAt, Region, ResidentOptions, ResidentVolume,
    Selection, Statistics, Strides, Task, Threads, VolumeFile, VolumeView, VoxelKind, VoxelStream, VoxelType,
    choose_brick, compare, copy_voxels, encode, encode_any, encode_seekable, encode_stream, read_frame,
    render::{
        Camera, DisplayBricks as _, Look, RawBricks, Renderer, ResidentBricks, Survey, TransferFunction,
    },
    rescale_stream,
};
use std::{
    io::{self, Cursor},
    sync::{Arc, Barrier, Mutex, mpsc},
    thread::{self, ThreadId},
    time::Duration,
};

const DIMS: Dims = Dims::new(150, 90, 70);

/// Maximum time of all calls together, on a machine that does other work.
const LIMIT: Duration = Duration::from_secs(120);

/// Source that records which threads read.
struct Watched<'a> {
    bytes: &'a [u8],
    threads: &'a Mutex<Vec<ThreadId>>,
}

impl ReadAt for Watched<'_> {
    fn byte_count(&self) -> io::Result<u64> {
        self.bytes.byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.threads.lock().expect("no panic").push(thread::current().id());
        self.bytes.read_exact_at(buffer, offset)
    }
}

/// Writes and reads a volume in every way, and returns the threads that read or reported progress.
fn work_in_every_way(choice: Threads) -> Vec<ThreadId> {
    let threads = Mutex::new(Vec::new());
    let note = |_: Progress| threads.lock().expect("no panic").push(thread::current().id());
    let task = Task::new().with_progress(&note).with_threads(choice);
    let numbers = voxels::<u16>(DIMS, 9, 6);
    let view = VolumeView::new(&numbers, DIMS).expect("voxels");
    let header = Header::new(VoxelType::U16, DIMS).with(|header| header.mip_levels = 3);
    for profile in [Profile::Bricks, Profile::Guthe2016 { second_level: true }] {
        let header = header.clone().with(|header| header.profile = profile);
        let mut stored = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut stored, &task).expect("memory");
        let mut strided = Vec::new();
        encode_any(&view.into(), &header, &BwvOptions::default(), &mut strided, &task).expect("memory");
        assert!(strided == stored);
        let file = VolumeFile::new(Watched { bytes: &stored, threads: &threads }).expect("our own file");
        let all = Region::all(DIMS);
        assert!(file.read::<u16>(&all, &task).expect("our own file") == numbers);
        let mut turned = vec![0; numbers.len()];
        let strides = Strides { first: DIMS.x - 1, x: -1, ..Strides::dense(DIMS, 1) };
        file.read_strided(&Selection::default(), &all, &mut turned, &strides, &task).expect("our own file");
        assert_eq!(turned[0], numbers[DIMS.x - 1]);
        assert_eq!(file.verify(&task).expect("memory"), []);
        let options = ResidentOptions::default();
        ResidentVolume::from_file(&file, &options, &task).expect("our own file");
        if profile == Profile::Bricks {
            Statistics::of(&file, &task).expect("our own file");
        }
    }
    work_on_streams(&numbers, &task);
    render(view, &task);
    threads.into_inner().expect("no panic")
}

/// Makes every call that takes a stream of raw voxels.
fn work_on_streams(numbers: &[u16], task: &Task<'_>) {
    let header = Header::new(VoxelType::U16, DIMS);
    let (bytes, order): (&[u8], _) = (bytemuck::cast_slice(numbers), ByteOrder::NATIVE);
    let options = BwvOptions::default();
    encode_stream(bytes, order, &header, &options, io::sink(), task).expect("memory");
    encode_seekable(Cursor::new(bytes), order, &header, &options, io::sink(), task).expect("memory");
    copy_voxels(bytes, order, &header, io::sink(), task).expect("voxels");
    read_frame(bytes, order, &header, 0, task).expect("voxels");
    compare((bytes, order), (bytes, order), &header, task).expect("voxels");
    choose_brick(Cursor::new(bytes), order, &header, task).expect("voxels");
    let metadata = r#"{"dicom":{"RescaleSlope":2.0,"RescaleIntercept":-1.0}}"#;
    let scaled = header.clone().with(|header| header.metadata = metadata.to_owned());
    let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(bytes.to_vec())));
    rescale_stream(voxels, order, scaled, task).expect("voxels");
}

/// Makes every call on the way to a rendering.
fn render(view: VolumeView<'_, u16>, task: &Task<'_>) {
    let kind = VoxelKind::Intensity;
    let volume = ResidentVolume::from_voxels(view, kind, &ResidentOptions::default(), task).expect("memory");
    volume.read::<u16>(&Region::all(DIMS), task).expect("voxels");
    RawBricks::copy_of(&view, 0, kind, task).expect("a channel");
    let bricks = Arc::new(ResidentBricks::new(Arc::new(volume), task).expect("bricks"));
    Survey::new(&*bricks, task).expect("bricks");
    let function = TransferFunction::window(0.0, 60_000.0, 0.01).expect("a window");
    let look = Look::dvr(&function, &bricks.display()).expect("opaque");
    let renderer = Renderer::new(bricks, look.clone(), task).expect("bricks");
    renderer.focus(task).expect("not cancelled");
    let renderer = renderer.with_look(look, task).expect("not cancelled");
    let view = Camera::default().view(&Header::new(VoxelType::U16, DIMS), 96, 64).expect("a view");
    renderer.render(&view, task).expect("a picture");
}

/// Occupies every thread of rayon's global pool: a call that gave it work would wait for the end of the test.
#[test]
fn the_pool_is_not_needed() {
    let count = rayon::current_num_threads();
    let (free, busy) = (Arc::new(Barrier::new(count + 1)), Arc::new(Barrier::new(count + 1)));
    let barriers = (Arc::clone(&busy), Arc::clone(&free));
    rayon::spawn_broadcast(move |_| {
        barriers.0.wait();
        barriers.1.wait();
    });
    busy.wait();
    let (sender, receiver) = mpsc::channel();
    let caller = thread::spawn(move || {
        let threads = work_in_every_way(Threads::Calling);
        let _ = sender.send(threads.iter().all(|&id| id == thread::current().id()));
    });
    let result = receiver.recv_timeout(LIMIT);
    free.wait();
    caller.join().expect("no panic");
    assert_eq!(result, Ok(true), "only the calling thread works, and it is done in time");
}

#[test]
fn the_pool_works_where_it_is_asked_for() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    let threads = pool.install(|| work_in_every_way(Threads::Pool));
    assert!(threads.iter().any(|id| *id != threads[0]));
}
