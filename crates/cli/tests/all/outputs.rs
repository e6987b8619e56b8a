//! Files appear whole or not at all, and nothing is overwritten by accident.

use crate::common::{Folder, photo, png_rgb};
use std::{
    fs,
    io::Write,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

/// Noise: at the best quality it takes long enough to be interrupted; with 4096 texels a side, writing does.
fn noise(side: u32) -> Vec<u8> {
    let noise = |x: u32, y: u32| (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)).wrapping_mul(2_654_435_761);
    png_rgb(side, side, |x, y| [(noise(x, y) >> 24) as u8, (noise(y, x) >> 16) as u8, (x ^ y) as u8])
}

#[test]
fn existing_files_are_kept_unless_forced() {
    let folder = Folder::with_photo();
    folder.write("photo.dds", b"old");
    folder.run(&["encode", "photo.png"]).fails(2, &["photo.dds", "already exists", "--force"]);
    assert_eq!(folder.read("photo.dds"), b"old");
    folder.run(&["encode", "photo.png", "--force"]).ok();
    assert!(folder.read("photo.dds").starts_with(b"DDS "));
    folder.run(&["decode", "photo.dds", "-o", "photo.png"]).fails(2, &["--force"]);
    folder.run(&["compare", "photo.png", "photo.dds", "--diff", "d.png"]).ok();
    folder.run(&["compare", "photo.png", "photo.dds", "--diff", "d.png"]).fails(2, &["d.png", "--force"]);
    assert_eq!(folder.names(), ["d.png", "photo.dds", "photo.png"]);
}

#[test]
#[cfg(unix)]
fn a_reader_that_stops_early_makes_the_output_fail() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png"]).ok();
    for arguments in [["decode", "photo.dds", "-o", "-"], ["encode", "photo.png", "-o", "-"]] {
        let mut child =
            folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && error.contains("standard output"), "{error}");
    }
    let mut child = folder.command(&["info", "photo.dds"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_failing_encode_keeps_the_old_file() {
    let folder = Folder::new();
    let photo = photo();
    folder.write("bad.png", &photo[..photo.len() / 2]);
    folder.write("bad.dds", b"old");
    folder.run(&["encode", "bad.png", "--force"]).fails(3, &["bad.png"]);
    assert_eq!(folder.read("bad.dds"), b"old");
    assert_eq!(folder.names(), ["bad.dds", "bad.png"]);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = Folder::with_photo();
    let before = folder.read("photo.png");
    fs::create_dir(folder.path("sub")).unwrap();
    fs::hard_link(folder.path("photo.png"), folder.path("hard.dds")).unwrap();
    let refused = |output: &str| {
        let ran = folder.run(&["encode", "photo.png", "--container", "dds", "--force", "-o", output]);
        ran.fails(2, &[output, "input file too"]);
        assert_eq!(folder.read("photo.png"), before);
    };
    refused("hard.dds");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("photo.png", folder.path("soft.dds")).unwrap();
        refused("soft.dds");
    }
    folder.write("a.dds", &before);
    folder.run(&["encode", "a.dds", "--force"]).fails(2, &["a.dds", "input file too"]);
    // Also another input's file, and by an indirect path.
    folder.run(&["encode", "photo.png", "a.dds", "--force", "-o", "sub/../a.dds"]).fails(1, &["2 inputs"]);
    folder.run(&["decode", "a.dds", "-o", "sub/../a.dds"]).fails(1, &["PNG"]);
    folder.run(&["encode", "photo.png"]).ok();
    folder
        .run(&["compare", "photo.png", "photo.dds", "--diff", "photo.png", "--force"])
        .fails(2, &["input file"]);
    assert_eq!(folder.read("photo.png"), before);
}

#[test]
fn places_that_take_no_file_are_told_before_the_work() {
    let folder = Folder::with_photo();
    let encode = |output| folder.run(&["encode", "photo.png", "--container", "dds", "-o", output]);
    encode("missing/a.dds").fails(2, &["missing/a.dds", "the folder missing does not exist; create it"]);
    encode("photo.png/a.dds").fails(2, &["photo.png/a.dds"]);
    #[cfg(target_os = "linux")]
    {
        // Permission bits do not bind root; nobody can create files in this folder.
        encode("/proc/a.dds").fails(2, &["/proc/a.dds", "cannot create a file"]);
        encode("/dev/full").fails(2, &["/dev/full", "No space left"]);
    }
    assert_eq!(folder.names(), ["photo.png"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with_photo();
    folder.write("photo.dds", b"old");
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["encode", "photo.png", "-o", "-"][..], &["info", "photo.png"], &["info", "photo.png", "--json"]]
    {
        let output = folder.command(arguments).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("standard output: No space left on device"), "{stderr}");
    }

    // More than is buffered, so that the writer of the container or PNG fails, not the flush.
    folder.write("large.png", &noise(1536));
    folder.run(&["encode", "large.png", "-q", "ultrafast", "--quiet"]).ok();
    for arguments in [&["decode", "large.dds", "-o", "-"][..], &["encode", "large.png", "-o", "-"]] {
        let output = folder.command(arguments).stdout(full()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr, "brickwork: error: standard output: No space left on device\n");
    }
    fs::remove_file(folder.path("large.png")).unwrap();
    fs::remove_file(folder.path("large.dds")).unwrap();

    // A limit on the size of files simulates a full disk: 1 block of 512 or 1024 bytes.
    let output = folder.shell("ulimit -f 1; exec \"$0\" encode photo.png --force").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("photo.dds: File too large"), "{stderr}");
    assert_eq!(folder.read("photo.dds"), b"old");
    assert_eq!(folder.names(), ["photo.dds", "photo.png"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_photo();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert!(folder.shell("umask 027; exec \"$0\" encode photo.png --quiet").status().unwrap().success());
    assert_eq!(mode("photo.dds"), 0o640);

    fs::set_permissions(folder.path("photo.dds"), fs::Permissions::from_mode(0o604)).unwrap();
    std::os::unix::fs::symlink("photo.dds", folder.path("link.dds")).unwrap();
    folder.run(&["encode", "photo.png", "-o", "link.dds", "--force", "--linear"]).ok();
    assert_eq!(mode("photo.dds"), 0o604);
    assert!(fs::symlink_metadata(folder.path("link.dds")).unwrap().is_symlink());
    assert_eq!(folder.read("link.dds"), folder.read("photo.dds"));
    std::os::unix::fs::symlink("nothing", folder.path("dangling.dds")).unwrap();
    folder.run(&["encode", "photo.png", "-o", "dangling.dds"]).fails(2, &["dangling.dds", "symbolic link"]);
}

#[test]
fn a_kill_leaves_the_old_file_or_the_whole_new_one() {
    let folder = Folder::new();
    folder.write("slow.png", &noise(512));
    folder.write("large.png", &noise(4096));
    let slow = ["encode", "slow.png", "-q", "best", "--threads", "1", "-o", "a.dds", "--force", "--quiet"];
    let large = ["encode", "large.png", "-q", "ultrafast", "-o", "a.dds", "--force", "--quiet"];
    let measured = |arguments: &[&str]| {
        let start = Instant::now();
        folder.run(arguments).ok();
        (start.elapsed(), folder.read("a.dds"))
    };
    let (slow_time, slow_file) = measured(&slow);
    let (large_time, large_file) = measured(&large);
    let mut kills = 0;
    let mut kill = |arguments: &[&str], whole: &[u8], moment: &str, wait: &dyn Fn()| {
        folder.write("a.dds", b"old");
        let mut child = folder.command(arguments).stderr(Stdio::null()).spawn().unwrap();
        wait();
        child.kill().unwrap();
        kills += u32::from(!child.wait().unwrap().success());
        let file = folder.read("a.dds");
        assert!(file == b"old" || file == whole, "{} bytes after {moment}", file.len());
        for name in folder.names().iter().filter(|name| name.ends_with(".tmp")) {
            fs::remove_file(folder.path(name)).unwrap();
        }
    };
    for part in [5u32, 50, 90, 98, 100] {
        let wait = || thread::sleep(slow_time * part / 100);
        kill(&slow, &slow_file, &format!("{part} % of the time"), &wait);
    }
    // The moment that matters: bytes are being written, be it under a temporary name or the final one.
    let is_writing = || {
        let entries = fs::read_dir(folder.path("")).unwrap();
        entries.filter_map(|entry| entry.ok()).any(|entry| {
            let name = entry.file_name().into_string().unwrap();
            let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
            name.ends_with(".tmp") && bytes > 0 || name == "a.dds" && bytes != 3
        })
    };
    for attempt in 0..5 {
        let deadline = Instant::now() + large_time * 10;
        kill(&large, &large_file, &format!("the first byte, attempt {attempt}"), &|| {
            while !is_writing() && Instant::now() < deadline {
                std::hint::spin_loop();
            }
        });
    }
    assert!(kills > 0, "the program was never caught at work");
    // A temporary file may be left after a kill, but not under a name that anybody looks for.
    for name in folder.names() {
        assert!(
            ["slow.png", "large.png", "a.dds"].contains(&name.as_str()) || name.ends_with(".tmp"),
            "{name}"
        );
    }
}

/// Ctrl-C, SIGTERM and the hang-up of a terminal, during the work and while bytes are being written.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use crate::common::{send_signal, wait_until_interruptible};
    use nix::sys::signal::Signal;
    let folder = Folder::new();
    folder.write("large.png", &noise(4096));
    let interrupt = |signal: Signal, quality: &str, wait: &dyn Fn()| {
        let arguments = ["encode", "large.png", "--quality", quality, "--quiet"];
        let mut child = folder.command(&arguments).spawn().unwrap();
        wait_until_interruptible(&child);
        wait();
        send_signal(&child, signal);
        child.wait().unwrap().code()
    };
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let exit = interrupt(signal, "best", &|| thread::sleep(Duration::from_millis(150)));
        assert_eq!(exit, Some(130), "{signal:?}");
        assert_eq!(folder.names(), ["large.png"], "{signal:?}");
    }
    let has_bytes = || {
        let mut entries = fs::read_dir(folder.path("")).unwrap().filter_map(|entry| entry.ok());
        entries.any(|entry| {
            let name = entry.file_name().into_string().unwrap();
            let has_bytes = entry.metadata().is_ok_and(|metadata| metadata.len() > 0);
            // The final name: this time the moment was missed.
            name == "large.dds" || name.ends_with(".tmp") && has_bytes
        })
    };
    let mut caught = 0;
    for _ in 0..20 {
        let deadline = Instant::now() + Duration::from_secs(60);
        let exit =
            interrupt(Signal::SIGINT, "ultrafast", &|| while !has_bytes() && Instant::now() < deadline {});
        caught += u32::from(exit == Some(130) && !folder.path("large.dds").exists());
        // It may come after the rename; the whole file is there then.
        let names = folder.names();
        assert!(names == ["large.png"] || names == ["large.dds", "large.png"], "{names:?}");
        let _ = fs::remove_file(folder.path("large.dds"));
        if caught == 3 {
            break;
        }
    }
    assert!(caught > 0, "the program was never caught while it wrote");
}

/// Between the first look at the output and its last byte another program may write it. (The toolkit's tests
/// have the file that appears while it is written.)
#[test]
fn an_output_that_appears_during_the_work_is_kept() {
    let folder = Folder::new();
    let start = || {
        let mut command = folder.command(&["encode", "-", "-o", "a.dds"]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let refused = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("a.dds: already exists"), "{said}");
        assert_eq!((output.status.code(), folder.read("a.dds")), (Some(2), b"another's".to_vec()));
        assert_eq!(folder.names(), ["a.dds"]);
    };
    // More than a pipe holds: what writes half of it knows that it is being read.
    let image = noise(512);
    let (first, rest) = image.split_at(image.len() / 2);
    assert!(first.len() > 1 << 18);
    let mut child = start();
    let mut input = child.stdin.take().unwrap();
    input.write_all(first).unwrap();
    folder.write("a.dds", b"another's");
    input.write_all(rest).unwrap();
    drop(input);
    refused(child);
    // The first look is before that: a file that is there is refused although no input ever comes.
    let mut child = start();
    let input = child.stdin.take().unwrap();
    refused(child);
    drop(input);
}

#[cfg(unix)]
#[test]
fn a_reader_of_a_report_that_stops_early_is_no_failure() {
    let folder = Folder::new();
    folder.write("a.png", &png_rgb(2048, 2048, |x, y| [x as u8, y as u8, (x * y) as u8]));
    for arguments in [&["info", "a.png"][..], &["--help"], &["encode", "a.png"]] {
        let mut child =
            folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panic"), "{arguments:?}: {stderr}");
    }
    // The work was done although nobody read the report.
    assert!(folder.path("a.dds").exists());
}
