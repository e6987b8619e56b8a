//! The page of one original, and parts of all pages.

use super::{HtmlReportOptions, compared::Compared, comparison::Comparison, escaped, filled};
use crate::commands::compare::heat_map;
use brickwork_base::Task;
use brickwork_image::image_file::ImageWriteError;

const PAGE: &str = include_str!("page.html");
const CSS: &str = concat!(include_str!("style.css"), "\n", include_str!("page.css"));
const JS: &str = concat!(include_str!("theme.js"), "\n", include_str!("page.js"));

/// Contents of a page.
pub(super) struct Page<'a> {
    pub compared: &'a Compared,
    pub notes: &'a [String],
    pub options: &'a HtmlReportOptions,
}

impl Page<'_> {
    /// Returns the page, with pictures whose sides are reduced by a factor.
    pub fn html(&self, factor: u32, task: &Task<'_>) -> Result<String, ImageWriteError> {
        let options = &self.options.compare;
        let comparison =
            Comparison { compared: self.compared, options, prefix: "", heading: "h2", folder: "" };
        let part = comparison.html(factor, task)?;
        let file = &self.compared.original.file;
        Ok(filled(PAGE, |name| match name {
            "title" => escaped(&format!("{file} and its textures")),
            "css" => CSS.to_owned(),
            "js" => JS.to_owned(),
            "heat" => heat(),
            "heat_ends" => heat_ends(),
            "original" => escaped(file),
            "lead" => comparison.lead(factor),
            "comparison" => part.clone(),
            "notes" => list("Notes", self.notes),
            "command" => command(self.options.command.as_deref()),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            _ => String::new(),
        }))
    }
}

/// Returns the colours of heat maps for the script.
pub(super) fn heat() -> String {
    heat_map::colors().map(|[r, g, b]| format!("{r:02x}{g:02x}{b:02x}")).concat()
}

/// Returns the largest errors of scales for the script.
pub(super) fn heat_ends() -> String {
    heat_map::ENDS.map(|end| end.to_string()).join(",")
}

/// Returns a section with a list, or nothing if the list is empty.
pub(super) fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items = list_items(items);
    format!("  <section>\n    <h2>{title}</h2>\n    <ul class=\"notes\">\n{items}</ul>\n  </section>\n")
}

/// Returns the items of a list.
pub(super) fn list_items(items: &[String]) -> String {
    items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect()
}

/// Returns a section with the command line, or nothing.
pub(super) fn command(command: Option<&str>) -> String {
    command.map_or_else(String::new, |command| {
        let command = escaped(command);
        format!("  <section>\n    <h2>Command</h2>\n    <pre><code>{command}</code></pre>\n  </section>\n")
    })
}
