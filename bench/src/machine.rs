//! The machine on which the figures were measured, in words.

use brickwork_texture::SimdLevel;
use std::time::SystemTime;

/// Returns the CPU's name, the best instruction set that textures use, and the compiler: two lines of a list.
pub fn describe() -> String {
    let simd = SimdLevel::detect().name();
    format!("{}\n- {simd}, {}", cpu(), compiler())
}

/// Returns the name and version of the compiler that built this program.
pub fn compiler() -> &'static str {
    let version = env!("BENCH_RUSTC");
    version.split(" (").next().unwrap_or(version)
}

/// Returns the CPU's name, and the number of logical CPUs.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim())
    };
    format!(
        "{} (family {}, model {}, stepping {}), {} logical CPUs",
        field("model name"),
        field("cpu family"),
        field("model"),
        field("stepping"),
        std::thread::available_parallelism().map_or(1, usize::from),
    )
}

/// Returns today's date, UTC.
pub fn date() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.split('T').next().unwrap_or(&now).to_owned()
}
