//! `--device`, `--adapter` and `brickwork devices`.

use crate::common::{Folder, Ran, photo, png_rgba};
use brickwork_base::testing::skip_without_gpu;
use serde_json::Value;

/// Variables that hide every driver of Vulkan.
const NO_DRIVER: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nonexistent"), ("VK_ICD_FILENAMES", "/nonexistent")];

/// The adapters in `devices --json`, or nothing where there is none and none is required.
#[track_caller]
fn adapters() -> Option<Vec<Value>> {
    let json = Folder::new().run(&["devices", "--json"]).json();
    let adapters = json["adapters"].as_array().unwrap().clone();
    if adapters.is_empty() {
        skip_without_gpu("no adapter");
        return None;
    }
    Some(adapters)
}

/// Runs the program where Vulkan finds no driver.
fn run_without_driver(folder: &Folder, arguments: &[&str]) -> Ran {
    Ran::of(folder.command(arguments).envs(NO_DRIVER).output().unwrap())
}

fn report(ran: &Ran) -> Value {
    let known = ["which BC1 cannot store; -f bc7 and -f bc3 can", "--multiple-of-4 resizes the image"];
    let is_known = |line: &str| known.iter().any(|end| line.ends_with(end));
    assert!(ran.exit == Some(0) && ran.stderr.lines().all(is_known), "{ran:?}");
    ran.json()["files"][0].clone()
}

#[test]
fn the_gpu_writes_the_cpu_s_file() {
    let Some(adapters) = adapters() else { return };
    let folder = Folder::with_photo();
    folder.write("leaf.png", &png_rgba(61, 35, |x, y| [x * 4, y * 7, x ^ y, (x * 9) % 256].map(|v| v as u8)));
    let mut deep = b"P7\nWIDTH 77\nHEIGHT 53\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    for i in 0..77 * 53u32 {
        let (x, y) = (i % 77, i / 77);
        let texel = [x * 851, y * 1236, (x ^ y) * 511, if x < y { 0 } else { 65535 - 700 * y }];
        deep.extend(texel.iter().flat_map(|&value| (value as u16).to_be_bytes()));
    }
    folder.write("deep.pam", &deep);
    let cases = [
        vec!["photo.png", "-q", "ultrafast"],
        vec!["photo.png", "-q", "high", "--weights", "luma", "--decoder", "nvidia"],
        vec!["leaf.png", "--mips"],
        vec!["leaf.png", "--mips", "--linear", "-q", "fast"],
        vec!["deep.pam", "--mips", "-q", "fast"],
        vec!["leaf.png", "-q", "fast", "--alpha-threshold", "77", "--transparent-black"],
        vec!["leaf.png", "-q", "best"],
    ];
    for case in cases {
        let run = |device: &str, output: &str| {
            let mut arguments = vec!["encode", "--json", "--force", "--device", device, "-o", output];
            arguments.extend(&case);
            report(&folder.run(&arguments))
        };
        let (cpu, gpu) = (run("cpu", "cpu.dds"), run("gpu", "gpu.dds"));
        assert!(folder.read("cpu.dds") == folder.read("gpu.dds"), "{case:?}");
        assert_eq!((&cpu["device"], &cpu["adapter"]), (&"cpu".into(), &Value::Null));
        assert_eq!(gpu["device"], "gpu");
        assert!(adapters.iter().any(|adapter| adapter["name"] == gpu["adapter"]), "{gpu}");
        assert_eq!(cpu["metrics"], gpu["metrics"]);
    }
}

#[test]
fn the_gpu_s_pictures_of_volumes_are_the_cpu_s() {
    let Some(adapters) = adapters() else { return };
    let folder = Folder::new();
    // A ball in noise, larger than the least pool of pages.
    let side = 90usize;
    let square = |place: usize| (place as f64 - 45.0).powi(2);
    let voxel = |i: usize| {
        let distance = (square(i % side) + square(i / side % side) + square(i / side / side)).sqrt();
        (100.0 * (40.0 - distance)).clamp(0.0, 3000.0) as u16 + (i * 7919 % 251) as u16
    };
    let bytes: Vec<u8> = (0..side.pow(3)).flat_map(|i| voxel(i).to_le_bytes()).collect();
    folder.write("a.raw", &bytes);
    let raw = ["--dims", "90x90x90", "--type", "u16"];
    folder.run(&[&["volume", "encode", "a.raw"][..], &raw].concat()).ok();
    let cases: [&[&str]; 4] = [
        &["a.bwv"],
        &["a.raw", "--dims", "90x90x90", "--type", "u16"],
        &["a.bwv", "--iso", "1500"],
        &["a.bwv", "--mode", "mip"],
    ];
    for case in cases {
        let run = |device: &str, output: &str| {
            let words = ["volume", "render", "--force", "--json", "--size", "64x48", "--device", device];
            folder.run(&[&words[..], case, &["-o", output]].concat())
        };
        let (cpu, gpu) = (run("cpu", "cpu.png").json(), run("gpu", "gpu.png").json());
        assert_eq!((&cpu["device"], &gpu["device"]), (&"cpu".into(), &"gpu".into()));
        assert!(adapters.iter().any(|adapter| adapter["name"] == gpu["adapter"]), "{gpu}");
        assert_eq!(cpu["samples"], gpu["samples"], "{case:?}");
        // At most 1 of 255 in each channel.
        folder.run(&["compare", "cpu.png", "gpu.png", "--fail-under", "psnr=48.1"]).ok();
    }
    let words = ["volume", "render", "a.bwv", "-o", "part.png", "--size", "64x48", "--device", "gpu"];
    let ran = folder.run(&[&words[..], &["--gpu-memory", "256K"]].concat());
    assert!(ran.exit == Some(0) && ran.stderr.contains("are loaded at a time"), "{ran:?}");
    folder.run(&["volume", "render", "a.bwv", "-o", "all.png", "--size", "64x48"]).ok();
    folder.run(&["compare", "all.png", "part.png", "--fail-under", "psnr=48.1"]).ok();
    // Voxels of 64 bits are decoded as they are and shown as f32, by both.
    let wide: Vec<u8> = (0..side.pow(3)).flat_map(|i| f64::from(voxel(i)).to_le_bytes()).collect();
    folder.write("wide.raw", &wide);
    let [cpu, gpu] = ["cpu", "gpu"].map(|device| {
        let words = ["volume", "render", "wide.raw", "--dims", "90x90x90", "--type", "f64", "--json"];
        let output = format!("wide-{device}.png");
        folder.run(&[&words[..], &["--size", "64x48", "--device", device, "-o", &output]].concat()).json()
    });
    assert_eq!((&cpu["device"], &gpu["device"]), (&"cpu".into(), &"gpu".into()));
    folder.run(&["compare", "wide-cpu.png", "wide-gpu.png", "--fail-under", "psnr=48.1"]).ok();
}

#[test]
fn the_report_names_the_device() {
    let Some(adapters) = adapters() else { return };
    let folder = Folder::with_photo();
    let ran = folder.run(&["encode", "photo.png", "-q", "fast", "--device", "gpu", "--adapter", "0"]);
    let name = adapters[0]["name"].as_str().unwrap();
    assert!(ran.ok().contains(&format!(" · GPU {name}\n")), "{ran:?}");
    let ran = folder.run(&["encode", "photo.png", "--device", "cpu", "--force"]);
    assert!(ran.ok().contains(" · CPU "), "{ran:?}");
}

#[test]
fn several_images_share_the_gpu_and_keep_its_kernels() {
    let Some(adapters) = adapters() else { return };
    let folder = Folder::with_photo();
    folder.write("second.png", &photo());
    folder.write("broken.png", &photo()[..90]);
    let caches = folder.path("caches");
    let run = |device: &str, to: &str| {
        let inputs = ["photo.png", "broken.png", "second.png"];
        let mut command = folder.command(&["encode", "-q", "fast", "--device", device, "-o", to]);
        let ran = Ran::of(command.args(inputs).env("XDG_CACHE_HOME", &caches).output().unwrap());
        assert_eq!(ran.exit, Some(3), "{ran:?}");
        ran.says(&["broken.png", "1 of 3 outputs failed"]);
    };
    // Beside the records of outputs there are only kernels.
    let kernel_files = || {
        let all = std::fs::read_dir(caches.join("brickwork")).into_iter().flatten().flatten();
        all.filter(|entry| entry.file_name() != "outputs").count()
    };
    run("cpu", "cpu/");
    assert_eq!(kernel_files(), 0, "the CPU needs no kernels");
    run("gpu", "gpu/");
    for name in ["photo.dds", "second.dds"] {
        assert_eq!(folder.read(&format!("cpu/{name}")), folder.read(&format!("gpu/{name}")));
    }
    assert!(!folder.path("gpu/broken.dds").exists());
    if cfg!(target_os = "linux") && adapters.iter().all(|adapter| adapter["pipeline_cache"] == true) {
        assert_eq!(kernel_files(), 1);
    }
    // A cache folder that cannot be created is not reported.
    let mut command = folder.command(&["encode", "photo.png", "-q", "fast", "--device", "gpu"]);
    Ran::of(command.env("XDG_CACHE_HOME", folder.path("photo.png")).output().unwrap()).ok();
}

#[test]
fn a_gpu_that_is_demanded_and_not_there_is_a_failure() {
    let folder = Folder::with_photo();
    if cfg!(target_os = "linux") {
        for device in [&["--device", "gpu"][..], &["--adapter", "0"]] {
            let mut arguments = vec!["encode", "photo.png", "-o", "out/"];
            arguments.extend(device);
            run_without_driver(&folder, &arguments).fails(4, &["no GPU was found"]);
            assert_eq!(folder.names(), ["photo.png"]);
        }
    }
}

#[test]
fn auto_falls_back_aloud() {
    let folder = Folder::with_photo();
    folder.write("second.png", &photo());
    folder.run(&["encode", "photo.png", "-o", "cpu.dds", "--device", "cpu"]).ok();
    let is_note = |ran: &Ran, reason: &str| {
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("brickwork: note: encoding on the CPU: "), "{}", ran.stderr);
        ran.says(&[reason]);
    };
    if cfg!(target_os = "linux") {
        // Once for all images.
        let ran =
            run_without_driver(&folder, &["encode", "photo.png", "second.png", "--device", "auto", "--json"]);
        is_note(&ran, "no GPU was found");
        assert_eq!(ran.json()["files"][1]["device"], "cpu");
        assert_eq!(folder.read("photo.dds"), folder.read("cpu.dds"));
        run_without_driver(&folder, &["encode", "photo.png", "--force", "--quiet", "--device", "auto"]).ok();
    }
    let Some(adapters) = adapters() else { return };
    if adapters.iter().all(|adapter| adapter["kind"] == "software") {
        let ran = folder.run(&["encode", "photo.png", "--force", "--device", "auto"]);
        is_note(&ran, adapters[0]["name"].as_str().unwrap());
        assert!(ran.text().contains(" · CPU "), "{ran:?}");
    }
}

#[test]
fn an_adapter_is_named() {
    let folder = Folder::with_photo();
    folder
        .run(&["encode", "photo.png", "--device", "cpu", "--adapter", "0"])
        .fails(1, &["--adapter", "--device cpu"]);
    assert_eq!(folder.run(&["encode", "photo.png", "--device", "tpu"]).exit, Some(1));
    let Some(adapters) = adapters() else { return };
    let name = adapters[0]["name"].as_str().unwrap();
    for choice in ["nonsense", "99999"] {
        let ran = folder.run(&["encode", "photo.png", "-o", "a.dds", "--adapter", choice]);
        ran.fails(4, &[choice, &format!("0 {name}")]);
    }
    assert_eq!(folder.names(), ["photo.png"]);
    let part = name[..4].to_uppercase();
    let json = report(&folder.run(&["encode", "photo.png", "--adapter", &part, "-q", "fast", "--json"]));
    assert_eq!(json["device"], "gpu");
}

#[test]
fn devices_are_listed() {
    let folder = Folder::new();
    if cfg!(target_os = "linux") {
        let ran = run_without_driver(&folder, &["devices"]);
        assert!(ran.ok().starts_with("--device auto uses the CPU: no GPU was found"), "{ran:?}");
        let json = run_without_driver(&folder, &["devices", "--json"]).json();
        assert_eq!((&json["adapters"], &json["auto"]), (&Value::Array(Vec::new()), &Value::Null));
    }
    let Some(adapters) = adapters() else { return };
    let ran = folder.run(&["devices"]);
    for adapter in &adapters {
        let head = format!("{}  {}\n", adapter["index"], adapter["name"].as_str().unwrap());
        assert!(ran.ok().contains(&head), "{ran:?}");
        for key in ["kind", "backend", "driver"] {
            assert!(ran.text().contains(adapter[key].as_str().unwrap()), "{key}: {ran:?}");
        }
    }
    if adapters.iter().all(|adapter| adapter["kind"] == "software") {
        assert!(
            ran.text().ends_with(&format!("a software one, {}\n", adapters[0]["name"].as_str().unwrap()))
        );
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_gpu_s_work_cleanly() {
    use crate::common::{send_signal, wait_until_interruptible};
    use nix::sys::signal::Signal;
    use std::{process::Stdio, thread::sleep, time::Duration};
    if adapters().is_none() {
        return;
    }
    let folder = Folder::new();
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24;
    folder.write("noise.png", &png_rgba(1024, 1024, |x, y| [1, 2, 3, 4].map(|c| noise(x * c, y) as u8)));
    // While the driver is looked for, while kernels are made, and while they run.
    for time in [0, 50, 100, 200, 400, 700] {
        let mut command = folder.command(&["encode", "noise.png", "-q", "best", "--device", "gpu"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until_interruptible(&child);
        sleep(Duration::from_millis(time));
        send_signal(&child, Signal::SIGINT);
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.exit, ran.stderr.as_str()), (Some(130), ""), "after {time} ms: {ran:?}");
        assert_eq!(folder.names(), ["noise.png"]);
    }
}
