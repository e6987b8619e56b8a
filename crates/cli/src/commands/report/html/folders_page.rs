//! The page of two folders: a table of all pairs, and a section for each.

use super::{
    HtmlReportOptions, SORT, STYLE, TABLE, THEME,
    comparison::{Comparison, below},
    escaped,
    figures::decibels,
    filled,
    page::{command, heat, heat_ends, list, list_items},
    verdict::{self, Verdict},
};
use crate::{
    commands::compare::ComparedPsnr,
    folder_pairs::FolderPairs,
    report::{Bytes, FileError, HtmlReportPair, counted},
};
use brickwork_base::{ByteCount, Task};
use brickwork_image::image_file::ImageWriteError;
use brickwork_toolkit::report::path_text;
use std::fmt::Write as _;

const PAGE: &str = include_str!("folders.html");
const PAGE_CSS: &str = include_str!("page.css");
const CSS: &str = include_str!("folders.css");
const JS: &str = include_str!("page.js");

/// Contents of a page.
pub(super) struct FoldersPage<'a> {
    pub found: &'a FolderPairs,
    /// The pairs, the worst one first.
    pub rows: &'a [Row],
    pub failures: &'a [FileError],
    /// Notes about the page. Those of a pair are in its section, or below these if it has none.
    pub notes: &'a [String],
    /// Sections of the pairs with pictures, as HTML.
    pub sections: &'a str,
    pub options: &'a HtmlReportOptions,
}

/// A row of the table.
#[derive(Clone)]
pub(super) struct Row {
    /// Number of the pair's section.
    pub section: usize,
    pub pair: HtmlReportPair,
    pub psnr: ComparedPsnr,
    pub verdict: Verdict,
    /// Thumbnail of the original as HTML; empty if there is no space.
    pub thumbnail: String,
}

/// Columns that some tables lack.
#[derive(Clone, Copy)]
struct Columns {
    has_mpsnr: bool,
    has_angle: bool,
}

impl FoldersPage<'_> {
    /// Returns the page.
    pub fn html(&self) -> String {
        let [a, b] = self.found.folders.each_ref().map(|folder| path_text(folder));
        let failures: Vec<_> = self.failures.iter().map(|error| error.message.clone()).collect();
        filled(PAGE, |name| match name {
            "title" => escaped(&format!("{a} and {b}")),
            "css" => format!("{STYLE}{TABLE}{PAGE_CSS}{CSS}"),
            "js" => format!("{THEME}{SORT}{JS}"),
            "heat" => heat(),
            "heat_ends" => heat_ends(),
            "heading" => format!("<bdi>{}</bdi> and <bdi>{}</bdi>", escaped(&a), escaped(&b)),
            "lead" => escaped(&self.lead()),
            "pairs" => self.table(),
            "failures" => list("Refused", &failures),
            "not_compared" => list("Not compared", &self.not_compared()),
            "notes" => list("Notes", &self.notes()),
            "sections" => self.sections.to_owned(),
            "command" => command(self.options.command.as_deref()),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            _ => String::new(),
        })
    }

    fn lead(&self) -> String {
        let mut parts = vec![counted(self.rows.len(), "pair")];
        if !self.failures.is_empty() {
            parts.push(format!("{} refused", self.failures.len()));
        }
        parts.extend(verdict::counts(self.rows.iter().map(|row| row.verdict.passes())));
        let unpaired: usize = self.found.unpaired.iter().map(Vec::len).sum();
        if unpaired > 0 {
            parts.push(format!("{} without a partner", counted(unpaired, "file")));
        }
        let without = self.rows.iter().filter(|row| row.pair.reduction.is_none()).count();
        let mut lead = parts.join(" · ");
        if without > 0 {
            let limit = ByteCount(self.options.max_page_bytes);
            lead += &format!(
                ". To limit the page's size to {limit}, {} with the smallest errors {} no pictures.",
                counted(without, "pair"),
                if without == 1 { "has" } else { "have" },
            );
        }
        lead
    }

    fn notes(&self) -> Vec<String> {
        let without = self.rows.iter().filter(|row| row.pair.reduction.is_none());
        self.notes.iter().chain(without.flat_map(|row| &row.pair.notes)).cloned().collect()
    }

    fn not_compared(&self) -> Vec<String> {
        self.found.not_compared().iter().map(|item| format!("{}: {item}", item.subject())).collect()
    }

    fn table(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let columns = Columns {
            has_mpsnr: self.rows.iter().any(|row| row.pair.texture.hdr_metrics.is_some()),
            has_angle: self.rows.iter().any(|row| row.pair.texture.normal_metrics.is_some()),
        };
        let heading = |name: &str, attribute: &str| format!("<th scope=\"col\"{attribute}>{name}</th>");
        let mut headings =
            heading("Pair", "") + &heading("Format", " class=\"text\"") + &heading("Memory", "");
        headings += &heading("PSNR", " aria-sort=\"ascending\"");
        if columns.has_mpsnr {
            headings += &heading("mPSNR", "");
        }
        if columns.has_angle {
            headings += &heading("Angle", "");
        }
        headings += &(heading("SSIM", "") + &heading("Largest error", ""));
        let rows: String = self.rows.iter().map(|row| row.html(columns)).collect();
        let pictured = if self.rows.iter().any(|row| !row.thumbnail.is_empty()) { " pictured" } else { "" };
        format!(
            "  <section aria-labelledby=\"pairs\">\n    <h2 id=\"pairs\">Pairs</h2>\n    \
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"pairs\">\n\
             <table class=\"files{pictured}\">\n<thead><tr>{headings}</tr></thead>\n\
             <tbody>\n{rows}</tbody></table>\n    </div>\n    \
             <p class=\"note\">Memory is that of the blocks of all mip levels. PSNR is that of the \
             colours, or of alpha if that is lower. If alpha has one bit, only the colours of visible \
             texels count. The angle is the mean. \
             Thumbnails show the original: two channels of normals with z restored, packed data by \
             channel, HDR after the tone map.</p>\n  </section>\n"
        )
    }
}

impl Row {
    /// Returns the size of the row with all columns and a link to the pictures.
    pub fn bytes(&self) -> u64 {
        let mut linked = self.clone();
        linked.pair.reduction = Some(1);
        linked.html(Columns { has_mpsnr: true, has_angle: true }).len() as u64
    }

    /// Returns the size of the pair's notes, which are in its section or in the list of the page.
    pub fn notes_bytes(&self) -> u64 {
        list_items(&self.pair.notes).len() as u64
    }

    fn verdict_html(&self) -> String {
        let failures = escaped(&self.verdict.failures.join("; "));
        match self.verdict.passes() {
            None => String::new(),
            Some(true) => "<small class=\"pass\" data-filter=\"pass\">pass</small>".to_owned(),
            Some(false) => format!("<small class=\"fail\" data-filter=\"fail\">fail: {failures}</small>"),
        }
    }

    fn html(&self, columns: Columns) -> String {
        let HtmlReportPair { name, original, texture, reduction, .. } = &self.pair;
        let name = format!("<bdi>{}</bdi>", escaped(name));
        let name = match reduction {
            Some(_) => format!("<a href=\"#pair-{}\">{name}</a>", self.section),
            None => name,
        };
        let size = format!("{}×{}", original.width, original.height);
        let kind = texture.kind.name();
        let mut html = format!(
            "<tr><th scope=\"row\">{name}<small data-filter=\"{kind}\">{size} · {kind}</small>{}{}</th>",
            self.verdict_html(),
            self.thumbnail,
        );
        let format = escaped(&texture.image.format);
        let _ = write!(html, "<td class=\"text\" data-label=\"Format\"><span>{format}</span></td>");
        let memory = texture.data_bytes.map(|bytes| (bytes as f64, Bytes(bytes).to_string()));
        html += &cell("Memory", memory);
        let (number, mut psnr) = ratio(Some(self.psnr.decibels));
        if let Some(subject) = self.psnr.subject {
            psnr += &format!("<small>{subject}</small>");
        }
        html += &cell("PSNR", Some((number, psnr)));
        if columns.has_mpsnr {
            html += &cell("mPSNR", texture.hdr_metrics.as_ref().map(|hdr| ratio(hdr.mpsnr)));
        }
        if columns.has_angle {
            let angle = texture.normal_metrics.as_ref().map(|normals| normals.mean_degrees);
            html += &cell("Angle", angle.map(|angle| (angle, format!("{angle:.2}°"))));
        }
        html += &cell("SSIM", texture.metrics.ssim.map(|ssim| (ssim, format!("{ssim:.4}"))));
        let errors = &texture.metrics.max_error;
        let largest = errors.r.max(errors.g).max(errors.b).max(errors.a);
        html += &cell("Largest error", Some((f64::from(largest), largest.to_string())));
        html + "</tr>\n"
    }
}

/// Returns the section of a pair.
pub(super) fn section(
    row: &Row,
    folder: &str,
    comparison: &Comparison<'_>,
    factor: u32,
    task: &Task<'_>,
) -> Result<String, ImageWriteError> {
    let part = comparison.html(factor, task)?;
    let (number, pair, lead) = (row.section, &row.pair, comparison.lead(factor));
    let (name, original) = (escaped(&pair.name), escaped(below(&pair.original.file, folder)));
    let notes = list_items(&pair.notes);
    let notes = match notes.is_empty() {
        true => notes,
        false => format!("  <h3>Notes</h3>\n  <ul class=\"notes\">\n{notes}</ul>\n"),
    };
    Ok(format!(
        "  <section class=\"pair\" id=\"pair-{number}\" aria-labelledby=\"pair-{number}-title\">\n  \
         <h2 id=\"pair-{number}-title\"><bdi>{name}</bdi></h2>\n  \
         <p class=\"lead\"><bdi>{original}</bdi> · {lead}</p>\n{part}{notes}  \
         <p class=\"note\"><a href=\"#pairs\">All pairs</a></p>\n  </section>\n"
    ))
}

/// Returns a PSNR as a number for sorting and as text. Equal images have the largest number.
fn ratio(psnr: Option<f64>) -> (f64, String) {
    const EQUAL: f64 = 9999.0;
    let psnr = psnr.unwrap_or(f64::INFINITY);
    (psnr.min(EQUAL), decibels(psnr))
}

/// Returns a cell with a number for sorting and a text, or with a dash, which is last in any order.
fn cell(label: &str, value: Option<(f64, String)>) -> String {
    match value {
        Some((number, text)) => {
            format!("<td data-label=\"{label}\" data-value=\"{number}\"><span>{text}</span></td>")
        }
        None => format!("<td class=\"empty\" data-label=\"{label}\" data-value=\"\"><span>–</span></td>"),
    }
}
