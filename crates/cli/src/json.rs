//! The shapes of `--json`, as docs/json.md has them.

use crate::{failure::Failure, jobs::Summary, output};
use brickwork_texture::metrics::Metrics;
use serde::Serialize;

/// What a command that takes many files prints.
#[derive(Serialize)]
pub struct Report<T> {
    /// The command.
    pub command: &'static str,
    /// One entry per file, in the order of the command line.
    pub files: Vec<Entry<T>>,
    /// Of several files that were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
}

/// A file's result, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Entry<T> {
    /// The result.
    Done(T),
    /// What went wrong.
    Failed {
        /// The reason.
        error: Error,
    },
}

/// A failure.
#[derive(Serialize)]
pub struct Error {
    exit_code: u8,
    message: String,
}

impl<T> Entry<T> {
    /// The entry for a result.
    pub fn of(result: Result<T, Failure>) -> Self {
        match result {
            Ok(done) => Self::Done(done),
            Err(failure) => {
                let error = Error { exit_code: failure.exit as u8, message: failure.to_string() };
                Self::Failed { error }
            }
        }
    }
}

/// A number for each channel and for the usual combinations of channels.
#[derive(Serialize)]
pub struct PerChannel {
    r: Option<f64>,
    g: Option<f64>,
    b: Option<f64>,
    a: Option<f64>,
    rgb: Option<f64>,
    rgba: Option<f64>,
    luma: Option<f64>,
}

/// A number for each channel.
#[derive(Serialize)]
pub struct Channels {
    r: u8,
    g: u8,
    b: u8,
    a: u8,
}

/// [`Metrics`], with `null` for an infinite PSNR.
#[derive(Serialize)]
pub struct MetricsReport {
    equal: bool,
    texel_count: u64,
    mse: PerChannel,
    psnr: PerChannel,
    max_error: Channels,
    ssim: Option<f64>,
}

impl MetricsReport {
    /// The report of `metrics`.
    pub fn of(metrics: &Metrics) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        let [r, g, b, a] = metrics.mse;
        let psnr = |channel| finite(metrics.psnr_channel(channel));
        Self {
            equal: metrics.max_error == [0; 4],
            texel_count: metrics.texel_count,
            mse: PerChannel {
                r: finite(r),
                g: finite(g),
                b: finite(b),
                a: finite(a),
                rgb: finite(metrics.mse_rgb()),
                rgba: finite(metrics.mse_rgba()),
                luma: finite(metrics.mse_luma),
            },
            psnr: PerChannel {
                r: psnr(0),
                g: psnr(1),
                b: psnr(2),
                a: psnr(3),
                rgb: finite(metrics.psnr_rgb()),
                rgba: finite(metrics.psnr_rgba()),
                luma: finite(metrics.psnr_luma()),
            },
            max_error: {
                let [r, g, b, a] = metrics.max_error;
                Channels { r, g, b, a }
            },
            ssim: metrics.ssim,
        }
    }
}

/// Prints `value` as indented JSON.
///
/// # Errors
/// [`Failure`] if the system does not take it.
pub fn print(value: &impl Serialize, to_stderr: bool) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(crate::exit::Exit::Runtime, format!("JSON: {error}")))?;
    output::print(&(text + "\n"), to_stderr)
}
