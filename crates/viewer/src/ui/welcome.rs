//! The window before a volume is open: ways to open one, progress, errors, the field for a path.

use super::style;
use crate::volume::Loading;
use eframe::egui::{self, Align2, Key, ProgressBar, RichText, TextEdit, Ui, Vec2};
use std::path::PathBuf;

/// Shows how to open a volume, or why the last one could not be.
pub fn show(ui: &mut Ui, error: Option<&str>) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.36);
        if let Some(error) = error {
            ui.label(RichText::new("The volume could not be opened").size(18.0).color(style::ERROR));
            ui.add_space(4.0);
            ui.label(RichText::new(error).size(14.0));
            ui.add_space(16.0);
        } else {
            ui.label(RichText::new("Brickwork").size(30.0).color(style::ACCENT).strong());
            ui.add_space(8.0);
        }
        let text = "Drop a volume into the window, or press Ctrl+O";
        ui.label(RichText::new(text).size(15.0));
        ui.add_space(4.0);
        let formats = ".bwv, NRRD, MetaImage, NIfTI, VTI, TIFF, DICOM, or a folder of slices";
        ui.label(RichText::new(formats).color(style::WEAK));
    });
}

/// Shows the progress of loading. Returns true if the user cancels it.
pub fn loading(ctx: &egui::Context, name: &str, loading: &Loading) -> bool {
    let (step, share) = loading.progress.get();
    let window = egui::Window::new("loading").title_bar(false).resizable(false);
    let shown = window.anchor(Align2::CENTER_CENTER, Vec2::ZERO).show(ctx, |ui| {
        ui.set_width(360.0);
        ui.add_space(4.0);
        ui.label(RichText::new(name).size(15.0).strong());
        let bar = match share {
            Some(share) => ProgressBar::new(share).text(format!("{step}, {:.0} %", 100.0 * share)),
            None => ProgressBar::new(0.0).animate(true).text(format!("{step} …")),
        };
        ui.add(bar.fill(style::ACCENT.gamma_multiply(0.7)));
        let is_cancelled = ui.button("Cancel").clicked() || ui.input(|input| input.key_pressed(Key::Escape));
        ui.add_space(2.0);
        is_cancelled
    });
    ctx.request_repaint_after(std::time::Duration::from_millis(50));
    shown.and_then(|shown| shown.inner).unwrap_or(false)
}

/// The field for a path: the text typed, and true if it just appeared.
pub struct PathField {
    pub text: String,
    pub is_new: bool,
}

/// Result of the field.
pub enum Typed {
    /// The screen stays.
    Nothing,
    Cancelled,
    Path(PathBuf),
}

/// Shows the field for the path of a volume.
pub fn ask(ctx: &egui::Context, field: &mut PathField) -> Typed {
    let mut typed = Typed::Nothing;
    let window = egui::Window::new("Open a volume").resizable(false).collapsible(false);
    window.anchor(Align2::CENTER_CENTER, Vec2::ZERO).show(ctx, |ui| {
        ui.set_width(460.0);
        ui.label("Path of a file, or of a folder of slices:");
        let edit = ui.add(TextEdit::singleline(&mut field.text).desired_width(f32::INFINITY));
        if std::mem::take(&mut field.is_new) {
            edit.request_focus();
        }
        let is_entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.horizontal(|ui| {
            let is_there = !field.text.trim().is_empty();
            if (ui.add_enabled(is_there, egui::Button::new("Open")).clicked() || is_entered) && is_there {
                typed = Typed::Path(PathBuf::from(field.text.trim()));
            }
            if ui.button("Cancel").clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                typed = Typed::Cancelled;
            }
            let text = "Or drop it into the window.";
            ui.label(RichText::new(text).color(style::WEAK));
        });
    });
    typed
}
