//! The list of selected parts of a texture, and the names of their files.

use super::TextureExtractOptions;
use crate::selection::Selection;
use brickwork_texture::{TextureDesc, TexturePart};
use std::ffi::{OsStr, OsString};

/// Names of faces in the names of files.
pub(super) const FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

/// A selected part of a texture. An axis without a number is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selected {
    pub level: Option<u32>,
    pub layer: Option<u32>,
    pub face: Option<u32>,
    pub slice: Option<u32>,
}

impl Selected {
    /// Returns the parts that the options select: mip level by mip level, layer by layer, face by face, slice
    /// by slice.
    pub fn list(options: &TextureExtractOptions, desc: &TextureDesc) -> Vec<Self> {
        let is_picture = options.form.is_picture();
        let numbers = |selection, count| match selection {
            Selection::One(number) => vec![Some(number)],
            Selection::Each => (0..count).map(Some).collect(),
            Selection::Open => vec![is_picture.then_some(0)],
        };
        let level_selection = level_selection(options);
        let mut list = Vec::new();
        for level in numbers(level_selection, desc.mip_levels) {
            for layer in numbers(options.layer, desc.layers) {
                for face in numbers(options.face, desc.faces()) {
                    let [.., depth] = desc.mip_level_size(level.unwrap_or(0));
                    for slice in numbers(options.slice, depth) {
                        list.push(Self { level, layer, face, slice });
                    }
                }
            }
        }
        list
    }

    /// Returns the number of parts that the options select.
    pub fn count(options: &TextureExtractOptions, desc: &TextureDesc) -> u64 {
        let number = |selection: Selection, count: u32| {
            if selection == Selection::Each { u64::from(count) } else { 1 }
        };
        let depth = |level| desc.mip_level_size(level)[2];
        let slices = match level_selection(options) {
            Selection::Each => {
                (0..desc.mip_levels).map(|level| number(options.slice, depth(level))).sum::<u64>()
            }
            Selection::One(level) => number(options.slice, depth(level)),
            Selection::Open => number(options.slice, depth(0)),
        };
        let images = number(options.layer, desc.layers) * number(options.face, desc.faces());
        images.saturating_mul(slices)
    }

    /// Returns the part for [`Texture::part`](brickwork_texture::Texture::part).
    pub fn part(&self) -> TexturePart {
        let range = |number: u32| number..number.saturating_add(1);
        let mut part = TexturePart::default();
        if let Some(level) = self.level {
            part.mip_levels = Some(range(level));
        }
        if let Some(layer) = self.layer {
            part.layers = Some(range(layer));
        }
        if let Some(face) = self.face {
            part.face = Some(face);
        }
        if let Some(slice) = self.slice {
            part.slice = Some(slice);
        }
        part
    }

    /// Returns the name of the part's file: that of the texture with a suffix for each axis that the options
    /// select, such as `sky_level1_px`. Each part therefore has its own name, also in several runs. `stem`
    /// need not be text.
    pub fn name(&self, stem: &OsStr, options: &TextureExtractOptions) -> OsString {
        let mut name = stem.to_owned();
        let axes = [
            (options.level, self.level.map(|level| format!("_level{level}"))),
            (options.layer, self.layer.map(|layer| format!("_layer{layer}"))),
            (options.face, self.face.and_then(|face| Some(format!("_{}", FACES.get(face as usize)?)))),
            (options.slice, self.slice.map(|slice| format!("_depth{slice}"))),
        ];
        for (_, suffix) in axes.into_iter().filter(|(selection, _)| *selection != Selection::Open) {
            name.push(suffix.unwrap_or_default());
        }
        name
    }
}

/// Returns the selected mip levels: the largest if slices are selected and no level is.
fn level_selection(options: &TextureExtractOptions) -> Selection {
    match (options.level, options.slice) {
        (Selection::Open, Selection::One(_) | Selection::Each) => Selection::One(0),
        (level, _) => level,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::ExtractForm, *};
    use brickwork_texture::{BlockFormat, container::ContainerFormat};

    #[test]
    fn each_image_has_a_file_and_open_axes_are_whole_in_textures() {
        let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
        let each = Selection::Each;
        let options = TextureExtractOptions { face: each, level: each, ..TextureExtractOptions::default() };
        let names = |options: &TextureExtractOptions, desc| -> Vec<_> {
            let list = Selected::list(options, desc);
            assert_eq!(Selected::count(options, desc), list.len() as u64);
            list.iter().map(|part| part.name(OsStr::new("sky"), options)).collect()
        };
        let pictures = names(&options, &desc);
        assert_eq!((pictures.len(), pictures[7].to_str()), (24, Some("sky_level1_nx")));
        let textures = TextureExtractOptions {
            form: ExtractForm::Texture(ContainerFormat::Ktx2),
            level: Selection::Open,
            ..options.clone()
        };
        let list = Selected::list(&textures, &desc);
        assert_eq!(list[5], Selected { level: None, layer: None, face: Some(5), slice: None });
        assert_eq!(names(&textures, &desc)[5], "sky_nz");
        // A selected mip level is part of the names.
        let one = TextureExtractOptions { level: Selection::One(2), ..options.clone() };
        assert_eq!(names(&one, &desc)[1], "sky_level2_nx");
        let all: std::collections::HashSet<_> = (0..4)
            .flat_map(|level| {
                let options = TextureExtractOptions { level: Selection::One(level), ..options.clone() };
                [0, 1].map(|layer| TextureExtractOptions { layer: Selection::One(layer), ..options.clone() })
            })
            .flat_map(|options| names(&options, &desc))
            .collect();
        assert_eq!(all.len(), 4 * 2 * 6);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let name = list[5].name(OsStr::from_bytes(b"sk\xff"), &textures);
            assert_eq!(name.as_bytes(), b"sk\xff_nz");
        }
        // Each mip level has its own slices.
        let volume = TextureDesc::new_3d(BlockFormat::Bc1, 8, 8, 4).with_full_mips();
        let options = TextureExtractOptions { slice: each, ..TextureExtractOptions::default() };
        assert_eq!(names(&options, &volume), ["sky_depth0", "sky_depth1", "sky_depth2", "sky_depth3"]);
        assert_eq!(names(&TextureExtractOptions { level: each, ..options }, &volume).len(), 4 + 2 + 1 + 1);
    }
}
