//! Target of renderings: a PNG file, or a folder of them that is written completely or not at all.

use super::Args;
use crate::{
    commands::volume::output::{check_extension, note_png},
    failure::Failure,
    input::FileId,
    output::Output,
};
use brickwork_base::whole_folder::WholeFolder;
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// Extensions of animations and films, which are not supported.
const ANIMATIONS: [&str; 8] = ["gif", "png", "apng", "webp", "mp4", "mkv", "webm", "avi"];

/// Output that the command line names, checked before the work begins.
pub enum Target {
    File(Output),
    Folder { path: PathBuf, count: u32 },
}

/// Folder of an orbit while it is written.
pub struct OrbitFolder {
    folder: WholeFolder,
    path: PathBuf,
}

impl Target {
    /// Checks that the output of `args` can be written, and is not one of the `inputs`.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn check(args: &Args, inputs: &[FileId]) -> Result<Self, Failure> {
        let Some(count) = args.orbit else {
            let output = Output::of(&args.output);
            output.check(args.overwrite.existing(), inputs)?;
            check_extension(&output, "png", "name it .png")?;
            note_png(&output, args.common.quiet);
            return Ok(Self::File(output));
        };
        let path = args.output.clone();
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--orbit writes a folder of pictures").hint("use -o FOLDER/"));
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if extension.is_some_and(|extension| ANIMATIONS.contains(&extension.as_str())) && !path.is_dir() {
            let name = path.display();
            let hint = format!("use -o frames/, then: ffmpeg -framerate 15 -i frames/frame-%04d.png {name}");
            return Err(Failure::usage("--orbit writes a folder of PNG files").of_path(&path).hint(hint));
        }
        WholeFolder::check(&path).map_err(|error| folder_failure(&error, &path))?;
        Ok(Self::Folder { path, count })
    }

    /// Returns the output of each rendering. For several renderings, also returns their folder, which is
    /// created under another name.
    ///
    /// # Errors
    /// [`Failure`] with the output's name.
    pub fn create(self) -> Result<(Vec<Output>, Option<OrbitFolder>), Failure> {
        let (path, count) = match self {
            Self::File(output) => return Ok((vec![output], None)),
            Self::Folder { path, count } => (path, count),
        };
        let folder = WholeFolder::create(&path).map_err(|error| folder_failure(&error, &path))?;
        let frame = |number| folder.path().join(format!("frame-{number:04}.png"));
        let outputs = (0..count).map(|number| Output::File(frame(number))).collect();
        Ok((outputs, Some(OrbitFolder { folder, path })))
    }
}

impl OrbitFolder {
    /// Gives the folder its final name.
    ///
    /// # Errors
    /// [`Failure`] with the output's name.
    pub fn commit(self) -> Result<(), Failure> {
        self.folder.commit().map_err(|error| folder_failure(&error, &self.path))
    }
}

fn folder_failure(error: &std::io::Error, path: &Path) -> Failure {
    let failure = Failure::io(error).of_path(path);
    match error.kind() {
        ErrorKind::AlreadyExists => failure.hint("pictures are written to a new or empty folder"),
        _ => failure,
    }
}
