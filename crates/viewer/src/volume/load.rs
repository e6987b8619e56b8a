//! Opens volumes in the background: `.bwv` files directly, others by compressing them meanwhile.

use super::{Channel, Volume};
use crate::failure::{Exit, Failure};
use brickwork_toolkit::volume::{
    CompressedInput, LoadOptions, PartOptions, VolumeError, VolumeInput, channel_notes, shown_channels,
};
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
    /// The first frame of a file or folder, and its first channel, or those that it shows in colours.
    Path {
        path: PathBuf,
        /// True if the voxels are labels, regardless of the file; otherwise the file decides.
        are_labels: bool,
        /// True for the first channel alone.
        is_single: bool,
    },
    /// Another frame of a file that is open, and one channel, or those that the file shows in colours.
    Part { source: CompressedInput, part: [usize; 2], kind: VoxelKind, is_single: bool },
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
    let (source, part, kind, is_single) = match input {
        Input::Path { path, are_labels, is_single } => {
            let opened = VolumeInput::open(path, &Default::default(), &task)?.compressed(&task)?;
            (opened, [0, 0], are_labels.then_some(VoxelKind::Labels), *is_single || *are_labels)
        }
        Input::Part { source, part, kind, is_single } => (source.clone(), *part, Some(*kind), *is_single),
    };
    let [frame, channel] = part;
    let options = PartOptions::default().with(|o| {
        o.frame = frame;
        o.channel = Some(channel);
        o.kind = kind;
    });
    let load = LoadOptions::default().with(|o| o.compress = true);
    let selected = source.select(&options)?;
    let header = source.header().clone().with(|header| header.kind = selected.header().kind);
    // Slopes that differ by slice make physical values of the stored numbers.
    let mut shown = shown_channels(None, &header, None, !header.is_rescaled_by_slice())?;
    let (has_looks, notes) = (!shown.is_empty(), channel_notes(&header, &shown, true));
    let has_parts = header.frames > 1 || header.channels > 1 || has_looks;
    let source = has_parts.then_some(source);
    if is_single {
        shown.clear();
    }
    if shown.is_empty() {
        let loaded = Arc::new(selected.load(&load, &task)?);
        return Ok(Volume { has_looks, ..Volume::new(loaded, part, Vec::new(), source, &task)? });
    }
    let indices: Vec<usize> = shown.iter().map(|channel| channel.index).collect();
    let mut channels = Vec::new();
    for (shown, loaded) in shown.into_iter().zip(selected.load_channels(&indices, &load, &task)?) {
        channels.push(Channel::new(shown, loaded, &task)?);
    }
    let loaded = Arc::clone(&channels[0].loaded);
    Ok(Volume { notes, ..Volume::new(loaded, [frame, indices[0]], channels, source, &task)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{BwvOptions, ChannelLook, Dims, Header, VolumeView, VoxelType, encode};
    use std::{fs, path::Path, sync::mpsc, time::Duration};

    fn loaded(path: &Path) -> Result<Volume, Failure> {
        let (sender, receiver) = mpsc::channel();
        let input = Input::Path { path: path.to_owned(), are_labels: false, is_single: false };
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
    fn channels_of_omero_are_shown_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bwv");
        let looks = [[255, 0, 0], [0, 0, 255], [0, 255, 0]].map(|color| {
            ChannelLook::default().with(|look| {
                (look.color, look.window) = (Some(color), Some([1.0, 9.0]));
                look.is_active = color[1] == 0;
            })
        });
        let header = Header::new(VoxelType::U8, Dims::cube(4)).with(|header| header.channels = 3);
        let header = header.with_channels("zarr", &["a".to_owned(), String::new(), String::new()], &looks);
        let voxels: Vec<u8> = (0..192).map(|i| i / 3 + 60 * (i % 3)).collect();
        let view = VolumeView::interleaved(&voxels, Dims::cube(4), 3).expect("voxels");
        let mut file = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        fs::write(&path, file).expect("a file");
        let volume = loaded(&path).expect("a volume");
        let indices: Vec<usize> = volume.channels.iter().map(|channel| channel.shown.index).collect();
        assert_eq!((indices, volume.part), (vec![0, 1], [0, 0]));
        assert_eq!((&*volume.channels[0].shown.name, volume.channels[1].window), ("a", [1.0, 9.0]));
        let mut values = [0; 64];
        volume.channels[1].loaded.bricks().brick([0; 3], &mut values);
        assert_eq!(volume.channels[1].loaded.display().value(f64::from(values[3])), 63.0);
        assert!(volume.has_looks && volume.notes.is_empty());
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
        let error = load(&Input::Path { path, are_labels: false, is_single: false }, &progress)
            .err()
            .expect("cancelled");
        assert_eq!(error.kind(), brickwork_volume::ErrorKind::Cancelled, "{error}");
    }
}
