//! The rendering: turned, moved and zoomed by the pointer.

use super::{scan::Scan, style};
use eframe::egui::{self, Align2, Color32, FontId, PointerButton, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

/// Zoom per point of the wheel.
const WHEEL: f64 = 0.002;

/// Most pixels along a side.
const MOST: f32 = 8192.0;

/// Shows the rendering in the available space, and moves the camera.
pub fn show(ui: &mut Ui, scan: &mut Scan) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    scan.size = [pixels.x, pixels.y].map(|side| side.round().clamp(1.0, MOST) as u32);

    let [red, green, blue] = scan.background.map(|x| (x * 255.0 + 0.5) as u8);
    ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(red, green, blue));
    if let Some(texture) = &scan.picture.texture {
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
    }
    let is_light = scan.background.iter().sum::<f32>() > 1.8;
    let weak = if is_light { Color32::from_gray(70) } else { style::WEAK };
    if let Some(error) = &scan.picture.error {
        let font = FontId::proportional(14.0);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, error, font, style::ERROR);
    } else if scan.picture.texture.is_none() {
        let font = FontId::proportional(14.0);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, "Rendering …", font, weak);
    }
    arrows(ui, scan, rect);
    if !scan.is_moved && rect.width() > 360.0 {
        let hint = "drag turns · right drag moves · wheel zooms";
        let (corner, font) = (rect.right_bottom() - vec2(10.0, 8.0), FontId::proportional(11.5));
        ui.painter().text(corner, Align2::RIGHT_BOTTOM, hint, font, weak);
    }

    let before = scan.orbit.clone();
    let header = scan.volume.header();
    let delta = response.drag_delta();
    let is_shifted = ui.input(|input| input.modifiers.shift);
    let is_moved = response.dragged_by(PointerButton::Secondary)
        || response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Primary) && is_shifted;
    if delta != egui::Vec2::ZERO && is_moved {
        let scale = ui.ctx().pixels_per_point();
        scan.orbit.pan(header, scan.size, [delta.x, delta.y].map(|x| f64::from(x * scale)));
    } else if delta != egui::Vec2::ZERO && response.dragged_by(PointerButton::Primary) {
        scan.orbit.turn(header, [delta.x, delta.y].map(f64::from));
    }
    if response.hovered() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = (f64::from(scroll) * WHEEL).exp() * f64::from(pinch);
        if factor != 1.0 {
            scan.orbit.zoom_by(factor);
        }
    }
    scan.is_moved |= scan.orbit != before;
}

/// Draws the axes of the volume in a corner.
fn arrows(ui: &Ui, scan: &Scan, rect: Rect) {
    const LENGTH: f32 = 26.0;
    let Some(arrows) = scan.orbit.arrows(scan.volume.header()) else { return };
    let middle = pos2(rect.left() + 44.0, rect.bottom() - 44.0);
    let [z, y, x] = style::PLANES;
    for (([right, down], name), color) in arrows.into_iter().zip(["x", "y", "z"]).zip([x, y, z]) {
        let direction = vec2(right as f32, down as f32);
        let tip: Pos2 = middle + direction * LENGTH;
        ui.painter().line_segment([middle, tip], Stroke::new(2.0, color));
        // The name of an axis that points towards the viewer or away is drawn beside it.
        let aside = if direction.length() < 0.3 { vec2(9.0, 9.0) } else { direction * (LENGTH + 9.0) };
        let at = middle + aside;
        ui.painter().text(at, Align2::CENTER_CENTER, name, FontId::proportional(12.0), color);
    }
}
