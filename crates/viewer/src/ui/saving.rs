//! Renderings and the window as PNG files.

use crate::{failure::Failure, work::Frame};
use brickwork_toolkit::volume::write_rendering;
use brickwork_volume::Task;
use eframe::egui::{self, ColorImage};
use std::{
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// Result of the last written file, once: its path, or the error.
#[derive(Clone, Default)]
pub struct Saved(Arc<Mutex<Option<Result<PathBuf, Failure>>>>);

impl Saved {
    pub fn take(&self) -> Option<Result<PathBuf, Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, result: Result<PathBuf, Failure>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }
}

/// Writes a rendering in the background.
pub fn picture(ctx: &egui::Context, frame: &Frame, path: PathBuf, saved: &Saved) {
    let (width, height, pixels) = (frame.width, frame.height, frame.pixels.clone());
    let (ctx, saved) = (ctx.clone(), saved.clone());
    thread::spawn(move || {
        saved.put(written(path, width, height, &pixels));
        ctx.request_repaint();
    });
}

/// Writes the window, as it is shown in the next frame, in the background.
pub fn window(ctx: &egui::Context, path: PathBuf, saved: &Saved) {
    let (later, saved) = (ctx.clone(), saved.clone());
    ctx.request_screenshot(move |image: Arc<ColorImage>| {
        thread::spawn(move || {
            let [width, height] = image.size.map(|side| side as u32);
            // The window is opaque; its alpha means nothing.
            let pixel = |color: &egui::Color32| [color.r(), color.g(), color.b(), 255];
            let pixels: Vec<_> = image.pixels.iter().map(pixel).collect();
            saved.put(written(path, width, height, &pixels));
            later.request_repaint();
        });
    });
}

fn written(path: PathBuf, width: u32, height: u32, pixels: &[[u8; 4]]) -> Result<PathBuf, Failure> {
    match write_rendering(&path, width, height, pixels, &Task::new()) {
        Ok(()) => Ok(path),
        Err(error) => Err(Failure::from(error).of(&path)),
    }
}

/// Returns a path in the current folder that does not exist yet, named after the volume.
pub fn free_path(volume: &Path) -> PathBuf {
    let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let name = volume.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("volume");
    let numbered = (1..).map(|number| folder.join(format!("{stem}-{number}.png")));
    numbered.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
