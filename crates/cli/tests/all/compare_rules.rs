//! `brickwork compare` of folders with the textures that rules made.

use crate::common::{Folder, Ran, photo, png_rgb, png_rgba};
use std::collections::BTreeMap;

const RULES: &str = "
[[rule]]
files = '**'
container = 'ktx2'
[[rule]]
files = 'draft_*'
skip = true
[[rule]]
files = 'rock_rough.png'
skip = true
[[rule]]
files = 'rock_ao.png'
name = '{base}_orm'
channel = ['g=rock_rough.png:1-r']
format = 'bc7'
[[rule]]
files = 'wide.png'
max-size = 16
[[rule]]
files = 'ui/*'
format = 'bc7'
premultiply = true
flip-y = true
color-space = 'srgb'
[[rule]]
files = 'leaf.png'
format = 'bc7'
dilate = true
";

/// Images in `art`, their textures in `out`, and one texture of another command.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["art", "art/ui", "out"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("art/brickwork.toml", RULES.as_bytes());
    folder.write("art/rock.png", &photo());
    folder.write("art/draft_rock.png", &photo());
    folder.write("art/wide.png", &photo());
    let grey = |scale: u32| png_rgb(32, 32, move |x, y| [(x * 2 + y * scale) as u8; 3]);
    folder.write("art/rock_ao.png", &grey(5));
    folder.write("art/rock_rough.png", &grey(1));
    let glow = |x: u32, y: u32| [200, 90 + x as u8, 40, (x * 8) as u8 / 2 + y as u8];
    folder.write("art/ui/glow.png", &png_rgba(32, 32, glow));
    let leaf = |x: u32, _| if x < 20 { [60, 149, 30, 255] } else { [255, 255, 255, 0] };
    folder.write("art/leaf.png", &png_rgba(32, 32, leaf));
    let ran = folder.run(&["encode", "art", "-r", "-o", "out/", "--quiet"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    folder.run(&["encode", "art/rock.png", "-o", "out/sky.ktx2", "--quiet"]).ok();
    folder
}

const COMPARE: [&str; 6] = ["compare", "art", "out", "-r", "--rules", "art/brickwork.toml"];

#[test]
fn the_outputs_of_rules_are_compared_as_they_were_made() {
    let folder = folder();
    let plain = folder.run(&["compare", "art", "out", "-r", "--fail-under", "psnr=25"]);
    assert_eq!(plain.exit, Some(7));
    plain.says(&["rock_ao: has no partner in out", "wide.ktx2"]);
    let gate = ["--exclude", "sky.*", "--fail-under", "psnr=25"];
    let ran = folder.run(&[&COMPARE[..], &gate].concat());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    for name in ["rock ", "rock_orm ", "wide ", "leaf ", "ui/glow ", "5 pairs"] {
        assert!(ran.text().contains(name), "{name}: {ran:?}");
    }
    // Errors are those that `encode` measured.
    let encode = ["encode", "art", "-r", "-o", "again/", "--json"];
    let encoded = folder.run(&encode).json();
    let compared = folder.run(&[&COMPARE[..], &["--json"]].concat()).json();
    let psnr_of = |name: &str| {
        let files = encoded["files"].as_array().unwrap();
        let file = files.iter().find(|file| file["output"].as_str().unwrap().ends_with(name)).unwrap();
        file["metrics"]["psnr"]["rgb"].as_f64()
    };
    for name in ["rock_orm.ktx2", "wide.ktx2", "leaf.ktx2"] {
        let pairs = compared["pairs"].as_array().unwrap();
        let pair = pairs.iter().find(|pair| pair["b"]["file"].as_str().unwrap().ends_with(name)).unwrap();
        let found = pair["psnr"]["rgb"].as_f64();
        let is_near = match (found, psnr_of(name)) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-6,
            (a, b) => a == b,
        };
        assert!(is_near, "{name}: {found:?}, {:?}", psnr_of(name));
    }
}

#[test]
fn files_without_a_partner_fail_unless_they_are_allowed() {
    let folder = folder();
    let gate =
        |more: &[&str]| folder.run(&[&COMPARE[..], &["--quiet", "--fail-under", "psnr=25"], more].concat());
    gate(&[]).fails(7, &["out/sky: has no partner in art"]);
    gate(&["--allow-unpaired"]).ok();
    gate(&["--exclude", "SKY.ktx2"]).ok();
    // A texture that is missing.
    std::fs::remove_file(folder.path("out/wide.ktx2")).unwrap();
    gate(&["--exclude", "sky*"]).fails(7, &["art/wide: has no partner in out"]);
    gate(&["--exclude", "sky*", "--exclude", "wide*"]).ok();
    let ran = folder.run(&["compare", "art/rock.png", "out/rock.ktx2", "--exclude", "x"]);
    ran.fails(1, &["--exclude is for two folders"]);
    let wrong = folder.run(&["compare", "art", "out", "--exclude", "{a,b}"]);
    wrong.says(&["braces have no meaning"]);
}

/// Targets of the command line are those of `encode`.
#[test]
fn targets_of_the_command_line_are_compared() {
    let folder = folder();
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    folder.write("art/brickwork.toml", b"[target.pc]\n[target.web]\n");
    let phone = ["--target", "phone=astc", "--target", "pc"];
    let encode = ["encode", "art", "-r", "-o", "out/", "--quiet", "-q", "ultrafast"];
    let ran = folder.run(&[&encode[..], &phone].concat());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let compare = |more: &[&str]| folder.run(&[&COMPARE[..], more].concat());
    let names = |ran: &Ran| -> Vec<_> {
        let json = ran.json();
        let pairs = json["pairs"].as_array().unwrap().iter().map(|pair| pair["b"]["file"].clone());
        let mut names: Vec<_> = pairs.map(|name| name.as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let both = names(&compare(&[&phone[..], &["--json"]].concat()));
    assert!(both.len() == 14 && both.iter().filter(|name| name.contains("phone")).count() == 7, "{both:?}");
    // The others are no files without a partner.
    let one = compare(&["--target", "pc", "--json", "--exclude", "phone/**"]);
    assert!(names(&one).len() == 7 && one.json()["only_in_b"].as_array().unwrap().is_empty(), "{one:?}");
    let wrong = compare(&["--target", "tv"]);
    assert_eq!(wrong.exit, Some(1), "{wrong:?}");
    wrong.says(&["tv", "pc", "web"]);
    compare(&["--target", "tv=bc9"]).fails(1, &["--target tv=bc9", "neither a family"]);
    // Without a rule file.
    let ran = folder.run(&["encode", "art", "-o", "plain/", "--no-rules", "--quiet", "--target", "x=bc"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let bare = folder.run(&["compare", "art", "plain", "-r", "--target", "x=bc", "--json"]);
    assert!(names(&bare).iter().all(|name| name.contains("plain/x/")) && names(&bare).len() == 6, "{bare:?}");
    let report = ["report", "art", "plain", "-r", "-o", "page.html", "--target", "x=bc", "--json"];
    assert_eq!(folder.run(&report).json()["pairs"].as_array().unwrap().len(), 6);
    let files = folder.run(&["compare", "art/rock.png", "art/rock.png", "--target", "x"]);
    files.fails(1, &["--target is for two folders"]);
}

/// The page of a report compares as `compare` does.
#[test]
fn reports_compare_what_rules_made() {
    let folder = folder();
    let report = |words: &[&str]| {
        let report = ["report", "art", "out", "-r", "-o", "page.html", "--force", "--json"];
        let json = folder.run(&[&report[..], words].concat()).json();
        let pairs = json["pairs"].as_array().unwrap().clone();
        let psnr = |pair: &serde_json::Value| {
            (pair["name"].as_str().unwrap().to_owned(), pair["psnr"]["rgb"].as_f64().unwrap_or(99.0))
        };
        pairs.iter().filter(|pair| pair["error"].is_null()).map(psnr).collect::<BTreeMap<_, _>>()
    };
    let ruled = report(&["--rules", "art/brickwork.toml", "--exclude", "wide*"]);
    let names: Vec<_> = ruled.keys().map(String::as_str).collect();
    assert_eq!(names, ["leaf", "rock", "rock_orm", "ui/glow"]);
    assert!(ruled.values().all(|&psnr| psnr > 35.0), "{ruled:?}");
    assert!(!report(&[]).contains_key("rock_orm"));
    // A gate of no pairs is not passed.
    let none = ["report", "art", "out", "-r", "-o", "none.html", "--exclude", "*", "--quiet", "--force"];
    folder.run(&none).ok();
    let failure = ["there is a limit, but no texture to measure"];
    folder.run(&[&none[..], &["--fail-under", "psnr=20"]].concat()).fails(7, &failure);
    folder
        .run(&["report", "art/rock.png", "out/rock.ktx2", "-o", "a.html", "--rules", "r.toml"])
        .fails(1, &["--rules is for two folders"]);
}
