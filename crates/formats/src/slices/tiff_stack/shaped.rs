//! The shape of a stack in tifffile's text (<https://github.com/cgohlke/tifffile>): JSON such as
//! `{"shape": [3, 5, 2, 26, 37], "axes": "TZCYX"}`.
//!
//! By default, its writer takes 3 or 4 as the last size but two, or the last, for colours. If the text names
//! the axes, these count.

use super::pages::{PageOrder, PageParts, Pages, imagej_place};
use crate::{FormatError, Note, PageStackFeature, SliceShape, header::header_text::short};
use serde_json::Value;

/// Parses tifffile's text for a file of `page_count` pages of the shape `page`; returns `None` if the text is
/// not tifffile's, or says nothing about the pages.
pub fn of_tifffile(text: &str, page_count: usize, page: SliceShape) -> Option<Result<Pages, FormatError>> {
    let json: Value = serde_json::from_str(text.trim()).ok()?;
    let sizes: Vec<usize> =
        json["shape"].as_array()?.iter().map(|size| size.as_u64()?.try_into().ok()).collect::<Option<_>>()?;
    let of_page = sizes_of_page(page, sizes.len());
    let shape = || short(&json["shape"].to_string());
    let Some((outer, axes, parts)) = of_page.iter().find_map(|own| {
        let outer = sizes.strip_suffix(own.as_slice())?;
        let axes = json["axes"].as_str();
        let parts = axes.and_then(|axes| parts_of_page(page, own, axes, outer.len()));
        let outer = &sizes[..outer.len() + usize::from(parts.is_some())];
        let axes = axes.map(|axes| axes.chars().take(outer.len()).collect::<String>());
        Some((outer, axes, parts))
    }) else {
        // Several series, or pages that are not images of this shape.
        return json["axes"].as_str().map(|_| Err(PageStackFeature::Shaped(shape()).into()));
    };
    let image_count = outer.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let Some(image_count) = image_count else {
        return Some(Err(PageStackFeature::Shaped(shape()).into()));
    };
    if image_count == 1 {
        return None;
    }
    let of_pages = page_count.checked_mul(parts.map_or(1, |parts| parts.count));
    if page_count > 1 && Some(image_count) != of_pages {
        // Each call of its writer makes a series. Series of slices are joined if no axis is named.
        return axes.map(|_| Err(PageStackFeature::Shaped(shape()).into()));
    }
    Some(stack(&json, outer, axes.as_deref(), shape).map(|pages| Pages { parts, ..pages }))
}

/// Returns the images in a page that states colours, if the named axes state others. `own` is the end of the
/// shape; its axes start at `first`.
fn parts_of_page(page: SliceShape, own: &[usize], axes: &str, first: usize) -> Option<PageParts> {
    let letters: Vec<char> = axes.chars().skip(first).collect();
    let (&[count, height, width], &[axis, 'Y', 'X']) = (own, &letters[..]) else { return None };
    let are_samples = own == [page.channels, page.height, page.width];
    let are_colors = are_samples && matches!(axis, 'C' | 'S');
    (!are_colors).then_some(PageParts { count, size: [width, height], are_samples })
}

/// Returns the innermost sizes that a shape of this many axes may end with for such pages.
fn sizes_of_page(page: SliceShape, axis_count: usize) -> Vec<Vec<usize>> {
    let (y, x, samples) = (page.height, page.width, page.channels);
    let own = if samples > 1 { vec![vec![y, x, samples], vec![samples, y, x]] } else { vec![vec![y, x]] };
    own.into_iter().filter(|own| own.len() <= axis_count).collect()
}

/// Returns the stack of the outer sizes.
fn stack(
    json: &Value,
    outer: &[usize],
    axes: Option<&str>,
    shape: impl Fn() -> String,
) -> Result<Pages, FormatError> {
    let text = |name: &str| match &json[name] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut pages = Pages::default();
    if text("unit").is_some() || text("spacing").is_some() || text("finterval").is_some() {
        pages = imagej_place(text)?;
        pages.uses_resolution &= pages.units.is_some();
    }
    // Channels, slices and frames, and how far apart their pages are.
    let (mut sizes, mut steps) = ([1; 3], [1; 3]);
    let mut step = 1;
    let mut taken = [false; 3];
    for (axis, &size) in outer.iter().enumerate().rev() {
        let letter = axes.map(|axes| axes.chars().nth(axis).unwrap_or('?'));
        if size > 1 {
            let target = match letter {
                Some('C') => 0,
                Some('Z' | 'I') => 1,
                Some('T') => 2,
                Some(_) => return Err(PageStackFeature::Axes(short(axes.unwrap_or_default())).into()),
                None => 1,
            };
            if taken[target] && letter.is_some() {
                return Err(PageStackFeature::Axes(short(axes.unwrap_or_default())).into());
            }
            (steps[target], taken[target]) = (if taken[target] { steps[target] } else { step }, true);
            sizes[target] *= size;
        }
        step *= size;
    }
    if axes.is_none() && outer.iter().filter(|&&size| size > 1).count() > 1 {
        pages.notes.push(Note::UnnamedAxes { shape: shape() });
    }
    [pages.channels, pages.slices, pages.frames] = sizes;
    pages.order = PageOrder::Steps(steps);
    Ok(pages)
}
