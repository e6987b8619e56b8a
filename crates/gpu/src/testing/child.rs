//! Tests that need a separate process.

use std::{env, process::Command};

/// Runs `work` in a separate process that runs only the calling test. It is started by `wrapper`, with
/// `variables` in its environment. Its output is printed here. `module` is the caller's `module_path!()`, and
/// `test` is the test's name.
///
/// # Panics
/// If the process fails or runs no test.
pub fn child(module: &str, test: &str, wrapper: &[&str], variables: &[(&str, &str)], work: impl FnOnce()) {
    const CHILD: &str = "BRICKWORK_TEST_CHILD";
    if env::var_os(CHILD).is_some() {
        return work();
    }
    // libtest's names omit the crate.
    let name = match module.split_once("::") {
        Some((_, module)) => format!("{module}::{test}"),
        None => test.to_owned(),
    };
    let program = env::current_exe().expect("this program's path");
    let arguments = [program.to_str().expect("a path in UTF-8"), "--exact", &name, "--nocapture"];
    let all: Vec<_> = wrapper.iter().chain(&arguments).collect();
    let mut command = Command::new(all[0]);
    command.args(&all[1..]).env(CHILD, "1").envs(variables.iter().copied());
    let output = command.output().expect("a process");
    let [printed, failed] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{name} by itself: {}\n{printed}{failed}", output.status);
    assert!(printed.contains("running 1 test"), "no test is called {name}:\n{printed}");
    print!("{printed}");
}
