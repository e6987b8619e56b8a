//! The report as a page: one HTML file without other files.

use super::AuditOptions;
use crate::{
    commands::report::html::{SORT, STYLE, TABLE, THEME, below, escaped, filled},
    report::{AuditAdvice, AuditReport, AuditTrial, AuditedFile, Bytes, FileEntry, counted},
};
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");

/// Bytes of thumbnails above which the remaining files, which save the least, have none.
const MAX_THUMBNAIL_BYTES: usize = 32 << 20;

/// Returns the page. `title` names the folders, `folder` is the only one or empty, and `command` is the
/// command line that the page shows. Paths are those below the folder.
pub fn audit_page(report: &AuditReport, title: &str, folder: &str, command: Option<&str>) -> String {
    filled(PAGE, |name| match name {
        "title" => escaped(&format!("Audit of {title}")),
        "css" => format!("{STYLE}{TABLE}{CSS}"),
        "js" => format!("{THEME}{SORT}"),
        "lead" => escaped(&lead(report)),
        "totals" => totals(report),
        "files" => files(report, folder),
        "failures" => failures(report),
        "models" => models(report, folder),
        "method" => method(report),
        "command" => command.map_or_else(String::new, |command| {
            let command = escaped(command);
            format!(
                "  <section>\n    <h2>Command</h2>\n    <pre><code>{command}</code></pre>\n  </section>\n"
            )
        }),
        "version" => env!("CARGO_PKG_VERSION").to_owned(),
        _ => String::new(),
    })
}

fn lead(report: &AuditReport) -> String {
    let totals = &report.totals;
    let mut parts = vec![
        format!("{}, {} on disk", counted(totals.files, "texture"), Bytes(totals.file_bytes)),
        format!("{} to compress", totals.compress),
        format!("{} to leave alone", totals.keep),
    ];
    if totals.failed > 0 {
        parts.push(format!("{} refused", totals.failed));
    }
    if totals.findings > 0 {
        parts.push(counted(totals.findings, "finding"));
    }
    parts.join(" · ")
}

fn totals(report: &AuditReport) -> String {
    let totals = &report.totals;
    let share = |bytes: u64| 100.0 * bytes as f64 / totals.memory_bytes.max(1) as f64;
    let [memory, advised, saved] = [totals.memory_bytes, totals.advised_bytes, totals.saved_bytes].map(Bytes);
    format!(
        "  <dl class=\"totals\">\n    <div><dt>GPU memory today</dt><dd>{memory}</dd></div>\n    \
         <div><dt>As advised</dt><dd>{advised}</dd></div>\n    \
         <div><dt>Saved</dt><dd>{saved} <small>{:.0} %</small></dd></div>\n  </dl>\n  \
         <div class=\"share\" aria-hidden=\"true\"><i style=\"width: {:.1}%\"></i></div>\n",
        share(totals.saved_bytes),
        share(totals.advised_bytes),
    )
}

fn files(report: &AuditReport, folder: &str) -> String {
    let mut bytes = 0;
    let rows: String = report
        .files
        .iter()
        .filter_map(FileEntry::done)
        .map(|file| {
            bytes += file.thumbnail.len();
            let thumbnail = if bytes <= MAX_THUMBNAIL_BYTES { file.thumbnail.as_str() } else { "" };
            row(file, folder, report.min_psnr, thumbnail)
        })
        .collect();
    let pictured = if bytes > 0 { " pictured" } else { "" };
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "  <section aria-labelledby=\"files-title\">\n    <h2 id=\"files-title\">Textures</h2>\n    \
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"files-title\">\n\
         <table class=\"files{pictured}\">\n<thead><tr><th scope=\"col\">File</th>\
         <th scope=\"col\" class=\"text\">Today</th>\
         <th scope=\"col\">Memory</th><th scope=\"col\" class=\"text\">Advice</th><th scope=\"col\">Then</th>\
         <th scope=\"col\" aria-sort=\"descending\">Saved</th><th scope=\"col\">PSNR</th>\
         <th scope=\"col\" class=\"text\">Reason</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n    \
         </div>\n  </section>\n"
    )
}

fn row(file: &AuditedFile, folder: &str, min_psnr: f64, thumbnail: &str) -> String {
    let is_kept = file.advice == AuditAdvice::Keep;
    let class = if is_kept { " class=\"keep\"" } else { "" };
    let format = file.trial.as_ref().filter(|_| !is_kept).map_or("leave alone", |trial| trial.format);
    let [memory, then, saved] = [file.memory_bytes, file.advised_bytes, file.saved_bytes];
    let saved_cell = if is_kept { "–".to_owned() } else { Bytes(saved).to_string() };
    // A row without a number is last in any order.
    let (psnr, decibels) = file.trial.as_ref().map(loss).unwrap_or_default();
    let empty = if psnr.is_empty() { " class=\"empty\"" } else { "" };
    let (same, saved_class) = if is_kept { (" class=\"empty\"", "saved empty") } else { ("", "saved") };
    let mut html =
        format!("<tr{class}><th scope=\"row\"><bdi>{}</bdi>", escaped(below(&file.name(), folder)));
    let kind = file.kind.map_or_else(String::new, |kind| format!(" data-filter=\"{}\"", kind.name()));
    for (index, text) in details(file, folder).iter().enumerate() {
        let kind = if index == 0 { kind.as_str() } else { "" };
        html += &format!("<small{kind}>{}</small>", escaped(text));
    }
    if let Some(trial) = &file.trial {
        let passes = trial.psnr.is_none_or(|psnr| psnr >= min_psnr);
        html += &match passes {
            true => "<small class=\"pass\" data-filter=\"pass\">pass</small>".to_owned(),
            false => format!("<small class=\"fail\" data-filter=\"fail\">fail: below {min_psnr} dB</small>"),
        };
    }
    html += thumbnail;
    let _ = writeln!(
        html,
        "</th><td class=\"text\" data-label=\"Today\"><span>{} {}<small>{}</small></span></td>\
         <td data-label=\"Memory\" data-value=\"{memory}\"><span>{}</span></td>\
         <td class=\"text\" data-label=\"Advice\"><span>{}</span></td>\
         <td{same} data-label=\"Then\" data-value=\"{then}\"><span>{}</span></td>\
         <td class=\"{saved_class}\" data-label=\"Saved\" data-value=\"{saved}\">\
         <span>{saved_cell}</span></td>\
         <td{empty} data-label=\"PSNR\" data-value=\"{decibels}\"><span>{psnr}</span></td>\
         <td class=\"text\" data-label=\"Reason\"><span>{}</span></td></tr>",
        escaped(&file.file_format),
        escaped(&file.format),
        Bytes(file.file_bytes),
        Bytes(memory),
        escaped(format),
        Bytes(then),
        escaped(&file.reason),
    );
    html
}

/// Returns the lines below a file's name.
fn details(file: &AuditedFile, folder: &str) -> Vec<String> {
    let mut shape = format!("{}×{}", file.width, file.height);
    if file.images > 1 {
        shape += &format!(" × {}", file.images);
    }
    let levels = counted(file.levels, "mip level");
    let kind = file.kind.map_or_else(String::new, |kind| format!(" · {}", kind.name()));
    let mut lines = vec![format!("{shape} · {levels}{kind}")];
    for used_by in file.used_by.iter().filter(|used_by| !used_by.textures.is_empty()) {
        lines.push(format!("{}: {}", below(&used_by.model, folder), used_by.textures.join(", ")));
    }
    if !file.multiple_of_4 && file.advice == AuditAdvice::Compress {
        lines.push("Direct3D needs sides that are multiples of 4".to_owned());
    }
    lines.extend(file.notes.iter().cloned());
    lines
}

/// Returns the measured loss as HTML, and the number by which it is sorted.
fn loss(trial: &AuditTrial) -> (String, String) {
    let psnr = trial.psnr.unwrap_or(f64::INFINITY);
    let mut html = if psnr.is_finite() { format!("{psnr:.1} dB") } else { "equal".to_owned() };
    if trial.measure != "psnr" {
        html += "<small>mPSNR</small>";
    }
    if trial.sampled {
        html += "<small>of a sample</small>";
    }
    let number = if psnr.is_finite() { psnr } else { f64::MAX };
    (html, number.to_string())
}

fn failures(report: &AuditReport) -> String {
    let of_models = report.models.iter().filter_map(FileEntry::error);
    let errors = report.files.iter().filter_map(FileEntry::error).chain(of_models);
    list("Refused", errors.map(|error| error.message.clone()))
}

fn models(report: &AuditReport, folder: &str) -> String {
    let findings = report.models.iter().filter_map(FileEntry::done).flat_map(|model| {
        model
            .findings
            .iter()
            .map(move |finding| format!("{}, {}", below(&model.file, folder), finding.message))
    });
    list("Findings in glTF files", findings)
}

/// Returns a section with a list, or nothing if the list is empty.
fn list(title: &str, items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("<li>{}</li>\n", escaped(&item))).collect();
    if items.is_empty() {
        return items;
    }
    format!("  <section>\n    <h2>{title}</h2>\n    <ul class=\"notes\">\n{items}</ul>\n  </section>\n")
}

fn method(report: &AuditReport) -> String {
    let quality = AuditOptions::QUALITY.name();
    let lines = [
        "An image counts as an uncompressed texture with all mip levels: 4 bytes per texel, 1 if it is \
         grey, twice as many for 16 bits per channel. DDS and KTX2 files count as they are."
            .to_owned(),
        format!(
            "Mip level 0 is encoded with the quality {quality}; a higher one loses less. PSNR is that of the \
             stored channels, or of alpha if it is lower; for HDR it is the mPSNR. Above 4 million texels, a \
             sample of tiles is encoded."
        ),
        format!(
            "Block formats are those of the family {}. Below {} dB, an image is left alone.",
            report.family, report.min_psnr
        ),
        "Thumbnails show two channels of normals with z restored, packed data by channel, and HDR after a \
         tone map."
            .to_owned(),
    ];
    let thumbnails = report.files.iter().filter_map(FileEntry::done).map(|file| file.thumbnail.len());
    let is_limited = thumbnails.sum::<usize>() > MAX_THUMBNAIL_BYTES;
    let limited = "To limit the page's size, files with the smallest savings have no thumbnail.".to_owned();
    lines
        .iter()
        .chain(is_limited.then_some(&limited))
        .map(|line| format!("      <li>{}</li>\n", escaped(line)))
        .collect()
}
