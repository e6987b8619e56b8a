//! Rule files and the command line together: the order of both, and rule files that are not used.

use crate::{common::Folder, rules::folder_with};
use serde_json::Value;

/// Encodes the folder `in` by rules, and returns the entries of the report.
fn encoded(folder: &Folder, rules: &str, options: &[&str]) -> Value {
    folder.write("rules.toml", rules.as_bytes());
    let arguments = ["encode", "in", "-r", "-o", "out/", "--rules", "rules.toml", "--force", "--json"];
    let ran = folder.run(&[&arguments[..], options].concat());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.json()["files"].clone()
}

#[test]
fn an_option_of_the_command_line_overrides_all_rules() {
    let folder = folder_with(&["rock.png", "ui/icon.png"]);
    let rules = "
[target.a]
max-size = 4
[[rule]]
files = '**'
quality = 'best'
format = 'bc7'
mips = 'all'
[[rule]]
files = 'ui/**'
real-time = 2
";
    let properties = |options: &[&str]| {
        let files = encoded(&folder, rules, options);
        let keys = ["quality", "real_time", "format", "levels", "width"];
        [0, 1].map(|index| keys.map(|key| files[index][key].to_string()).join(" "))
    };
    assert_eq!(properties(&[]), ["\"best\" null \"bc7\" 3 4", "\"normal\" 2 \"bc7\" 3 4"]);
    // Also an option that is given with its default value.
    let given = ["-q", "normal", "--mips=none", "--max-size", "8"];
    assert_eq!(properties(&given), ["\"normal\" null \"bc7\" 1 8"; 2]);
    assert_eq!(properties(&["-q", "ultrafast", "-f", "bc1"])[0], "\"ultrafast\" null \"bc1\" 3 4");
    // The file that no rule matches has the options of the command line, too.
    let files = encoded(&folder, "[[rule]]\nfiles = 'rock*'\nformat = 'bc3'", &["-f", "bc7", "--rdo", "2"]);
    assert!(files[0]["format"] == "bc7" && files[1]["format"] == "bc7" && files[1]["rdo"] == 2.0, "{files}");
}

#[test]
fn options_must_fit_the_rules() {
    let folder = folder_with(&["rock.png", "leaf.png"]);
    // The rules choose the format and the mip levels.
    let rules = "[[rule]]\nfiles = '**'\nformat = 'bc7'\nmips = true";
    let files = encoded(&folder, rules, &["--modes", "1,6", "--keep-coverage"]);
    assert_eq!(files[1]["format"], "bc7");
    let run = |rules: &str, options: &[&str]| {
        folder.write("rules.toml", rules.as_bytes());
        let arguments = ["encode", "in", "-o", "none/", "--rules", "rules.toml"];
        let ran = folder.run(&[&arguments[..], options].concat());
        assert!(!folder.path("none").exists(), "{ran:?}");
        ran
    };
    let bc1 = "[[rule]]\nfiles = 'leaf*'\nformat = 'bc1'";
    let origin = "rules.toml, line 1, and the command line";
    run(bc1, &["--modes", "1,6"]).fails(1, &["in/leaf.png: modes is for bc7, not bc1", origin]);
    run(bc1, &["--modes", "0,1,2,3,4,5,6,7"]).fails(1, &["in/leaf.png: modes is for bc7, not bc1", origin]);
    let normal = "[[rule]]\nfiles = '**'\nkind = 'normal'";
    run(normal, &["-f", "bc1"])
        .fails(1, &["normal maps need the format bc5, bc5s, bc7, eac-rg11, ", " or auto, not bc1", origin]);
    run("[[rule]]\nfiles = '**'\nformat = 'bc7'", &["--one-channel"]).fails(1, &["not bc7", origin]);
    run(normal, &["--srgb"]).fails(1, &["normal maps are linear, but sRGB is chosen", origin]);
    // Options of the command line must fit each other, too.
    let both = run(bc1, &["--weigh-by-alpha", "--rdo", "2"]);
    both.fails(1, &["--weigh-by-alpha and --rdo exclude each other"]);
    run("[[rule]]\nfiles = '**'\nkeep-coverage = true", &["-f", "bc3"])
        .fails(1, &["in/leaf.png: keep-coverage needs mip levels", "rules.toml, line 1"]);
    folder
        .run(&["encode", "in/leaf.png", "-f", "bc3", "--keep-coverage"])
        .fails(1, &["--keep-coverage needs mip levels (use --mips)"]);
}

#[test]
fn targets_by_rules_are_reached() {
    let folder = folder_with(&["rock.png"]);
    let rules = "[[rule]]\nfiles = '**'\nformat = 'bc7'\nquality = 'ultrafast'\ntarget-psnr = 20";
    let files = encoded(&folder, rules, &[]);
    assert_eq!(files[0]["rdo_target"]["target_psnr"], 20.0);
    let files = encoded(&folder, rules, &["--rdo", "1"]);
    assert_eq!((&files[0]["rdo_target"], &files[0]["rdo"]), (&Value::Null, &1.0.into()));
}

#[test]
fn rule_files_that_are_not_used_are_named() {
    let folder = folder_with(&["rock.png", "ui/icon.png", "ui/deep/x.png"]);
    folder.write("in/brickwork.toml", b"[[rule]]\nfiles = '**'\nformat = 'bc7'");
    folder.write("in/ui/brickwork.toml", b"[[rule]]\nfiles = '**'\nformat = 'bc7'");
    let note =
        "note: the rules of in/brickwork.toml are not used for in/rock.png, because in is not an input";
    let ran = folder.run(&["encode", "in/rock.png", "in/ui/deep/x.png", "-o", "a/"]);
    ran.says(&[note, "--rules uses them"]);
    assert!(ran.exit == Some(0) && ran.stderr.lines().count() == 1, "{ran:?}");
    let ran = folder.run(&["encode", "in", "-r", "-o", "b/"]);
    ran.says(&[
        "the rules of in/brickwork.toml are used",
        "the rules of in/ui/brickwork.toml are not used for in/ui/",
    ]);
    assert!(ran.exit == Some(0) && ran.stderr.lines().count() == 2, "{ran:?}");
    for words in [["in/rock.png", "--no-rules"], ["in/rock.png", "--quiet"]] {
        folder.run(&[&["encode", "-o", "c/", "--force"], &words[..]].concat()).ok();
    }
    // A rule need not match a file that is named.
    folder.write("rules.toml", b"[[rule]]\nfiles = 'leaf*'");
    folder.run(&["encode", "in/rock.png", "-o", "d/", "--rules", "rules.toml"]).ok();
    let ran = folder.run(&["encode", "in", "-o", "e/", "--rules", "rules.toml"]);
    ran.fails(1, &["no input matches \"leaf*\" (optional = true in the rule allows that)"]);
}
