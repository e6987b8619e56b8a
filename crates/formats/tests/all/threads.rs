//! Writers that work on the calling thread alone.

use brickwork_formats::{OpenedVolume, VolumeFormat, VolumeWriteOptions, write_volume};
use brickwork_volume::{ByteOrder, Dims, Header, Progress, Task, Threads, VoxelStream, VoxelType};
use std::{
    io::{self, Cursor},
    sync::{Arc, Barrier, Mutex, mpsc},
    thread,
    time::Duration,
};

/// Maximum time of all calls together, on a machine that does other work.
const LIMIT: Duration = Duration::from_secs(120);

/// Writes a volume in all formats, and returns true if only the calling thread reported progress.
fn write_all() -> bool {
    let threads = Mutex::new(Vec::new());
    let note = |_: Progress| threads.lock().expect("no panic").push(thread::current().id());
    let task = Task::new().with_progress(&note).with_threads(Threads::Calling);
    let header = Header::new(VoxelType::U16, Dims::new(150, 90, 70));
    let bytes: Vec<u8> = (0..header.raw_bytes().expect("dims")).map(|i| (i * i / 7) as u8).collect();
    for &format in VolumeFormat::ALL.iter().filter(|format| format.is_written()) {
        let volume = OpenedVolume {
            format: VolumeFormat::Raw,
            header: header.clone(),
            order: ByteOrder::NATIVE,
            voxels: VoxelStream::Rewindable(Box::new(Cursor::new(bytes.clone()))),
            files: Vec::new(),
            notes: Vec::new(),
        };
        let options = VolumeWriteOptions::default().with(|o| o.compress = true);
        write_volume(volume, format, &options, io::sink(), &task).expect("memory");
    }
    threads.into_inner().expect("no panic").iter().all(|&id| id == thread::current().id())
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
        let _ = sender.send(write_all());
    });
    let result = receiver.recv_timeout(LIMIT);
    free.wait();
    caller.join().expect("no panic");
    assert_eq!(result, Ok(true), "only the calling thread works, and it is done in time");
}
