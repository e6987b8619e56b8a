//! Measures of a comparison as text.

use crate::{
    commands::compare::{ImageComparison, Measure},
    report::{Decibels, counted},
};
use brickwork_texture::metrics::{HdrMetrics, Metrics, NormalMetrics};

/// Returns all measures of two images.
pub fn comparison_text(comparison: &ImageComparison) -> String {
    let metrics = comparison.metrics();
    let visible = comparison.visible_metrics();
    let visible = visible.map_or_else(String::new, |visible| visible_text(metrics, visible));
    let hdr = comparison.hdr_metrics();
    let looks_equal = metrics.max_error == [0; 4] && hdr.is_none_or(|hdr| hdr.max_steps == 0);
    let equal = match (comparison.is_equal(), looks_equal) {
        (true, _) => "every texel is equal\n",
        (false, true) if hdr.is_some() => "every texel is equal as half floats\n",
        (false, true) => "every texel is equal in 8 bits\n",
        (false, false) => "",
    };
    let flip = comparison.flip().map_or_else(String::new, |flip| format!("ꟻLIP      {flip:.5}\n"));
    let hdr = hdr.map_or_else(String::new, hdr_text);
    let normals = comparison.normal_metrics().map_or_else(String::new, normal_text);
    text(metrics) + &flip + &hdr + &normals + equal + &visible
}

/// Columns of [`row`].
const COLUMNS: [Measure; 9] = [
    Measure::PsnrRgb,
    Measure::PsnrRed,
    Measure::PsnrGreen,
    Measure::PsnrBlue,
    Measure::PsnrAlpha,
    Measure::Ssim,
    Measure::Flip,
    Measure::MaxError,
    Measure::Angle,
];

/// Returns the names of the columns, after a column of `width` characters.
pub fn heading(width: usize) -> String {
    let names = ["RGB dB", "R", "G", "B", "A", "SSIM", "ꟻLIP", "max", "angle"];
    let names: String = names.iter().map(|name| format!("{name:>8}")).collect();
    format!("{:width$}{names}\n", "")
}

/// Returns a line: `name` in a column of `width` characters, and the measures' [`cells`].
pub fn row(name: &str, width: usize, cells: &str) -> String {
    format!("{name:width$}{cells}\n")
}

/// Returns the main measures in columns. A measure that was not made is a dash.
pub fn cells(comparison: &ImageComparison) -> String {
    let cell = |measure: &Measure| match (measure, measure.value(comparison)) {
        (_, None) => "–".to_owned(),
        (_, Some(value)) if value.is_infinite() => "∞".to_owned(),
        (Measure::Ssim | Measure::Flip, Some(value)) => format!("{value:.4}"),
        (Measure::MaxError, Some(value)) => format!("{value:.0}"),
        (_, Some(value)) => format!("{value:.2}"),
    };
    COLUMNS.iter().map(|measure| format!("{:>8}", cell(measure))).collect()
}

/// Returns the measures as a small table.
fn text(metrics: &Metrics) -> String {
    let psnr = |value: f64| if value.is_infinite() { "∞".to_owned() } else { format!("{value:.2}") };
    let mse = |value: f64| if value < 1000.0 { format!("{value:.3}") } else { format!("{value:.1}") };
    let row = |name: &str, cells: [String; 7]| {
        let cells = cells.map(|cell| format!("{cell:>10}")).concat();
        format!("{name:<9}{cells}").trim_end().to_owned() + "\n"
    };
    let [r, g, b, a] = metrics.mse;
    let [max_r, max_g, max_b, max_a] = metrics.max_error.map(|error| error.to_string());
    let mut text = row("", ["RGB", "RGBA", "luma", "R", "G", "B", "A"].map(str::to_owned));
    text += &row(
        "PSNR dB",
        [
            metrics.psnr_rgb(),
            metrics.psnr_rgba(),
            metrics.psnr_luma(),
            metrics.psnr_channel(0),
            metrics.psnr_channel(1),
            metrics.psnr_channel(2),
            metrics.psnr_channel(3),
        ]
        .map(psnr),
    );
    text += &row("MSE", [metrics.mse_rgb(), metrics.mse_rgba(), metrics.mse_luma, r, g, b, a].map(mse));
    let none = String::new;
    text += &row("max error", [none(), none(), none(), max_r, max_g, max_b, max_a]);
    text += &match metrics.ssim {
        Some(ssim) => row("SSIM", [none(), none(), format!("{ssim:.5}"), none(), none(), none(), none()]),
        None => "SSIM      not defined: the images are less than 11 texels wide or high\n".to_owned(),
    };
    text
}

/// Returns the measures of half floats in two lines.
fn hdr_text(hdr: &HdrMetrics) -> String {
    let [half, exposures, reinhard] =
        [hdr.half_psnr(), hdr.multi_exposure_psnr(), hdr.reinhard_psnr()].map(Decibels);
    format!(
        "The measures above are of half floats clamped to 0 to 1, as 8 bits.\n\
         half floats  PSNR {half} of bit patterns · mPSNR {exposures} · Reinhard PSNR {reinhard} · \
         log2 RMSE {:.5} · at most {} steps\n",
        hdr.log2_rmse(),
        hdr.max_steps
    )
}

/// Returns the angles between normals in one line.
fn normal_text(normals: &NormalMetrics) -> String {
    let [median, p95, p99] = normals.percentiles;
    format!(
        "normals  {:.2}° mean · {median:.2}° median · {p95:.2}° at 95 % · {p99:.2}° at 99 % · \
         at most {:.2}°\n",
        normals.mean, normals.max
    )
}

/// Returns the measures over visible texels in one line.
fn visible_text(all: &Metrics, visible: &Metrics) -> String {
    let hidden = all.texel_count - visible.texel_count;
    let percent = hidden as f64 * 100.0 / all.texel_count as f64;
    let hidden = counted(hidden, "transparent texel");
    if visible.texel_count == 0 {
        return format!("visible  no texel; {hidden}\n");
    }
    format!("visible  PSNR {} RGB, without {hidden} ({percent:.1} %)\n", Decibels(visible.psnr_rgb()))
}
