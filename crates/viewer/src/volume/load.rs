//! Opens volumes in the background: `.bwv` files directly, others by compressing them meanwhile.

use super::Volume;
use crate::failure::{Exit, Failure};
use brickwork_toolkit::volume::{CompressedInput, LoadOptions, PartOptions, VolumeError, VolumeInput};
use brickwork_volume::{CancelToken, Progress as TaskProgress, Stage, Task, VoxelKind};
use std::{
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// The voxels to load.
#[derive(Clone)]
pub enum Input {
    /// The first frame and channel of a file or folder.
    Path {
        path: PathBuf,
        /// True if the voxels are labels, regardless of the file; otherwise the file decides.
        are_labels: bool,
    },
    /// Another frame and channel of a file that is open.
    Part { source: CompressedInput, part: [usize; 2], kind: VoxelKind },
}

/// Progress of loading.
#[derive(Default)]
pub struct Progress {
    last: Mutex<Option<TaskProgress>>,
    token: CancelToken,
}

impl Progress {
    fn set(&self, progress: TaskProgress) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    /// Returns the current step, and its finished share if that is known.
    pub fn get(&self) -> (&'static str, Option<f32>) {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let step = match last.map(|progress| progress.stage) {
            None | Some(Stage::Reading) => "Opening",
            Some(Stage::Encoding) => "Compressing",
            Some(Stage::Analyzing) => "Counting values",
            Some(_) => "Preparing",
        };
        (step, last.and_then(|progress| progress.fraction()).map(|share| share as f32))
    }
}

/// Volume that is being loaded; dropping it cancels this.
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
            // Decoders of damaged files may panic: the window must report that, not wait for ever.
            let loaded = panic::catch_unwind(AssertUnwindSafe(|| load(&input, &progress)));
            let bug = |_| Err(Failure::new(Exit::Runtime, "a bug in Brickwork, please report it"));
            let loaded = loaded.map(|loaded| loaded.map_err(Failure::from)).unwrap_or_else(bug);
            let loaded = match &input {
                Input::Path { path, .. } => loaded.map_err(|failure| failure.of(path)),
                Input::Part { .. } => loaded,
            };
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
            wake();
        });
        loading
    }

    /// Returns the result, once.
    pub fn take(&self) -> Option<Result<Volume, Failure>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.token.cancel();
    }
}

fn load(input: &Input, progress: &Progress) -> Result<Volume, VolumeError> {
    let report = |part| progress.set(part);
    let task = Task::new().with_progress(&report).with_cancel(&progress.token);
    let (source, part, kind) = match input {
        Input::Path { path, are_labels } => {
            let opened = VolumeInput::open(path, &Default::default(), &task)?.compressed(&task)?;
            (opened, [0, 0], are_labels.then_some(VoxelKind::Labels))
        }
        Input::Part { source, part, kind } => (source.clone(), *part, Some(*kind)),
    };
    let [frame, channel] = part;
    let options = PartOptions::default().with(|o| {
        o.frame = frame;
        o.channel = Some(channel);
        o.kind = kind;
    });
    let load = LoadOptions::default().with(|o| o.compress = true);
    let loaded = source.select(&options)?.load(&load, &task)?;
    let has_parts = source.header().frames > 1 || source.header().channels > 1;
    Ok(Volume::new(loaded, part, has_parts.then_some(source), &task)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::Dims;
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
        volume.loaded.bricks().brick([1, 0, 0], &mut values);
        // GPUs need compressed numbers.
        assert!(volume.loaded.resident().is_some() && volume.byte_count() > 0);
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
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nrrd");
        let mut bytes = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 8 8 8\nencoding: raw\n\n".to_vec();
        bytes.extend([7; 512]);
        fs::write(&path, &bytes).expect("a file");
        let progress = Progress::default();
        progress.token.cancel();
        let error = load(&Input::Path { path, are_labels: false }, &progress).err().expect("cancelled");
        assert_eq!(error.kind(), brickwork_volume::ErrorKind::Cancelled, "{error}");
    }
}
