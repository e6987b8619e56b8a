//! `encode --premultiply`: colours multiplied by alpha, and files that state it.

use crate::common::{Folder, png_rgba};
use brickwork_texture::{AlphaMode, DecodeOptions, ImageIndex, Task, Texture};

/// A folder with `art.png`, half of which is transparent.
fn folder() -> Folder {
    let folder = Folder::new();
    let texel = |x: u32, _| if x < 4 { [255, 128, 20, 128] } else { [200, 90, 60, 0] };
    folder.write("art.png", &png_rgba(8, 8, texel));
    folder.write("opaque.png", &png_rgba(8, 8, |_, _| [200, 90, 60, 255]));
    folder
}

/// The first and the last texel of a mip level, as stored, and the alpha mode.
fn stored(folder: &Folder, name: &str, mip_level: u32) -> ([[u8; 4]; 2], AlphaMode) {
    let texture = Texture::open(folder.path(name), &Task::new()).unwrap();
    let index = ImageIndex { mip_level, ..ImageIndex::default() };
    let image = texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
    let texels = image.into_texels().into_rgba8().unwrap();
    ([texels[0], texels[texels.len() - 1]], texture.desc().alpha_mode)
}

#[test]
fn colours_are_multiplied_in_linear_light() {
    let folder = folder();
    for output in ["a.dds", "a.ktx2"] {
        let ran = folder.line(&format!("encode art.png -f rgba8 --premultiply -o {output}"));
        assert!(ran.ok().contains("premultiplied"), "{ran:?}");
        let light = ([[188, 93, 12, 128], [0; 4]], AlphaMode::Premultiplied);
        assert_eq!(stored(&folder, output, 0), light, "{output}");
        // Readers divide by alpha again.
        folder.line(&format!("encode {output} -f rgba8 -o back.dds --force")).ok();
        let ([texel, _], mode) = stored(&folder, "back.dds", 0);
        assert!(mode == AlphaMode::Straight && texel[0] == 255 && texel[1].abs_diff(128) <= 1, "{texel:?}");
    }
    let line = "encode art.png -f rgba8 --linear --premultiply -o l.dds --json";
    assert_eq!(folder.line(line).json()["files"][0]["alpha_mode"], "premultiplied");
    assert_eq!(stored(&folder, "l.dds", 0).0[0], [128, 64, 10, 128]);
    let line = "encode opaque.png -f bc7 --premultiply -o o.dds --json";
    assert_eq!(folder.line(line).json()["files"][0]["alpha_mode"], "opaque");
}

#[test]
fn mip_levels_are_means_of_products() {
    let folder = folder();
    folder.line("encode art.png -f rgba8 --linear --premultiply --mips --mip-filter box -o a.dds").ok();
    assert_eq!(stored(&folder, "a.dds", 3).0[0], [64, 32, 5, 64]);
    // New sizes come first, with straight alpha.
    folder.line("encode art.png -f rgba8 --linear --premultiply --resize 1x1 --mip-filter box -o b.dds").ok();
    assert_eq!(stored(&folder, "b.dds", 0).0[0], [64, 32, 5, 64]);
}

#[test]
fn legacy_headers_name_it_for_bc2_and_bc3() {
    let folder = folder();
    for (format, four_cc) in [("bc2", b"DXT2"), ("bc3", b"DXT4")] {
        let line = format!("encode art.png -f {format} --linear --legacy --premultiply -o a.dds --force");
        folder.line(&line).ok();
        assert_eq!(&folder.read("a.dds")[84..88], four_cc);
        assert_eq!(stored(&folder, "a.dds", 0).1, AlphaMode::Premultiplied);
    }
    let ran = folder.line("encode art.png -f rgba8 --linear --legacy --premultiply -o b.dds");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["a legacy DDS header says only for bc2 and bc3", "--dx10 does"]);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = folder();
    for (line, words) in [
        ("encode art.png --premultiply", "--premultiply is for bc2, bc3, bc7, "),
        ("encode art.png -f bc7 --data --premultiply", "--premultiply is for colours, not data"),
        ("encode art.png -f bc7 --normal --premultiply", "--premultiply is for colours, not normal maps"),
    ] {
        folder.line(line).fails(1, &[words, "(leave out --premultiply)"]);
    }
    for line in ["-f bc3 --weigh-by-alpha", "-f bc3 --mips --keep-coverage"] {
        let ran = folder.line(&format!("encode art.png --premultiply {line}"));
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["--premultiply"]);
    }
    folder.write("brickwork.toml", b"[[rule]]\nfiles = '*'\nformat = 'bc7'\npremultiply = true\n");
    let ran = folder.line("encode art.png --rules brickwork.toml -o r.dds --json");
    assert_eq!(ran.json()["files"][0]["alpha_mode"], "premultiplied", "{ran:?}");
}
