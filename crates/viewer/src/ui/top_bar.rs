//! The bar above: the file, views, saving.

use super::{scan::Scan, style};
use crate::state::StandardView;
use brickwork_volume::VoxelKind;
use eframe::egui::{Align, Button, DragValue, Layout, RichText, Separator, Ui};

/// A request of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Open,
    SavePicture,
    SaveWindow,
    /// Another frame and channel; true for this channel alone.
    Part([usize; 2], bool),
}

/// Narrower bars have a menu of views instead of a button for each.
const ROOM_FOR_VIEWS: f32 = 1060.0;

/// Width below which the bar leaves out optional parts.
const ROOM_FOR_ALL: f32 = 760.0;

/// Shows the bar.
pub fn show(ui: &mut Ui, scan: Option<&mut Scan>) -> Option<Asked> {
    let mut asked = None;
    let width = ui.available_width();
    ui.horizontal_centered(|ui| {
        if ui.button("Open …").on_hover_text("Open a volume (Ctrl+O)").clicked() {
            asked = Some(Asked::Open);
        }
        let Some(scan) = scan else { return };
        let header = scan.volume.header();
        ui.add(Separator::default().vertical());
        // A long name must leave room for the buttons.
        let name: String = match scan.name() {
            name if name.chars().count() > 36 => name.chars().take(35).chain(['…']).collect(),
            name => name,
        };
        ui.label(RichText::new(name).strong().size(14.0)).on_hover_text(scan.path.display().to_string());
        if width > ROOM_FOR_ALL {
            let text = format!("{}  {}", header.dims, header.voxel_type);
            ui.label(RichText::new(text).color(style::WEAK));
        }
        if scan.volume.source.is_some() {
            asked = asked.or(part(ui, scan));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if width > ROOM_FOR_ALL {
                let button = ui.button("Save window").on_hover_text("Save a picture of the window as PNG");
                if button.clicked() {
                    asked = Some(Asked::SaveWindow);
                }
            }
            if ui.button("Save picture").on_hover_text("Save the picture as PNG (S)").clicked() {
                asked = Some(Asked::SavePicture);
            }
            ui.add(Separator::default().vertical());
            let text = if scan.orbit.is_orthographic { "Parallel" } else { "Perspective" };
            if ui.button(text).on_hover_text("Perspective on or off (O)").clicked() {
                scan.orbit.is_orthographic ^= true;
            }
            if ui.button("Reset").on_hover_text("The whole volume, as it was first seen (0)").clicked() {
                scan.orbit.reset();
            }
            ui.add(Separator::default().vertical());
            if width > ROOM_FOR_VIEWS {
                ui.spacing_mut().item_spacing.x = 3.0;
                views(ui, scan, true);
            } else {
                ui.menu_button("View", |ui| views(ui, scan, false));
            }
        });
    });
    asked
}

/// Shows a button for each side; the last one comes first if they are placed from right to left.
fn views(ui: &mut Ui, scan: &mut Scan, is_reversed: bool) {
    let mut views: Vec<_> = StandardView::ALL.into_iter().zip(1..).collect();
    if is_reversed {
        views.reverse();
    }
    for (view, key) in views {
        let hint = format!("{} view ({key})", view.name());
        if ui.add(Button::new(view.name())).on_hover_text(hint).clicked() {
            scan.orbit.look_from(view);
        }
    }
}

/// Shows the numbers of the frame and of the channel, and returns a change of them.
fn part(ui: &mut Ui, scan: &Scan) -> Option<Asked> {
    let header = scan.volume.source.as_ref()?.header();
    let mut part = scan.volume.part;
    let was_single = scan.volume.channels.is_empty();
    let mut is_single = was_single;
    if scan.volume.has_looks && scan.volume.header().kind != VoxelKind::Labels {
        let hint = "All active channels in their colours, or one channel";
        if ui.selectable_label(!is_single, "Colours").on_hover_text(hint).clicked() {
            is_single ^= true;
        }
    }
    for (number, (name, count)) in [("Frame", header.frames), ("Channel", header.channels)].iter().enumerate()
    {
        if *count > 1 && (number == 0 || was_single) {
            ui.label(*name);
            let drag = DragValue::new(&mut part[number]).range(0..=count - 1).speed(0.1);
            ui.add(drag.suffix(format!(" of 0..{}", count - 1)));
        }
    }
    let is_changed = part != scan.volume.part || is_single != was_single;
    is_changed.then_some(Asked::Part(part, is_single))
}
