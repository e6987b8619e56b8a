//! Tests that cannot run on this machine. The test harness hides what passing tests print, so each process
//! ends with a line per reason on standard error.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Display,
    fs::OpenOptions,
    io::{self, Write as _},
    panic::Location,
    sync::{Mutex, PoisonError},
    thread,
};

/// Skipped tests by reason.
static SKIPPED: Mutex<BTreeMap<String, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

/// Records that the running test leaves out some or all of its checks, and why. When the process ends, it
/// prints the number of such tests for each reason. If the environment variable `BRICKWORK_SKIPPED` is the
/// path of a file, the name of the test is appended to it.
///
/// # Panics
/// If the file cannot be written.
#[track_caller]
pub fn skip(reason: impl Display) {
    let reason = reason.to_string();
    println!("skipped: {reason}");
    let thread = thread::current();
    // Tests have threads with their names, except the only thread of `--test-threads 1`.
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => Location::caller().to_string(),
    };
    if let Some(path) = env::var_os("BRICKWORK_SKIPPED") {
        let mut file = OpenOptions::new().append(true).create(true).open(path).expect("BRICKWORK_SKIPPED");
        file.write_all(format!("{test}\n").as_bytes()).expect("BRICKWORK_SKIPPED");
    }
    let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    if skipped.is_empty() {
        at_exit();
    }
    skipped.entry(reason).or_default().insert(test);
}

/// Works like [`skip`], for a test that needs a GPU and finds none because of `error`.
///
/// # Panics
/// If the environment variable `BRICKWORK_REQUIRE_GPU` is set.
#[track_caller]
pub fn skip_without_gpu(error: impl Display) {
    assert!(env::var_os("BRICKWORK_REQUIRE_GPU").is_none(), "BRICKWORK_REQUIRE_GPU is set: {error}");
    skip(format_args!("no GPU: {error}"));
}

extern "C" fn print() {
    let skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    for (reason, tests) in &*skipped {
        // A closed standard error is ignored: there is no other place to report to.
        let _ = writeln!(io::stderr(), "skipped: {} ({reason})", counted(tests.len()));
    }
}

fn counted(tests: usize) -> String {
    if tests == 1 { "1 test".to_owned() } else { format!("{tests} tests") }
}

/// Lets the process print what was skipped when it ends. The test harness has no such place.
#[expect(unsafe_code, reason = "std has no function for it")]
fn at_exit() {
    // SAFETY: the function does not unwind: it neither panics nor calls what could.
    let failed = unsafe { libc::atexit(print) };
    assert_eq!(failed, 0, "atexit");
}
