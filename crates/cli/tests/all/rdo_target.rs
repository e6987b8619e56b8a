//! `--target-psnr` and `--target-size`.

use crate::common::{Folder, png_rgb, png_rgba};
use serde_json::Value;

/// Encodes `photo.png` fast, and returns the entry of the report.
fn encode(folder: &Folder, words: &[&str]) -> Value {
    let head = ["encode", "photo.png", "-q", "ultrafast", "--force", "--json", "-o"];
    folder.run(&[&head[..], words].concat()).json()["files"][0].clone()
}

#[test]
fn a_psnr_is_reached_with_the_smallest_size() {
    let folder = Folder::with_photo();
    let without = encode(&folder, &["a.ktx2", "--zstd"]);
    let psnr = without["metrics"]["psnr"]["rgb"].as_f64().unwrap();
    let target = (psnr - 1.5).to_string();
    let words = ["a.ktx2", "--zstd", "--target-psnr", &target];
    let found = encode(&folder, &words);
    let (lambda, result) = (found["rdo"].as_f64().unwrap(), &found["rdo_target"]);
    let reached = result["psnr"].as_f64().unwrap();
    assert!(lambda > 0.0 && reached >= psnr - 1.5 && reached < psnr, "{found}");
    assert_eq!(result["psnr"], found["metrics"]["psnr"]["rgb"]);
    assert_eq!((&result["bytes"], &result["compression"]), (&found["file_bytes"], &"zstd".into()));
    assert!(found["file_bytes"].as_u64() < without["file_bytes"].as_u64());
    assert!(result["encodings"].as_u64().unwrap() <= 9);
    // The same file again, and with the λ that was found.
    let file = folder.read("a.ktx2");
    encode(&folder, &words);
    assert_eq!(folder.read("a.ktx2"), file);
    encode(&folder, &["a.ktx2", "--zstd", "--rdo", &lambda.to_string()]);
    assert_eq!(folder.read("a.ktx2"), file);
    // Two steps of the search further, the error is too large.
    let further = ((lambda / 100.0).sqrt() + 2.0 / 128.0).powi(2) * 100.0;
    let beyond = encode(&folder, &["a.ktx2", "--zstd", "--rdo", &further.to_string()]);
    assert!(beyond["metrics"]["psnr"]["rgb"].as_f64().unwrap() < psnr - 1.5, "{beyond}");
    let text =
        folder.run(&["encode", "photo.png", "-o", "b.dds", "-q", "ultrafast", "--target-psnr", &target]);
    for words in ["RDO λ ", "target PSNR of at least ", " after Deflate · ", " encodings"] {
        assert!(text.ok().contains(words), "{words}: {text:?}");
    }
}

#[test]
fn a_size_is_reached_or_refused() {
    let folder = Folder::with_photo();
    let found = encode(&folder, &["a.dds", "--target-size", "80%"]);
    let result = &found["rdo_target"];
    let [bytes, most] = ["bytes", "target_bytes"].map(|key| result[key].as_u64().unwrap());
    assert!(bytes <= most && bytes * 10 > most * 8, "{found}");
    assert!(found["rdo"].as_f64().unwrap() > 0.0 && result["compression"] == "deflate");
    let same = encode(&folder, &["a.dds", "--target-size", &most.to_string(), "--no-metrics"]);
    assert_eq!((&same["rdo"], &same["metrics"]), (&found["rdo"], &Value::Null));
    // A size that needs no optimisation.
    let large = encode(&folder, &["a.dds", "--target-size", "1M"]);
    assert_eq!((&large["rdo"], &large["rdo_target"]["encodings"]), (&0.0.into(), &1.into()));
    let refused = |words: &[&str], exit, says: &[&str]| {
        folder.run(&[&["encode", "photo.png", "-o", "b.dds"], words].concat()).fails(exit, says);
    };
    refused(
        &["--target-size", "100"],
        4,
        &["photo.png: ", "with λ 100, above the target of 100 bytes", "with λ 0"],
    );
    refused(&["--target-psnr", "90"], 4, &["photo.png: PSNR is ", "below the target of 90 dB", "--quality"]);
    let formats = "bc1, bc3, bc4, bc4s, bc5, bc5s, bc7";
    let reason = format!("--target-psnr is for {formats}, not bc2");
    refused(&["-f", "bc2", "--target-psnr", "30"], 1, &[&reason]);
    refused(
        &["-f", "bc3", "--weigh-by-alpha", "--target-size", "1K"],
        1,
        &["--weigh-by-alpha and --target-size exclude each other"],
    );
    for words in [["--rdo", "2", "--target-psnr", "30"], ["--target-size", "1K", "--target-psnr", "30"]] {
        let ran = folder.run(&[&["encode", "photo.png"][..], &words].concat());
        assert!(ran.exit == Some(1) && ran.stderr.contains("cannot be used with"), "{ran:?}");
    }
    assert_eq!(folder.names(), ["a.dds", "photo.png"]);
}

/// A sample predicts λ of larger textures: a few encodings reach at most the size, and nearly that.
#[test]
fn a_sample_predicts_the_size() {
    let folder = Folder::new();
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 27;
    let texel = |x: u32, y: u32| {
        let shape = noise(x / 40, y / 24) * 4;
        [x / 3 + shape, y / 2 + noise(x, y), 200 - shape + noise(y, x) / 2].map(|v| v.min(255) as u8)
    };
    folder.write("photo.png", &png_rgb(384, 256, texel));
    for (format, file, share) in [("bc7", "a.ktx2", 85), ("bc1", "a.dds", 60), ("bc7", "b.ktx2", 99)] {
        let size = format!("{share}%");
        let mut words = vec![file, "-f", format, "--target-size", &size, "--mips"];
        words.extend(["--zstd"].into_iter().filter(|_| file.ends_with("ktx2")));
        let found = encode(&folder, &words);
        let result = &found["rdo_target"];
        let [bytes, most, encodings] =
            ["bytes", "target_bytes", "encodings"].map(|key| result[key].as_u64().unwrap());
        assert!(bytes <= most && bytes * 100 >= most * 93 && encodings <= 4, "{found}");
        // The blocks are those of an encoding with this λ.
        let (lambda, made) = (found["rdo"].to_string(), folder.read(file));
        let words = words.iter().map(|&word| if word == "--target-size" { "--rdo" } else { word });
        let words: Vec<_> = words.map(|word| if word == size { lambda.as_str() } else { word }).collect();
        encode(&folder, &words);
        assert!(folder.read(file) == made, "{format}");
    }
    let words = ["encode", "photo.png", "-o", "c.dds", "-f", "bc7", "-q", "ultrafast", "--target-size", "2K"];
    folder.run(&words).fails(4, &["with λ 100, above the target of 2 KiB"]);
}

#[test]
fn alpha_counts_and_automatic_formats_must_fit_the_target() {
    let folder = Folder::new();
    folder.write("photo.png", &png_rgba(32, 32, |x, y| [x as u8 * 5, 90, 30, ((x * 31) ^ (y * 17)) as u8]));
    let bc3 = ["a.dds", "-f", "bc3"];
    let without = encode(&folder, &bc3)["metrics"]["psnr"]["a"].as_f64().unwrap();
    let target = (without - 2.0).to_string();
    let found = encode(&folder, &[&bc3[..], &["--target-psnr", &target]].concat());
    let psnr = &found["metrics"]["psnr"];
    assert!(
        psnr["a"].as_f64().unwrap() >= without - 2.0 && psnr["rgb"].as_f64() > psnr["a"].as_f64(),
        "{found}"
    );
    folder.write("grey.png", &png_rgb(8, 8, |x, _| [x as u8 * 30; 3]));
    let words = ["encode", "grey.png", "-f", "auto", "--linear", "--target-psnr", "20", "--json"];
    let found = folder.run(&words).json()["files"][0].clone();
    assert_eq!((&found["format"], &found["rdo_target"]["target_psnr"]), (&"bc4".into(), &20.0.into()));
    folder.write("lamp.hdr", b"#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x20\x83");
    let ran = folder.run(&["encode", "lamp.hdr", "-f", "auto", "--target-psnr", "30"]);
    ran.fails(1, &["lamp.hdr: --target-psnr is for bc1, bc3, bc4, bc4s, bc5, bc5s, bc7, not bc6h"]);
}
