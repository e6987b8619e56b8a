//! Report on an encoded picture.

use super::target;
use crate::{
    batch::Kept,
    commands::encode::TextureFile,
    jobs::Outcome,
    report::{Bytes, Decibels, Ratio, TextureEncodeReport, counted, printable, settings_in_words},
};
use brickwork_texture::{AlphaMode, ColorSpace, MipWrap, mips::MipOptions};
use brickwork_toolkit::{
    report::color_space_name,
    texture::{ColorSpaceReason, TextureNote, TexturePlan, simd_name},
};

/// Returns the reason for a texture's colour space, which is the option if one chose it.
pub fn color_space_reason(plan: &TexturePlan) -> String {
    match (&plan.color_space_reason, plan.desc.color_space) {
        (ColorSpaceReason::Chosen, ColorSpace::Srgb) => "--srgb".to_owned(),
        (ColorSpaceReason::Chosen, _) if plan.options.alpha_is_data => "--data".to_owned(),
        (ColorSpaceReason::Chosen, _) => "--linear".to_owned(),
        (reason, _) => reason.to_string(),
    }
}

/// Texture of one picture, and its notes.
#[derive(Clone)]
pub struct Encoded {
    pub file: TextureFile,
    /// Reason for the texture's colour space.
    pub color_space_reason: String,
    pub notes: Vec<String>,
}

impl Outcome for Encoded {
    type Report = TextureEncodeReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn note_kinds(&self) -> Vec<&'static str> {
        self.file.notes.iter().map(TextureNote::kind).collect()
    }

    fn kept(&self) -> Option<Kept> {
        let kinds = self.note_kinds().into_iter().map(str::to_owned);
        let notes = kinds.zip(self.notes.iter().cloned()).collect();
        let report = serde_json::to_value(self.clone().into_report()).ok()?;
        Some(Kept { notes, report })
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.file.plan.texel_bytes, self.file.file_bytes]
    }

    /// Returns the report in two lines.
    fn text(&self) -> String {
        let TextureFile { plan, measured, file_bytes, .. } = &self.file;
        let TexturePlan { options, desc, .. } = plan;
        let (input, output) = (printable(&self.file.input), printable(&self.file.output));
        let first = format!(
            "{input} → {output}  {}  {} of texels → {} ({})",
            decisions_text(plan, &self.color_space_reason),
            Bytes(plan.texel_bytes),
            Bytes(*file_bytes),
            Ratio(plan.texel_bytes, *file_bytes),
        );
        let mut second = Vec::new();
        let decoder = options.rounding_rule.for_format(desc.format).name();
        let is_plain = desc.format.plain().is_some();
        // Nothing decodes plain texels.
        let decoder = if is_plain { String::new() } else { format!(" ({decoder} decoder)") };
        let is_opaque = desc.alpha_mode == AlphaMode::Opaque;
        match (&measured.metrics, &measured.visible_metrics) {
            (Some(_), _) if measured.is_equal(plan) => second.push("every texel is equal".to_owned()),
            (Some(_), Some(visible)) if visible.texel_count == 0 => {
                second.push("every texel is transparent".to_owned());
            }
            (Some(all), Some(visible)) => {
                let psnr = Decibels(visible.psnr_rgb());
                let count = plan.texel_count() - visible.texel_count;
                let percent = count as f64 * 100.0 / plan.texel_count() as f64;
                second.push(format!("PSNR {psnr} RGB of visible texels{decoder}"));
                second.push(format!("{} transparent ({percent:.1} %)", counted(count, "texel")));
                second.push(format!("alpha {}", Decibels(all.psnr_channel(3))));
            }
            (Some(all), None) => {
                let format = desc.format;
                let colors = &format.channels()[..format.channels().len().min(3)];
                second.push(format!("PSNR {} {colors}{decoder}", Decibels(all.psnr_colors(format))));
                if !is_opaque {
                    second.push(format!("alpha {}", Decibels(all.psnr_channel(3))));
                }
            }
            (None, _) => {}
        }
        if let Some(hdr) = &measured.hdr_metrics {
            second.push(format!("half floats PSNR {}", Decibels(hdr.half_psnr())));
            second.push(format!("log2 RMSE {:.5}", hdr.log2_rmse()));
        }
        let [of_pictures, of_blocks] =
            settings_in_words(&self.file.used_options()).map(|texts| texts.join(" · "));
        second.extend(Some(printable(&of_pictures)).filter(|text| !text.is_empty()));
        if plan.is_alpha_dropped {
            second.push("alpha dropped".to_owned());
        }
        second.push(format!("{:.1} Mpix/s", self.file.megapixels_per_second()));
        second.extend(Some(of_blocks).filter(|text| !text.is_empty()));
        second.extend(self.file.rdo_search.as_ref().map(target::text));
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
        let color_space_reason = self.color_space_reason;
        TextureEncodeReport { color_space_reason, ..self.file.into_report(rayon::current_num_threads()) }
    }
}

/// Returns size, mip levels, format and colour space, with the reasons.
pub fn decisions_text(plan: &TexturePlan, color_space_reason: &str) -> String {
    let desc = &plan.desc;
    let resized = plan.resized_from.map_or_else(String::new, |[x, y]| format!(" (from {x}×{y})"));
    let levels = match (desc.mip_levels, &plan.mips) {
        (1, _) => String::new(),
        (levels, None) => format!(" in {levels} levels"),
        (levels, Some(mips)) => format!(" in {levels} levels ({})", mip_text(mips)),
    };
    let auto = plan.format_reason.as_ref().map_or_else(String::new, |reason| format!(" (auto: {reason})"));
    let color_space = color_space_name(desc.color_space);
    let (width, height, format) = (desc.width, desc.height, desc.format);
    format!("{width}×{height}{resized}{levels}  {format}{auto} {color_space} ({color_space_reason})")
}

/// Returns the filter of mip levels, and the texels past the edges unless they are clamped.
fn mip_text(mips: &MipOptions) -> String {
    let [x, y] = mips.wrap.map(MipWrap::name);
    let filter = mips.filter_name();
    match mips.wrap {
        [MipWrap::Clamp, MipWrap::Clamp] => filter.to_owned(),
        [of_x, of_y] if of_x == of_y => format!("{filter}, {x}"),
        _ => format!("{filter}, {x},{y}"),
    }
}
