//! `encode --watch`: real changes of files. Waiting has generous limits, and nothing depends on its length.

use crate::common::{Folder, png_rgb};
use std::fs;
#[cfg(unix)]
use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Stdio},
    sync::mpsc::{Receiver, TryRecvError, channel},
    thread,
    time::{Duration, Instant},
};

#[cfg(unix)]
const LIMIT: Duration = Duration::from_secs(120);

fn picture(value: u8) -> Vec<u8> {
    png_rgb(8, 8, |x, y| [value, (x * 20) as u8, (y * 20) as u8])
}

/// A running program, and the lines that it prints on standard error.
#[cfg(unix)]
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

#[cfg(unix)]
impl Watcher {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let watcher = Self { child, lines };
        watcher.says("waiting for changes; Ctrl-C ends");
        watcher
    }

    /// Waits for a line with this text.
    fn says(&self, text: &str) {
        let start = Instant::now();
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(LIMIT.saturating_sub(start.elapsed())) {
            if line.contains(text) {
                return;
            }
            seen.push(line);
        }
        panic!("no \"{text}\" among {seen:?}");
    }

    /// Waits until the condition is true.
    fn until(what: &str, is_true: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_true() {
            assert!(start.elapsed() < LIMIT, "{what} after {LIMIT:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the program as Ctrl-C does.
    fn end(mut self) {
        crate::common::send_signal(&self.child, nix::sys::signal::Signal::SIGINT);
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
    }
}

#[cfg(unix)]
#[test]
fn what_changes_is_encoded_again_until_ctrl_c() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.png", &picture(10));
    folder.write("in/b.png", &picture(20));
    let made = |value: u8, format: &str| {
        let other = Folder::new();
        other.write("x.png", &picture(value));
        other.run(&["encode", "x.png", "-f", format, "-o", "x.dds"]).ok();
        other.read("x.dds")
    };
    for more in [&["--update"][..], &["--cache", "cache"]] {
        let out = if more.len() == 1 { "out/" } else { "cached/" };
        folder.write("in/a.png", &picture(10));
        folder.write("in/b.png", &picture(20));
        let arguments = ["encode", "in", "-r", "-o", out, "--watch", "--threads", "1"];
        let watcher = Watcher::start(&folder, &[&arguments[..], more].concat());
        let is = |name: &str, bytes: &[u8]| {
            let path = folder.path(&format!("{out}{name}"));
            fs::read(path).is_ok_and(|found| found == bytes)
        };
        assert!(is("a.dds", &made(10, "bc1")) && is("b.dds", &made(20, "bc1")));
        // Written in place.
        folder.write("in/a.png", &picture(90));
        Watcher::until("a change", || is("a.dds", &made(90, "bc1")));
        // As editors save: written beside it, then renamed.
        folder.write("in/.a.png.tmp", &picture(160));
        fs::rename(folder.path("in/.a.png.tmp"), folder.path("in/a.png")).unwrap();
        Watcher::until("a renamed file", || is("a.dds", &made(160, "bc1")));
        // A new file in a new folder, and a damaged one that is repaired.
        fs::create_dir_all(folder.path("in/deep")).unwrap();
        folder.write("in/deep/c.png", b"no picture");
        watcher.says("in/deep/c.png: ");
        folder.write("in/deep/c.png", &picture(40));
        Watcher::until("a new file", || is("deep/c.dds", &made(40, "bc1")));
        // Rules apply as they are.
        folder.write("in/brickwork.toml", b"[[rule]]\nfiles = 'b.png'\nformat = 'bc7'\n");
        Watcher::until("a rule", || is("b.dds", &made(20, "bc7")));
        folder.write("in/brickwork.toml", b"[[rule]]\nfiles = 'b.png'\nformat = 'bc9'\n");
        watcher.says("bc9");
        // A change that cannot be encoded before the rules are repaired.
        folder.write("in/a.png", &picture(120));
        watcher.says("bc9");
        folder.write("in/brickwork.toml", b"[[rule]]\nfiles = 'b.png'\nformat = 'bc7'\n");
        Watcher::until("repaired rules", || is("a.dds", &made(120, "auto")));
        fs::remove_file(folder.path("in/brickwork.toml")).unwrap();
        Watcher::until("no rule", || is("b.dds", &made(20, "bc1")));
        fs::remove_file(folder.path("in/b.png")).unwrap();
        watcher.says(": in/b.png: is gone; its outputs stay");
        assert!(is("b.dds", &made(20, "bc1")));
        fs::remove_dir_all(folder.path("in/deep")).unwrap();
        watcher.says(": in/deep/c.png: is gone");
        folder.write("in/a.png", &picture(200));
        Watcher::until("another change", || is("a.dds", &made(200, "bc1")));
        watcher.end();
    }
}

/// A log that is written all the time delays nothing.
#[cfg(unix)]
#[test]
fn other_files_are_ignored() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.png", &picture(10));
    let watcher = Watcher::start(&folder, &["encode", "in", "-o", "out/", "--watch", "--force"]);
    let before = folder.read("out/a.dds");
    thread::scope(|scope| {
        let (stop, is_stopped) = channel::<()>();
        let log = folder.path("in/log.txt");
        scope.spawn(move || {
            while is_stopped.try_recv() == Err(TryRecvError::Empty) {
                fs::write(&log, b"more").unwrap();
                thread::sleep(Duration::from_millis(20));
            }
        });
        folder.write("in/a.png", &picture(90));
        Watcher::until("a change", || fs::read(folder.path("out/a.dds")).is_ok_and(|found| found != before));
        drop(stop);
    });
    watcher.end();
}

#[cfg(unix)]
#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new();
    for name in ["in", "out"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("in/a.png", &picture(10));
    folder.write("out/a.dds", b"another's");
    let watcher =
        Watcher::start(&folder, &["encode", "in", "-o", "out/", "--watch", "--cache", "cache", "--json"]);
    folder.write("in/a.png", &picture(90));
    watcher.says("out/a.dds: already exists");
    assert_eq!(folder.read("out/a.dds"), b"another's");
    watcher.end();
}

/// Only outputs whose options changed are written.
#[cfg(unix)]
#[test]
fn recorded_options_decide_after_a_change_of_rules() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.png", &picture(10));
    folder.write("in/b.png", &picture(20));
    let watcher =
        Watcher::start(&folder, &["encode", "in", "-o", "out/", "--watch", "--update", "--threads", "1"]);
    let inode = |name: &str| fs::metadata(folder.path(name)).unwrap().ino();
    let [a, b] = ["out/a.dds", "out/b.dds"].map(inode);
    folder.write(
        "in/brickwork.toml",
        b"[[rule]]\nfiles = '*'\nformat = 'bc1'\n[[rule]]\nfiles = 'b.png'\nformat = 'bc7'\n",
    );
    Watcher::until("a rule", || inode("out/b.dds") != b);
    watcher.end();
    assert_eq!(inode("out/a.dds"), a);
}

/// Jobs of a plan that was refused are encoded once the rules are repaired, although no image changed.
#[cfg(unix)]
#[test]
fn a_refused_plan_counts_as_not_run() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.png", &picture(10));
    let arguments = ["encode", "in", "-o", "out/", "--watch", "--force"];
    let watcher = Watcher::start(&folder, &arguments);
    let rules = |target: &str| format!("[target.t]\n{target}\n[[rule]]\nfiles = '*'\nformat = 'bc7'\n");
    folder.write("in/brickwork.toml", rules("total-size = '1M'").as_bytes());
    watcher.says("a total size needs a run over all images");
    folder.write("in/brickwork.toml", rules("").as_bytes());
    Watcher::until("repaired rules", || folder.path("out/t/a.dds").exists());
    watcher.end();
}

#[test]
fn watching_needs_files_that_may_be_replaced() {
    let folder = Folder::new();
    folder.write("a.png", &picture(1));
    folder
        .run(&["encode", "a.png", "--watch"])
        .fails(1, &["--watch replaces outputs", "--update, --cache or --force"]);
    folder.run(&["encode", "a.png", "-o", "-", "--watch", "--force"]).fails(1, &["--watch needs files"]);
    let ran = folder.run(&["encode", "a.png", "--watch", "--force", "--dry-run"]);
    assert!(ran.exit == Some(1) && ran.stderr.contains("cannot be used with"), "{ran:?}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
}
