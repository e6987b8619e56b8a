//! `brickwork volume render`.

use crate::common::Folder;
use std::path::Path;

/// Raw voxels of a ball, 20×20×20 u8.
fn ball() -> Vec<u8> {
    let square = |place: usize| (place as f64 - 9.5).powi(2);
    let value = |i: usize| {
        let distance = (square(i % 20) + square(i / 20 % 20) + square(i / 400)).sqrt();
        (100.0 + 60.0 * (7.0 - distance)).clamp(0.0, 220.0) as u8
    };
    (0..8000).map(value).collect()
}

const RAW: [&str; 4] = ["--dims", "20x20x20", "--type", "u8"];

/// A folder with the ball as `a.raw` and `a.bwv`, with two mip levels.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &ball());
    folder.run(&[&["volume", "encode", "a.raw", "--levels", "2"][..], &RAW].concat()).ok();
    folder
}

fn render<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["volume", "render"][..], words, &["--size", "48x32"]].concat()
}

/// Width, height and colour type of a PNG.
fn png_header(file: &[u8]) -> (u32, u32, u8) {
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    (number(16), number(20), file[25])
}

#[test]
fn pictures_do_not_depend_on_the_container_or_threads() {
    let folder = folder();
    let raw = [&["a.raw", "-o", "raw.png", "--threads", "1"][..], &RAW].concat();
    let ran = folder.run(&render(&raw));
    assert!(ran.ok().starts_with("a.raw → raw.png  20×20×20 u8, dvr "), "{ran:?}");
    folder.run(&render(&["a.bwv", "-o", "bwv.png", "--threads", "3"])).ok();
    assert!(folder.read("raw.png") == folder.read("bwv.png"));
    assert_eq!(png_header(&folder.read("raw.png")), (48, 32, 2));
    folder.run(&render(&["a.bwv", "-o", "clear.png", "--background", "transparent"])).ok();
    assert_eq!(png_header(&folder.read("clear.png")), (48, 32, 6));
    let ran = folder.run(&render(&["a.bwv", "-o", "-", "--quiet"]));
    assert!(ran.exit == Some(0) && ran.stdout == folder.read("bwv.png"));
    folder.run(&render(&["a.bwv", "-o", "bwv.png"])).fails(2, &["bwv.png: already exists", "--force"]);
}

/// Numbers of 64 bits, and the second of two channels, are shown as the same numbers of f32 are.
#[test]
fn wide_numbers_and_channels_are_shown_as_f32() {
    let folder = Folder::new();
    let voxels = ball();
    let bytes = |of: &dyn Fn(u8) -> Vec<u8>| voxels.iter().flat_map(|&voxel| of(voxel)).collect::<Vec<u8>>();
    folder.write("f32.raw", &bytes(&|voxel| f32::from(voxel).to_le_bytes().to_vec()));
    folder.write("f64.raw", &bytes(&|voxel| f64::from(voxel).to_le_bytes().to_vec()));
    folder.write("i64.raw", &bytes(&|voxel| i64::from(voxel).to_le_bytes().to_vec()));
    folder.write("two.raw", &bytes(&|voxel| [-7.0, f64::from(voxel)].map(f64::to_le_bytes).concat()));
    let picture = |name: &str, channels: &str, options: &[&str]| {
        let voxel_type = if channels == "2" { "f64" } else { name };
        let raw = ["--dims", "20x20x20", "--type", voxel_type, "--channels", channels];
        folder.run(&[&["volume", "encode", &format!("{name}.raw")][..], &raw].concat()).ok();
        let [input, output] = ["bwv", "png"].map(|end| format!("{name}.{end}"));
        folder.run(&render(&[&[&*input, "-o", &output], options].concat())).ok();
        folder.read(&output)
    };
    let expected = picture("f32", "1", &[]);
    assert!(picture("f64", "1", &[]) == expected);
    assert!(picture("i64", "1", &[]) == expected);
    assert!(picture("two", "2", &["--channel", "1"]) == expected);
}

/// The toolkit's default rendering is that of the program, byte for byte.
#[test]
fn the_default_picture_is_the_toolkit_s() {
    use brickwork_toolkit::{
        device::{DeviceChoice, Devices},
        volume::{render_default, write_rendering},
    };
    let folder = folder();
    folder.run(&[&["volume", "convert", "a.raw", "-o", "a.nrrd"][..], &RAW].concat()).ok();
    let devices = Devices::open(DeviceChoice::Auto).expect("auto");
    for name in ["a.bwv", "a.nrrd"] {
        folder.run(&["volume", "render", name, "-o", "program.png", "--force"]).ok();
        let picture = render_default(folder.path(name), [1024, 768], &devices, &brickwork_base::Task::new());
        let picture = picture.expect("a picture");
        let png = folder.path("toolkit.png");
        let task = brickwork_base::Task::new();
        write_rendering(&png, picture.width, picture.height, &picture.pixels, &task).expect("a file");
        assert!(folder.read("program.png") == folder.read("toolkit.png"), "{name}");
    }
}

#[test]
fn every_mode_makes_its_own_picture() {
    let folder = folder();
    let modes: [&[&str]; 7] = [
        &["--transfer", "ct-skin"],
        &["--transfer", "fire", "--window", "50..200"],
        &["--mode", "mip"],
        &["--mode", "mip", "--window", "-10..400"],
        &["--iso", "100"],
        &["--iso", "100", "--orthographic", "--camera", "-60,-20,1.5", "--up", "-y"],
        &["--mode", "labels"],
    ];
    let mut pictures = Vec::new();
    for mode in modes {
        folder.run(&render(&[&["a.bwv", "-o", "p.png", "--force"], mode].concat())).ok();
        pictures.push(folder.read("p.png"));
    }
    for (i, picture) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|other| other != picture), "{:?}", modes[i]);
    }
    folder.run(&["volume", "encode", "a.bwv", "--labels", "-o", "labels.bwv"]).ok();
    assert!(folder.run(&render(&["labels.bwv", "-o", "l.png"])).ok().contains(", labels  48×32"));
    assert!(folder.read("l.png") == pictures[6]);
}

#[test]
fn an_orbit_is_a_folder_of_pictures() {
    let folder = folder();
    let ran = folder.run(&render(&["a.bwv", "-o", "frames/", "--orbit", "3", "--stats"]));
    for words in ["3 pictures, 48×32", "million samples", "bricks read"] {
        assert!(ran.ok().contains(words), "{ran:?}");
    }
    for number in 0..3 {
        assert_eq!(png_header(&folder.read(&format!("frames/frame-000{number}.png"))), (48, 32, 2));
    }
    assert!(!folder.path("frames/frame-0003.png").exists());
    let ran = folder.run(&render(&["a.bwv", "-o", "frames", "--orbit", "3"]));
    ran.fails(2, &["frames: the folder is not empty"]);
    folder.run(&render(&["a.bwv", "-o", "-", "--orbit", "3"])).fails(1, &["-o FOLDER/"]);
    let ran = folder.run(&render(&["a.bwv", "-o", "orb.gif", "--orbit", "3"]));
    ran.fails(
        1,
        &["orb.gif: --orbit writes a folder", "ffmpeg -framerate 15 -i frames/frame-%04d.png orb.gif"],
    );
    // A rendering that cannot be drawn leaves no folder.
    folder.run(&render(&["a.bwv", "-o", "none", "--orbit", "3", "--iso", "nan"])).fails(1, &["NaN"]);
    assert!(!folder.path("none").exists() && !folder.path("orb.gif").exists());
}

#[test]
fn transfer_functions_come_from_files() {
    let folder = folder();
    let points = |text: &str| format!(r#"{{ "points": [{text}] }}"#);
    let red = points(
        r##"{ "value": 90, "color": "#ff0000", "opacity": 0 },
                         { "value": 120, "color": "#ff0000", "opacity": 0.9 }"##,
    );
    folder.write("red.json", red.as_bytes());
    let ran = folder.run(&render(&["a.bwv", "-o", "p.png", "--transfer", "red.json", "--json"]));
    let report = ran.json();
    assert_eq!((report["transfer"].as_str(), report["mode"].as_str()), (Some("red.json"), Some("dvr")));
    folder.write("bad.json", points(r#"{ "value": 90, "color": "reddish", "opacity": 1 }"#).as_bytes());
    let with = |file| folder.run(&render(&["a.bwv", "-o", "q.png", "--transfer", file]));
    with("bad.json").fails(3, &["bad.json: point 0", "\"reddish\""]);
    folder.write("bad.json", points("").as_bytes());
    with("bad.json").fails(3, &["bad.json", "empty"]);
    // Without any opacity there is nothing to see, except for MIP, which ignores them.
    let clear = points(
        r##"{ "value": 0, "color": "black", "opacity": 0 },
                         { "value": 220, "color": "#ff0000", "opacity": 0 }"##,
    );
    folder.write("clear.json", clear.as_bytes());
    #[cfg(unix)]
    with("/dev/zero").fails(2, &["/dev/zero: is not a regular file"]);
    with("clear.json").fails(3, &["clear.json: the transfer function is transparent everywhere"]);
    let mip = |file, output| {
        folder.run(&render(&["a.bwv", "-o", output, "--mode", "mip", "--transfer", file])).ok();
        folder.read(output)
    };
    folder.write("opaque.json", clear.replace(r#""opacity": 0 }"#, r#""opacity": 1 }"#).as_bytes());
    assert!(mip("clear.json", "m.png") == mip("opaque.json", "n.png"));
    with("none.json").fails(2, &["none.json"]);
    let ran = with("bone");
    assert_eq!(ran.exit, Some(1));
    ran.says(&["ct-bone, ct-skin, mri, fire, grey"]);
    assert!(!folder.path("q.png").exists());
}

#[test]
fn mip_levels_and_channels_are_selected() {
    let folder = folder();
    let level = |level| {
        let ran = folder.run(&render(&["a.bwv", "-o", "p.png", "--force", "--json", "--level", level]));
        ran.json()["level"].as_u64()
    };
    assert_eq!((level("0"), level("1"), level("auto")), (Some(0), Some(1), Some(0)));
    let small = ["volume", "render", "a.bwv", "-o", "s.png", "--size", "8x8", "--level", "auto", "--json"];
    assert_eq!(folder.run(&small).json()["dims"], serde_json::json!([10, 10, 10]));
    let fails = |words: &[&str], exit, says: &[&str]| {
        folder.run(&render(&[&["a.bwv", "-o", "q.png"], words].concat())).fails(exit, says);
    };
    fails(&["--level", "2"], 1, &["a.bwv", "level 2", "0 to 1"]);
    fails(&["--channel", "1"], 1, &["a.bwv", "channel 1"]);
    fails(&["--frame", "1"], 1, &["a.bwv", "frame 1"]);
    let raw = [&["a.raw", "-o", "q.png", "--level", "1"][..], &RAW].concat();
    folder.run(&render(&raw)).fails(1, &["a.raw", "level 1", "only .bwv files"]);
    // Two frames of two channels; the second frame's second channel is the ball.
    let ball = ball();
    let mut frames: Vec<u8> = vec![7; 16000];
    frames.extend(ball.iter().flat_map(|&value| [3, value]));
    folder.write("f.raw", &frames);
    let words =
        ["f.raw", "-o", "f.png", "--channels", "2", "--frames", "2", "--frame", "1", "--channel", "1"];
    folder.run(&render(&[&words[..], &RAW].concat())).ok();
    folder.run(&render(&["a.bwv", "-o", "a.png"])).ok();
    assert!(folder.read("f.png") == folder.read("a.png"));
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    let fails = |words: &[&str], exit, says: &[&str]| {
        let words = [&["volume", "render", "a.bwv", "-o", "q.png"], words].concat();
        folder.run(&words).fails(exit, says);
    };
    // What the command line alone shows to be wrong has a line about --help, too.
    let is_refused = |words: &[&str], says: &[&str]| {
        let ran = folder.run(&[&["volume", "render", "a.bwv", "-o", "q.png"], words].concat());
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(says);
    };
    fails(&["--size", "0x10"], 1, &["0×10", "1 to 16384"]);
    is_refused(&["--size", "10"], &["1920x1080"]);
    fails(&["--step", "0"], 1, &["step", "1/64 to 16"]);
    fails(&["--camera", "1,2,0"], 1, &["zoom"]);
    is_refused(&["--camera", "1"], &["azimuth,elevation"]);
    is_refused(&["--up", "w"], &["-y, z or -z"]);
    is_refused(&["--window", "5..5"], &["-200..1500"]);
    fails(&["--mode", "labels", "--window", "1..5"], 1, &["--window", "dvr and mip"]);
    fails(&["--mode", "labels", "--transfer", "mri"], 1, &["--transfer", "dvr and mip"]);
    fails(&["--mode", "mip", "--iso", "5"], 1, &["--iso", "--mode iso"]);
    fails(&["--iso", "nan"], 1, &["NaN", "finite"]);
    is_refused(&["--background", "mauve"], &["#1a2b3c"]);
    is_refused(&["--orbit", "0"], &["1 to 10000"]);
    folder.write("flat.raw", &[5; 8]);
    let flat = ["flat.raw", "-o", "q.png", "--dims", "2x2x2", "--type", "u8"];
    folder.run(&render(&flat)).fails(1, &["flat.raw", "all voxels have the same value"]);
    folder.run(&render(&[&flat[..], &["--mode", "mip"]].concat())).ok();
    folder.run(&["volume", "render", "a.bwv", "-o", "a.bwv", "--force"]).fails(2, &["input file"]);
    folder.run(&["volume", "render", "a.bwv", "-o", "b.bwv"]).fails(1, &[".png"]);
    folder.run(&["volume", "render", "a.raw", "-o", "r.png"]).fails(1, &["--dims"]);
    assert!(!folder.path("r.png").exists());
}

/// Returns raw floats of 12×12×12: a ball of 0 to 100.
fn small_ball() -> Vec<f32> {
    let square = |place: usize| (place as f32 - 5.5).powi(2);
    let value = |i: usize| {
        let distance = (square(i % 12) + square(i / 12 % 12) + square(i / 144)).sqrt();
        (40.0 * (5.0 - distance)).clamp(0.0, 100.0)
    };
    (0..1728).map(value).collect()
}

/// Each reason why no window suits the voxels has its own text.
#[test]
fn voxels_that_no_window_suits_are_told_apart() {
    let folder = Folder::new();
    let raw = |name: &'static str, voxel_type: &'static str| {
        vec![name, "-o", "p.png", "--force", "--dims", "12x12x12", "--type", voxel_type]
    };
    folder.write("constant.raw", &[7; 1728]);
    let constant = raw("constant.raw", "u8");
    folder.run(&render(&constant)).fails(1, &["all voxels have the same value", "--window"]);
    folder.run(&render(&[&constant[..], &["--window", "0..10"]].concat())).ok();
    let bright = folder.read("p.png");
    folder.run(&render(&[&constant[..], &["--window", "100..200"]].concat())).ok();
    assert!(bright != folder.read("p.png"));
    // As floats, the same value looks the same.
    let floats = |value: f32| [value; 1728].map(f32::to_le_bytes).concat();
    folder.write("float.raw", &floats(7.0));
    folder.run(&render(&[&raw("float.raw", "f32")[..], &["--window", "100..200"]].concat())).ok();
    let dark = folder.read("p.png");
    folder.run(&render(&[&raw("float.raw", "f32")[..], &["--window", "0..10"]].concat())).ok();
    assert!(dark != folder.read("p.png"));
    folder.write("nan.raw", &floats(f32::NAN));
    folder.run(&render(&raw("nan.raw", "f32"))).fails(3, &["no voxel is a finite number"]);
    let wide = |i: u64| ((1u64 << 40) + i % 1001).to_le_bytes();
    folder.write("wide.raw", &(0..1728).flat_map(wide).collect::<Vec<u8>>());
    let says = ["from 1099511627776 to 1099511628776", "f32", "subtract"];
    folder.run(&render(&raw("wide.raw", "i64"))).fails(5, &says);
    folder.run(&render(&[&raw("wide.raw", "i64")[..], &["--mode", "mip"]].concat())).fails(5, &says);
}

/// A few numbers far away from the others, such as a fill value, do not hide them.
#[test]
fn a_fill_value_does_not_hide_the_voxels() {
    let folder = Folder::new();
    let draw = |voxels: &[f32], options: &[&str]| {
        folder.write("a.raw", &voxels.iter().flat_map(|voxel| voxel.to_le_bytes()).collect::<Vec<u8>>());
        let words = ["a.raw", "-o", "p.png", "--force", "--dims", "12x12x12", "--type", "f32"];
        folder.run(&render(&[&words[..], options].concat())).ok();
        let file = folder.read("p.png");
        let mut png = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; png.output_buffer_size().unwrap()];
        png.next_frame(&mut pixels).unwrap();
        pixels
    };
    let ball = small_ball();
    let mut filled = ball.clone();
    // In the middle, where the camera does not notice them.
    filled[942] = 9.97e36;
    filled[943] = 1e30;
    for options in [&[][..], &["--mode", "mip"]] {
        let (clean, far) = (draw(&ball, options), draw(&filled, options));
        let differences = clean.iter().zip(&far).filter(|(a, b)| a.abs_diff(**b) > 40).count();
        assert!(differences * 100 < clean.len(), "{options:?}: {differences} of {}", clean.len());
    }
}

/// The extension of a stack does not change how it is drawn.
#[test]
fn a_stack_is_drawn_like_its_bwv_file() {
    let folder = Folder::new();
    let stack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/test-data/trouble");
    folder.write("a.tif", &std::fs::read(stack.join("w01_imagej_um_no_spacing.tif")).unwrap());
    folder.run(&["volume", "encode", "a.tif"]).ok();
    for mode in [&[][..], &["--mode", "dvr"]] {
        let pictures = ["a.tif", "a.bwv"].map(|name| {
            folder.run(&render(&[&[name, "-o", "p.png", "--force"], mode].concat())).ok();
            folder.read("p.png")
        });
        assert!(pictures[0] == pictures[1], "{mode:?}");
    }
}
