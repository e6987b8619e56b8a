//! The window.
//!
//! | file | contents |
//! |---|---|
//! | `app.rs` | the work of a frame: files, keys, requests, layout |
//! | `scan.rs` | the open volume and all that is set for it |
//! | `top_bar.rs`, `status_bar.rs` | the bars above and below |
//! | `view_3d.rs`, `slice_views.rs` | the rendering, and the slices beside it |
//! | `look_panel.rs`, `curve_editor.rs`, `label_list.rs` | the look of the rendering |
//! | `statistics.rs` | statistics of renderings |
//! | `saving.rs` | renderings and the window as PNG |
//! | `welcome.rs` | the window before a volume is open |

mod app;
mod curve_editor;
mod label_list;
mod look_panel;
mod saving;
mod scan;
mod slice_views;
mod statistics;
mod status_bar;
mod style;
mod top_bar;
mod view_3d;
mod welcome;

use crate::{
    args::Args,
    failure::{Exit, Failure},
};
use app::App;
use brickwork_toolkit::device::Device;
use eframe::egui;
use std::sync::{Arc, Mutex, PoisonError};

/// Opens the window and shows it until it is closed.
///
/// # Errors
/// [`Failure`] if there is no display, or if `--screenshot` failed.
pub fn run(args: Args, device: Device) -> Result<(), Failure> {
    check_display()?;
    let [width, height] = args.size.map(|side| side as f32);
    let viewport = egui::ViewportBuilder::default()
        .with_title("Brickwork")
        .with_app_id("brickwork-view")
        .with_inner_size([width, height])
        // A rendering has the requested size, also on a small screen.
        .with_clamp_size_to_monitor_size(args.screenshot.is_none())
        .with_min_inner_size([640.0, 480.0])
        .with_icon(style::icon());
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let failure = Arc::new(Mutex::new(None));
    let outcome = Arc::clone(&failure);
    let shown = eframe::run_native(
        "brickwork-view",
        options,
        Box::new(move |creation| Ok(Box::new(App::new(creation, args, device, outcome)))),
    );
    shown.map_err(|error| Failure::new(Exit::Runtime, format!("cannot open a window: {error}")))?;
    let failure = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    failure.map_or(Ok(()), Err)
}

/// Checks that there is a display, with a plain error instead of winit's, which contains the path of a source
/// file.
fn check_display() -> Result<(), Failure> {
    const NAMES: [&str; 3] = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"];
    let has_names = cfg!(any(target_os = "linux", target_os = "freebsd"));
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if has_names && !NAMES.into_iter().any(is_set) {
        let reason = "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set";
        return Err(Failure::new(Exit::Runtime, reason));
    }
    Ok(())
}
