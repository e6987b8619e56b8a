//! What is worth a note about a picture and what it becomes.

use super::{arguments::Args, plan::Plan};
use brickwork_texture::{ColorSpace, image_file::Picture};

/// The notes on a picture. A note that concerns all pictures has the same text for each.
pub fn of(args: &Args, plan: &Plan, picture: &Picture, name: &str) -> Vec<String> {
    let is_color = plan.desc.color_space == ColorSpace::Srgb;
    let mut notes = Vec::new();
    if let Some(part) = &picture.part {
        notes.push(format!("{name}: only {part} is encoded"));
    }
    if is_color
        && !args.says_color()
        && let Some(share) = picture.normal_share()
    {
        notes.push(format!(
            "{name}: looks like a normal map ({:.1} % of texels have length 1), but is encoded as sRGB \
             colours; -f bc5 or --linear is for normals, --srgb for colours",
            100.0 * share
        ));
    }
    if args.format.is_without_alpha && !picture.is_opaque {
        notes.push(format!("{name}: the format has no alpha; bc1 without \"RGB\" in its name has"));
    }
    if is_color && args.legacy {
        notes.push("a legacy DDS header does not say that colours are sRGB; --dx10 does".to_owned());
    }
    notes
}
