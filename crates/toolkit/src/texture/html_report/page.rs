//! The page.

use super::{
    HtmlReportOptions,
    entry::{Entry, Original},
    escape::{escaped, filled},
    figures, pictures,
};
use crate::{report::ComparedImage, texture::heat_map};
use brickwork_base::Task;
use brickwork_texture::image_file::ImageWriteError;
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const CSS: &str = concat!(include_str!("style.css"), "\n", include_str!("page.css"));
const JS: &str = concat!(include_str!("theme.js"), "\n", include_str!("page.js"));

/// Contents of a page.
pub(super) struct Page<'a> {
    pub original: &'a ComparedImage,
    pub originals: &'a [Original],
    pub entries: &'a [Entry],
    pub notes: &'a [String],
    pub options: &'a HtmlReportOptions,
}

impl Page<'_> {
    /// Returns the page, with pictures whose sides are reduced by a factor.
    pub fn html(&self, factor: u32, task: &Task<'_>) -> Result<String, ImageWriteError> {
        let originals =
            pictures::originals_html(self.originals, &self.original.file, factor, &task.without_progress())?;
        let mut pictures = originals;
        for (index, entry) in self.entries.iter().enumerate() {
            task.check()?;
            pictures += &self.section(index, entry, factor, task)?;
        }
        let heat = heat_map::colors().map(|[r, g, b]| format!("{r:02x}{g:02x}{b:02x}")).concat();
        let errors = self.entries.iter().map(|entry| entry.errors.texels.as_slice());
        let heat_end = heat_map::end_for(errors).to_string();
        Ok(filled(PAGE, |name| match name {
            "title" => escaped(&format!("{} and its textures", self.original.file)),
            "css" => CSS.to_owned(),
            "js" => JS.to_owned(),
            "heat" => heat.clone(),
            "heat_end" => heat_end.clone(),
            "heat_ends" => heat_map::ENDS.map(|end| end.to_string()).join(","),
            "original" => escaped(&self.original.file),
            "lead" => self.lead(factor),
            "tabs" => self.tabs(),
            "pictures" => pictures.clone(),
            "figures" => figures::table(self.entries),
            "rule" => self.rule(),
            "notes" => self.notes(),
            "command" => self.command(),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            _ => String::new(),
        }))
    }

    fn lead(&self, factor: u32) -> String {
        let ComparedImage { format, width, height, color_space, .. } = self.original;
        let count = self.entries.len();
        let noun = if count == 1 { "texture" } else { "textures" };
        let mut lead = format!("{width}×{height} · {format} · {color_space} · {count} {noun}");
        if factor > 1 {
            lead += &format!(
                ". To limit the page's size, a pixel of the pictures shows {factor}×{factor} texels. Figures \
                 are those of all texels, and “Largest errors” is not reduced."
            );
        }
        escaped(&lead)
    }

    fn tabs(&self) -> String {
        let mut html = String::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let (file, format) = (escaped(&entry.image.file), escaped(&entry.image.format));
            let is_hdr = entry.hdr_metrics.is_some();
            let psnr = if is_hdr { String::new() } else { format!(" · {}", figures::summary(entry)) };
            let _ = writeln!(
                html,
                "    <button type=\"button\" class=\"tab\" role=\"tab\" id=\"tab-{index}\" \
                 aria-controls=\"viewer\"><b><bdi>{file}</bdi></b><span>{format}{psnr}</span></button>"
            );
        }
        html
    }

    fn section(
        &self,
        index: usize,
        entry: &Entry,
        factor: u32,
        task: &Task<'_>,
    ) -> Result<String, ImageWriteError> {
        let (file, format) = (escaped(&entry.image.file), escaped(&entry.image.format));
        let strip = pictures::strip_html(entry, self.originals, factor, task)?;
        Ok(format!(
            "  <section class=\"texture\" data-name=\"{file}\" data-format=\"{format}\" \
             aria-labelledby=\"name-{index}\">\n    <h2 id=\"name-{index}\"><bdi>{file}</bdi></h2>\n    \
             <div class=\"strip\">\n{strip}    </div>\n  </section>\n"
        ))
    }

    fn rule(&self) -> String {
        let is_hdr = self.entries.iter().any(|entry| entry.hdr_metrics.is_some());
        let mut text = "Errors are those of mip level 0, of the stored numbers in 8 bits. ".to_owned();
        if is_hdr {
            text += "Half floats are clamped to 0 to 1 for them; the pictures show them after a tone map. ";
        }
        let rule = self.options.compare_options().rounding_rule().name();
        text += &format!("Decoder: {rule}.");
        escaped(&text)
    }

    fn notes(&self) -> String {
        if self.notes.is_empty() {
            return String::new();
        }
        let items: String = self.notes.iter().map(|note| format!("<li>{}</li>\n", escaped(note))).collect();
        format!("  <section>\n    <h2>Notes</h2>\n    <ul class=\"notes\">\n{items}</ul>\n  </section>\n")
    }

    fn command(&self) -> String {
        self.options.command().map_or_else(String::new, |command| {
            let command = escaped(command);
            format!(
                "  <section>\n    <h2>Command</h2>\n    <pre><code>{command}</code></pre>\n  </section>\n"
            )
        })
    }
}
