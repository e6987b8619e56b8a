//! Report of `brickwork volume render`.

use crate::{
    commands::volume::{channels, input::shape},
    report::{Bytes, VolumeMode, VolumeRenderReport, counted, printable},
};
use brickwork_volume::Header;

/// Returns `report` in words, with the cost of rendering if requested.
pub fn text(report: &VolumeRenderReport, header: &Header, has_statistics: bool) -> String {
    let mode = match (report.mode, &report.transfer, report.iso) {
        (VolumeMode::Dvr, Some(transfer), _) => format!("dvr {}", printable(transfer)),
        (VolumeMode::Mip, Some(transfer), _) => format!("mip {}", printable(transfer)),
        (VolumeMode::Iso, _, Some(value)) => format!("iso {value}"),
        (VolumeMode::Dvr, ..) => "dvr".to_owned(),
        (VolumeMode::Mip, ..) => "mip".to_owned(),
        (VolumeMode::Iso, ..) => "iso".to_owned(),
        (VolumeMode::Labels, ..) => "labels".to_owned(),
    };
    let count = if report.pictures == 1 { String::new() } else { counted(report.pictures, "picture") + ", " };
    let one_of = |what: &str, index: usize, count: usize| {
        if count > 1 { format!(", {what} {index} of {count}") } else { String::new() }
    };
    let channels = match &report.added_channels[..] {
        [] => one_of("channel", report.channel, report.channels),
        added => format!(", {}", channels::text(added)),
    };
    let part = one_of("frame", report.frame, report.frames) + &channels;
    let mut text = format!(
        "{} → {}  {}{part}, {mode}  {count}{}×{}  {}\n",
        printable(&report.input),
        printable(&report.output),
        shape(header),
        report.width,
        report.height,
        Bytes(report.file_bytes),
    );
    if has_statistics {
        let pictures = report.pictures as f64;
        text += &format!(
            "prepared in {:.2} s, rendered in {:.3} s per picture\n\
             per picture: {:.1} million samples, {:.2} % of them with resident voxels\n\
             per picture: {:.0} bricks read, {:.1} % of the volume's\n",
            report.prepare_seconds,
            report.render_seconds / pictures,
            report.samples as f64 / pictures / 1e6,
            100.0 * report.hit_rate,
            report.bricks_read as f64 / pictures,
            100.0 * report.volumes_decoded / pictures,
        );
    }
    text
}
