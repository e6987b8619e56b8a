//! The bar below: the device, the time of the rendering, and the voxel under the pointer.

use super::{scan::Scan, style};
use crate::text::{Bytes, Seconds};
use brickwork_toolkit::device::Device;
use eframe::egui::{Align, Layout, RichText, Separator, Ui};

/// Shows the bar.
pub fn show(ui: &mut Ui, device: &Device, scan: Option<&Scan>, message: Option<&Result<String, String>>) {
    ui.horizontal_centered(|ui| {
        let weak = |text: String| RichText::new(text).color(style::WEAK).size(12.0);
        let plain = |text: String| RichText::new(text).size(12.0);
        let fallback = scan.and_then(|scan| scan.picture.fallback.as_deref());
        let (name, why) = match fallback {
            Some(reason) => (Device::cpu().name(), format!("{} failed: {reason}", device.name())),
            None => (device.name(), why(device)),
        };
        ui.label(plain(name));
        ui.label(weak(why));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(message) = message {
                match message {
                    Ok(text) => ui.label(plain(text.clone())),
                    Err(text) => ui.label(plain(text.clone()).color(style::ERROR)),
                };
                return;
            }
            let Some(scan) = scan else { return };
            let volume = &scan.volume;
            let (raw, resident) = (volume.raw_bytes(), volume.byte_count() as u64);
            ui.label(weak(format!("{} of {}", Bytes(resident), Bytes(raw))));
            if let Some(whole) = &scan.picture.whole {
                ui.add(Separator::default().vertical());
                ui.label(weak(format!("{} per picture", Seconds(whole.seconds))));
            }
            if let Some(([x, y, z], text)) = &scan.pointed {
                ui.add(Separator::default().vertical());
                ui.label(plain(format!("voxel ({x}, {y}, {z}): {text}")));
            }
        });
    });
}

/// Returns the reason for this device.
fn why(device: &Device) -> String {
    match device.fallback() {
        Some(reason) => reason.to_string(),
        None if device.may_fall_back() => "the best GPU".to_owned(),
        None => "as asked for".to_owned(),
    }
}
