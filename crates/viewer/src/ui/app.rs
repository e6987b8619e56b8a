//! The application: the work of one frame of the window.

use super::{
    look_panel, saving,
    saving::Saved,
    scan::{Scan, ShownSlice, set},
    slice_views, status_bar, style,
    top_bar::{self, Asked},
    view_3d,
    welcome::{self, PathField, Typed},
};
use crate::{
    args::Args,
    failure::Failure,
    state::{Mode, StandardView},
    volume::{Input, Loading, Volume},
    work::{PictureRequest, Pictures, Scene, Slices},
};
use brickwork_toolkit::device::Device;
use eframe::egui::{self, CentralPanel, Frame, Key, Margin, Panel, ViewportCommand};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Time after the last change until the volume counts as still.
const STILL: Duration = Duration::from_millis(150);

/// Narrower windows leave out the slices.
const ROOM_FOR_SLICES: f32 = 900.0;

/// Frames that show everything before `--screenshot` takes one of them.
const SETTLED: u32 = 6;

/// Time that messages stay.
const MESSAGE: Duration = Duration::from_secs(6);

/// The window's state.
pub struct App {
    args: Args,
    device: Device,
    /// Reason why the program ends with a failure.
    outcome: Arc<Mutex<Option<Failure>>>,
    loading: Option<(Loading, PathBuf, bool)>,
    field: Option<PathField>,
    error: Option<String>,
    scan: Option<Scan>,
    pictures: Pictures,
    slices: Slices,
    /// The last requested scene, and the time of its last change.
    scene: Option<Scene>,
    changed: Instant,
    was_moving: bool,
    /// File to which the rendering is saved when it is complete.
    wanted: Option<PathBuf>,
    saved: Saved,
    message: Option<(Result<String, String>, Instant)>,
    /// Number of complete window frames before the screenshot is taken, for `--screenshot`.
    shown: u32,
}

impl App {
    pub fn new(
        creation: &eframe::CreationContext<'_>,
        args: Args,
        device: Device,
        outcome: Arc<Mutex<Option<Failure>>>,
    ) -> Self {
        let ctx = &creation.egui_ctx;
        style::apply(ctx);
        let wake = || {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        let mut app = Self {
            device,
            outcome,
            loading: None,
            field: None,
            error: None,
            scan: None,
            pictures: Pictures::start(wake()),
            slices: Slices::start(wake()),
            scene: None,
            changed: Instant::now(),
            was_moving: false,
            wanted: None,
            saved: Saved::default(),
            message: None,
            shown: 0,
            args,
        };
        if let Some(path) = app.args.input.clone() {
            app.open(ctx, path);
        }
        app
    }

    fn open(&mut self, ctx: &egui::Context, path: PathBuf) {
        // The options of the command line apply to its input. A preset is for one channel.
        let is_first = self.args.input.as_ref() == Some(&path);
        let is_single = is_first && self.args.preset.is_some();
        let are_labels = self.args.labels && (is_first || self.args.input.is_none());
        let input = Input::Path { path: path.clone(), are_labels, is_single };
        self.load(ctx, input, path, false);
    }

    fn load(&mut self, ctx: &egui::Context, input: Input, path: PathBuf, is_part: bool) {
        let ctx = ctx.clone();
        let loading = Loading::start(input, move || ctx.request_repaint());
        self.loading = Some((loading, path, is_part));
    }

    /// Takes the results of other threads.
    fn collect(&mut self, ctx: &egui::Context) {
        let result = self.loading.as_ref().and_then(|(loading, ..)| loading.take());
        if let Some(result) = result
            && let Some((_, path, is_part)) = self.loading.take()
        {
            self.loaded(ctx, result, path, is_part);
        }
        if let (Some(frame), Some(scan)) = (self.pictures.take(), &mut self.scan) {
            let width = scan.size[0];
            scan.picture.show(ctx, frame, width);
        }
        if let (Some(slices), Some(scan)) = (self.slices.take(), &mut self.scan)
            && Arc::ptr_eq(&slices.request.volume, &scan.volume)
        {
            let dims = scan.volume.dims();
            for ((shown, plane), (values, colors)) in
                scan.slices.iter_mut().zip(scan.planes).zip(slices.slices)
            {
                let mut texture = shown.take().map(|shown| shown.texture);
                set(&mut texture, ctx, "slice", plane.size(dims), &colors);
                *shown = texture.map(|texture| ShownSlice { texture, values });
            }
            scan.slices_shown = Some(slices.request);
        }
        match self.saved.take() {
            Some(Ok(path)) if self.args.screenshot.is_none() => {
                self.message = Some((Ok(format!("Saved {}", path.display())), Instant::now()));
            }
            Some(Err(failure)) if self.args.screenshot.is_none() => {
                self.message = Some((Err(failure.to_string()), Instant::now()));
            }
            Some(result) => self.end(ctx, result.err()),
            None => {}
        }
    }

    fn loaded(&mut self, ctx: &egui::Context, result: Result<Volume, Failure>, path: PathBuf, is_part: bool) {
        match (result, &mut self.scan) {
            (Ok(volume), Some(scan)) if is_part => {
                scan.replace(volume);
                self.scene = None;
            }
            (Ok(volume), _) => {
                // The options of the command line apply to its own input.
                let is_first = self.args.input.as_ref() == Some(&path);
                let last_number = self.scan.as_ref().map_or(0, |scan| scan.picture.number);
                let scan = Scan::new(path, volume, is_first.then_some(&self.args), self.args.up, last_number);
                self.scene = None;
                ctx.send_viewport_cmd(ViewportCommand::Title(format!("{} – Brickwork", scan.name())));
                (self.scan, self.error) = (Some(scan), None);
            }
            (Err(failure), _) => {
                if self.args.screenshot.is_some() {
                    self.end(ctx, Some(failure));
                    return;
                }
                // Also on standard error, because the window may be covered.
                crate::complain(&failure.to_string());
                if self.scan.is_some() {
                    self.message = Some((Err(failure.to_string()), Instant::now()));
                } else {
                    self.error = Some(failure.to_string());
                }
            }
        }
    }

    /// Closes the window.
    fn end(&self, ctx: &egui::Context, failure: Option<Failure>) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        ctx.send_viewport_cmd(ViewportCommand::Close);
    }

    /// Handles keys and dropped files.
    fn keys(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_owned()));
        if let Some(path) = dropped {
            self.open(ctx, path);
        }
        if ctx.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, Key::O)) {
            self.asked(ctx, Asked::Open);
        }
        if ctx.egui_wants_keyboard_input() || self.field.is_some() {
            return;
        }
        let Some(scan) = &mut self.scan else { return };
        let is_pressed = |key| ctx.input(|input| input.key_pressed(key) && !input.modifiers.any());
        let views = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];
        for (key, view) in views.into_iter().zip(StandardView::ALL) {
            if is_pressed(key) {
                scan.orbit.look_from(view);
            }
        }
        if is_pressed(Key::Num0) || is_pressed(Key::Home) {
            scan.orbit.reset();
        }
        if is_pressed(Key::O) {
            scan.orbit.is_orthographic ^= true;
        }
        if is_pressed(Key::M) {
            let place = Mode::ALL.iter().position(|mode| *mode == scan.look.mode).unwrap_or(0);
            scan.look.mode = Mode::ALL[(place + 1) % Mode::ALL.len()];
        }
        for (key, turn) in [
            (Key::ArrowLeft, [-20.0, 0.0]),
            (Key::ArrowRight, [20.0, 0.0]),
            (Key::ArrowUp, [0.0, -20.0]),
            (Key::ArrowDown, [0.0, 20.0]),
        ] {
            if is_pressed(key) {
                let header = scan.volume.header().clone();
                scan.orbit.turn(&header, turn);
            }
        }
        if ctx.input(|input| input.key_pressed(Key::Plus) || input.key_pressed(Key::Equals)) {
            scan.orbit.zoom_by(1.15);
        }
        if is_pressed(Key::Minus) {
            scan.orbit.zoom_by(1.0 / 1.15);
        }
        if is_pressed(Key::S) {
            self.asked(ctx, Asked::SavePicture);
        }
    }

    fn asked(&mut self, ctx: &egui::Context, asked: Asked) {
        let path = self.scan.as_ref().map(|scan| saving::free_path(&scan.path));
        match (asked, path) {
            (Asked::Open, _) => self.field = Some(PathField { text: String::new(), is_new: true }),
            (Asked::SavePicture, Some(path)) => self.wanted = Some(path),
            (Asked::SaveWindow, Some(path)) => saving::window(ctx, path, &self.saved),
            (Asked::Part(part, is_single), _) => {
                let scan = self.scan.as_ref();
                let source = scan.and_then(|scan| {
                    let kind = scan.volume.header().kind;
                    Some((scan.path.clone(), scan.volume.source.clone()?, kind))
                });
                if let Some((path, source, kind)) = source {
                    self.load(ctx, Input::Part { source, part, kind, is_single }, path, true);
                }
            }
            (Asked::SavePicture | Asked::SaveWindow, None) => {}
        }
    }

    /// Requests everything that has changed since the last request.
    fn request(&mut self, ctx: &egui::Context) {
        let Some(scan) = &mut self.scan else { return };
        let slices = scan.slice_request();
        if scan.slices_asked.as_ref() != Some(&slices) {
            self.slices.request(slices.clone());
            scan.slices_asked = Some(slices);
        }
        let Some(mut scene) = scan.scene() else { return };
        // The selection and the name of a curve do not change the rendering.
        for curve in [&mut scene.look.dvr, &mut scene.look.mip] {
            (curve.selected, curve.preset) = (None, None);
        }
        let is_changed = self.scene.as_ref() != Some(&scene);
        let is_moving = if is_changed {
            let is_first = self.scene.is_none();
            let is_recent = self.changed.elapsed() < STILL;
            self.changed = Instant::now();
            !is_first && (is_recent || ctx.input(|input| input.pointer.any_down()))
        } else if self.was_moving && self.changed.elapsed() >= STILL {
            false
        } else {
            if self.was_moving {
                ctx.request_repaint_after(STILL);
            }
            return;
        };
        if is_moving {
            ctx.request_repaint_after(STILL);
        }
        self.was_moving = is_moving;
        scan.picture.number += 1;
        scan.picture.is_whole = false;
        self.pictures.request(PictureRequest {
            volume: Arc::clone(&scan.volume),
            device: self.device.clone(),
            scene: scene.clone(),
            is_moving,
            number: scan.picture.number,
        });
        self.scene = Some(scene);
    }

    /// Saves the requested files when they are complete.
    fn save(&mut self, ctx: &egui::Context) {
        let Some(scan) = &self.scan else { return };
        let picture = &scan.picture;
        if picture.is_whole
            && let Some(path) = self.wanted.take()
        {
            match &picture.whole {
                Some(frame) => saving::picture(ctx, frame, path, &self.saved),
                None => self.message = Some((Err("there is no picture to save".to_owned()), Instant::now())),
            }
        }
        let are_slices_shown = scan.slices_shown.as_ref() == Some(&scan.slice_request());
        if let Some(path) = self.args.screenshot.clone()
            && picture.is_whole
            && are_slices_shown
        {
            // Some frames, until the layout rests.
            self.shown += 1;
            if self.shown == SETTLED {
                saving::window(ctx, path, &self.saved);
            }
            ctx.request_repaint();
        }
    }

    fn bars(&mut self, ui: &mut egui::Ui) {
        let bar = |margin| Frame::new().fill(style::PANEL).inner_margin(Margin::symmetric(margin, 4));
        let top = Panel::top("top").frame(bar(10)).exact_size(38.0);
        let asked = top.show(ui, |ui| top_bar::show(ui, self.scan.as_mut())).inner;
        if let Some(asked) = asked {
            self.asked(ui.ctx(), asked);
        }
        self.message.take_if(|(_, since)| since.elapsed() > MESSAGE);
        if self.message.is_some() {
            ui.ctx().request_repaint_after(MESSAGE);
        }
        let message = self.message.as_ref().map(|(message, _)| message);
        let bottom = Panel::bottom("bottom").frame(bar(10)).exact_size(26.0);
        bottom.show(ui, |ui| status_bar::show(ui, &self.device, self.scan.as_ref(), message));
    }

    fn dialogs(&mut self, ctx: &egui::Context) {
        if let Some((loading, path, _)) = &self.loading {
            let name = path.file_name().unwrap_or(Path::new("").as_os_str()).to_string_lossy().into_owned();
            if welcome::loading(ctx, &name, loading) {
                self.loading = None;
            }
        }
        let Some(field) = &mut self.field else { return };
        match welcome::ask(ctx, field) {
            Typed::Nothing => {}
            Typed::Cancelled => self.field = None,
            Typed::Path(path) => {
                self.field = None;
                self.open(ctx, path);
            }
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.collect(&ctx);
        self.keys(&ctx);
        self.bars(ui);
        if let Some(scan) = &mut self.scan {
            let panel = |margin| Frame::new().fill(style::PANEL).inner_margin(margin);
            let wide = ui.available_width() > 1500.0;
            let has_slices = ui.available_width() >= ROOM_FOR_SLICES;
            let slices = Panel::left("slices").frame(panel(8)).resizable(true);
            let slices = slices.default_size(if wide { 340.0 } else { 250.0 }).size_range(180.0..=700.0);
            if has_slices {
                slices.show(ui, |ui| slice_views::show(ui, scan));
            }
            let look = Panel::right("look").frame(panel(10)).resizable(true);
            look.default_size(if wide { 340.0 } else { 300.0 }).size_range(260.0..=520.0).show(ui, |ui| {
                look_panel::show(ui, scan);
            });
            CentralPanel::no_frame().show(ui, |ui| view_3d::show(ui, scan));
        } else {
            let error = self.error.as_deref();
            let is_idle = self.loading.is_none() && self.field.is_none();
            CentralPanel::no_frame().show(ui, |ui| {
                if is_idle {
                    welcome::show(ui, error);
                }
            });
        }
        self.dialogs(&ctx);
        self.request(&ctx);
        self.save(&ctx);
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        style::PANEL.to_normalized_gamma_f32()
    }
}
