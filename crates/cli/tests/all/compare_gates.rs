//! Gates of `brickwork encode` and `brickwork compare`: one PSNR, and texels that are equal.

use crate::common::{Folder, png_rgb, png_rgba};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, Task};

/// Returns the number after a text.
fn number(text: &str, before: &str) -> f64 {
    let from = text.find(before).unwrap_or_else(|| panic!("{text}")) + before.len();
    text[from..].split([' ', ',']).next().unwrap().parse().unwrap()
}

/// `compare --rules` uses the rules' threshold of alpha and their decoder.
#[test]
fn rules_state_the_threshold_and_the_decoder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("art")).unwrap();
    // Half of the texels have an alpha between the thresholds, and other colours.
    let leaf = |x: u32, y: u32| match x < 32 {
        true => [(7 * x * y) as u8, (91 * x) as u8, (37 * y) as u8, 60],
        false => [(3 * x) as u8, (2 * y) as u8, 90, 255],
    };
    folder.write("art/leaf.png", &png_rgba(64, 48, leaf));
    for (format, decoder) in [("bc1", "exact"), ("bc1", "nvidia"), ("etc2-a1", "exact"), ("bc7", "exact")] {
        let threshold = if format == "bc1" { "alpha-threshold = 32\n" } else { "" };
        let rules =
            format!("[[rule]]\nfiles = '**'\nformat = '{format}'\ndecoder = '{decoder}'\n{threshold}");
        folder.write("rules.toml", rules.replace("decoder = 'exact'\n", "").as_bytes());
        let encode = "encode art -o out/ --rules rules.toml --container ktx2 --force --quiet -q best";
        let gate = folder.line(&format!("{encode} --min-psnr 100"));
        assert_eq!(gate.exit, Some(7), "{gate:?}");
        folder.line(encode).ok();
        let line = "compare art out --rules rules.toml --fail-under psnr=100 --quiet";
        let ran = folder.line(line);
        assert_eq!(ran.exit, Some(7), "{ran:?}");
        let (found, expected) = (number(&ran.stderr, " is "), number(&gate.stderr, "the PSNR is "));
        assert!((found - expected).abs() < 0.0051, "{format} {decoder}: {} {}", gate.stderr, ran.stderr);
        let page = "report art out --rules rules.toml -o page.html --force --fail-under psnr=100 --quiet";
        let ran = folder.line(page);
        assert!((number(&ran.stderr, " is ") - expected).abs() < 0.0051, "{format} {decoder}: {ran:?}");
        if format == "bc1" && decoder == "exact" {
            // The command line overrides the rules.
            let other = number(&folder.line(&format!("{line} --alpha-threshold 128")).stderr, " is ");
            assert!((other - expected).abs() > 1.0, "{other} {expected}");
        }
    }
}

/// Without a visible texel, nothing is wrong in formats of 1-bit alpha.
#[test]
fn textures_without_a_visible_texel_pass() {
    let folder = Folder::new();
    folder.write("a.png", &png_rgba(16, 16, |x, y| [(3 * x) as u8, (2 * y) as u8, 90, 0]));
    for format in ["bc1", "etc2-a1"] {
        folder.line(&format!("encode a.png -f {format} -o a.ktx2 --force --quiet --min-psnr 100")).ok();
        folder.line("compare a.png a.ktx2 --fail-under psnr=100 --quiet").ok();
        let colors = folder.line("compare a.png a.ktx2 --fail-under psnr-rgb=100 --quiet");
        colors.fails(7, &["psnr-rgb is not defined: no texel is visible"]);
    }
}

/// `encode` calls texels equal if no channel was dropped or rounded.
#[test]
fn only_equal_texels_are_called_equal() {
    let folder = Folder::new();
    for (name, value) in [("fine.png", 0x8001), ("coarse.png", 0x8080)] {
        let mut png = Vec::new();
        let texels = [[value; 3]; 256];
        write_png(&mut png, 16, 16, PngTexels::Rgb16(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
        folder.write(name, &png);
    }
    folder.write("flat.png", &png_rgb(16, 16, |_, _| [128; 3]));
    folder.write("red.png", &png_rgb(16, 16, |_, _| [128, 0, 0]));
    folder.write("glass.png", &png_rgba(16, 16, |_, _| [0, 0, 0, 90]));
    for (line, is_equal) in [
        ("flat.png -f bc7", true),
        ("flat.png -f rgba8", true),
        ("glass.png -f rgba8", true),
        ("glass.png -f bc1 --opaque", false),
        ("fine.png -f bc7", false),
        ("fine.png -f rgba8", false),
        ("fine.png -f rgba16 --linear", true),
        ("red.png -f r8 --linear", false),
    ] {
        let ran = folder.line(&format!("encode {line} -o a.ktx2 --force"));
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        assert_eq!(ran.text().contains("every texel is equal"), is_equal, "{line}: {ran:?}");
    }
}

/// `--target` has the rules that `encode` finds in the folder, and each target once.
#[test]
fn targets_have_the_rules_of_the_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("art")).unwrap();
    folder.write("art/brickwork.toml", b"[[rule]]\nfiles = '**'\nmax-size = 16\n");
    folder.write("art/rock.png", &png_rgb(64, 64, |x, y| [(3 * x) as u8, (2 * y) as u8, 90]));
    let ran = folder.line("encode art -o out/ --target x=bc --quiet");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    // The image is compared in the size of the rules.
    let ran = folder.line("compare art out -r --target x=bc --fail-under psnr=30");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let page = "report art out -r --target x=bc -o page.html --quiet";
    assert_eq!(folder.line(page).exit, Some(0));
    for verb in ["compare art out -r", "report art out -r -o page.html --force", "encode art -o out/ --force"]
    {
        let ran = folder.line(&format!("{verb} --target x=bc --target x=astc --quiet"));
        ran.fails(1, &["--target x is given twice"]);
    }
}

/// Blue, which two channels do not have, counts in no PSNR.
#[test]
fn visible_texels_of_two_channels_have_no_blue() {
    let folder = Folder::new();
    // Red and green differ by 4 and 8 in visible texels, by much more in transparent ones.
    let alpha = |x: u32| if x < 8 { 0 } else { 255 };
    folder.write("a.png", &png_rgba(16, 16, |x, _| [8 * x as u8, 108, 255, alpha(x)]));
    let other = |x: u32, _| if x < 8 { [255, 0, 0] } else { [8 * x as u8 + 4, 100, 0] };
    folder.write("b.png", &png_rgb(16, 16, other));
    folder.line("encode a.png -f rgba8 --srgb -o a.ktx2 --quiet").ok();
    folder.line("encode b.png -f rg8 --linear -o b.ktx2 --quiet").ok();
    // (4² + 8²) / 2
    let expected = 10.0 * (255.0f64 * 255.0 / 40.0).log10();
    for more in ["", " --fail-under psnr-visible=1"] {
        let ran = folder.line(&format!("compare a.ktx2 b.ktx2 --quiet --fail-under psnr=100{more}"));
        assert_eq!(ran.exit, Some(7), "{ran:?}");
        let found = number(&ran.stderr, " is ");
        assert!((found - expected).abs() < 0.001, "{more}: {found} {expected}");
    }
}
