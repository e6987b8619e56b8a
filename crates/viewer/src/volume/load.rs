//! Opening a volume in the background: `.bwv` files as they are, others by compressing them on the way.

use super::{Volume, watched::Watched};
use crate::failure::{Exit, Failure};
use brickwork_volume::{
    BrickSize, BwvOptions, CancelToken, OpenedVolume, Profile, ReadAt, ResidentOptions, ResidentVolume, Task,
    VolumeFile, VolumeFormat, VolumeReadError, VoxelKind, VoxelStream, encode_seekable, encode_stream, open,
    render::{MAX_SIDE, NarrowVoxels, Up},
};
use std::{
    fs::File,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// Which voxels to load.
#[derive(Clone)]
pub enum Input {
    /// The first frame and channel of a file or folder.
    Path {
        path: PathBuf,
        /// Whether voxels are labels, unless the file says so itself.
        are_labels: bool,
    },
    /// Another frame and channel of a file that is open.
    Part { source: Arc<Source>, part: [usize; 2] },
}

/// A file whose frames and channels can be loaded one by one.
pub enum Source {
    File(VolumeFile<File>),
    Memory(VolumeFile<Vec<u8>>),
}

/// How far loading is.
#[derive(Default)]
pub struct Progress {
    step: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
    token: CancelToken,
}

impl Progress {
    fn start(&self, step: &'static str, total: u64) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// What is done of the step, and all of it.
    fn set(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts bytes.
    pub fn add(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }

    /// Whether nobody wants the volume any more.
    pub fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// What is being done, and the share that is done where it is known.
    pub fn get(&self) -> (&'static str, Option<f32>) {
        let step = *self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let [done, total] = [&self.done, &self.total].map(|count| count.load(Ordering::Relaxed));
        (step, (total > 0).then(|| (done as f32 / total as f32).min(1.0)))
    }
}

/// A volume on its way; dropped, it is given up.
pub struct Loading {
    pub progress: Arc<Progress>,
    result: Arc<Mutex<Option<Result<Volume, Failure>>>>,
}

impl Loading {
    /// Starts to load. `wake` is called when there is a result.
    pub fn start(input: Input, wake: impl FnOnce() + Send + 'static) -> Self {
        let loading = Self { progress: Arc::default(), result: Arc::default() };
        let (progress, result) = (Arc::clone(&loading.progress), Arc::clone(&loading.result));
        thread::spawn(move || {
            // Decoders of damaged files may panic: the window must say so, not wait for ever.
            let loaded = panic::catch_unwind(AssertUnwindSafe(|| load(&input, &progress)));
            let bug = |_| Err(Failure::new(Exit::Runtime, "a bug in Brickwork, please report it"));
            let loaded = loaded.unwrap_or_else(bug);
            let loaded = match &input {
                Input::Path { path, .. } => loaded.map_err(|failure| failure.of(path)),
                Input::Part { .. } => loaded,
            };
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
            wake();
        });
        loading
    }

    /// The result, once.
    pub fn take(&self) -> Option<Result<Volume, Failure>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.token.cancel();
    }
}

fn load(input: &Input, progress: &Arc<Progress>) -> Result<Volume, Failure> {
    let (source, part, format) = match input {
        Input::Path { path, are_labels } => {
            progress.start("Opening", 0);
            let format = VolumeFormat::of_path(path).map_or_else(|| VolumeFormat::detect(path), Ok)?;
            let source = if format == VolumeFormat::Bwv {
                Source::File(VolumeFile::new(File::open(path)?)?)
            } else {
                let mut volume = open(path, &Default::default(), &Task::new().with_cancel(&progress.token))?;
                if *are_labels {
                    volume.header.kind = VoxelKind::Labels;
                }
                Source::Memory(VolumeFile::new(compress(volume, progress)?)?)
            };
            (Arc::new(source), [0, 0], format)
        }
        Input::Part { source, part } => (Arc::clone(source), *part, VolumeFormat::Bwv),
    };
    let mut volume = match &*source {
        Source::File(file) => lay_out(file, &source, part, progress),
        Source::Memory(file) => lay_out(file, &source, part, progress),
    }?;
    volume.up = Up::suited_to(format, &volume.header);
    Ok(volume)
}

/// A `.bwv` file in memory, of bricks of 4³.
fn compress(volume: OpenedVolume, progress: &Arc<Progress>) -> Result<Vec<u8>, Failure> {
    let OpenedVolume { mut header, order, voxels, .. } = volume;
    header.profile = Profile::Bricks;
    header.brick = BrickSize::Four;
    header.mip_levels = 1;
    let raw_bytes = header.raw_bytes().map_err(VolumeReadError::from)?;
    let options = BwvOptions::default();
    let mut file = Vec::new();
    let task = &Task::new().with_cancel(&progress.token);
    match voxels {
        VoxelStream::Rewindable(inner) => {
            // All voxels are read twice: for rank tables, and to be coded.
            let passes = if options.remap() { 2 } else { 1 };
            progress.start("Compressing", passes * raw_bytes);
            let watched = Watched { inner, progress: Arc::clone(progress) };
            encode_seekable(watched, order, &header, &options, &mut file, task)?;
        }
        VoxelStream::Once(inner) => {
            progress.start("Compressing", raw_bytes);
            let watched = Watched { inner, progress: Arc::clone(progress) };
            encode_stream(watched, order, &header, &options, &mut file, task)?;
        }
    }
    Ok(file)
}

/// Puts a frame and channel where bricks are found in a few reads.
fn lay_out<S: ReadAt>(
    file: &VolumeFile<S>,
    source: &Arc<Source>,
    part: [usize; 2],
    progress: &Progress,
) -> Result<Volume, Failure> {
    progress.start("Preparing", 0);
    let mut header = file.header().clone();
    let sides = [header.dims.x, header.dims.y, header.dims.z];
    if sides.iter().any(|&side| side > MAX_SIDE as usize) {
        let reason = format!("{} has a side of more than {MAX_SIDE} voxels", header.dims);
        return Err(Failure::new(Exit::Unsupported, reason));
    }
    let [frame, channel] = part;
    let options = ResidentOptions::new().with_frame(frame).with_channel(channel);
    let report = |part: brickwork_volume::Progress| progress.set(part.done, part.total);
    let task = Task::new().with_progress(&report).with_cancel(&progress.token);
    let loaded = if header.voxel_type.word_count() > 1 {
        NarrowVoxels::from_file(file, &options, header.kind, &task).and_then(|narrow| {
            let options = ResidentOptions::default();
            ResidentVolume::from_any(narrow.voxels(), header.dims, 1, header.kind, &options, &task)
        })
    } else {
        ResidentVolume::from_file(file, &options, &task)
    };
    let resident = loaded.map_err(|error| match error {
        VolumeReadError::Cancelled(_) => Failure::new(Exit::Io, "cancelled"),
        other => other.into(),
    })?;
    if progress.is_cancelled() {
        return Err(Failure::new(Exit::Io, "cancelled"));
    }
    progress.start("Counting values", 0);
    let has_parts = header.frames > 1 || header.channels > 1;
    header.mip_levels = 1;
    let task = Task::new().with_cancel(&progress.token);
    Ok(Volume::new(header, part, has_parts.then(|| Arc::clone(source)), resident, &task)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, Header, VoxelType, render::DisplayBricks as _};
    use std::{fs, path::Path, sync::mpsc, time::Duration};

    fn loaded(path: &Path) -> Result<Volume, Failure> {
        let (sender, receiver) = mpsc::channel();
        let input = Input::Path { path: path.to_owned(), are_labels: false };
        let loading = Loading::start(input, move || sender.send(()).expect("a listener"));
        receiver.recv_timeout(Duration::from_secs(60)).expect("a result");
        loading.take().expect("a result")
    }

    #[test]
    fn files_are_opened_and_compressed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nrrd");
        let mut bytes = b"NRRD0004\ntype: double\nendian: little\ndimension: 3\nsizes: 6 5 4\n".to_vec();
        bytes.extend_from_slice(b"encoding: raw\n\n");
        bytes.extend((0..120).flat_map(|i| f64::from(i).to_le_bytes()));
        fs::write(&path, &bytes).expect("a file");
        let volume = loaded(&path).expect("a volume");
        let [least, largest] = [0.0, 1.0].map(|share| volume.values.percentile(share));
        assert_eq!((volume.dims(), least, largest.round()), (Dims::new(6, 5, 4), 0.0, 119.0));
        let mut values = [0; 64];
        volume.bricks.brick([1, 0, 0], &mut values);
        let number = volume.display().value(f64::from(values[1]));
        assert!((number - 5.0).abs() < 0.01, "{number}");
        bytes.truncate(bytes.len() - 8);
        fs::write(&path, &bytes).expect("a file");
        let failure = loaded(&path).err().expect("too short");
        assert!(failure.to_string().contains("a.nrrd: ") && failure.exit == Exit::Invalid, "{failure}");
        let failure = loaded(&folder.path().join("b.bwv")).err().expect("no file");
        assert_eq!(failure.exit, Exit::Io);
    }

    #[test]
    fn loading_can_be_given_up() {
        let progress = Arc::new(Progress::default());
        progress.token.cancel();
        let header = Header::new(VoxelType::U8, Dims::cube(8));
        let inner: Box<dyn std::io::BufRead + Send> = Box::new(std::io::Cursor::new(vec![0; 512]));
        let volume = OpenedVolume {
            format: VolumeFormat::Raw,
            header,
            order: Default::default(),
            voxels: VoxelStream::Once(inner),
            files: Vec::new(),
            notes: Vec::new(),
        };
        assert!(compress(volume, &progress).is_err_and(|failure| failure.to_string().contains("cancelled")));
    }
}
