//! Statistics of renderings.

use super::{scan::Scan, style};
use crate::text::{Bytes, Seconds};
use eframe::egui::{self, RichText, Ui};

/// Shows a table of names and numbers.
pub fn show(ui: &mut Ui, scan: &Scan) {
    let volume = &scan.volume;
    let (raw, resident) = (volume.raw_bytes(), volume.byte_count() as u64);
    let mut rows = Vec::new();
    if let Some(whole) = &scan.picture.whole {
        let size = format!("{}×{}", whole.width, whole.height);
        rows.push((
            "Picture",
            format!("{}, {size}", Seconds(whole.seconds)),
            "Time that the last whole picture took",
        ));
        if let Some((seconds, reduced)) = scan.picture.moving {
            let text = format!("{}, 1/{}", Seconds(seconds), reduced.round());
            rows.push(("In motion", text, "Time of pictures of reduced size, while the volume is moved"));
        }
        let found = &whole.statistics;
        let share = 100.0 * found.hit_rate();
        rows.push((
            "Cache hits",
            format!("{share:.2} %"),
            "Share of samples whose voxels were decoded already",
        ));
        let decoded = found.volumes_decoded();
        let decoded =
            if decoded < 10.0 { format!("{:.1} %", 100.0 * decoded) } else { format!("{decoded:.1} ×") };
        rows.push(("Decoded", decoded, "Bricks decoded for the picture, over all bricks"));
        let samples = format!("{:.1} million", found.samples as f64 / 1e6);
        rows.push(("Samples", samples, "Samples taken for the picture"));
    }
    let ratio = raw as f64 / resident.max(1) as f64;
    let text = format!("{} of {}", Bytes(resident), Bytes(raw));
    rows.push(("In memory", text, "Bytes of the compressed volume, of those of its voxels"));
    rows.push(("Compression", format!("{ratio:.1} : 1"), "Bytes of the voxels over those in memory"));
    egui::Grid::new("statistics").num_columns(2).spacing([10.0, 3.0]).show(ui, |ui| {
        for (name, value, explanation) in rows {
            ui.label(RichText::new(name).color(style::WEAK)).on_hover_text(explanation);
            ui.label(value).on_hover_text(explanation);
            ui.end_row();
        }
    });
}
