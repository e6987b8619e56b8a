//! Families of formats, and targets of the command line.

use crate::{
    common::{Folder, png_rgb, png_rgba},
    rules::folder_with,
};
use brickwork_image::image_file::write_exr;
use brickwork_texture::Task;
use serde_json::{Value, json};
use std::fs;

/// A folder `in` with a photograph, a cut-out, soft alpha, roughness and normals.
fn art() -> Folder {
    let folder = folder_with(&["rock_n.png"]);
    let write = |name: &str, file: Vec<u8>| fs::write(folder.path(&format!("in/{name}")), file).unwrap();
    write("rock.png", crate::common::photo());
    write("leaf.png", png_rgba(16, 16, |x, y| [90, 150, 40, if (x + y) % 3 == 0 { 0 } else { 255 }]));
    write("smoke.png", png_rgba(16, 16, |x, y| [90, 90, 90 + y as u8, 16 * x as u8]));
    write("rock_rough.png", png_rgb(16, 16, |x, y| [8 * (x + y) as u8; 3]));
    folder
}

/// Returns the last part of each output's path, its format and its target.
fn formats(report: &Value) -> Vec<(String, String, Value)> {
    let files = report["files"].as_array().unwrap();
    let text = |file: &Value, key: &str| file[key].as_str().unwrap_or_default().to_owned();
    files.iter().map(|file| (text(file, "output"), text(file, "format"), file["target"].clone())).collect()
}

#[test]
fn images_get_the_formats_of_the_family() {
    let folder = art();
    let found = |family: &str| {
        let output = format!("{family}/");
        let report =
            folder.run(&["encode", "in", "-o", &output, "--family", family, "--mips", "--json"]).json();
        assert!(report["files"].as_array().unwrap().iter().all(|file| file["family"] == family));
        folder.run(&["validate", &output, "--quiet"]).ok();
        let of = |(output, format, target): (String, String, Value)| {
            assert_eq!(target, Value::Null);
            format!("{} {format}", output.split('/').next_back().unwrap())
        };
        formats(&report).into_iter().map(of).collect::<Vec<_>>()
    };
    let etc2 = [
        "leaf.ktx2 etc2-a1",
        "rock.ktx2 etc2",
        "rock_n.ktx2 eac-rg11",
        "rock_rough.ktx2 eac-r11",
        "smoke.ktx2 etc2-a8",
    ];
    assert_eq!(found("etc2"), etc2);
    let astc = etc2.map(|line| format!("{} astc-4x4", line.split(' ').next().unwrap()));
    assert_eq!(found("astc"), astc);
    assert_eq!(found("bc")[..2], ["leaf.dds bc1", "rock.dds bc1"]);
    // Colours of one kind are comparable.
    folder
        .run(&["report", "in/rock.png", "bc/rock.dds", "astc/rock.ktx2", "etc2/rock.ktx2", "-o", "page.html"])
        .ok();
    folder.run(&["encode", "in/rock.png", "-o", "rock.astc", "--family", "astc"]).ok();
}

#[test]
fn what_a_family_does_not_have_is_refused() {
    let folder = art();
    let mut exr = Vec::new();
    let light: Vec<_> = (0..64).map(|i| [i as f32, 2.0, 9.0]).collect();
    write_exr(&mut exr, 8, 8, &light, &Task::new()).unwrap();
    folder.write("sky.exr", &exr);
    let fails = |line: &str, exit: i32, words: &[&str]| folder.line(line).fails(exit, words);
    let hdr = "sky.exr: is HDR, which no format of the family astc stores; bc6h and plain formats such as";
    fails("encode sky.exr --family astc", 5, &[hdr]);
    fails("encode sky.exr --target a=astc", 5, &[hdr, "(by --target a=astc)"]);
    folder.line("encode sky.exr --family astc -f rgba16f").ok();
    let dds = "a.dds: DDS has no formats of the family astc; write KTX2 or .astc";
    fails("encode in/rock.png -o a.dds --family astc", 5, &[dds]);
    fails(
        "encode in/rock.png -o a.dds -f auto --family etc2",
        5,
        &["a.dds: DDS has no formats of the family"],
    );
    fails("assemble --array in/rock.png -o a.dds --family etc2", 5, &["DDS has no formats of the family"]);
    let rdo = "--rdo is for bc1, bc3, bc4, bc4s, bc5, bc5s, bc7, none of which is of the family etc2";
    fails("encode in/rock.png --family etc2 --rdo 2", 1, &[rdo, "(leave out --rdo)"]);
    fails("encode in/rock.png --family astc --dither", 1, &["--dither is for", "the family astc"]);
    fails("encode in/rock.png --family astc -f bc7", 1, &["bc7 is of the family bc, not astc (use -f auto)"]);
    fails("encode in/rock.png --family astc --legacy", 1, &["--legacy is for dds"]);
    assert!(folder.names() == ["in", "sky.dds", "sky.exr"], "{:?}", folder.names());
}

#[test]
fn targets_have_folders_and_stay_up_to_date() {
    let folder = art();
    let arguments = ["encode", "in", "-o", "out/", "--cache", "cache", "--json", "-q", "ultrafast"];
    let targets =
        ["--target", "pc=bc", "--target", "phone=astc", "--target", "old=etc2", "--target", "hero=bc7"];
    let run = |more: &[&str]| folder.run(&[&arguments[..], more].concat()).json();
    let report = run(&targets);
    let found = formats(&report);
    let of_rock: Vec<_> = found.iter().filter(|(output, ..)| output.contains("rock.")).collect();
    let expected = [
        ("out/pc/rock.dds", "bc1", "pc"),
        ("out/phone/rock.ktx2", "astc-4x4", "phone"),
        ("out/old/rock.ktx2", "etc2", "old"),
        ("out/hero/rock.dds", "bc7", "hero"),
    ];
    for (found, (output, format, target)) in of_rock.into_iter().zip(expected) {
        assert_eq!(*found, (output.to_owned(), format.to_owned(), json!(target)));
    }
    assert_eq!(report["summary"]["written"], 20);
    // A target with other formats is made again, and the others are up to date.
    let changed = targets.map(|argument| if argument == "old=etc2" { "old=astc" } else { argument });
    let report = run(&changed);
    assert_eq!((&report["summary"]["up_to_date"], &report["summary"]["from_cache"]), (&json!(15), &json!(5)));
    let untouched = report["files"].as_array().unwrap().iter().map(|file| file["target"].as_str().unwrap());
    assert_eq!(untouched.filter(|target| *target == "old").count(), 5);
    assert_eq!(folder.read("out/old/rock.ktx2"), folder.read("out/phone/rock.ktx2"));
    // Without the cache, by times and options.
    let update = ["encode", "in", "-o", "new/", "--update", "--json", "-q", "ultrafast"];
    let of =
        |target: &str| folder.run(&[&update[..], &["--target", target]].concat()).json()["summary"].clone();
    assert_eq!(of("a=etc2")["written"], 5);
    assert_eq!(of("a=etc2")["up_to_date"], 5);
    assert_eq!(of("a=astc")["written"], 5);
}

#[test]
fn targets_without_a_folder_are_in_the_names() {
    let folder = art();
    let targets = ["--target", "pc=bc", "--target", "phone=astc"];
    let run = |more: &[&str]| folder.run(&[&["encode"], more, &targets[..]].concat());
    run(&["in/rock.png", "-o", "rock.ktx2"]).ok();
    run(&["in/rock.png", "in/leaf.png", "--quiet"]).ok();
    let ran = run(&["in/rock.png", "-o", "small.ktx2", "--max-size", "32", "-q", "fast", "--json"]).json();
    for file in ran["files"].as_array().unwrap() {
        assert_eq!((&file["width"], &file["quality"]), (&json!(32), &json!("fast")));
    }
    for name in ["rock.pc.ktx2", "rock.phone.ktx2", "in/rock.pc.dds", "in/leaf.phone.ktx2"] {
        assert!(folder.path(name).is_file(), "{name}");
    }
    run(&["in/rock.png", "-o", "x.dds"]).fails(
        5,
        &["x.phone.dds: DDS has no formats of the family astc; write KTX2 or .astc (by --target phone=astc)"],
    );
    assert!(!folder.path("x.pc.dds").exists());
    run(&["in/rock.png", "in/leaf.png", "-o", "x.ktx2"]).fails(1, &["2 inputs do not fit into one file"]);
    run(&["in/rock.png", "-o", "-"]).fails(1, &["several targets do not fit into standard output"]);
    run(&["-", "-o", "x.ktx2"]).fails(1, &["standard input: has no name for targets (leave out --target)"]);
    for (more, reason) in [
        (&["-f", "bc7"][..], "--target pc=bc and --format exclude each other (leave out --format)"),
        (&["--family", "bc"], "--target pc=bc and --family exclude each other (leave out --family)"),
        (
            &["--rdo", "2"],
            "none of which is of the family astc (by --target phone=astc, and the command line)",
        ),
        (&["--target", "x=bc8"], "--target x=bc8: \"bc8\" is neither a family (bc, astc, etc2) nor a format"),
        (&["--target", "../x=bc"], "--target ../x=bc: \"../x\" cannot be part of a file name"),
        (&["--target", "pc=astc"], "--target pc is given twice"),
        (&["--target", "y"], "there is no target \"y\"; the targets are pc, phone"),
    ] {
        run(&[&["in/rock.png", "-o", "y/"], more].concat()).fails(1, &[reason]);
    }
    run(&["in/rock.png", "-o", "x.ktx2", "-f", "auto", "--no-rules"]).ok();
}

/// A table of the rule file has options of a target, and rules may be limited to it.
#[test]
fn rule_files_have_options_of_targets_of_the_command_line() {
    let folder = art();
    folder.write(
        "in/brickwork.toml",
        b"[target.phone]\nmax-size = 8\nfamily = 'etc2'\n[target.pc]\n[[rule]]\nfiles = '*_rough.png'\n\
          targets = 'pc'\nformat = 'bc7'\n",
    );
    let run = |more: &[&str]| {
        let ran = folder.run(&[&["encode", "in", "-o", "out/", "--force", "--json"], more].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        formats(&report)
    };
    let found = run(&[]);
    let has = |found: &[(String, String, Value)], output: &str, format: &str| {
        assert!(found.iter().any(|(name, of, _)| name == output && of == format), "{output}: {found:?}");
    };
    has(&found, "out/phone/rock_rough.ktx2", "eac-r11");
    has(&found, "out/pc/rock_rough.dds", "bc7");
    let found = run(&["--target", "phone=astc"]);
    has(&found, "out/phone/rock.ktx2", "astc-4x4");
    assert_eq!(found.len(), 5);
    let report = folder.run(&["info", "out/phone/rock.ktx2", "--json"]).json();
    assert_eq!(report["files"][0]["width"], 8);
}

#[test]
fn audits_try_the_formats_of_the_family() {
    let folder = art();
    folder.line("encode in/rock_n.png -f etc2 --linear -o in/wall_n.ktx2 --quiet");
    folder.line("encode in/rock_n.png -f bc1 --linear -o in/floor_n.dds --quiet");
    folder.line("encode in/rock_n.png -f eac-rg11 -o in/good_n.ktx2 --quiet");
    let audited =
        |family: &str| folder.run(&["audit", "in", "--family", family, "--min-psnr", "10", "--json"]).json();
    let etc2 = audited("etc2");
    let file = |report: &Value, name: &str| {
        let files = report["files"].as_array().unwrap();
        files.iter().find(|file| file["file"].as_str().unwrap().ends_with(name)).unwrap().clone()
    };
    assert_eq!(etc2["family"], "etc2");
    assert_eq!(file(&etc2, "rock.png")["trial"]["format"], "etc2");
    assert_eq!(file(&audited("astc"), "rock.png")["trial"]["format"], "astc-4x4");
    let note = |name: &str| file(&etc2, name)["notes"].clone();
    let text = "normals in etc2, which loses much of them; eac-rg11 stores x and y closer";
    assert_eq!(note("wall_n.ktx2"), json!([text]));
    let text = "normals in bc1, which loses much of them; bc5 stores x and y closer";
    assert_eq!(note("floor_n.dds"), json!([text]));
    assert_eq!(note("good_n.ktx2"), json!([]));
}
