//! `encode --level`: mip levels from files, by options, rules and the cache.

use crate::{
    cache,
    common::{Folder, png_rgb},
};
use brickwork_texture::{ImageIndex, Task, Texture};
use std::fs;

/// A folder with images of one colour: `rock.png`, and the next mip levels in other colours, also in `in`.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for (name, [width, height], red) in
        [("rock", [16, 8], 10), ("rock_mip1", [8, 4], 110), ("rock_mip2", [4, 2], 210)]
    {
        let png = png_rgb(width, height, |_, _| [red, 50, 20]);
        folder.write(&format!("{name}.png"), &png);
        folder.write(&format!("in/{name}.png"), &png);
    }
    folder
}

/// Red of each mip level.
fn reds(folder: &Folder, name: &str) -> Vec<u8> {
    let texture = Texture::open(folder.path(name), &Task::new()).unwrap();
    let red = |mip_level| folder.texels(name, ImageIndex { mip_level, ..ImageIndex::default() })[0][0];
    (0..texture.desc().mip_levels).map(red).collect()
}

const GIVEN: &str =
    "encode rock.png --level 2=rock_mip2.png --level 1=rock_mip1.png -f rgba8 -o a.dds --force";

#[test]
fn levels_come_from_files_and_the_rest_is_made() {
    let folder = folder();
    let text = folder.line(GIVEN);
    assert!(text.ok().contains("in 3 levels") && text.text().contains("2 levels from files"), "{text:?}");
    assert_eq!(reds(&folder, "a.dds"), [10, 110, 210]);
    let report = &folder.line(&format!("{GIVEN} --mips --json")).json()["files"][0];
    assert_eq!(report["level_files"], serde_json::json!(["rock_mip1.png", "rock_mip2.png"]), "{report}");
    assert!(report["levels"] == 5 && report["input"] == "rock.png", "{report}");
    assert_eq!(reds(&folder, "a.dds"), [10, 110, 210, 210, 210]);
    // The other options apply to each level.
    folder.line(&GIVEN.replace("rgba8", "r8 --swizzle ggg1")).ok();
    assert_eq!(reds(&folder, "a.dds"), [50, 50, 50]);
    folder.line("encode rock.png --level 1=rock_mip1.png -o b.ktx2 -f bc7 --mips=3").ok();
    let found = reds(&folder, "b.ktx2");
    assert!(found.iter().zip([10, 110, 110]).all(|(a, b)| a.abs_diff(b) <= 2), "{found:?}");
}

#[test]
fn rules_name_the_levels_beside_their_images() {
    let folder = folder();
    let rules = "[[rule]]\nfiles = '*'\nskip = true\n[[rule]]\nfiles = 'rock.png'\nskip = false\n\
         format = 'rgba8'\nlevel = ['1={stem}_mip1.png', '2={stem}_mip2.png']\n";
    folder.write("in/brickwork.toml", rules.as_bytes());
    let actions = |options: &[&str]| cache::actions(&cache::encode(&folder, "out/", options));
    assert_eq!(actions(&[]), ["written"]);
    assert_eq!(reds(&folder, "out/rock.dds"), [10, 110, 210]);
    assert_eq!(actions(&[]), ["up-to-date"]);
    folder.write("in/rock_mip2.png", &png_rgb(4, 2, |_, _| [77; 3]));
    assert_eq!(actions(&[]), ["written"]);
    assert_eq!(reds(&folder, "out/rock.dds"), [10, 110, 77]);
    // The command line replaces them, and a later rule has none.
    assert_eq!(actions(&["--level", "1=rock_mip1.png"]), ["written"]);
    assert_eq!(reds(&folder, "out/rock.dds"), [10, 110]);
    let later = format!("{rules}[[rule]]\nfiles = '*'\nlevel = false\n");
    folder.write("in/brickwork.toml", later.as_bytes());
    let file = cache::encode(&folder, "out/", &[]).json()["files"][0].clone();
    assert!(file["format"] == "rgba8" && file["level_files"].is_null(), "{file}");
    for (value, words) in [
        ("true", "expected false, or a list"),
        ("'a.png'", "expected a mip level from 1 and a file"),
        ("'2=a.png'", "level 2 is stated, but not level 1"),
    ] {
        folder.write("in/brickwork.toml", format!("[[rule]]\nfiles='*'\nlevel={value}").as_bytes());
        folder.line("encode in -o none/").fails(3, &["brickwork.toml:3: level", words]);
    }
}

#[test]
fn levels_that_do_not_fit_are_refused() {
    let folder = folder();
    for (line, words) in [
        ("encode rock.png --level 1=rock_mip2.png", "rock_mip2.png: mip level 1 has 8×4 texels, not 4×2"),
        ("encode rock.png --level 2=rock_mip2.png", "--level: level 2 is stated, but not level 1"),
        (
            "encode rock.png --level 1=rock_mip1.png --resize 50%",
            "--level and --resize exclude each other (leave out one of them)",
        ),
        (
            "encode rock.png --level 1=rock_mip1.png --channel g=rock.png",
            "--level and --channel exclude each other (leave out one of them)",
        ),
        ("assemble --array rock.png -o a.dds --level 1=rock_mip1.png", "--level is for single images"),
    ] {
        folder.line(line).fails(1, &[words]);
    }
    folder.line("encode rock.png --level 1=lost.png").fails(2, &["lost.png: no such file"]);
    folder.line("encode rock_mip2.png --level 1=a.png --level 2=b.png --level 3=c.png").fails(2, &["a.png"]);
}
