//! Values of the measures of a comparison.

use super::{ImageComparison, Measure, MeasureLimit, Violation};
use brickwork_texture::metrics::{HdrMetrics, Metrics, NormalMetrics};

impl Measure {
    /// Returns the value, or `None` if it is not defined for the images or was not measured.
    pub fn value(self, comparison: &ImageComparison) -> Option<f64> {
        let (metrics, colors) = (comparison.metrics(), comparison.color_metrics());
        let (visible, hdr) = (comparison.visible_metrics(), comparison.hdr_metrics());
        match self {
            Self::Psnr => Some(comparison.psnr().decibels),
            Self::PsnrRgb => colors.map(Metrics::psnr_rgb),
            Self::PsnrRgba => Some(metrics.psnr_rgba()),
            Self::PsnrLuma => colors.map(Metrics::psnr_luma),
            Self::PsnrRed => colors.map(|colors| colors.psnr_channel(0)),
            Self::PsnrGreen => colors.map(|colors| colors.psnr_channel(1)),
            Self::PsnrBlue => colors.map(|colors| colors.psnr_channel(2)),
            Self::PsnrAlpha => Some(metrics.psnr_channel(3)),
            Self::PsnrVisible => visible.filter(|visible| visible.texel_count > 0).map(Metrics::psnr_rgb),
            Self::Ssim => metrics.ssim,
            Self::HalfPsnr => hdr.map(HdrMetrics::half_psnr),
            Self::MultiExposurePsnr => hdr.map(HdrMetrics::multi_exposure_psnr),
            Self::ReinhardPsnr => hdr.map(HdrMetrics::reinhard_psnr),
            Self::Flip => comparison.flip(),
            Self::MaxError => metrics.max_error.into_iter().max().map(f64::from),
            Self::Angle => comparison.normal_metrics().map(|normals: &NormalMetrics| normals.mean),
        }
    }

    /// Returns a number by which comparisons are sorted: it is larger if the difference is worse. A measure
    /// that is not defined counts as no difference.
    pub fn badness(self, comparison: &ImageComparison) -> f64 {
        match self.value(comparison) {
            Some(value) if self.is_error() => value,
            Some(value) => -value,
            None => f64::NEG_INFINITY,
        }
    }

    /// Returns the numbers of which the measure is, unless these are the colours of all texels.
    fn subject(self, comparison: &ImageComparison) -> Option<&'static str> {
        match self {
            Self::Psnr => comparison.psnr().subject,
            _ => (self.is_of_colors() && comparison.hides_colors()).then_some("visible texels"),
        }
    }
}

impl MeasureLimit {
    /// Returns the violation of the limit by a comparison, or `None` if its value passes.
    pub(super) fn violation_by(self, comparison: &ImageComparison) -> Option<Violation> {
        self.violation(self.measure.value(comparison), self.measure.subject(comparison))
    }
}
