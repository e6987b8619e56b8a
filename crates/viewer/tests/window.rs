//! The program with a window: skipped, with a message, where there is no display.
//!
//! `xvfb-run -a cargo test -p brickwork-viewer` provides one anywhere. With `BRICKWORK_REQUIRE_DISPLAY=1` the
//! tests fail instead of being skipped. With `BRICKWORK_SCREENSHOTS=FOLDER` the screenshots are kept there.

use brickwork_volume::{
    BwvOptions, Dims, Header, Region, Task, VolumeView, VoxelKind, VoxelType, encode, render::label_color,
};
use std::{
    env,
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Sides of the test volume.
const DIMS: Dims = Dims::new(40, 30, 20);

fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let has = cfg!(not(target_os = "linux")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    assert!(has || !is_set("BRICKWORK_REQUIRE_DISPLAY"), "no display");
    if !has {
        eprintln!("skipped: no display");
    }
    has
}

fn view(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_brickwork-view"));
    program.args(arguments).output().expect("the program")
}

/// Writes a `.bwv` file: 0, and label 3 in the right half.
fn write_volume(path: &Path, kind: VoxelKind) {
    let voxels: Vec<u8> =
        (0..DIMS.x * DIMS.y * DIMS.z).map(|i| if DIMS.position(i).0 < 20 { 0 } else { 3 }).collect();
    let view = VolumeView::new(&voxels, DIMS).expect("voxels");
    let header = Header::new(VoxelType::U8, DIMS).with(|header| header.kind = kind);
    encode(view, &header, &BwvOptions::default(), File::create(path).expect("a file"), &Task::new())
        .expect("a volume");
}

/// Returns width, height and RGBA.
fn read(path: &Path) -> (usize, usize, Vec<[u8; 4]>) {
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(path).expect("a picture"))).read_info().expect("PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    (info.width as usize, info.height as usize, bytes.as_chunks::<4>().0.to_vec())
}

/// Returns the program's screenshot for `arguments`; `name` names it.
fn screenshot(folder: &Path, name: &str, arguments: &[&str]) -> (usize, usize, Vec<[u8; 4]>) {
    let path = folder.join(name).with_extension("png");
    let output = view(&[arguments, &["--screenshot", path.to_str().expect("UTF-8")]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {} {errors}", output.status);
    if let Some(kept) = env::var_os("BRICKWORK_SCREENSHOTS").map(PathBuf::from) {
        fs::copy(&path, kept.join(name).with_extension("png")).expect("a folder for pictures");
    }
    read(&path)
}

#[test]
fn volumes_are_shown() {
    if !has_display() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("labels.bwv");
    write_volume(&path, VoxelKind::Labels);
    let path = path.to_str().expect("UTF-8");
    for (mode, size) in [("labels", "1280x800"), ("dvr", "1920x1080"), ("mip", "640x480"), ("iso", "800x600")]
    {
        let arguments = [path, "--view", "front", "--mode", mode, "--size", size, "--device", "cpu"];
        let (width, height, pixels) = screenshot(folder.path(), mode, &arguments);
        assert_eq!(format!("{width}x{height}"), size);
        // Left of the middle there is only the background, right of it the volume.
        let row = &pixels[height / 2 * width..][..width];
        let is_bright = |pixel: &[u8; 4]| pixel[..3].iter().any(|&channel| channel > 60);
        let middle = &row[width * 35 / 100..width * 70 / 100];
        assert!(middle.iter().any(is_bright), "{mode}: nothing to be seen");
        if mode == "labels" {
            // The slices at the left show the label as it is.
            let [red, green, blue] = label_color(3);
            let count = pixels.iter().filter(|pixel| pixel[..3] == [red, green, blue]).count();
            assert!(count > 5000, "{count} pixels of the label's colour");
        }
    }
}

#[test]
fn other_formats_are_compressed_on_the_way() {
    if !has_display() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scan.nrrd");
    let region = Region::all(DIMS);
    let mut bytes = b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: 40 30 20\nencoding: raw\n\n".to_vec();
    bytes.extend((0..region.dims().voxel_count().expect("voxels")).map(|i| (i % 251) as u8));
    fs::write(&path, bytes).expect("a file");
    let path = path.to_str().expect("UTF-8");
    let (width, height, _) = screenshot(folder.path(), "nrrd", &[path, "--size", "640x480"]);
    assert_eq!((width, height), (640, 480));
}

/// The kernels of the first start are there at the second one.
#[test]
fn kernels_are_kept_in_the_cache_folder() {
    if !has_display() {
        return;
    }
    let any = brickwork_toolkit::device::adapters().into_iter().next();
    if !any.is_some_and(|adapter| adapter.info().pipeline_cache) {
        return println!("skipped: no GPU with a pipeline cache");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (scan, picture) = (folder.path().join("scan.bwv"), folder.path().join("a.png"));
    write_volume(&scan, VoxelKind::Intensity);
    let mut command = Command::new(env!("CARGO_BIN_EXE_brickwork-view"));
    command.arg(&scan).arg("--screenshot").arg(&picture).args(["--size", "640x480", "--device", "gpu"]);
    let caches = folder.path().join("caches");
    let output = command.env("XDG_CACHE_HOME", &caches).output().expect("the program");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_dir(caches.join("brickwork")).expect("kernels").count(), 1);
}

#[test]
fn failures_have_an_exit_code_and_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let wrong = view(&["--size", "3"]);
    assert!(wrong.status.code() == Some(1) && line(&wrong).starts_with("brickwork-view: error: "));
    assert!(view(&["--help"]).status.success());
    if !has_display() {
        let hidden = view(&[]);
        assert_eq!(hidden.status.code(), Some(4), "{}", line(&hidden));
        assert!(line(&hidden).contains("there is no display"), "{}", line(&hidden));
        return;
    }
    let picture = folder.path().join("a.png");
    let picture = picture.to_str().expect("UTF-8");
    let missing = view(&["/no/such/scan.bwv", "--screenshot", picture]);
    assert_eq!(missing.status.code(), Some(2), "{}", line(&missing));
    let path = folder.path().join("scan.bwv");
    fs::write(&path, [0; 4096]).expect("a file");
    let invalid = view(&[path.to_str().expect("UTF-8"), "--screenshot", picture]);
    assert_eq!(invalid.status.code(), Some(3), "{}", line(&invalid));
    assert!(line(&invalid).contains("scan.bwv: not a .bwv file"), "{}", line(&invalid));
    write_volume(&path, VoxelKind::Intensity);
    let nowhere = view(&[path.to_str().expect("UTF-8"), "--screenshot", "/no/such/a.png"]);
    assert_eq!(nowhere.status.code(), Some(2), "{}", line(&nowhere));
    assert!(!Path::new(picture).exists());
}
