//! The transfer function over the histogram: points to drag, add and remove.

use super::style;
use crate::{state::Curve, text::number, volume::Values};
use brickwork_volume::render::TransferPoint;
use eframe::egui::{
    self, Align2, Color32, CursorIcon, FontId, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};

/// Height of the plot.
const HEIGHT: f32 = 148.0;

/// Height of the strip of colours below it.
const STRIP: f32 = 9.0;

/// Largest distance of the pointer from a point that it takes.
const REACH: f32 = 11.0;

/// Width of a column of the histogram.
const COLUMN: f32 = 2.0;

/// The part of the values that is shown, and the point that is dragged.
pub struct Editor {
    /// Values from the left to the right edge.
    range: [f64; 2],
    whole: [f64; 2],
    dragged: Option<usize>,
}

/// Positions of values and opacities in the plot.
struct Plot {
    rect: Rect,
    range: [f64; 2],
}

impl Plot {
    fn x(&self, value: f64) -> f32 {
        let part = (value - self.range[0]) / (self.range[1] - self.range[0]);
        self.rect.left() + self.rect.width() * part as f32
    }

    fn value(&self, x: f32) -> f64 {
        let part = f64::from((x - self.rect.left()) / self.rect.width());
        self.range[0] + part * (self.range[1] - self.range[0])
    }

    /// Returns the height of an opacity. Low opacities have more room, because the opacities of many voxels
    /// add up.
    fn y(&self, opacity: f64) -> f32 {
        self.rect.bottom() - self.rect.height() * opacity.sqrt() as f32
    }

    fn opacity(&self, y: f32) -> f64 {
        f64::from((self.rect.bottom() - y) / self.rect.height()).clamp(0.0, 1.0).powi(2)
    }
}

impl Editor {
    /// Shows all values except the rarest.
    pub fn new(values: &Values) -> Self {
        let [least, most] = [0.0002, 0.9998].map(|share| values.percentile(share));
        let [low, high] = values.window();
        let [low, high] = [least.min(low), most.max(high)];
        let margin = (high - low) * 0.03;
        let whole = [low - margin, high + margin];
        Self { range: whole, whole, dragged: None }
    }

    /// Returns the range of the sliders.
    pub const fn whole(&self) -> [f64; 2] {
        self.whole
    }

    /// Returns the smallest difference of values that sliders and numbers show.
    pub fn step(&self, values: &Values) -> f64 {
        ((self.whole[1] - self.whole[0]) / 500.0).max(values.display().number_step())
    }

    /// Shows the curve and changes it. Without opacities, points only move to the side.
    pub fn curve(&mut self, ui: &mut Ui, values: &Values, curve: &mut Curve, has_opacity: bool) {
        let (plot, response) = self.frame(ui, values);
        let place = |point: &TransferPoint| {
            let y = if has_opacity { plot.y(point.opacity) } else { plot.rect.center().y };
            pos2(plot.x(point.value), y)
        };
        let near = |curve: &Curve, at: Option<Pos2>| {
            let at = at?;
            let points = curve.points().iter().enumerate();
            let distances = points.map(|(i, point)| (i, place(point).distance(at)));
            distances.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|near| near.1 < REACH).map(|near| near.0)
        };
        let pointer = response.interact_pointer_pos();
        if response.drag_started_by(PointerButton::Primary) {
            self.dragged = near(curve, ui.input(|input| input.pointer.press_origin()));
            curve.selected = self.dragged;
        }
        if let (Some(index), Some(at)) = (self.dragged, pointer)
            && response.dragged()
            && index < curve.points().len()
        {
            let opacity = if has_opacity { plot.opacity(at.y) } else { curve.points()[index].opacity };
            curve.move_to(index, plot.value(at.x.clamp(plot.rect.left(), plot.rect.right())), opacity);
        }
        if !response.dragged() {
            self.dragged = None;
        }
        let hovered = near(curve, response.hover_pos());
        if response.secondary_clicked() {
            if let Some(index) = near(curve, pointer) {
                curve.remove(index);
            }
        } else if response.double_clicked() {
            if let (None, Some(at)) = (near(curve, pointer), pointer) {
                let value = plot.value(at.x);
                let opacity = if has_opacity { plot.opacity(at.y) } else { curve.at(value).opacity };
                curve.add(value, opacity);
            }
        } else if response.clicked() {
            curve.selected = near(curve, pointer);
        }
        if hovered.is_some() {
            ui.set_cursor_icon(CursorIcon::Grab);
        }
        paint_curve(ui, &plot, curve, has_opacity);
        let painter = ui.painter_at(plot.rect.expand(6.0));
        for (index, point) in curve.points().iter().enumerate() {
            let is_hot = curve.selected == Some(index) || self.dragged == Some(index);
            let stroke =
                if is_hot { Stroke::new(2.0, Color32::WHITE) } else { Stroke::new(1.5, Color32::BLACK) };
            let radius = if hovered == Some(index) || is_hot { 6.0 } else { 5.0 };
            painter.circle(place(point), radius, color(point.color, 1.0), stroke);
        }
        let text = "Drag a point to move it, double-click to add one, right-click to remove one; \
                    the wheel zooms into the values";
        response.on_hover_text_at_pointer(text);
    }

    /// Shows a single value, and moves it.
    pub fn threshold(&mut self, ui: &mut Ui, values: &Values, value: &mut f64, surface: [f32; 3]) {
        let (plot, response) = self.frame(ui, values);
        if response.is_pointer_button_down_on()
            && let Some(at) = response.interact_pointer_pos()
        {
            *value = plot.value(at.x.clamp(plot.rect.left(), plot.rect.right()));
        }
        let x = plot.x(*value);
        let painter = ui.painter_at(plot.rect);
        let right = Rect::from_min_max(pos2(x, plot.rect.top()), plot.rect.max);
        painter.rect_filled(right, 0.0, color(surface.map(f64::from), 0.12));
        painter.vline(x, plot.rect.y_range(), Stroke::new(2.0, color(surface.map(f64::from), 1.0)));
        response.on_hover_text_at_pointer("Drag to choose the value of the surface; the wheel zooms");
    }

    /// Draws the border, the histogram and the numbers at its ends.
    fn frame(&mut self, ui: &mut Ui, values: &Values) -> (Plot, Response) {
        let size = vec2(ui.available_width(), HEIGHT + STRIP + 18.0);
        let (outer, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let well = Rect::from_min_size(outer.min, vec2(outer.width(), HEIGHT));
        // Room for points at the edges.
        let rect = well.shrink2(vec2(8.0, 8.0));
        self.zoom(ui, &Plot { rect, range: self.range }, &response);
        let plot = Plot { rect, range: self.range };
        let painter = ui.painter();
        painter.rect_filled(well, 4.0, style::WELL);
        paint_histogram(ui, &plot, values);
        let font = FontId::proportional(10.5);
        let step = ((plot.range[1] - plot.range[0]) / 200.0).max(values.display().number_step());
        let below = outer.bottom() - 2.0;
        let texts = [
            (plot.range[0], pos2(outer.left(), below), Align2::LEFT_BOTTOM),
            (
                f64::midpoint(plot.range[0], plot.range[1]),
                pos2(outer.center().x, below),
                Align2::CENTER_BOTTOM,
            ),
            (plot.range[1], pos2(outer.right(), below), Align2::RIGHT_BOTTOM),
        ];
        for (value, at, anchor) in texts {
            painter.text(at, anchor, number(value, step), font.clone(), style::WEAK);
        }
        (plot, response)
    }

    fn zoom(&mut self, ui: &Ui, plot: &Plot, response: &Response) {
        let Some(at) = response.hover_pos() else { return };
        let scroll = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta)).y;
        if scroll == 0.0 {
            return;
        }
        let (middle, factor) = (plot.value(at.x), f64::from(-scroll * 0.004).exp());
        let [low, high] = self.range.map(|end| middle + (end - middle) * factor);
        let [least, most] = self.whole;
        let is_zoomed_out = high - low >= most - least;
        if is_zoomed_out {
            self.range = self.whole;
        } else if high - low > (most - least) * 1e-3 {
            self.range = [low, high];
        }
    }
}

fn color([red, green, blue]: [f64; 3], alpha: f64) -> Color32 {
    let bits = |x: f64| (x * 255.0 + 0.5) as u8;
    Color32::from_rgba_unmultiplied(bits(red), bits(green), bits(blue), bits(alpha))
}

/// Columns whose heights are logarithms of counts; each covers the same number of display values.
fn paint_histogram(ui: &Ui, plot: &Plot, values: &Values) {
    let display = values.display();
    let [first, last] = plot.range.map(|value| display.of_value(value).clamp(0.0, 65535.0));
    let columns = f64::from(plot.rect.width() / COLUMN);
    let of_column = ((last - first) / columns).ceil().max(1.0) as usize;
    let start = first as usize / of_column * of_column;
    let counts = &values.counts()[start..=last as usize];
    let bins: Vec<u64> = counts.chunks(of_column).map(|counts| counts.iter().sum()).collect();
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let scale = plot.rect.height() / (1.0 + most as f32).ln();
    let painter = ui.painter_at(plot.rect.expand(4.0));
    let x = |bin: usize| plot.x(display.value((start + bin * of_column) as f64));
    for (i, &count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        let top = plot.rect.bottom() - (1.0 + count as f32).ln() * scale;
        // Values are in the middle of their columns.
        let half = (x(i + 1) - x(i)) / 2.0;
        let bar = Rect::from_min_max(pos2(x(i) - half, top), pos2(x(i) + half, plot.rect.bottom()));
        painter.rect_filled(bar, 0.0, Color32::from_rgb(58, 62, 72));
    }
}

/// Draws the line, the area below it in its colours, and the strip of colours.
fn paint_curve(ui: &Ui, plot: &Plot, curve: &Curve, has_opacity: bool) {
    let painter = ui.painter_at(plot.rect.expand2(vec2(8.0, 40.0)));
    let bottom = plot.rect.bottom();
    let strip_top = bottom + 8.0 + 2.0;
    let mut mesh = egui::Mesh::default();
    let mut line = Vec::new();
    let columns = plot.rect.width() as usize;
    for column in 0..=columns {
        let x = plot.rect.left() + column as f32;
        let point = curve.at(plot.value(x));
        let opaque = color(point.color, 1.0);
        let y = if has_opacity { plot.y(point.opacity) } else { plot.rect.center().y };
        let area = color(point.color, 0.45);
        for (y, color) in [(y, area), (bottom, area), (strip_top, opaque), (strip_top + STRIP, opaque)] {
            mesh.colored_vertex(pos2(x, y), color);
        }
        line.push(pos2(x, y));
    }
    for column in 0..columns as u32 {
        for first in if has_opacity { &[0u32, 2][..] } else { &[2] } {
            let at = 4 * column + first;
            mesh.add_triangle(at, at + 1, at + 4);
            mesh.add_triangle(at + 1, at + 4, at + 5);
        }
    }
    painter.add(Shape::mesh(mesh));
    painter.add(Shape::line(line, Stroke::new(1.5, Color32::from_rgb(225, 226, 230))));
}
