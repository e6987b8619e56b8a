//! Scripts of tests in Python.

use super::skip;
use std::process::{Command, Output};

/// Returns a function that runs `python3` with the given arguments, or skips the test and returns `None` if
/// Python cannot import `modules` (names with commas).
#[track_caller]
pub fn python(modules: &str) -> Option<impl Fn(&[&str]) -> Output> {
    let run = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if run(&["-c", &format!("import {modules}")]).is_ok_and(|output| output.status.success()) {
        return Some(move |arguments: &[&str]| run(arguments).expect("Python has run before"));
    }
    skip(format_args!("no Python with {modules}"));
    None
}
