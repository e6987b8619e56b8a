//! The labels that occur, to show and to hide.

use super::style;
use crate::{state::LookSettings, volume::Values};
use brickwork_volume::render::label_color;
use eframe::egui::{self, Color32, RichText, ScrollArea, Sense, Ui, vec2};

/// Most labels of the list.
const MOST: usize = 2000;

/// Shows a line per label.
pub fn show(ui: &mut Ui, values: &Values, look: &mut LookSettings) {
    if !values.display().is_exact() {
        ui.label(RichText::new("Labels of more than 16 bits are all shown.").color(style::WEAK));
        return;
    }
    let counts = values.counts();
    let labels: Vec<u16> =
        (1..=u16::MAX).filter(|&label| counts[usize::from(label)] > 0).take(MOST).collect();
    ui.horizontal(|ui| {
        if ui.button("Show all").clicked() {
            look.hidden_labels.clear();
        }
        if ui.button("Hide all").clicked() {
            look.hidden_labels = (1..=u16::MAX).collect();
        }
        let text = format!("{} labels", labels.len());
        ui.label(RichText::new(text).color(style::WEAK));
    });
    let total: u64 = labels.iter().map(|&label| counts[usize::from(label)]).sum();
    let height = ui.text_style_height(&egui::TextStyle::Body).max(18.0);
    let area = ScrollArea::vertical().max_height(230.0).auto_shrink([false, true]);
    area.show_rows(ui, height, labels.len(), |ui, rows| {
        for &label in &labels[rows] {
            ui.horizontal(|ui| {
                let [red, green, blue] = label_color(label);
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                ui.painter().rect_filled(rect, 3.0, Color32::from_rgb(red, green, blue));
                let mut is_shown = !look.hidden_labels.contains(&label);
                if ui.checkbox(&mut is_shown, label.to_string()).changed() {
                    if is_shown {
                        look.hidden_labels.remove(&label);
                    } else {
                        look.hidden_labels.insert(label);
                    }
                }
                let share = 100.0 * counts[usize::from(label)] as f64 / total as f64;
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.add_space(8.0);
                    ui.label(RichText::new(format!("{share:.1} %")).color(style::WEAK));
                });
            });
        }
    });
}
