//! The part of a page that compares an original with its textures: tabs, viewer, pictures, figures.

use super::{compared::Compared, entry::Entry, escaped, figures, filled, pictures, verdict};
use crate::{
    commands::compare::{CompareOptions, heat_map},
    report::{ComparedImage, counted},
};
use brickwork_base::Task;
use brickwork_image::image_file::ImageWriteError;
use std::fmt::Write as _;

const PART: &str = include_str!("comparison.html");

/// Contents of the part.
pub(super) struct Comparison<'a> {
    pub compared: &'a Compared,
    pub options: &'a CompareOptions,
    /// Start of all ids; different for each comparison of a page, and empty if there is one.
    pub prefix: &'a str,
    /// Element of headings: `h2` or `h3`.
    pub heading: &'static str,
    /// Start of the textures' paths that the page leaves out.
    pub folder: &'a str,
}

/// Returns a path below a folder, or the whole path if the file is elsewhere.
pub fn below<'a>(path: &'a str, folder: &str) -> &'a str {
    let is_separator = ['/', '\\'];
    let folder = folder.trim_end_matches(is_separator);
    let rest = path.strip_prefix(folder).filter(|rest| rest.starts_with(is_separator));
    let rest = rest.map(|rest| rest.trim_start_matches(is_separator));
    rest.filter(|rest| !rest.is_empty() && !folder.is_empty()).unwrap_or(path)
}

impl Comparison<'_> {
    /// Returns the part, with pictures whose sides are reduced by a factor.
    pub fn html(&self, factor: u32, task: &Task<'_>) -> Result<String, ImageWriteError> {
        let Compared { original, originals, entries, .. } = self.compared;
        let names = [original.file.as_str(), self.prefix];
        let mut pictures = pictures::originals_html(originals, names, factor, &task.without_progress())?;
        for (index, entry) in entries.iter().enumerate() {
            task.check()?;
            pictures += &self.section(index, entry, factor, task)?;
        }
        let errors = entries.iter().map(|entry| entry.errors.texels.as_slice());
        let heat_end = heat_map::end_for(errors).to_string();
        Ok(filled(PART, |name| match name {
            "prefix" => self.prefix.to_owned(),
            "heading" => self.heading.to_owned(),
            "exposure" => self.options.tone_map.exposure.to_string(),
            "curve" => self.options.tone_map.curve.name().to_owned(),
            "heat_end" => heat_end.clone(),
            "tabs" => self.tabs(),
            "pictures" => pictures.clone(),
            "figures" => figures::table(entries, |entry| self.name_of(entry)),
            "rule" => self.rule(),
            "wheel" if self.is_alone() => "wheel".to_owned(),
            "wheel" => "wheel after a click, or <kbd>Ctrl</kbd> and wheel".to_owned(),
            _ => String::new(),
        }))
    }

    /// Returns facts about the original and its pictures, as HTML.
    pub fn lead(&self, factor: u32) -> String {
        let ComparedImage { format, width, height, color_space, .. } = &self.compared.original;
        let mut lead = format!("{width}×{height} · {format} · {color_space}");
        if self.is_alone() {
            lead += &format!(" · {}", counted(self.compared.entries.len(), "texture"));
        }
        if let Some(counts) = verdict::counts(
            self.compared.entries.iter().map(|entry| entry.verdict.passes().filter(|_| self.is_alone())),
        ) {
            lead += &format!(" · {counts}");
        }
        if factor > 1 {
            lead += &format!(
                ". To limit the page's size, a pixel of the pictures shows {factor}×{factor} texels. Figures \
                 are those of all texels, and “Largest errors” is not reduced."
            );
        }
        escaped(&lead)
    }

    /// True if the page has no other comparison.
    fn is_alone(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Returns the path of a texture, without the folder.
    fn name_of<'b>(&self, entry: &'b Entry) -> &'b str {
        below(&entry.image.file, self.folder)
    }

    fn tabs(&self) -> String {
        let prefix = self.prefix;
        let mut html = String::new();
        for (index, entry) in self.compared.entries.iter().enumerate() {
            let (file, format) = (escaped(self.name_of(entry)), escaped(&entry.image.format));
            let is_hdr = entry.hdr_metrics.is_some();
            let psnr = if is_hdr { String::new() } else { format!(" · {}", figures::summary(entry)) };
            let _ = writeln!(
                html,
                "    <button type=\"button\" class=\"tab\" role=\"tab\" id=\"{prefix}tab-{index}\" \
                 aria-controls=\"{prefix}viewer\">\
                 <b><bdi>{file}</bdi></b><span>{format}{psnr}</span></button>"
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
        let (prefix, heading) = (self.prefix, self.heading);
        let (file, format) = (escaped(self.name_of(entry)), escaped(&entry.image.format));
        let kind = entry.kind.name();
        let strip = pictures::strip_html(entry, &self.compared.originals, factor, task)?;
        Ok(format!(
            "  <section class=\"texture\" data-name=\"{file}\" data-format=\"{format}\" data-kind=\"{kind}\" \
             aria-labelledby=\"{prefix}name-{index}\">\n    \
             <{heading} id=\"{prefix}name-{index}\"><bdi>{file}</bdi></{heading}>\n    \
             <div class=\"strip\">\n{strip}    </div>\n  </section>\n"
        ))
    }

    fn rule(&self) -> String {
        let is_hdr = self.compared.entries.iter().any(|entry| entry.hdr_metrics.is_some());
        let mut text = "Errors are those of mip level 0, of the stored numbers in 8 bits. ".to_owned();
        if is_hdr {
            text += "Half floats are clamped to 0 to 1 for them; the pictures show them after a tone map. \
                     Other exposures are of 8 bits for each channel; the heat map is that of exposure 0. ";
        }
        text += &format!("Decoder: {}.", self.compared.decoder.name());
        escaped(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn paths_are_those_below_the_folder() {
        let cases =
            [("b/sub/x.dds", "b"), ("b/x.dds", "b/"), ("bb/x.dds", "b"), ("x.dds", ""), ("/x.dds", "/")];
        let rest = cases.map(|(path, folder)| below(path, folder));
        assert_eq!(rest, ["sub/x.dds", "x.dds", "bb/x.dds", "x.dds", "/x.dds"]);
    }
}
