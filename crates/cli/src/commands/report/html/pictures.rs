//! Pictures of a page in HTML: the original, and a strip of each texture with its mip levels.

use super::{
    entry::{Entry, Original},
    escaped,
    pixels::{Area, Pixels},
};
use brickwork_base::Task;
use brickwork_image::image_file::ImageWriteError;
use std::fmt::Write as _;

/// Largest side of the area that is shown unreduced, in texels. The area is not larger than the reduced
/// picture, so that a page of any limit is possible.
const DETAIL_SIDE: u32 = 512;

/// Largest factor of reduced pictures that show endpoints: half a block is two texels wide.
const ENDPOINTS_FACTOR: u32 = 2;

/// Length of the longer side, in texels, below which pictures of mip levels are not reduced.
const LEVEL_SIDE: u32 = 32;

/// A picture of a strip: its pixels, and the texels of mip level 0 that it shows.
struct View<'a> {
    label: String,
    area: Area,
    /// Index of the picture of the original. None if the view has its own.
    original: usize,
    own_original: Option<Pixels<[u8; 4]>>,
    /// Light of the texture, and of the view's own original.
    lights: [Option<Pixels<[f32; 3]>>; 2],
    texture: &'a Pixels<[u8; 4]>,
    errors: Option<Pixels<u8>>,
    /// False if colours are not those of texels.
    is_of_texels: bool,
}

/// Returns the pictures of the original, reduced by a factor. Their ids begin with `prefix`.
pub(super) fn originals_html(
    originals: &[Original],
    [name, prefix]: [&str; 2],
    factor: u32,
    task: &Task<'_>,
) -> Result<String, ImageWriteError> {
    let mut html = String::new();
    for (index, original) in originals.iter().enumerate() {
        let pixels = original.texels.reduced(factor);
        let alt = format!("Original: {name}, {}×{} texels", original.texels.width, original.texels.height);
        let _ = writeln!(html, "  <figure class=\"originals\" id=\"{prefix}original-{index}\">");
        html += &images(&pixels, "original", &alt, task)?;
        html += &lights(original.lights.as_ref().map(|lights| lights.reduced(factor)), "original", task)?;
        let _ = writeln!(html, "    <figcaption>Original</figcaption>\n  </figure>");
    }
    Ok(html)
}

/// Returns the strip of a texture, with pictures of all texels reduced by a factor.
pub(super) fn strip_html(
    entry: &Entry,
    originals: &[Original],
    factor: u32,
    task: &Task<'_>,
) -> Result<String, ImageWriteError> {
    let (width, height) = (entry.texels.width, entry.texels.height);
    let whole = Area { x: 0, y: 0, width, height };
    let name = &entry.image.file;
    let has_levels = !entry.mip_levels.is_empty();
    let size = |width: u32, height: u32| format!("{width}×{height}");
    let mut html = String::new();
    let reduced = entry.texels.reduced(factor);
    let label = match (has_levels, factor) {
        (true, 1) => format!("Level 0 · {}", size(width, height)),
        (false, 1) => format!("Whole picture · {}", size(width, height)),
        (_, factor) => format!("Whole picture · reduced to 1/{factor}"),
    };
    let view = View {
        label,
        area: whole,
        original: entry.original,
        own_original: None,
        lights: [entry.lights.as_ref().map(|lights| lights.reduced(factor)), None],
        texture: &reduced,
        errors: Some(entry.errors.reduced(factor)),
        is_of_texels: true,
    };
    html += &view.html(name, task)?;
    if factor > 1 {
        let side = DETAIL_SIDE.min(reduced.width.max(reduced.height));
        let area = entry.errors.worst_area(side);
        let original = originals.get(entry.original).map(|original| original.texels.cut(area));
        let view = View {
            label: format!("Largest errors · {}", size(area.width, area.height)),
            area,
            original: entry.original,
            own_original: original,
            lights: [
                entry.lights.as_ref().map(|lights| lights.cut(area)),
                originals.get(entry.original).and_then(|original| Some(original.lights.as_ref()?.cut(area))),
            ],
            texture: &entry.texels.cut(area),
            errors: Some(entry.errors.cut(area)),
            is_of_texels: true,
        };
        html += &view.html(name, task)?;
    }
    if let Some(modes) = &entry.modes {
        let view = View {
            label: "Blocks by mode".to_owned(),
            area: whole,
            original: entry.original,
            own_original: None,
            lights: [None, None],
            texture: &modes.picture.reduced(factor),
            errors: None,
            is_of_texels: false,
        };
        html += &view.html(name, task)?;
    }
    if let Some(endpoints) = &entry.endpoints {
        let label = "Endpoints of blocks".to_owned();
        let is_whole = factor <= ENDPOINTS_FACTOR;
        let side = DETAIL_SIDE.min(reduced.width.max(reduced.height));
        let area = if is_whole { whole } else { entry.errors.worst_area(side) };
        let original = originals.get(entry.original).filter(|_| !is_whole);
        let view = View {
            label: if is_whole { label } else { format!("{label} · {}", size(area.width, area.height)) },
            area,
            original: entry.original,
            own_original: original.map(|original| original.texels.cut(area)),
            lights: [None, None],
            texture: &if is_whole { endpoints.reduced(factor) } else { endpoints.cut(area) },
            errors: None,
            is_of_texels: false,
        };
        html += &view.html(name, task)?;
    }
    for (level, pixels) in (1..).zip(&entry.mip_levels) {
        let factor = factor.min(pixels.width.max(pixels.height) / LEVEL_SIDE).max(1);
        let reduced = if factor > 1 { format!(" · reduced to 1/{factor}") } else { String::new() };
        let view = View {
            label: format!("Level {level} · {}{reduced}", size(pixels.width, pixels.height)),
            area: whole,
            original: entry.original,
            own_original: None,
            lights: [None, None],
            texture: &pixels.reduced(factor),
            errors: None,
            is_of_texels: true,
        };
        html += &view.html(name, task)?;
    }
    Ok(html)
}

impl View<'_> {
    fn html(&self, name: &str, task: &Task<'_>) -> Result<String, ImageWriteError> {
        let Area { x, y, width, height } = self.area;
        let (original, label) = (self.original, escaped(&self.label));
        let shows = if self.is_of_texels { "texels" } else { "blocks" };
        let mut html = format!(
            "      <button type=\"button\" class=\"view\" data-shows=\"{shows}\" \
             data-original=\"{original}\" data-x=\"{x}\" \
             data-y=\"{y}\" data-width=\"{width}\" data-height=\"{height}\">\n"
        );
        html += &images(self.texture, "texture", &format!("{name}: {}", self.label), task)?;
        if let Some(pixels) = &self.own_original {
            html += &images(pixels, "original", "", task)?;
        }
        for (pixels, class) in self.lights.iter().zip(["texture", "original"]) {
            html += &lights(pixels.clone(), class, task)?;
        }
        if let Some(errors) = &self.errors {
            let uri = errors.data_uri(task)?;
            let _ = writeln!(html, "        <img class=\"error\" alt=\"\" src=\"{uri}\">");
        }
        let _ = writeln!(html, "        <span class=\"label\">{label}</span>\n      </button>");
        Ok(html)
    }
}

/// Returns the images of a picture's light, if it has any.
fn lights(pixels: Option<Pixels<[f32; 3]>>, class: &str, task: &Task<'_>) -> Result<String, ImageWriteError> {
    let Some(pixels) = pixels else { return Ok(String::new()) };
    let [colors, exponents] = pixels.data_uris(task)?;
    Ok(format!(
        "        <img class=\"{class}-light\" alt=\"\" src=\"{colors}\">\n        \
         <img class=\"{class}-exponent\" alt=\"\" src=\"{exponents}\">\n"
    ))
}

/// Returns the images of a picture: its colours, and its alpha if it has any.
fn images(
    pixels: &Pixels<[u8; 4]>,
    class: &str,
    alt: &str,
    task: &Task<'_>,
) -> Result<String, ImageWriteError> {
    let (colors, alpha) = pixels.data_uris(task)?;
    let (width, height, alt) = (pixels.width, pixels.height, escaped(alt));
    let mut html = format!(
        "        <img class=\"{class}\" alt=\"{alt}\" width=\"{width}\" height=\"{height}\" \
         src=\"{colors}\">\n"
    );
    if let Some(alpha) = alpha {
        let _ = writeln!(html, "        <img class=\"{class}-alpha\" alt=\"\" src=\"{alpha}\">");
    }
    Ok(html)
}
