//! Colours and spaces.

use eframe::egui::{self, Color32, CornerRadius, FontId, Stroke, TextStyle};

/// Colour of chosen and of draggable things.
pub const ACCENT: Color32 = Color32::from_rgb(226, 112, 62);

/// Colour behind the rendering until another one is chosen: red, green, blue.
pub const BACKGROUND: [f32; 3] = [0.055, 0.06, 0.075];

/// Colour behind bars and panels.
pub const PANEL: Color32 = Color32::from_rgb(29, 31, 36);

/// Colour behind slices and plots.
pub const WELL: Color32 = Color32::from_rgb(13, 14, 17);

/// Text of lesser weight.
pub const WEAK: Color32 = Color32::from_rgb(150, 154, 164);

/// Errors.
pub const ERROR: Color32 = Color32::from_rgb(244, 120, 110);

/// The colours of the planes: axial, coronal, sagittal, as of the axes z, y, x.
pub const PLANES: [Color32; 3] =
    [Color32::from_rgb(92, 156, 255), Color32::from_rgb(110, 200, 110), Color32::from_rgb(240, 96, 96)];

/// Gives the window its looks.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    let mut visuals = egui::Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.extreme_bg_color = WELL;
    visuals.selection.bg_fill = Color32::from_rgb(150, 74, 42);
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    visuals.slider_trailing_fill = true;
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(205, 208, 214);
    visuals.widgets.noninteractive.bg_stroke.color = Color32::from_rgb(48, 51, 58);
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(48, 51, 58);
    visuals.widgets.inactive.bg_fill = Color32::from_rgb(60, 63, 71);
    for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active] {
        widget.corner_radius = CornerRadius::same(4);
    }
    ctx.set_visuals_of(egui::Theme::Dark, visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(8.0, 6.0);
        style.spacing.slider_rail_height = 5.0;
        style.text_styles.insert(TextStyle::Heading, FontId::proportional(15.0));
        style.text_styles.insert(TextStyle::Body, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Button, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Small, FontId::proportional(11.0));
    });
}

/// Returns the window's icon: four bricks.
pub fn icon() -> egui::IconData {
    const SIDE: u32 = 32;
    let pixel = |i: u32| {
        let (x, y) = (i % SIDE, i / SIDE);
        let (row, joint) = (y / 8, (y / 8 % 2) * 8);
        let is_joint = y % 8 == 7 || (x + joint) % 16 == 15;
        if is_joint { [214, 204, 190, 255] } else { [196 - 8 * row as u8, 88, 52, 255] }
    };
    egui::IconData { rgba: (0..SIDE * SIDE).flat_map(pixel).collect(), width: SIDE, height: SIDE }
}

/// Shows the title of a part of a panel.
pub fn title(ui: &mut egui::Ui, text: &str) {
    ui.add_space(2.0);
    ui.label(egui::RichText::new(text).color(WEAK).size(11.5).strong());
}

/// Shows a label and a widget that takes the rest of the line.
pub fn row<R>(ui: &mut egui::Ui, label: &str, add: impl FnOnce(&mut egui::Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(76.0, 18.0), egui::Sense::hover());
        let color = ui.visuals().text_color();
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, label, font, color);
        add(ui)
    })
    .inner
}

/// Shows a slider over the rest of the line, with its number as text.
pub fn slider(
    ui: &mut egui::Ui,
    value: &mut f64,
    range: [f64; 2],
    format: impl Fn(f64) -> String,
) -> egui::Response {
    const NUMBER: f32 = 64.0;
    ui.spacing_mut().slider_width = (ui.available_width() - NUMBER - 8.0).max(40.0);
    ui.spacing_mut().interact_size.x = NUMBER;
    let slider = egui::Slider::new(value, range[0]..=range[1])
        .clamping(egui::SliderClamping::Never)
        .custom_formatter(move |value, _| format(value));
    ui.add(slider)
}

/// Shows a button with a colour, which chooses another one: red, green, blue as in PNG.
pub fn color_button(ui: &mut egui::Ui, color: &mut [f32; 3]) -> bool {
    let mut bits = color.map(|channel| (channel * 255.0 + 0.5) as u8);
    let is_changed = ui.color_edit_button_srgb(&mut bits).changed();
    if is_changed {
        *color = bits.map(|channel| f32::from(channel) / 255.0);
    }
    is_changed
}
