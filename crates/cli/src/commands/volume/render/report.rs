//! What `brickwork volume render` says it did.

use super::look::Mode;
use crate::{
    commands::volume::input::shape,
    report::{Bytes, counted, printable},
};
use brickwork_volume::Header;
use serde::Serialize;

/// `volume render --json`.
#[derive(Serialize)]
pub struct Report {
    pub command: &'static str,
    pub input: String,
    pub output: String,
    pub width: u32,
    pub height: u32,
    pub pictures: usize,
    pub mode: Mode,
    pub transfer: Option<String>,
    pub iso: Option<f64>,
    pub level: usize,
    pub dims: [usize; 3],
    pub voxel_type: &'static str,
    pub device: &'static str,
    pub adapter: Option<String>,
    pub prepare_seconds: f64,
    pub render_seconds: f64,
    pub samples: u64,
    pub hit_rate: f64,
    pub bricks_read: u64,
    pub volumes_decoded: f64,
    pub file_bytes: u64,
}

impl Report {
    /// In words, with what rendering took if that was asked for.
    pub fn text(&self, header: &Header, has_statistics: bool) -> String {
        let mode = match (self.mode, &self.transfer, self.iso) {
            (Mode::Dvr, Some(transfer), _) => format!("dvr {}", printable(transfer)),
            (Mode::Mip, Some(transfer), _) => format!("mip {}", printable(transfer)),
            (Mode::Iso, _, Some(value)) => format!("iso {value}"),
            (Mode::Dvr, ..) => "dvr".to_owned(),
            (Mode::Mip, ..) => "mip".to_owned(),
            (Mode::Iso, ..) => "iso".to_owned(),
            (Mode::Labels, ..) => "labels".to_owned(),
        };
        let count = if self.pictures == 1 { String::new() } else { counted(self.pictures, "picture") + ", " };
        let mut text = format!(
            "{} → {}  {}, {mode}  {count}{}×{}  {}\n",
            printable(&self.input),
            printable(&self.output),
            shape(header),
            self.width,
            self.height,
            Bytes(self.file_bytes),
        );
        if has_statistics {
            let pictures = self.pictures as f64;
            text += &format!(
                "prepared in {:.2} s, rendered in {:.3} s per picture\n\
                 per picture: {:.1} million samples, {:.2} % of them with their voxels at hand\n\
                 per picture: {:.0} bricks read, {:.1} % of the volume's\n",
                self.prepare_seconds,
                self.render_seconds / pictures,
                self.samples as f64 / pictures / 1e6,
                100.0 * self.hit_rate,
                self.bricks_read as f64 / pictures,
                100.0 * self.volumes_decoded / pictures,
            );
        }
        text
    }
}
