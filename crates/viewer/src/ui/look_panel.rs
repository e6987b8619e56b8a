//! The panel for the look of the rendering: mode, transfer function, surface, labels, background.

use super::{label_list, scan::Scan, statistics, style};
use crate::{
    state::{Curve, LookSettings, Mode},
    text::number,
    volume::Values,
};
use brickwork_volume::render::Preset;
use eframe::egui::{self, Button, Color32, ComboBox, RichText, ScrollArea, Ui};

/// Shows the panel.
pub fn show(ui: &mut Ui, scan: &mut Scan) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::title(ui, "MODE");
        modes(ui, &mut scan.look);
        ui.add_space(2.0);
        match scan.look.mode {
            Mode::Dvr | Mode::Mip if !scan.look.channels.is_empty() => channels(ui, scan),
            Mode::Dvr | Mode::Mip => curve(ui, scan),
            Mode::Iso => surface(ui, scan),
            Mode::Labels => {
                style::title(ui, "LABELS");
                label_list::show(ui, &scan.volume.values, &mut scan.look);
            }
        }
        ui.add_space(2.0);
        ui.separator();
        style::row(ui, "Background", |ui| {
            style::color_button(ui, &mut scan.background);
            for grey in [0.0, 0.5, 1.0] {
                let fill = Color32::from_gray((grey * 255.0) as u8);
                let button = Button::new("").fill(fill).min_size(egui::vec2(22.0, 16.0));
                if ui.add(button).clicked() {
                    scan.background = [grey; 3];
                }
            }
            if ui.add(Button::new("Default").small()).clicked() {
                scan.background = style::BACKGROUND;
            }
        });
        ui.separator();
        style::title(ui, "STATISTICS");
        statistics::show(ui, scan);
    });
}

fn modes(ui: &mut Ui, look: &mut LookSettings) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = (ui.available_width() - 12.0) / 4.0;
        for mode in Mode::ALL {
            let [name, explanation] = mode.names();
            let button = Button::new(name).selected(look.mode == mode).min_size(egui::vec2(width, 26.0));
            if ui.add(button).on_hover_text(explanation).clicked() {
                look.mode = mode;
            }
        }
    });
}

const fn name(preset: Preset) -> &'static str {
    match preset {
        Preset::CtBone => "CT bone",
        Preset::CtSkin => "CT skin",
        Preset::Mri => "MRI",
        Preset::Fire => "Fire",
        Preset::Grey => "Grey",
        _ => "Another",
    }
}

/// Shows a line for each channel: whether it shows, its colour, its name, its window.
fn channels(ui: &mut Ui, scan: &mut Scan) {
    style::title(ui, "CHANNELS");
    let volume = scan.volume.clone();
    for note in &volume.notes {
        ui.label(RichText::new(note).color(style::WEAK).size(11.5));
    }
    let shown_count = scan.look.channels.iter().filter(|channel| channel.is_shown).count();
    for (settings, channel) in scan.look.channels.iter_mut().zip(&volume.channels) {
        ui.horizontal(|ui| {
            // One channel always shows.
            let is_last = settings.is_shown && shown_count == 1;
            ui.add_enabled(!is_last, egui::Checkbox::without_text(&mut settings.is_shown));
            style::color_button(ui, &mut settings.color);
            ui.add(egui::Label::new(channel.name()).truncate());
        });
        let [low, high] = settings.window;
        let step = ((high - low) / 200.0).max(channel.loaded.display().number_step());
        let [mut low, mut high] = settings.window;
        let drag = |ui: &mut Ui, value: &mut f64, hint: &str| {
            let drag = egui::DragValue::new(value).speed(step).custom_formatter(|v, _| number(v, step));
            ui.add(drag).on_hover_text(hint).changed()
        };
        let is_moved = style::row(ui, "Window", |ui| {
            let is_low = drag(ui, &mut low, "The value that is black");
            drag(ui, &mut high, "The value that has the full colour") || is_low
        });
        if is_moved && low < high {
            settings.window = [low, high];
        }
    }
}

fn curve(ui: &mut Ui, scan: &mut Scan) {
    style::title(ui, "TRANSFER FUNCTION");
    let is_mip = scan.look.mode == Mode::Mip;
    let volume = scan.volume.clone();
    let values = &volume.values;
    let chosen = scan.look.curve_mut().and_then(|curve| curve.preset);
    let preset_name = chosen.map_or("Edited", name);
    style::row(ui, "Preset", |ui| {
        ComboBox::from_id_salt("preset").width(ui.available_width()).selected_text(preset_name).show_ui(
            ui,
            |ui| {
                for &preset in Preset::ALL {
                    if ui.selectable_label(chosen == Some(preset), name(preset)).clicked()
                        && let (Ok(new), Some(curve)) =
                            (Curve::of_preset(preset, values), scan.look.curve_mut())
                    {
                        *curve = new;
                    }
                }
            },
        );
    });
    let Some(curve) = scan.look.curve_mut() else { return };
    scan.editor.curve(ui, values, curve, !is_mip);
    let mut ends = curve.window();
    if window(ui, &mut ends, scan.editor.whole(), values) {
        curve.stretch(ends);
    }
    ui.add_space(2.0);
    point(ui, curve, scan.editor.step(values), !is_mip);
}

/// Shows sliders for the middle and the width of a window. Returns true if they changed it.
pub fn window(ui: &mut Ui, window: &mut [f64; 2], whole: [f64; 2], values: &Values) -> bool {
    let [low, high] = *window;
    let (mut level, mut width) = (f64::midpoint(low, high), high - low);
    let span = whole[1] - whole[0];
    let step = (span / 500.0).max(values.display().number_step());
    let format = |value| number(value, step);
    let is_moved = style::row(ui, "Level", |ui| style::slider(ui, &mut level, whole, format).changed());
    let is_widened = style::row(ui, "Window", |ui| {
        style::slider(ui, &mut width, [span / 1000.0, 1.25 * span], format).changed()
    });
    if is_moved || is_widened {
        let half = width.max(span * 1e-6) / 2.0;
        *window = [level - half, level + half];
    }
    is_moved || is_widened
}

/// Shows the selected point.
fn point(ui: &mut Ui, curve: &mut Curve, step: f64, has_opacity: bool) {
    let Some((index, point)) = curve.selected.and_then(|i| Some((i, *curve.points().get(i)?))) else {
        let text = "Double-click adds a point, right-click removes it; select one to change its colour.";
        ui.label(RichText::new(text).color(style::WEAK).size(11.5));
        return;
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let mut color = point.color.map(|channel| channel as f32);
        if style::color_button(ui, &mut color) {
            curve.paint(index, color.map(f64::from));
        }
        let (mut value, mut opacity) = (point.value, 100.0 * point.opacity);
        let drag = egui::DragValue::new(&mut value).speed(step).custom_formatter(|v, _| number(v, step));
        let is_moved = ui.add(drag).on_hover_text("The point's value").changed();
        let is_faded = has_opacity && {
            let drag = egui::DragValue::new(&mut opacity).range(0.0..=100.0).speed(0.2).suffix(" %");
            let drag = drag.max_decimals(1);
            ui.add(drag).on_hover_text("Its opacity, of one voxel").changed()
        };
        if is_moved || is_faded {
            curve.move_to(index, value, opacity / 100.0);
        }
        if ui.button("Remove").clicked() {
            curve.remove(index);
        }
    });
}

fn surface(ui: &mut Ui, scan: &mut Scan) {
    style::title(ui, "SURFACE");
    let volume = scan.volume.clone();
    let (look, whole) = (&mut scan.look, scan.editor.whole());
    scan.editor.threshold(ui, &volume.values, &mut look.surface, look.surface_color);
    let step = scan.editor.step(&volume.values);
    style::row(ui, "Value", |ui| style::slider(ui, &mut look.surface, whole, |v| number(v, step)));
    style::row(ui, "Colour", |ui| style::color_button(ui, &mut look.surface_color));
}
