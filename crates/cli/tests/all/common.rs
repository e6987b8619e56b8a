//! Runs of the program in a separate folder.

// Every test file uses what it needs.
#![allow(dead_code)]

use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, DecodeOptions, ImageIndex, Task, Texture};
use std::{
    fmt, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A folder that is removed when this is dropped.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `photo.png`, a smooth picture of 96×64.
    pub fn with_photo() -> Self {
        let folder = Self::new();
        folder.write("photo.png", &photo());
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program in the folder. Unless `arguments` say otherwise, it works on the CPU, so that tests are
    /// the same on every machine. Compiled kernels, Mesa's included, stay in the build folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_brickwork"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        let has_device = arguments.iter().any(|argument| ["--device", "--adapter"].contains(argument));
        let has_choice = ["encode", "assemble", "audit"].iter().any(|name| arguments.first() == Some(name))
            || arguments.starts_with(&["volume", "render"]);
        if has_choice && !has_device {
            command.args(["--device", "cpu"]);
        }
        let caches = Path::new(env!("CARGO_TARGET_TMPDIR"));
        command
            .env("XDG_CACHE_HOME", caches.join("caches"))
            .env("MESA_SHADER_CACHE_DIR", caches.join("mesa"));
        command
    }

    /// Runs the program in the folder.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Returns a command that runs a script of the shell in the folder. `"$0"` is the program, whose path may
    /// have spaces.
    #[cfg(unix)]
    pub fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_brickwork")]).current_dir(self.0.path());
        command
    }

    /// Runs the program with the words of a line, between single spaces.
    pub fn line(&self, line: &str) -> Ran {
        self.run(&line.split(' ').collect::<Vec<_>>())
    }

    /// The decoded texels of an image of a texture.
    pub fn texels(&self, name: &str, index: ImageIndex) -> Vec<[u8; 4]> {
        let texture = Texture::open(self.path(name), &Task::new()).unwrap();
        let image = texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
        image.into_texels().into_rgba8().unwrap()
    }

    /// Runs the program with `stdin`.
    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let bytes = stdin.to_vec();
        let feeder = std::thread::spawn(move || {
            // The program may end without reading it all.
            let _ = pipe.write_all(&bytes);
        });
        let ran = Ran::of(child.wait_with_output().unwrap());
        feeder.join().unwrap();
        ran
    }
}

/// The result of a run.
pub struct Ran {
    pub exit: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl fmt::Debug for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { exit, stdout, stderr } = self;
        let stdout = String::from_utf8_lossy(&stdout[..stdout.len().min(4000)]);
        write!(f, "exit code {exit:?}, standard output:\n{stdout}\nstandard error:\n{stderr}")
    }
}

impl Ran {
    pub fn of(output: Output) -> Self {
        // Lines of progress depend on the time that a run takes.
        let stderr = String::from_utf8(output.stderr).unwrap();
        let is_said = |line: &&str| !line.starts_with("brickwork: progress: ");
        let stderr = stderr.split_inclusive('\n').filter(is_said).collect();
        Self { exit: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Standard output as text, if the program succeeded and standard error is empty.
    #[track_caller]
    pub fn ok(&self) -> &str {
        assert_eq!((self.exit, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        self.text()
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Checks the exit code, that standard error is one line, and that it holds all `words`.
    #[track_caller]
    pub fn fails(&self, exit: i32, words: &[&str]) {
        assert_eq!(self.exit, Some(exit), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert!(self.stderr.starts_with("brickwork: error: "), "{}", self.stderr);
        self.says(words);
    }

    /// Checks that standard error holds all `words`.
    #[track_caller]
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "\"{word}\" is not in \"{}\"", self.stderr);
        }
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Sends `signal` to `child`.
#[cfg(unix)]
pub fn send_signal(child: &std::process::Child, signal: nix::sys::signal::Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
}

/// Returns once `child` handles Ctrl-C: before that the signal kills it, however the program was written.
#[cfg(unix)]
pub fn wait_until_interruptible(child: &std::process::Child) {
    use std::{fs, thread, time::Duration};
    let status = format!("/proc/{}/status", child.id());
    // SIGINT is the second signal; `SigCgt` has a bit for each that is handled, in hexadecimal.
    let handles_it = |text: &str| {
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
    };
    for _ in 0..6000 {
        match fs::read_to_string(&status) {
            Ok(text) if handles_it(&text) => return,
            Ok(_) => thread::sleep(Duration::from_millis(10)),
            // No such folder: another system, which is given time.
            Err(_) => return thread::sleep(Duration::from_millis(700)),
        }
    }
    panic!("the program does not handle SIGINT after a minute");
}

pub fn test_data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data").join(name)
}

/// A whole Kodak image.
pub fn kodak() -> PathBuf {
    test_data("kodak/kodim23.png")
}

/// A PNG of RGB texels.
pub fn png_rgb(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let texels: Vec<_> = (0..width * height).map(|i| texel(i % width, i / width)).collect();
    let mut file = Vec::new();
    write_png(&mut file, width, height, PngTexels::Rgb8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
    file
}

/// A PNG of RGBA texels.
pub fn png_rgba(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let texels: Vec<_> = (0..width * height).map(|i| texel(i % width, i / width)).collect();
    let mut file = Vec::new();
    write_png(&mut file, width, height, PngTexels::Rgba8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
    file
}

/// A small picture, 96×64: smooth, with a little noise so that no part of its file is superfluous.
pub fn photo() -> Vec<u8> {
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 29;
    png_rgb(96, 64, |x, y| [x * 2 + 20, y * 3 + 30, x + y + 40].map(|value| (value + noise(x, y)) as u8))
}

/// A data URI of a PNG. The encoder is separate from the program's decoder.
pub fn data_uri(png: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = "data:image/png;base64,".to_owned();
    for bytes in png.chunks(3) {
        let number = (0..3).fold(0u32, |number, i| number << 8 | u32::from(*bytes.get(i).unwrap_or(&0)));
        let digit = |i: usize| DIGITS[(number >> (18 - 6 * i)) as usize & 63] as char;
        text.extend((0..4).map(|i| if i <= bytes.len() { digit(i) } else { '=' }));
    }
    text
}
