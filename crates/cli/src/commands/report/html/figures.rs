//! Table of figures of a page.

use super::{entry::Entry, escaped};
use brickwork_base::ByteCount;
use brickwork_texture::metrics::Metrics;
use std::fmt::Write as _;

/// Length in bytes from which a value may be broken into lines.
const LONG: usize = 30;

/// Returns the table: a column for each texture. Rows without a number are left out.
pub(super) fn table(entries: &[Entry], name: impl Fn(&Entry) -> &str) -> String {
    let mut html = "<table class=\"figures\">\n<thead><tr><td></td>".to_owned();
    for entry in entries {
        let _ = write!(html, "<th scope=\"col\"><bdi>{}</bdi></th>", escaped(name(entry)));
    }
    html += "</tr></thead>\n<tbody>\n";
    let columns: Vec<_> = entries.iter().map(cells).collect();
    for (row, (label, _)) in columns.first().into_iter().flatten().enumerate() {
        let values: Vec<_> = columns.iter().map(|column| column[row].1.as_deref()).collect();
        if values.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(html, "<tr><th scope=\"row\">{label}</th>");
        for value in values {
            let value = value.unwrap_or("–");
            let class = if value.len() > LONG { " class=\"long\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escaped(value));
        }
        html += "</tr>\n";
    }
    html + "</tbody></table>\n"
}

/// Returns the rows of a texture: their labels, which are the same for every texture, and their values.
fn cells(entry: &Entry) -> Vec<(&'static str, Option<String>)> {
    let (image, metrics) = (&entry.image, &entry.metrics);
    let channel_count = entry.channel_count;
    let psnr = |channel: usize| {
        let has_channel = channel < channel_count && !(channel == 3 && is_opaque(entry));
        has_channel.then(|| decibels(metrics.psnr_channel(channel)))
    };
    let colors = match channel_count {
        1 => None,
        // Blue counts as the mean of red and green.
        _ => Some(decibels(metrics.psnr_rgb())),
    };
    let rgba = (channel_count == 4 && !is_opaque(entry)).then(|| decibels(metrics.psnr_rgba()));
    let max_error = metrics.max_error[..channel_count].iter().map(u8::to_string).collect::<Vec<_>>();
    let visible = entry.visible_metrics.as_ref().filter(|visible| visible.texel_count > 0);
    let blocks = entry.blocks.as_ref();
    let bits_in_file = blocks.zip(entry.file_bytes).map(|(blocks, bytes)| {
        let bits = bytes as f64 * 8.0 / blocks.texel_count.max(1) as f64;
        format!("{bits:.2}")
    });
    let levels = match blocks.map_or(1, |blocks| blocks.mip_levels) {
        1 => String::new(),
        count => format!(", {count} mip levels"),
    };
    let encoding = entry.encoding.as_ref();
    let (hdr, normals) = (entry.hdr_metrics.as_ref(), entry.normal_metrics.as_ref());
    vec![
        ("Format", Some(image.format.clone())),
        ("Container", entry.container.clone()),
        ("Size", Some(format!("{}×{}{levels}", image.width, image.height))),
        ("File", entry.file_bytes.map(|bytes| ByteCount(bytes).to_string())),
        ("Blocks, all levels", blocks.map(|blocks| ByteCount(blocks.data_bytes).to_string())),
        ("Bits per texel", blocks.map(|blocks| format!("{}", blocks.bits_per_texel))),
        ("Bits per texel in the file", bits_in_file),
        ("Blocks by mode", entry.modes.as_ref().map(|modes| modes.shares.clone())),
        ("PSNR, RGB", colors),
        ("PSNR, red", psnr(0)),
        ("PSNR, green", psnr(1)),
        ("PSNR, blue", psnr(2)),
        ("PSNR, alpha", psnr(3)),
        ("PSNR, RGBA", rgba),
        ("PSNR, RGB of visible texels", visible.map(|visible| decibels(Metrics::psnr_rgb(visible)))),
        ("SSIM", metrics.ssim.map(|ssim| format!("{ssim:.4}"))),
        ("Largest error, by channel", Some(max_error.join(", "))),
        ("PSNR of half floats", hdr.map(|hdr| optional_decibels(hdr.half_psnr))),
        ("mPSNR", hdr.map(|hdr| optional_decibels(hdr.mpsnr))),
        ("log2 RMSE", hdr.map(|hdr| format!("{:.5}", hdr.log2_rmse))),
        ("Angle, mean", normals.map(|normals| format!("{:.2}°", normals.mean_degrees))),
        ("Angle of 99 %", normals.map(|normals| format!("{:.2}°", normals.p99_degrees))),
        ("Largest angle", normals.map(|normals| format!("{:.2}°", normals.max_degrees))),
        ("Limits", entry.verdict.text()),
        ("Encoder", encoding.map(|record| record.settings.clone())),
        ("Encoding time", encoding.map(|record| format!("{:.3} s", record.seconds))),
        ("Device", encoding.map(|record| record.device.clone())),
    ]
}

/// True if both images are opaque, so that the error of alpha has no meaning.
fn is_opaque(entry: &Entry) -> bool {
    entry.metrics.mse[3] == 0.0 && entry.texels.texels.iter().all(|texel| texel[3] == 255)
}

/// Returns the PSNR of a texture in a few words: that of colours, and that of alpha unless both images are
/// opaque.
pub(super) fn summary(entry: &Entry) -> String {
    let metrics = &entry.metrics;
    if entry.metrics_report.equal {
        return "equal".to_owned();
    }
    let colors = decibels(metrics.psnr_rgb());
    match entry.channel_count == 4 && !is_opaque(entry) {
        true => format!("RGB {colors}, alpha {}", decibels(metrics.psnr_channel(3))),
        false => colors,
    }
}

/// Returns a PSNR for people.
pub(super) fn decibels(value: f64) -> String {
    if value.is_infinite() { "equal".to_owned() } else { format!("{value:.2} dB") }
}

fn optional_decibels(value: Option<f64>) -> String {
    decibels(value.unwrap_or(f64::INFINITY))
}
