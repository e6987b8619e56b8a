//! The report on an encoded picture.

use super::plan::Plan;
use crate::{
    jobs::Outcome,
    report::{Bytes, Decibels, Ratio, counted, printable},
};
use brickwork_texture::{AlphaMode, ChannelWeights, CpuEncoder, bc::bc1::Method, metrics::Metrics};
use brickwork_toolkit::device::Device;
use brickwork_toolkit::report::{MetricsReport, TextureEncodeReport, alpha_mode_name, color_space_name};
use std::time::Duration;

/// What was measured while encoding.
pub struct Measured {
    /// Of encoding all mip levels and generating those below the first.
    pub encode_time: Duration,
    /// That encoded.
    pub device: Device,
    /// Of mip level 0.
    pub metrics: Option<Metrics>,
    /// Of the texels that the alpha threshold leaves opaque, where it makes others transparent.
    pub visible_metrics: Option<Metrics>,
}

/// What became of one picture.
pub struct Encoded {
    pub input: String,
    pub output: String,
    pub plan: Plan,
    pub file_bytes: u64,
    pub measured: Measured,
    pub notes: Vec<String>,
}

fn simd_name() -> String {
    format!("{:?}", CpuEncoder::new().simd_level()).to_lowercase()
}

impl Encoded {
    /// Of all mip levels.
    fn megapixels_per_second(&self) -> f64 {
        let texels = self.plan.desc.texel_count() as f64;
        texels / 1e6 / self.measured.encode_time.as_secs_f64().max(1e-9)
    }
}

impl Outcome for Encoded {
    type Report = TextureEncodeReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.plan.texel_bytes, self.file_bytes]
    }

    /// The report in two lines.
    fn text(&self) -> String {
        let Self { plan, measured, .. } = self;
        let Plan { options, desc, .. } = plan;
        let (input, output) = (printable(&self.input), printable(&self.output));
        let (width, height) = (desc.width, desc.height);
        let levels = match desc.mip_levels {
            1 => String::new(),
            levels => format!(" in {levels} levels"),
        };
        let auto =
            plan.format_reason.as_ref().map_or_else(String::new, |reason| format!(" (auto: {reason})"));
        let first = format!(
            "{input} → {output}  {width}×{height}{levels}  {}{auto} {} ({})  {} → {} ({})",
            desc.format,
            color_space_name(desc.color_space),
            plan.color_space_reason,
            Bytes(plan.texel_bytes),
            Bytes(self.file_bytes),
            Ratio(plan.texel_bytes, self.file_bytes),
        );
        let mut second = Vec::new();
        let decoder = options.rounding_rule().name();
        match (&measured.metrics, &measured.visible_metrics) {
            (Some(_), Some(visible)) if visible.texel_count == 0 => {
                second.push("every texel is transparent".to_owned());
            }
            (Some(all), Some(visible)) => {
                let psnr = Decibels(visible.psnr_rgb());
                let count = plan.texel_count() - visible.texel_count;
                let percent = count as f64 * 100.0 / plan.texel_count() as f64;
                second.push(format!("PSNR {psnr} RGB of visible texels ({decoder} decoder)"));
                second.push(format!("{} transparent ({percent:.1} %)", counted(count, "texel")));
                second.push(format!("alpha {}", Decibels(all.psnr_channel(3))));
            }
            (Some(all), None) => {
                let format = desc.format;
                let colors = &format.channels()[..format.channels().len().min(3)];
                second
                    .push(format!("PSNR {} {colors} ({decoder} decoder)", Decibels(all.psnr_colors(format))));
                if desc.alpha_mode != AlphaMode::Opaque {
                    second.push(format!("alpha {}", Decibels(all.psnr_channel(3))));
                }
            }
            (None, _) => {}
        }
        if plan.is_alpha_dropped {
            second.push("alpha dropped".to_owned());
        }
        second.push(format!("{:.1} Mpix/s", self.megapixels_per_second()));
        second.push(match options.bc7().real_time() {
            Some(level) => format!("real time, level {}", level.name()),
            None => options.quality().name().to_owned(),
        });
        if options.bc1().method() != Method::Auto {
            second.push(options.bc1().method().name().to_owned());
        }
        if options.weights() == ChannelWeights::LUMA {
            second.push("luma weights".to_owned());
        } else if options.weights() != ChannelWeights::UNIFORM {
            let [red, green, blue] = options.weights().rgb();
            second.push(format!("weights {red},{green},{blue}"));
        }
        if !options.rdo().is_off() {
            second.push(format!("RDO λ {}", options.rdo()));
        }
        if options.weigh_by_alpha() {
            second.push("weighed by alpha".to_owned());
        }
        match measured.device.adapter() {
            Some(adapter) => second.push(format!("GPU {adapter}")),
            None => {
                second.push(format!("CPU {}", simd_name()));
                second.push(counted(rayon::current_num_threads(), "thread"));
            }
        }
        format!("{first}\n  {}\n", second.join(" · "))
    }

    fn into_report(self) -> TextureEncodeReport {
        let megapixels_per_second = self.megapixels_per_second();
        let Self { plan, measured, .. } = self;
        let texel_count = plan.texel_count();
        let Plan { options, desc, .. } = plan;
        TextureEncodeReport {
            input: self.input,
            output: self.output,
            container: plan.container.extension(),
            format: desc.format.name(),
            format_reason: plan.format_reason,
            width: desc.width,
            height: desc.height,
            levels: desc.mip_levels,
            color_space: color_space_name(desc.color_space),
            color_space_reason: plan.color_space_reason,
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            transparent_texels: measured.visible_metrics.as_ref().map(|m| texel_count - m.texel_count),
            texel_bytes: plan.texel_bytes,
            data_bytes: desc.data_bytes(),
            file_bytes: self.file_bytes,
            quality: options.quality().name(),
            real_time: options.bc7().real_time().map(|level| level as u8 + 1),
            method: options.bc1().method().name(),
            decoder: options.rounding_rule().name(),
            weights: options.weights().rgb(),
            rdo: options.rdo().get(),
            weigh_by_alpha: options.weigh_by_alpha(),
            device: measured.device.kind(),
            adapter: measured.device.adapter().map(str::to_owned),
            simd: simd_name(),
            threads: rayon::current_num_threads(),
            encode_seconds: measured.encode_time.as_secs_f64(),
            megapixels_per_second,
            metrics: measured.metrics.as_ref().map(MetricsReport::new),
            visible_metrics: measured.visible_metrics.as_ref().map(MetricsReport::new),
        }
    }
}
