//! Every example of every help text is run, on files made for it.

use crate::{
    common::{Folder, photo, png_rgb, png_rgba, send_signal},
    dicom_file::DicomSlice,
};
use brickwork_image::image_file::write_exr;
use brickwork_texture::{
    BlockFormat, Task, Texture, TextureDesc,
    container::{ContainerFormat, TextureWriteOptions},
    half,
};
#[cfg(unix)]
use nix::sys::signal::Signal;
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Command, Output, Stdio},
};

/// The scan of the examples is 512×512×361; this one has the same slices and regions.
const DIMS: &str = "24x260x112";

/// The files that the examples are about.
fn fixture() -> Folder {
    let folder = Folder::new();
    let photograph = photo();
    for name in ["photo.png", "rock.png", "rough.png", "old.png", "bumps.png", "sky.png", "a.png", "b.png"] {
        folder.write(name, &photograph);
    }
    folder.write("rock_mip1.png", &png_rgb(48, 32, |x, y| [x as u8, y as u8, 9]));
    for name in ["ao.png", "metal.png"] {
        folder.write(name, &photograph);
    }
    for name in ["art.png", "decal.png", "leaves.png"] {
        folder.write(name, &png_rgba(32, 24, |x, y| [x as u8 * 7, y as u8 * 9, 90, (x * y) as u8]));
    }
    folder.write("normals.png", &png_rgb(16, 16, |x, y| [120 + x as u8, 120 + y as u8, 250]));
    for name in
        ["textures", "textures/sub", "web", "web/dist-site", "out", "ct", "archive", "faces", "slices"]
    {
        fs::create_dir(folder.path(name)).unwrap();
    }
    for name in ["textures/a.png", "textures/sub/b.png"] {
        folder.write(name, &photograph);
    }
    folder.write("web/dist-site/index.html", b"<!doctype html><title>Site</title>");
    folder.write("rules.toml", b"[[rule]]\nfiles = '*'\nmips = 'all'\n");
    for face in ["px", "nx", "py", "ny", "pz", "nz"] {
        folder.write(&format!("faces/sky_{face}.png"), &png_rgb(8, 8, |x, y| [x as u8 * 9, y as u8, 7]));
        folder.write(&format!("slices/{face}.png"), &png_rgb(8, 8, |x, y| [x as u8 * 9, y as u8, 7]));
    }
    folder.write("cross.png", &png_rgb(32, 24, |x, y| [x as u8 * 7, y as u8 * 9, 90]));
    for arguments in [
        "encode photo.png -q high",
        "encode photo.png -o photo.ktx2 --zstd",
        "encode photo.png -o old.dds",
        "encode photo.png -o new.dds -q ultrafast",
        "encode art.png -f bc7",
        "encode normals.png -f bc5",
        "encode rock.png -o rock.ktx2 --mips",
        "encode photo.png -o out/photo.dds",
        "encode photo.png -o textures/old.dds",
        "encode photo.png -o half.dds --resize 50%",
        "encode textures/ -o out/ --rules rules.toml -f auto --quiet",
    ] {
        folder.run(&arguments.split(' ').collect::<Vec<_>>()).ok();
    }
    let encoded = folder.run(&["encode", "rock.png", "-q", "fast", "--json"]);
    folder.write("rock.json", encoded.ok().as_bytes());
    let cube = TextureDesc::new_cube(BlockFormat::Bc1, 8);
    let texture = Texture::new(cube, vec![5; 6 * 4 * 8]).unwrap();
    let mut sky = Vec::new();
    texture.write(&mut sky, ContainerFormat::Dds, &TextureWriteOptions::default(), &Task::new()).unwrap();
    folder.write("sky.dds", &sky);
    let light = Texture::new(TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 4, 4), vec![3; 16]).unwrap();
    let mut file = Vec::new();
    light.write(&mut file, ContainerFormat::Ktx2, &TextureWriteOptions::default(), &Task::new()).unwrap();
    folder.write("light.ktx2", &file);
    folder.write("sky.ktx2", &file);
    folder.run(&["decode", "light.ktx2", "-o", "sky.exr"]).ok();
    let mut panorama = Vec::new();
    write_exr(&mut panorama, 8, 4, &[[half::f16::ONE; 4]; 32], &Task::new()).unwrap();
    folder.write("panorama.exr", &panorama);

    let voxels: Vec<u8> =
        (0..24 * 260 * 112u32).flat_map(|i| ((i / 97 % 3000) as u16).to_le_bytes()).collect();
    for name in ["scan.raw", "old.raw", "new.raw"] {
        folder.write(name, &voxels);
    }
    let shape = ["--dims", DIMS, "--type", "u16"];
    for name in ["scan.nrrd", "scan.nii", "scan.nii.gz", "scan.bwv", "head.bwv", "archive/scan.bwv"] {
        folder.run(&[&["volume", "convert", "scan.raw", "-o", name][..], &shape].concat()).ok();
    }
    folder.run(&["volume", "convert", "scan.nrrd", "-o", "scan.zarr", "--levels", "2"]).ok();
    let cells = ["--dims", "24x130x112", "--type", "u16", "--channels", "2"];
    folder.run(&[&["volume", "encode", "scan.raw", "-o", "cells.bwv"][..], &cells].concat()).ok();
    let regions: Vec<u8> = (0..24 * 260 * 112u32).map(|i| (i / 100_000) as u8).collect();
    folder.write("regions.raw", &regions);
    let words = ["volume", "convert", "regions.raw", "-o", "regions.nii.gz", "--dims", DIMS, "--type", "u8"];
    folder.run(&words).ok();
    for z in 0..9 {
        let mut slice = DicomSlice::new(20, 16, z, (0..320).map(|i| 900 + 3 * i).collect());
        slice.rescale = Some([1.0, -1024.0]);
        folder.write(&format!("ct/{z}.dcm"), &slice.bytes());
    }
    folder.run(&["volume", "encode", "ct/"]).ok();
    folder.run(&["volume", "convert", "ct/", "-o", "ct.nii.gz"]).ok();
    folder.write("atlas.raw", &(0..20 * 20 * 20u32).map(|i| (i / 1000) as u8).collect::<Vec<_>>());
    let atlas = "volume convert atlas.raw --dims 20x20x20 --type u8 -o atlas.nii.gz";
    folder.run(&atlas.split(' ').collect::<Vec<_>>()).ok();
    folder
}

/// The words of every command, by the man pages.
fn commands() -> Vec<Vec<String>> {
    let folder = Folder::new();
    folder.run(&["man", "-o", "man/"]).ok();
    let mut commands: Vec<Vec<String>> = fs::read_dir(folder.path("man"))
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .map(|page| page.trim_end_matches(".1").split('-').skip(1).map(str::to_owned).collect())
        .collect();
    commands.sort();
    commands
}

/// The examples of a help text, without what is said of them.
fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
    let lines = examples.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| line.trim().split("  ").next().unwrap_or_default().to_owned()).collect()
}

/// The example for this machine and these files; `None` if it needs what may not be there.
fn adapted(example: &str) -> Option<String> {
    let needs_a_gpu = example.contains("--adapter") || example.starts_with("brickwork tiling");
    // view.rs runs the examples of the viewer.
    let needs_a_window = example.starts_with("brickwork view ");
    // Half an hour, and tables that have a separate test.
    if needs_a_gpu || needs_a_window || example == "brickwork bench papers" {
        return None;
    }
    let mut line = example.replace("512x512x361", DIMS);
    for (theirs, ours) in [
        ("zstd -dc scan.raw.zst", "cat scan.raw"),
        ("gunzip -c scan.nii.gz", "cat scan.nii"),
        ("magick art.psd[0] png:-", "cat art.png"),
        ("magick - -resize 50% small.jpg", "cat"),
        // The files of the fixture's folders have no partners.
        ("compare textures/ out/ --", "compare out/ out/ --"),
        ("report art/ out/", "report out/ out/"),
        // The port may be in use.
        ("--port 8080", "--port 0"),
    ] {
        line = line.replace(theirs, ours);
    }
    if line.contains("volume render") {
        line += " --size 40x30 --device cpu";
    }
    Some(line)
}

/// Runs a line in a folder that holds the files it reads, and no others.
fn run(line: &str, fixture: &Folder) -> Output {
    let (_folder, mut shell) = shell(line, fixture);
    if line.starts_with("brickwork serve") { served(shell) } else { shell.output().unwrap() }
}

/// Runs a server, requests its first page, and interrupts it, as users end it.
fn served(mut shell: Command) -> Output {
    let mut server = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    if let Some(address) = line.split(['/', ' ']).find(|word| word.starts_with("127.0.0.1:")) {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        let status = page.split(' ').nth(1);
        assert!(matches!(status, Some("200" | "302")), "{line}{page}");
        send_signal(&server, Signal::SIGINT);
    }
    let mut output = server.wait_with_output().unwrap();
    // Ctrl-C is its only end.
    if output.status.code() == Some(130) {
        output.status = std::process::ExitStatus::default();
    }
    output
}

/// The command that runs a line, in a folder that holds the files it reads.
fn shell(line: &str, fixture: &Folder) -> (Folder, Command) {
    let folder = Folder::new();
    let mut words = line.split([' ', '=']).peekable();
    while let Some(word) = words.next() {
        if matches!(
            word,
            "-o" | "--output"
                | ">"
                | ">>"
                | "--diff"
                | "--modes-image"
                | "--endpoints-image"
                | "--heat-map"
                | "--side-by-side"
        ) {
            // A file goes to a folder that is there.
            if let Some((parent, file)) = words.next().and_then(|name| name.rsplit_once('/'))
                && !file.is_empty()
                && !parent.starts_with('~')
            {
                fs::create_dir_all(folder.path(parent)).unwrap();
            }
            continue;
        }
        let name = word.split('/').next().unwrap_or_default();
        if !name.is_empty() && fixture.path(name).exists() {
            link(&fixture.path(name), &folder.path(name));
        }
    }
    for name in [
        ".local/share/bash-completion/completions",
        ".local/share/man/man1",
        ".zfunc",
        ".config/fish/completions",
    ] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_brickwork")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(program.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut shell = Command::new("sh");
    // The shell itself becomes a server, so that it can be interrupted.
    let line = if line.starts_with("brickwork serve") { format!("exec {line}") } else { line.to_owned() };
    shell.args(["-c", &line]).current_dir(folder.path("")).env("PATH", path.unwrap());
    shell
        .env("HOME", folder.path(""))
        .env("PROFILE", "profile.ps1")
        .env("XDG_CACHE_HOME", folder.path(".cache"));
    (folder, shell)
}

/// A file by another name, or a folder of such.
fn link(from: &Path, to: &Path) {
    if !from.is_dir() {
        let _ = fs::hard_link(from, to);
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        link(&from.join(&name), &to.join(&name));
    }
}

/// In a shell that is not there on Windows.
#[cfg(unix)]
#[test]
fn every_example_runs() {
    let fixture = fixture();
    let (mut seen, mut wrong, mut left_out) = (BTreeSet::new(), Vec::new(), 0);
    let commands = commands();
    for words in &commands {
        let is_group = commands.iter().any(|other| other.len() > words.len() && other.starts_with(words));
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let examples = examples(fixture.run(&words).ok());
        assert!(is_group || !examples.is_empty(), "{words:?} has no example");
        for example in examples {
            assert!(example.contains("brickwork "), "{words:?}: {example}");
            if !seen.insert(example.clone()) {
                continue;
            }
            let Some(line) = adapted(&example) else {
                left_out += 1;
                continue;
            };
            let output = run(&line, &fixture);
            if !output.status.success() {
                wrong.push(format!("{example}\n  {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen.len() > 80 && left_out < 12, "{} examples, {left_out} left out", seen.len());
}
