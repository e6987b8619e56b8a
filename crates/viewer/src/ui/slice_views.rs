//! Three slices beside the rendering, one for each plane.

use super::{look_panel, scan::Scan, style};
use crate::state::Plane;
use eframe::egui::{
    self, Align2, Color32, CursorIcon, FontId, Pos2, Rect, RichText, Sense, Slider, Stroke, Ui, pos2, vec2,
};

/// Height of a slice's title and slider, and of the sliders below all.
const TITLE: f32 = 24.0;
const WINDOW: f32 = 56.0;

/// Shows the slices; the pointer moves them.
pub fn show(ui: &mut Ui, scan: &mut Scan) {
    scan.pointed = None;
    let has_window = !scan.are_labels() && scan.look.added().is_empty();
    let below = if has_window { WINDOW } else { 0.0 };
    let height = (ui.available_height() - below) / 3.0;
    for (number, plane) in Plane::ALL.into_iter().enumerate() {
        let top = ui.cursor().top();
        title(ui, scan, number, plane);
        let left = height - (ui.cursor().top() - top) - ui.spacing().item_spacing.y;
        slice(ui, scan, number, left.max(20.0));
    }
    if has_window {
        let mut window = scan.slice_window;
        look_panel::window(ui, &mut window, scan.editor.whole(), &scan.volume.values);
        scan.slice_window = window;
    }
}

fn title(ui: &mut Ui, scan: &mut Scan, number: usize, plane: Plane) {
    let dims = scan.volume.dims();
    let normal = scan.planes[number].normal;
    let last = [dims.x, dims.y, dims.z][normal] - 1;
    ui.horizontal(|ui| {
        ui.set_height(TITLE - 4.0);
        let color = style::PLANES[number];
        let axis = ["x", "y", "z"][normal];
        let (rect, _) = ui.allocate_exact_size(vec2(72.0, 18.0), Sense::hover());
        let font = FontId::proportional(13.0);
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, plane.name(), font, color);
        const NUMBER: f32 = 44.0;
        ui.spacing_mut().slider_width = ui.available_width() - NUMBER - 24.0;
        ui.spacing_mut().interact_size.x = NUMBER;
        ui.label(RichText::new(axis).color(style::WEAK));
        ui.add(Slider::new(&mut scan.indices[number], 0..=last).clamping(egui::SliderClamping::Always));
    });
}

fn slice(ui: &mut Ui, scan: &mut Scan, number: usize, height: f32) {
    let (well, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    ui.painter().rect_filled(well, 3.0, style::WELL);
    let plane = scan.planes[number];
    let (dims, spacing) = (scan.volume.dims(), scan.volume.header().spacing);
    let spacing = [spacing.x, spacing.y, spacing.z].map(|s| if s.is_finite() && s > 0.0 { s } else { 1.0 });
    let [width, rows] = plane.size(dims);
    let size = vec2(
        (width as f64 * spacing[plane.across.axis]) as f32,
        (rows as f64 * spacing[plane.down.axis]) as f32,
    );
    let scale = (well.width() / size.x).min(well.height() / size.y);
    let rect = Rect::from_center_size(well.center(), size * scale);
    if let Some(shown) = &scan.slices[number] {
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(shown.texture.id(), rect, uv, Color32::WHITE);
    }
    crosshair(ui, scan, number, rect);

    // The other two slices go where the pointer is pressed.
    let pixel = |at: Pos2| {
        let part = (at - rect.min) / rect.size();
        let along = |part: f32, count: usize| (part * count as f32).clamp(0.0, count as f32 - 1.0) as usize;
        [along(part.x, width), along(part.y, rows)]
    };
    let index = scan.indices[number];
    if (response.dragged() || response.clicked())
        && let Some(at) = response.interact_pointer_pos()
    {
        let voxel = plane.voxel(dims, index, pixel(at));
        for (other, index) in scan.planes.iter().zip(&mut scan.indices) {
            *index = voxel[other.normal];
        }
    }
    let Some(at) = response.hover_pos().filter(|at| rect.contains(*at)) else { return };
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    if let Some(shown) = &scan.slices[number] {
        let pixel = pixel(at);
        scan.pointed = Some((plane.voxel(dims, index, pixel), scan.numbers(&shown.values, pixel)));
    }
    let steps = ui.input(|input| {
        input
            .events
            .iter()
            .map(|event| if let egui::Event::MouseWheel { delta, .. } = event { delta.y } else { 0.0 })
            .sum::<f32>()
    });
    if steps != 0.0 {
        let last = [dims.x, dims.y, dims.z][plane.normal] - 1;
        let step = if steps > 0.0 { 1 } else { -1 };
        scan.indices[number] = index.saturating_add_signed(step).min(last);
    }
}

/// Paints the positions of the other two slices.
fn crosshair(ui: &Ui, scan: &Scan, number: usize, rect: Rect) {
    let plane = scan.planes[number];
    let [width, rows] = plane.size(scan.volume.dims());
    for (other, (plane_of_other, &index)) in scan.planes.iter().zip(&scan.indices).enumerate() {
        let stroke = Stroke::new(1.0, style::PLANES[other].gamma_multiply(0.55));
        let place = |count: usize, is_flipped: bool| {
            let index = if is_flipped { count - 1 - index } else { index };
            (index as f32 + 0.5) / count as f32
        };
        if plane_of_other.normal == plane.across.axis {
            let x = rect.left() + rect.width() * place(width, plane.across.is_flipped);
            ui.painter().vline(x, rect.y_range(), stroke);
        } else if plane_of_other.normal == plane.down.axis {
            let y = rect.top() + rect.height() * place(rows, plane.down.is_flipped);
            ui.painter().hline(rect.x_range(), y, stroke);
        }
    }
}
