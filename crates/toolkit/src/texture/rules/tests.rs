//! Tests of rule files.

use super::{Assignment, Overrides, RuleBook, RuleFault, setting::keys};
use crate::{
    batch::{Input, InputGroup},
    texture::{
        ChannelFile, ChannelFiles, FormatChoice, FormatFamily, MipLevels, PictureChannel, RdoTarget,
        TextureOptions,
    },
};
use brickwork_base::ErrorKind;
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{BlockFormat, ColorSpace, PlainFormat, Quality};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

fn book(text: &str) -> RuleBook {
    RuleBook::parse("rules.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    RuleBook::parse("rules.toml", text).unwrap_err().to_string()
}

fn base() -> TextureOptions {
    TextureOptions { format: FormatChoice::AUTO, ..TextureOptions::default() }
}

/// The options of a picture, without targets.
fn options(text: &str, relative: &str) -> TextureOptions {
    book(text).ruling(&base(), None, relative, OsStr::new("stem")).unwrap().options
}

#[test]
fn later_rules_override_earlier_ones() {
    let text = "
        [[rule]]
        files = '**'
        mips = true
        format = 'bc7'
        [[rule]]
        files = ['*_n.png', '*_normal.*']
        kind = 'normal'
        format = 'bc5'
        [[rule]]
        files = 'ui/**'
        mips = 'none'
    ";
    let of = |relative| {
        let options = options(text, relative);
        (options.format.format().unwrap().block().unwrap(), options.usage, options.mip_levels)
    };
    assert_eq!(of("a.png"), (BlockFormat::Bc7, PictureUse::Unknown, MipLevels::Full));
    assert_eq!(of("deep/er/a_N.PNG"), (BlockFormat::Bc5Unorm, PictureUse::Normals, MipLevels::Full));
    assert_eq!(of("ui/x/a_n.png"), (BlockFormat::Bc5Unorm, PictureUse::Normals, MipLevels::AtMost(1)));
    assert_eq!(of("deep/ui/a.png").2, MipLevels::Full);
}

#[test]
fn patterns_are_of_names_or_of_paths() {
    let matches = |pattern: &str, relative| {
        let mut book = book(&format!("[[rule]]\nfiles = '{pattern}'"));
        book.ruling(&base(), None, relative, OsStr::new("")).unwrap();
        book.check_matched().is_ok()
    };
    for (pattern, relative) in [
        ("*.png", "deep/a.png"),
        ("**", "deep/a.png"),
        ("deep/**", "deep/er/a.png"),
        ("**/er/*", "deep/er/a.png"),
        ("*/a.png", "deep/a.png"),
        ("rock[0-9].png", "ROCK7.png"),
        ("a?.png", "ab.png"),
        ("BÄUME*", "bäume.png"),
        ("bär*", "BÄR_X.PNG"),
        ("Г?.png", "гЁ.PNG"),
        ("[Ä-Ö]*", "ö.png"),
        ("İ?*", "i.png"),
        ("ΟΔΟΣ*", "οδοσ.png"),
    ] {
        assert!(matches(pattern, relative), "{pattern} {relative}");
    }
    for (pattern, relative) in
        [("*/a.png", "deep/er/a.png"), ("deep/*", "a.png"), ("a", "a.png"), ("deep/*.png", "deep/er/a.png")]
    {
        assert!(!matches(pattern, relative), "{pattern} {relative}");
    }
    let unmatched = book("[[rule]]\nfiles = 'BÄR*'").check_matched().unwrap_err().to_string();
    assert!(unmatched.ends_with("no input matches \"BÄR*\""), "{unmatched}");
}

#[test]
fn kinds_state_the_use() {
    let of = |kind: &str| options(&format!("[[rule]]\nfiles = '**'\n{kind}"), "a.png");
    let data = of("kind = 'mask'");
    assert_eq!((data.usage, data.color_space), (PictureUse::Data, Some(ColorSpace::Linear)));
    // A stated format needs no suggestion, and the texels stay linear.
    let data = of("format = 'bc7'\nkind = 'data'");
    assert_eq!((data.usage, data.color_space), (PictureUse::Data, Some(ColorSpace::Linear)));
    assert!(data.check().is_ok());
    assert_eq!(of("kind = 'hdr'").format.format().unwrap(), BlockFormat::Bc6hUfloat);
    assert_eq!(of("format = 'bc6hs'\nkind = 'hdr'").format.format().unwrap(), BlockFormat::Bc6hSfloat);
    let plain = of("format = 'rgb9e5'\nkind = 'hdr'").format.format();
    assert_eq!(plain.unwrap(), PlainFormat::Rgb9e5);
    assert_eq!(of("kind = 'color'").usage, PictureUse::Color);
    assert_eq!(of("from-height = 8").usage, PictureUse::Normals);
}

/// The format of `hdr` is part of this kind.
#[test]
fn a_later_kind_replaces_an_earlier_one() {
    let then = "\n[[rule]]\nfiles = '*'\n";
    for kind in ["auto", "color", "normal", "data", "one-channel"] {
        let of = |rules: &str| format!("{:?}", options(&format!("[[rule]]\nfiles = '**'\n{rules}"), "a.png"));
        assert_eq!(of(&format!("kind = 'hdr'{then}kind = '{kind}'")), of(&format!("kind = '{kind}'")));
    }
}

/// Without rules, the same two options are an error.
#[test]
fn the_kind_of_overrides_does_not_lose_to_a_format() {
    let checked = |rules: &str, kind: Option<&str>| {
        let mut overrides = Overrides::new("the caller");
        kind.into_iter().for_each(|kind| overrides.add("kind", kind).unwrap());
        let mut book = book(&format!("[[rule]]\nfiles = '**'\n{rules}")).with_overrides(overrides);
        let options = book.ruling(&base(), None, "a.png", OsStr::new("a")).unwrap().options;
        (options.usage, options.check().is_ok())
    };
    assert_eq!(checked("format = 'bc7'", Some("one-channel")), (PictureUse::OneChannel, false));
    assert_eq!(checked("kind = 'hdr'", Some("one-channel")), (PictureUse::OneChannel, true));
    assert_eq!(checked("format = 'bc7'\nkind = 'one-channel'", None), (PictureUse::Unknown, true));
}

/// Each key with a value that it can have. The table has no other keys.
#[test]
fn every_key_is_read() {
    let values = [
        ("container", "'ktx2'"),
        ("dds-header", "'dx10'"),
        ("zstd", "true"),
        ("format", "'bc3'"),
        ("family", "'etc2'"),
        ("kind", "'normal'"),
        ("swizzle", "'bgr1'"),
        ("normal-flip-y", "true"),
        ("normal-flip-x", "true"),
        ("normalize", "true"),
        ("from-height", "4.5"),
        ("roughness-channel", "'g'"),
        ("quality", "'best'"),
        ("method", "'cluster-fit'"),
        ("decoder", "'nvidia'"),
        ("weights", "'1,2,3'"),
        ("metric", "'log'"),
        ("max-value", "1e3"),
        ("modes", "'1,6'"),
        ("real-time", "1"),
        ("rdo", "2"),
        ("min-psnr", "30"),
        ("target-psnr", "38.5"),
        ("target-size", "'70%'"),
        ("no-three-color", "true"),
        ("transparent-black", "true"),
        ("dither", "true"),
        ("alpha-threshold", "0x10"),
        ("opaque", "true"),
        ("weigh-by-alpha", "true"),
        ("dilate", "true"),
        ("premultiply", "true"),
        ("color-space", "'linear'"),
        ("assign-oetf", "'gamma:2.2'"),
        ("convert-oetf", "'srgb'"),
        ("resize", "'50%'"),
        ("max-size", "512"),
        ("power-of-two", "'up'"),
        ("multiple-of-4", "true"),
        ("flip", "'x'"),
        ("flip-y", "true"),
        ("mips", "3"),
        ("mip-filter", "'box'"),
        ("mip-wrap", "'repeat,mirror'"),
        ("keep-coverage", "true"),
        ("exr-layer", "'diffuse'"),
    ];
    assert_eq!(values.map(|(key, _)| key).to_vec(), keys().collect::<Vec<_>>());
    for (key, value) in values {
        let set = options(&format!("[[rule]]\nfiles = '**'\n{key} = {value}"), "a.png");
        assert_ne!(format!("{set:?}"), format!("{:?}", base()), "{key}");
        // A date is no value of any key.
        let refused = error(&format!("[[rule]]\nfiles = '**'\n{key} = 1979-05-27"));
        assert!(refused.starts_with(&format!("rules.toml:3: {key}: ")), "{refused}");
    }
    // `false` undoes an earlier rule, and changes nothing without one.
    let mut without = Vec::new();
    // `false` refuses the change that the default may make.
    let is_switch = |key: &str| ["normalize", "dilate"].contains(&key);
    for (key, value) in values.into_iter().filter(|(key, _)| !is_switch(key)) {
        let text = format!("[[rule]]\nfiles = 'a*'\n{key} = {value}\n[[rule]]\nfiles = '**'\n{key} = false");
        match RuleBook::parse("rules.toml", &text) {
            Ok(_) => {
                for name in ["a.png", "b.png"] {
                    assert_eq!(
                        format!("{:?}", options(&text, name)),
                        format!("{:?}", base()),
                        "{key} {name}"
                    );
                }
            }
            Err(error) => {
                assert!(error.to_string().starts_with(&format!("rules.toml:6: {key}: ")), "{error}");
                without.push(key);
            }
        }
    }
    // Keys with another value for their default.
    let expected = [
        "dds-header",
        "format",
        "kind",
        "roughness-channel",
        "quality",
        "method",
        "decoder",
        "weights",
        "modes",
        "rdo",
        "alpha-threshold",
        "color-space",
        "mip-wrap",
    ];
    assert_eq!(without, expected);
}

#[test]
fn options_of_normal_maps_state_the_use_until_they_are_undone() {
    let usage = |rules: &str| options(&format!("[[rule]]\nfiles = '**'\n{rules}"), "a.png").usage;
    let then = "\n[[rule]]\nfiles = '*'\n";
    assert_eq!(usage("normal-flip-y = true"), PictureUse::Normals);
    assert_eq!(usage("normal-flip-y = false"), PictureUse::Unknown);
    assert_eq!(usage("kind = 'color'\nnormal-flip-y = false"), PictureUse::Color);
    assert_eq!(usage("kind = 'normal'\nnormal-flip-y = false"), PictureUse::Normals);
    assert_eq!(usage(&format!("from-height = 4{then}from-height = false")), PictureUse::Unknown);
    assert_eq!(usage(&format!("from-height = 4{then}kind = 'color'")), PictureUse::Color);
    assert_eq!(usage(&format!("kind = 'color'{then}from-height = 4")), PictureUse::Normals);
    assert_eq!(usage("color-space = 'srgb'"), PictureUse::Color);
    assert_eq!(usage("convert-oetf = 'linear'"), PictureUse::Color);
}

#[test]
fn normal_maps_of_roughness_maps_are_beside_them() {
    let ruling = |rules: &str, stem: &str| {
        let mut book = book(&format!("[[rule]]\nfiles = '**'\n{rules}"));
        let ruling = book.ruling(&base(), None, &format!("{stem}.png"), OsStr::new(stem)).unwrap();
        (ruling.normal_map, ruling.options)
    };
    let path = |rules: &str, stem: &str| ruling(rules, stem).0.unwrap().into_string().unwrap();
    assert_eq!(path("roughness-from = '{base}_n.png'", "rock_rough"), "rock_n.png");
    assert_eq!(path("roughness-from = '../n/{stem}.tga'", "rock"), "../n/rock.tga");
    assert_eq!(path("roughness-from = '{base}/{stem}'", "a_b"), "a/a_b");
    let (_, options) = ruling("roughness-from = 'n.png'\nmips = true", "a");
    assert!(options.roughness_from_normals && options.check().is_ok());
    assert_eq!((options.usage, options.color_space), (PictureUse::Data, Some(ColorSpace::Linear)));
    let (_, options) = ruling("roughness-from = 'n.png'\nkind = 'one-channel'", "a");
    assert_eq!(options.usage, PictureUse::OneChannel);
    let (normal_map, options) = ruling("roughness-from = false", "a");
    assert!(normal_map.is_none() && !options.roughness_from_normals);
}

/// The later of two options that exclude each other counts, unless it is undone.
#[test]
fn later_options_exclude_earlier_ones() {
    let pairs = [
        ("real-time = 1", "quality = 'normal'"),
        ("real-time = 1", "modes = '1,6'"),
        ("real-time = 1", "weights = 'luma'"),
        ("real-time = 1", "weigh-by-alpha = true"),
        ("rdo = 2", "target-psnr = 38"),
        ("rdo = 2", "target-size = '300K'"),
        ("target-psnr = 38", "target-size = 1000"),
        ("weigh-by-alpha = true", "rdo = 2"),
        ("weigh-by-alpha = true", "target-psnr = 38"),
        ("no-three-color = true", "transparent-black = true"),
        ("opaque = true", "alpha-threshold = 9"),
        ("assign-oetf = 'linear'", "color-space = 'srgb'"),
        ("convert-oetf = 'srgb'", "color-space = 'linear'"),
    ];
    let rule = |settings: &str| format!("[[rule]]\nfiles = '**'\n{settings}\n");
    let of = |text: &str| format!("{:?}", options(text, "a.png"));
    for (a, b) in pairs {
        for (first, second) in [(a, b), (b, a)] {
            assert_eq!(of(&(rule(first) + &rule(second))), of(&rule(second)), "{first}, {second}");
            let refused = error(&rule(&format!("{first}\n{second}")));
            let [first, second] = [first, second].map(|text| text.split(' ').next().unwrap());
            let expected = format!("rules.toml:4: \"{first}\" and \"{second}\" exclude each other");
            assert!(refused.starts_with(&expected), "{refused}");
        }
    }
    let undone = rule("quality = 'best'") + &rule("real-time = 1") + &rule("real-time = false");
    let undone = options(&undone, "a.png").encode;
    assert_eq!((undone.quality, undone.real_time), (Quality::Best, None));
    assert!(RuleBook::parse("", &rule("quality = 'best'\nreal-time = false")).is_ok());
    // `real-time` is excluded itself.
    let first = rule("weights = 'luma'\nmodes = '6'");
    let [with, without] = ["real-time = 1", "mips = false"].map(|second| {
        let last = rule("quality = 'best'");
        of(&format!("{first}{}{last}", rule(second)))
    });
    assert_eq!(with, without);
    assert_ne!(with, of(&rule("quality = 'best'")));
}

/// Only in one table. In two tables, the later one counts.
#[test]
fn kinds_and_options_of_normal_maps_exclude_each_other() {
    for kind in ["color", "data", "mask", "one-channel", "hdr"] {
        for (name, value) in [("normal-flip-y", "true"), ("from-height", "4")] {
            let refused = error(&format!("[target.a]\n{name} = {value}\nkind = '{kind}'"));
            let expected = format!("rules.toml:2: \"kind\" and \"{name}\" exclude each other");
            assert!(refused.starts_with(&expected), "{refused}");
        }
    }
    for kind in ["auto", "normal"] {
        let text = format!("[[rule]]\nfiles = '**'\nkind = '{kind}'\nfrom-height = 4");
        assert_eq!(options(&text, "a.png").usage, PictureUse::Normals);
    }
}

/// Other texts than numbers keep their meaning, such as `mips = "all"`.
#[test]
fn numbers_are_no_texts() {
    for (key, value) in [("max-size", "256"), ("mips", " 3"), ("zstd", "9"), ("target-psnr", "38.5")] {
        let refused = error(&format!("[[rule]]\nfiles = '**'\n{key} = '{value}'"));
        let number = value.trim();
        let expected = format!(
            "rules.toml:3: {key}: \"{value}\": expected a number, not a text; write {key} = {number}"
        );
        assert_eq!(refused, expected);
        options(&format!("[[rule]]\nfiles = '**'\n{key} = {number}"), "a.png");
    }
    options("[[rule]]\nfiles = '**'\nmips = 'all'\nmodes = '6'", "a.png");
}

#[test]
fn values_of_several_numbers_may_be_lists() {
    let of = |rules: &str| format!("{:?}", options(&format!("[[rule]]\nfiles = '**'\n{rules}"), "a.png"));
    for (key, list, text) in [
        ("modes", "[1, 6]", "'1,6'"),
        ("modes", "['1', '6']", "'1,6'"),
        ("weights", "[3, 6, 1]", "'3,6,1'"),
        ("mip-wrap", "['repeat', 'clamp']", "'repeat,clamp'"),
    ] {
        assert_eq!(of(&format!("{key} = {list}")), of(&format!("{key} = {text}")));
    }
}

#[test]
fn targets_of_the_size_and_the_error_are_read() {
    let target = |rules: &str| options(&format!("[[rule]]\nfiles = '**'\n{rules}"), "a.png").rdo_target;
    assert_eq!(target("target-psnr = 38.5"), Some(RdoTarget::Psnr(38.5)));
    assert_eq!(target("target-size = 3000"), Some(RdoTarget::Bytes(3000)));
    assert_eq!(target("target-size = '70%'"), Some(RdoTarget::Share(0.7)));
    let then = "\n[[rule]]\nfiles = '*'\n";
    assert_eq!(target(&format!("target-size = '70%'{then}rdo = 0")), None);
    // Only its own key undoes a target.
    assert_eq!(target(&format!("target-size = 9{then}target-psnr = false")), Some(RdoTarget::Bytes(9)));
    assert!(
        error("[[rule]]\nfiles = '**'\ntarget-psnr = 101").contains("target-psnr: 101: expected a number")
    );
    assert!(
        error("[[rule]]\nfiles = '**'\ntarget-size = '0%'").contains("target-size: \"0%\": expected a share")
    );
}

#[test]
fn overrides_win_over_targets_and_rules() {
    let text = "
        [target.a]
        quality = 'fast'
        max-size = 64
        [[rule]]
        files = '**'
        kind = 'normal'
        format = 'bc5'
        real-time = 1
        [[rule]]
        files = '*.png'
        mips = 'all'
        optional = true
    ";
    let mut overrides = Overrides::new("the caller");
    for (key, value) in [("quality", "best"), ("mips", "3"), ("format", "bc7"), ("kind", "color")] {
        overrides.add(key, value).unwrap();
    }
    assert!(overrides.add("files", "a").is_err() && overrides.add("format", "bc9").is_err());
    let mut assignment = Assignment::new();
    let group = InputGroup::new(vec![Input::of(Path::new("a.png"))]);
    let mut book = book(text).with_overrides(overrides);
    assignment.add_ruled(vec![Ok(group)], &base(), &mut book, &[]).unwrap();
    let choice = &assignment.choices[0];
    let encode = choice.options.encode;
    assert_eq!((encode.quality, encode.real_time), (Quality::Best, None));
    assert_eq!(choice.options.format.format().unwrap(), BlockFormat::Bc7);
    assert_eq!((choice.options.usage, choice.options.mip_levels), (PictureUse::Color, MipLevels::AtMost(3)));
    assert_eq!(choice.options.size_rules.max, Some(64));
    assert_eq!(choice.origin.as_deref(), Some("rules.toml, lines 2, 5, 10, and the caller"));
}

#[test]
fn faults_have_a_line() {
    for (text, expected) in [
        ("[[rule]]\nfiles = '**'\n\nfromat = 'bc7'", "rules.toml:4: unknown key \"fromat\" in [[rule]]"),
        ("[target.a]\nfiles = '**'", "rules.toml:2: unknown key \"files\" in [target.a]"),
        ("format = 'bc7'", "rules.toml:1: unknown key \"format\" in the file"),
        ("[[rule]]\nfiles = '**'\nformat = 'bc9'", "rules.toml:3: format: \"bc9\" is not a format"),
        ("[[rule]]\nfiles = '**'\nmips = 0", "rules.toml:3: mips: 0: expected"),
        ("[[rule]]\nfiles = '**'\nzstd = 99", "rules.toml:3: zstd: 99: expected a level"),
        ("[[rule]]\nfiles = '**'\nkeep-coverage = 5", "rules.toml:3: keep-coverage: 5: expected"),
        ("[[rule]]\nfiles = '**'\nkind = 'x'", "rules.toml:3: kind: \"x\": expected \"auto\""),
        ("[[rule]]\nfiles = '**'\nquality = [1, 'x']", "rules.toml:3: quality: [1, \"x\"]: expected text"),
        ("[[rule]]\nfiles = '**'\nmodes = [[1]]", "rules.toml:3: modes: [[1]]: expected text, a number"),
        ("[[rule]]\nfiles = '*.{png,tga}'", "rules.toml:2: files: \"*.{png,tga}\": braces"),
        ("[[rule]]\nfiles = 'a[.png'", "rules.toml:2: files: \"a[.png\": "),
        ("[[rule]]\nfiles = 'a\\b'", "rules.toml:2: files: \"a\\b\": folders"),
        ("[[rule]]\nfiles = []", "rules.toml:2: files: expected text"),
        ("[[rule]]\nfiles = ['a', 1]", "rules.toml:2: files: expected text"),
        ("\n[[rule]]\nmips = 1", "rules.toml:2: the rule has no \"files\""),
        ("[rule]\nfiles = '**'", "rules.toml:1: rule: write [[rule]]"),
        ("[[rule]]\nfiles = '**'\nname = '../a'", "rules.toml:3: name: expected a file name"),
        ("[[rule]]\nfiles = '**'\nname = 'a.ktx2'", "rules.toml:3: name: leave out the extension"),
        ("[[rule]]\nfiles = '**'\nname = 'con'", "rules.toml:3: name: Windows cannot"),
        ("[[rule]]\nfiles = '**'\nname = '{stem}?'", "rules.toml:3: name: Windows cannot"),
        ("[target.'../a']", "rules.toml:1: [target.\"../a\"]: \"../a\" is not a folder"),
        ("[target.'.brickwork']", "rules.toml:1: [target.\".brickwork\"]: \".brickwork\": names that begin"),
        ("[target.CON]", "rules.toml:1: [target.CON]: \"CON\": Windows cannot"),
        ("[target.a]\nfolder = 'b/com1.x'", "rules.toml:2: folder: \"b/com1.x\": Windows cannot"),
        ("[target.a]\nfolder = 'x '", "rules.toml:2: folder: \"x \": Windows cannot"),
        ("[target.a]\nfolder = '/etc'", "rules.toml:2: folder: \"/etc\" is not a folder"),
        ("[target.a]\nsuffix = '/b'", "rules.toml:2: suffix: expected"),
        ("[target.a]\nsuffix = '_{stem}'", "rules.toml:2: suffix: expected"),
        ("[target.a]\nsuffix = '_{base}'", "rules.toml:2: suffix: expected"),
        ("[[rule]]\nfiles = '**'\nname = '.{base}'", "rules.toml:3: name: names that begin"),
        (
            "[[rule]]\nfiles = '**'\ntargets = 'b'\n[target.a]",
            "rules.toml:3: there is no target \"b\"; the t",
        ),
        ("[[rule]]\nfiles = '**'\nfiles = '**'", "rules.toml:3: duplicate key"),
        ("a = ", "rules.toml:1: "),
    ] {
        let error = error(text);
        assert!(error.starts_with(expected), "{error}");
    }
    let unknown = |key: &str| error(&format!("[[rule]]\nfiles = '**'\n{key} = 1"));
    assert!(unknown("fromat").ends_with("did you mean \"format\"?"));
    assert!(unknown("max_size").ends_with("did you mean \"max-size\"?"));
    assert!(unknown("xyz").ends_with("docs/textures.md lists the keys"));
    assert!(error("x = 1").ends_with("expected one of rule, target"));
}

#[test]
fn a_rule_without_a_match_is_an_error_unless_it_is_optional() {
    let mut rules = book("[[rule]]\nfiles = '*.png'\n[[rule]]\nfiles = ['*.tga', 'b*']\n");
    rules.ruling(&base(), None, "a.png", OsStr::new("a")).unwrap();
    let error = rules.check_matched().unwrap_err();
    assert_eq!(error.to_string(), "rules.toml:3: no input matches \"*.tga\", \"b*\"");
    assert!(matches!(error.fault(), RuleFault::NoMatch { .. }));
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(book("[[rule]]\nfiles = '*.tga'\noptional = true").check_matched().is_ok());
}

#[test]
fn callers_add_targets_or_change_their_formats() {
    let text = "
        [target.phone]
        max-size = 512
        format = 'bc1'
        folder = 'p'
        [[rule]]
        files = '*_n.png'
        quality = 'fast'
    ";
    let mut book = book(text);
    for (name, formats) in [("phone", "astc"), ("pc", "bc7"), ("tablet", "etc2")] {
        book.add_target(name, formats, &format!("--target {name}={formats}")).unwrap();
    }
    assert_eq!(book.target_names().collect::<Vec<_>>(), ["phone", "pc", "tablet"]);
    for (name, formats, reason) in [
        ("a/b", "bc", "without folders"),
        ("CON", "bc", "Windows cannot"),
        ("", "bc", "is not a folder"),
        ("..", "bc", "is not a folder"),
        ("x", "false", "\"false\" is neither"),
        ("x", "astc-3x3", "\"astc-3x3\" is neither a family (bc, astc, etc2) nor a format such as bc7"),
    ] {
        let found = book.add_target(name, formats, "").unwrap_err();
        assert!(found.contains(reason), "{name}: {found}");
    }
    let mut assignment = Assignment::new();
    let group = InputGroup::new(vec![Input::of(Path::new("in/a_n.png"))]);
    assignment.add_ruled(vec![Ok(group)], &base(), &mut book, &["pc".to_owned()]).unwrap();
    let found = |assignment: &Assignment, index: usize| {
        let InputGroup { naming, number, .. } = assignment.groups[index].as_ref().unwrap();
        let choice = &assignment.choices[*number];
        let format = choice.options.format.format().and_then(|format| format.block());
        let origin = choice.origin.clone().unwrap();
        let folder = naming.folder.to_str().unwrap().to_owned();
        (format, choice.options.family, folder, naming.extension.unwrap(), origin)
    };
    let (pc, astc) = (Some(BlockFormat::Bc7), Some(FormatFamily::Astc));
    let expected = "rules.toml, lines 2, 6, and --target phone=astc".to_owned();
    assert_eq!(found(&assignment, 0), (None, astc, "p".to_owned(), "ktx2", expected));
    let expected = "rules.toml, line 6, and --target pc=bc7".to_owned();
    assert_eq!(found(&assignment, 1), (pc, None, "pc".to_owned(), "dds", expected));
    assert!(!assignment.choices[0].is_selected && assignment.choices[1].is_selected);
    assignment.name_files_by_target();
    let naming = &assignment.groups[2].as_ref().unwrap().naming;
    assert_eq!(
        (naming.folder.as_path(), naming.infix.as_deref()),
        (Path::new(""), Some(OsStr::new("tablet")))
    );
}

#[test]
fn targets_give_folders_names_and_options_that_rules_refine() {
    let text = "
        [target.mobile]
        max-size = 512
        format = 'bc1'
        suffix = '_m'
        folder = '.'
        [target.desktop]
        container = 'ktx2'
        [[rule]]
        files = '*_n.png'
        format = 'bc5'
        name = 'N_{stem}'
        [[rule]]
        files = 'a.png'
        targets = 'desktop'
        skip = true
    ";
    let group = |name: &str| {
        let mut group = InputGroup::new(vec![Input::of(&Path::new("in/deep").join(name))]);
        group.below = PathBuf::from("deep");
        Ok(group)
    };
    let mut assignment = Assignment::new();
    let (groups, selected) = (vec![group("a.png"), group("b_n.png")], ["mobile".to_owned()]);
    assignment.add_ruled(groups, &base(), &mut book(text), &selected).unwrap();
    let found: Vec<_> = assignment
        .groups
        .iter()
        .map(|group| {
            let group = group.as_ref().unwrap();
            let choice = &assignment.choices[group.number];
            let format = choice.options.format.format().and_then(|format| format.block());
            let stem = group.naming.stem.as_deref().and_then(OsStr::to_str);
            (group.naming.folder.to_str().unwrap(), stem, format, choice.is_selected)
        })
        .collect();
    let (bc1, bc5) = (Some(BlockFormat::Bc1), Some(BlockFormat::Bc5Unorm));
    assert_eq!(
        found,
        [
            ("", Some("a_m"), bc1, true),
            ("", Some("N_b_n_m"), bc5, true),
            ("desktop", Some("N_b_n"), bc5, false),
        ]
    );
    assert_eq!(assignment.choices[1].origin.as_deref(), Some("rules.toml, lines 2, 9"));
    assert_eq!(assignment.choices[2].options.size_rules.max, None);
}

#[test]
fn names_of_outputs_may_leave_out_the_last_word() {
    let name = |pattern: &str, stem: &str| {
        let mut book = book(&format!("[[rule]]\nfiles = '**'\nname = '{pattern}'"));
        book.ruling(&base(), None, &format!("{stem}.png"), OsStr::new(stem)).unwrap().stem
    };
    assert_eq!(name("{base}_orm", "rock_ao").unwrap(), "rock_orm");
    assert_eq!(name("{base}_orm", "Moos grün_AO_2k").unwrap(), "Moos grün_orm");
    assert_eq!(name("{base}-{stem}", "wall").unwrap(), "wall-wall");
    assert_eq!(name("{base}", "_rough"), None);
}

/// Names of inputs need not be text, and remain different in the names of outputs.
#[cfg(unix)]
#[test]
fn names_of_outputs_have_the_bytes_of_inputs() {
    use std::os::unix::ffi::OsStrExt as _;
    let stem = |rules: &str| {
        let path = Path::new("in").join(OsStr::from_bytes(b"caf\xe9.png"));
        let groups = vec![Ok(InputGroup::new(vec![Input::of(&path)]))];
        let mut assignment = Assignment::new();
        assignment.add_ruled(groups, &base(), &mut book(rules), &[]).unwrap();
        let stem = assignment.groups[0].as_ref().unwrap().naming.stem.clone();
        stem.map(|stem| stem.as_bytes().to_vec())
    };
    assert_eq!(stem("[target.a]").as_deref(), None);
    assert_eq!(stem("[target.a]\nsuffix = '_m'").as_deref(), Some(&b"caf\xe9_m"[..]));
    let named = "[target.a]\nsuffix = '_m'\n[[rule]]\nfiles = '**'\nname = '{stem}-{stem}x'";
    assert_eq!(stem(named).as_deref(), Some(&b"caf\xe9-caf\xe9x_m"[..]));
}

/// The last word of a name is found in text only, and a name is never changed to text.
#[cfg(unix)]
#[test]
fn names_beside_inputs_have_the_bytes_of_inputs() {
    use std::os::unix::ffi::OsStrExt as _;
    let stem = OsStr::from_bytes(b"caf\xe9_ao");
    let ruling = |rule: &str| {
        let mut book = book(&format!("\n[[rule]]\nfiles = '**'\n{rule}"));
        book.ruling(&base(), None, "caf_ao.png", stem)
    };
    let path = ruling("roughness-from = '{stem}/{stem}_n.png'").unwrap().normal_map.unwrap();
    assert_eq!(path.as_bytes(), b"caf\xe9_ao/caf\xe9_ao_n.png");
    for rule in ["roughness-from = '{base}_n.png'", "channel = ['g={base}.png']", "level = ['1={base}.png']"]
    {
        let error = ruling(rule).err().unwrap();
        let expected = r#"rules.toml:2: {base} is for file names in UTF-8, and "caf\xE9_ao" is not"#;
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(error.kind(), ErrorKind::Argument);
    }
}

/// Channels of rules that the command line replaces do not state the use of the picture.
#[test]
fn replaced_channels_leave_the_use_open() {
    let chosen = |rules: &str, channel: PictureChannel| {
        let mut assignment = Assignment::new();
        let groups = vec![Ok(InputGroup::new(vec![Input::of(Path::new("in/rock_x.png"))]))];
        let rules = format!("[[rule]]\nfiles = '**'\nmips = true\n{rules}");
        assignment.add_ruled(groups, &base(), &mut book(&rules), &[]).unwrap();
        let ruled = assignment.choices[0].options.clone();
        let file = ChannelFile::new(channel, PictureChannel::Red, "mask.png");
        assignment.set_packed_channels(&ChannelFiles::new(vec![file]).unwrap());
        let options = assignment.choices[0].options.clone();
        let of = |options: TextureOptions| (options.usage, options.color_space);
        assert_eq!(options.packing.channels().count(), 1);
        (of(ruled), of(options))
    };
    let (open, data) = ((PictureUse::Unknown, None), (PictureUse::Data, Some(ColorSpace::Linear)));
    let (alpha, green) = (PictureChannel::Alpha, PictureChannel::Green);
    assert_eq!(chosen("channel = ['g=g.png']", alpha), (data, open));
    assert_eq!(chosen("channel = ['a=a.png']", green), (open, data));
    assert_eq!(chosen("kind = 'data'\nchannel = ['g=g.png']", alpha), (data, data));
    assert_eq!(chosen("roughness-from = 'n.png'\nchannel = ['g=g.png']", alpha), (data, data));
    let srgb = (PictureUse::Color, Some(ColorSpace::Srgb));
    assert_eq!(chosen("color-space = 'srgb'\nchannel = ['g=g.png']", alpha), (srgb, srgb));
}
