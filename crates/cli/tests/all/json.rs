//! The JSON reports have exactly the keys of tests/json_keys.txt.

use crate::common::{Folder, data_uri, photo, png_rgba};
use brickwork_base::testing;
use serde_json::Value;
use std::{collections::BTreeSet, fs, str::SplitWhitespace};

/// The keys that the page lists under `name`.
fn documented(name: &str) -> Value {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/json_keys.txt");
    let page = fs::read_to_string(page).unwrap();
    let start = format!("```keys {name}\n");
    let (_, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no list {name}"));
    object_of(&mut rest.split_once("```").unwrap().0.split_whitespace())
}

/// Reads keys up to a closing brace as an object: `a b{ c }` has the keys `a`, `b` and `b.c`, and `+name` has
/// those of the list `name`.
fn object_of(words: &mut SplitWhitespace<'_>) -> Value {
    let mut object = serde_json::Map::new();
    while let Some(word) = words.next().filter(|word| *word != "}") {
        if let Some(name) = word.strip_prefix('+') {
            object.extend(documented(name).as_object().unwrap().clone());
        } else if let Some(key) = word.strip_suffix('{') {
            object.insert(key.to_owned(), object_of(words));
        } else {
            object.insert(word.to_owned(), Value::Null);
        }
    }
    Value::Object(object)
}

/// Every key of objects and of objects in them, as `a.b`.
fn keys(value: &Value, prefix: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = format!("{prefix}{key}");
                keys(value, &format!("{path}."), found);
                found.insert(path);
            }
        }
        Value::Array(items) => {
            for item in items {
                keys(item, prefix, found);
            }
        }
        _ => {}
    }
}

#[track_caller]
fn has_keys_of(value: &Value, example: &Value) {
    let (mut given, mut shown) = (BTreeSet::new(), BTreeSet::new());
    keys(value, "", &mut given);
    keys(example, "", &mut shown);
    assert_eq!(given, shown, "left: printed, right: documented");
}

fn first_file(json: &Value) -> Value {
    json["files"][0].clone()
}

#[test]
fn encode_and_decode_are_as_documented() {
    let folder = Folder::with_photo();
    let json = folder.run(&["encode", "photo.png", "--json"]).json();
    assert_eq!(json["command"], "encode");
    let mut example = documented("encode");
    example["metrics"] = documented("metrics");
    has_keys_of(&first_file(&json), &example);
    assert_eq!(json["files"][0]["metrics"]["psnr"]["a"], Value::Null);
    assert_eq!(json["files"][0]["metrics"]["mse"]["a"], 0.0);

    // With punch-through alpha there is more to report.
    folder.write("leaf.png", &png_rgba(16, 16, |x, _| [200, 100, 50, (x * 17) as u8]));
    let json = folder.run(&["encode", "leaf.png", "--json"]).json();
    example["visible_metrics"] = documented("metrics");
    has_keys_of(&first_file(&json), &example);

    // Several files, of which one is there already.
    let json = folder.run(&["encode", "photo.png", "leaf.png", "--json", "--update"]).json();
    has_keys_of(&first_file(&json), &documented("untouched"));
    has_keys_of(&json["summary"], &documented("summary"));

    let json = folder.run(&["decode", "photo.dds", "-o", "back.png", "--json"]).json();
    assert_eq!(json["command"], "decode");
    has_keys_of(&first_file(&json), &documented("decode"));

    let arguments = ["assemble", "--array", "photo.dds", "photo.dds", "-o", "array.dds", "--json"];
    has_keys_of(&first_file(&folder.run(&arguments).json()), &documented("assemble"));
    let arguments = ["assemble", "--array", "photo.png", "-o", "one.dds", "--no-metrics", "--json"];
    let mut example = documented("assemble");
    example["encode"] = documented("encode");
    example["encode"]["metrics"] = Value::Null;
    has_keys_of(&first_file(&folder.run(&arguments).json()), &example);

    let json = folder.run(&["convert", "photo.dds", "-o", "photo.ktx2", "--json"]).json();
    assert_eq!(json["command"], "convert");
    has_keys_of(&first_file(&json), &documented("convert"));

    let json = folder.run(&["extract", "photo.dds", "-o", "levels/", "--level", "all", "--json"]).json();
    has_keys_of(&json, &documented("extract"));
}

#[test]
fn info_is_as_documented() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png"]).ok();
    let json = folder.run(&["info", "photo.dds", "photo.png", "--json"]).json();
    assert_eq!(json["command"], "info");
    has_keys_of(&json["files"][0], &documented("info-texture"));
    has_keys_of(&json["files"][1], &documented("info-image"));
    assert_eq!((&json["files"][0]["kind"], &json["files"][1]["kind"]), (&"texture".into(), &"image".into()));
}

#[test]
fn validate_is_as_documented() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "bad.ktx2"]).ok();
    let mut file = folder.read("bad.ktx2");
    file[16] = 9;
    folder.write("bad.ktx2", &file);
    let json = folder.run(&["validate", "bad.ktx2", "--json"]).json();
    assert_eq!(json["command"], "validate");
    has_keys_of(&first_file(&json), &documented("validate"));
    let finding = &json["files"][0]["findings"][0];
    assert_eq!((&finding["id"], &finding["offset"]), (&"KTX-3005".into(), &16.into()));
    assert_eq!((&finding["severity"], &finding["clause"]), (&"error".into(), &"typeSize".into()));
    let message = "typeSize is 9, and VK_FORMAT_BC1_RGB_SRGB_BLOCK needs 1";
    assert_eq!(finding["message"], message);
}

#[test]
fn compare_is_as_documented_and_equal_files_have_no_psnr() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png"]).ok();
    let ran = folder.run(&["compare", "photo.png", "photo.dds", "--json", "--fail-under", "psnr=98"]);
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    let json = ran.json();
    has_keys_of(&json, &documented("compare"));
    // Every PSNR is that of the error of the same name, and the combinations differ.
    let numbers = |key: &str| -> Vec<Option<f64>> {
        ["r", "g", "b", "rgb", "rgba", "luma"].map(|name| json[key][name].as_f64()).to_vec()
    };
    let psnr: Vec<_> =
        numbers("mse").into_iter().map(|mse| 10.0 * (65025.0 / mse.unwrap()).log10()).collect();
    for (i, (found, expected)) in numbers("psnr").into_iter().zip(&psnr).enumerate() {
        assert!((found.unwrap() - expected).abs() < 1e-9, "{json}");
        assert!(psnr[..i].iter().all(|other| other != expected), "{json}");
    }
    assert_eq!(json["equal"], false);
    assert_eq!(json["failures"].as_array().unwrap().len(), 1);
    assert!(json["psnr"]["rgb"].as_f64().unwrap() > 25.0);

    let json = folder.run(&["report", "photo.png", "photo.dds", "-o", "page.html", "--json"]).json();
    has_keys_of(&json, &documented("report page"));
    fs::create_dir(folder.path("out")).unwrap();
    fs::copy(folder.path("photo.dds"), folder.path("out/photo.dds")).unwrap();
    let json = folder.run(&["report", "out", "out", "-o", "folders.html", "--json"]).json();
    has_keys_of(&json, &documented("report folders"));

    folder.write("leaf.png", &png_rgba(16, 16, |x, _| [200, 100, 50, (x * 17) as u8]));
    folder.run(&["encode", "leaf.png", "--quiet"]).ok();
    let json = folder.run(&["compare", "leaf.png", "leaf.dds", "--json"]).json();
    let mut example = documented("compare");
    example["visible_metrics"] = documented("metrics");
    has_keys_of(&json, &example);
    let json = folder.run(&["compare", "photo.dds", "photo.dds", "--json"]).json();
    assert_eq!(
        (&json["equal"], &json["psnr"]["rgb"], &json["ssim"]),
        (&true.into(), &Value::Null, &1.0.into())
    );
}

#[test]
fn comparisons_of_levels_and_folders_are_as_documented() {
    let folder = Folder::with_photo();
    fs::create_dir(folder.path("out")).unwrap();
    folder.run(&["encode", "photo.png", "-o", "out/photo.dds", "--mips", "--quiet"]).ok();
    let json = folder.run(&["compare", ".", "out", "--level", "all", "--json", "--flip"]).json();
    let mut example = documented("compare");
    example["levels"] = serde_json::json!([documented("compare-level")]);
    let mut all = documented("compare-folders");
    all["pairs"] = serde_json::json!([example]);
    has_keys_of(&json, &all);
}

#[test]
fn audits_are_as_documented() {
    let folder = Folder::new();
    let image = data_uri(&photo());
    let gltf = serde_json::json!({
        "images": [{ "uri": image, "name": "Photo" }, { "uri": "gone.png" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "emissiveTexture": { "index": 0 } }]
    });
    folder.write("m.gltf", gltf.to_string().as_bytes());
    has_keys_of(&folder.run(&["audit", ".", "--json"]).json(), &documented("audit"));
}

#[cfg(feature = "gpu")]
#[test]
fn devices_are_as_documented() {
    let json = Folder::new().run(&["devices", "--json"]).json();
    let mut example = documented("devices");
    if json["adapters"] == Value::Array(Vec::new()) {
        testing::skip_without_gpu("no adapter");
        example["adapters"] = json["adapters"].clone();
    }
    has_keys_of(&json, &example);
}

#[cfg(feature = "gpu")]
#[test]
fn tilings_are_as_documented() {
    let folder = Folder::new();
    if folder.run(&["devices", "--json"]).json()["adapters"] == Value::Array(Vec::new()) {
        return testing::skip_without_gpu("no adapter");
    }
    let arguments = ["tiling", "--json", "--size", "260x132", "--format", "bc7", "-o", "order.png"];
    let json = folder.run(&arguments).json();
    has_keys_of(&json, &documented("tiling"));
    let texture = &json["textures"][0];
    assert_eq!((&texture["width"], &texture["height"]), (&Value::from(260), &Value::from(132)));
    // On software adapters, whose order is linear.
    if texture["unknown"].is_null() {
        assert_eq!(texture["mip_levels"].as_array().unwrap().len(), 9);
        assert_eq!(texture["mip_levels"][0]["blocks"], serde_json::json!([65, 33]));
        let bytes = std::io::Cursor::new(folder.read("order.png"));
        let picture = brickwork_texture::pictures::read(
            bytes,
            None,
            &Default::default(),
            &brickwork_texture::Task::new(),
        );
        let picture = picture.unwrap();
        assert_eq!(picture.width * 33, picture.height * 65);
    }
    let text = folder.run(&["tiling", "--size", "64x64"]);
    let text = text.ok();
    assert!(text.contains("bc1, 64×64\n  written by ") && text.contains("bc7, 64×64"), "{text}");
}

#[test]
fn failures_are_entries_too() {
    let folder = Folder::new();
    folder.write("photo.png", &photo()[..50]);
    let ran = folder.run(&["info", "photo.png", "--json"]);
    assert_eq!(ran.exit, Some(3));
    has_keys_of(&first_file(&ran.json()), &documented("error"));
}

/// The six tables, on the CPU and on the GPU if there is one. Slow measurements run on a part of the image
/// and report that.
#[test]
#[cfg(feature = "papers")]
fn bench_papers_is_as_documented_and_prints_six_tables() {
    let ran = Folder::new().run(&["bench", "papers", "--repeat", "1", "--json"]);
    let json = ran.json();
    let mut example = documented("bench-papers");
    if json["gpu"].is_null() {
        testing::skip_without_gpu("no adapter");
        (example["gpu"], example["pictures"]) = (Value::Null, Value::Null);
    }
    has_keys_of(&json, &example);
    let tables = json["tables"].as_array().unwrap();
    let numbers: Vec<_> = tables.iter().map(|table| table["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 1, 2, 2, 3]);
    for table in tables {
        let rows = table["measured"].as_array().unwrap();
        let starts_with = |row: &&Value, name: &str| row["name"].as_str().unwrap().starts_with(name);
        let gpu_rows = rows.iter().filter(|row| starts_with(row, "GPU"));
        assert!(rows.iter().any(|row| starts_with(&row, "CPU")), "{table}");
        assert_eq!(gpu_rows.count() >= 3, !json["gpu"].is_null(), "{table}");
        assert!(rows.iter().all(|row| row["whole_ms"].as_f64().unwrap() > 0.0), "{table}");
        // Devices and kernels give the same bytes. Table 1 has a row per quality and device.
        let hash_of = |row: &Value| row["sha256"].as_str().unwrap().to_owned();
        let mut hashes: Vec<_> = rows.iter().map(hash_of).collect();
        assert!(hashes.iter().all(|hash| hash.len() == 64), "{table}");
        if table["number"] == 1 {
            for row in rows {
                let quality = row["name"].as_str().unwrap().split_once(", ").unwrap().1;
                let cpu = rows.iter().find(|row| row["name"] == format!("CPU, {quality}")).unwrap();
                assert_eq!(hash_of(row), hash_of(cpu), "{quality}");
            }
            // The blocks differ between qualities.
            let mut of_cpu: Vec<_> = rows.iter().filter(|row| starts_with(row, "CPU")).map(hash_of).collect();
            let count = of_cpu.len();
            of_cpu.sort();
            of_cpu.dedup();
            assert_eq!(of_cpu.len(), count, "{table}");
        } else {
            hashes.dedup();
            assert_eq!(hashes.len(), 1, "{table}");
        }
    }
    // The volume is one that the program makes.
    assert_eq!(json["volumes"]["measured"].as_array().unwrap().len(), 1);
}

#[cfg(feature = "papers")]
fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
#[cfg(feature = "papers")]
fn bench_papers_measures_the_volumes_given_alone() {
    let folder = Folder::new();
    let raw: Vec<u8> = (0..20 * 10 * 9).map(|i| (i % 20 + i / 200) as u8).collect();
    folder.write("a.raw", &raw);
    folder.run(&["volume", "convert", "a.raw", "-o", "a.nrrd", "--dims", "20x10x9", "--type", "u8"]).ok();
    folder.run(&["volume", "encode", "a.nrrd", "--brick", "4"]).ok();
    let reversed: Vec<u8> = raw.iter().rev().copied().collect();
    folder.write("b.raw", &reversed);
    folder.run(&["volume", "convert", "b.raw", "-o", "b.nrrd", "--dims", "20x10x9", "--type", "u8"]).ok();
    let json = folder.run(&["bench", "papers", "--volumes", "a.nrrd", "a.bwv", "b.nrrd", "--json"]).json();
    let mut example = documented("bench-papers");
    example["tables"] = Value::Array(Vec::new());
    let has_gpu = !json["gpu"].is_null();
    if !has_gpu {
        testing::skip_without_gpu("no adapter");
        (example["gpu"], example["pictures"]) = (Value::Null, Value::Null);
    }
    has_keys_of(&json, &example);
    if let Some(rows) = json["pictures"]["measured"].as_array() {
        let is_software = json["gpu"]["kind"] == "software";
        assert_eq!(json["pictures"]["tile_step"], if is_software { 16 } else { 1 });
        assert_eq!(rows.len(), 3);
        let hashes = [0, 1, 2].map(|i: usize| rows[i]["sha256"].as_str().unwrap());
        assert!(hashes[0].len() == 64 && hashes[0] == hashes[1] && hashes[0] != hashes[2], "{hashes:?}");
        for row in rows {
            let number = |key: &str| row[key].as_f64().unwrap();
            assert!((0.5..1.0).contains(&number("hit_rate")) && number("volumes_decoded") > 0.0, "{row}");
            assert_eq!(row["speed_up"].is_null(), is_software, "{row}");
        }
    }
    let rows = json["volumes"]["measured"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a.nrrd", "a.bwv", "b.nrrd"]);
    assert_eq!(rows[0]["guthe2016"], rows[1]["guthe2016"]);
    let info = folder.run(&["volume", "info", "a.bwv", "--statistics", "--json"]).json();
    assert_eq!(rows[1]["entropy"], info["statistics"]["value_entropy"]);
    assert_eq!(rows[1]["bricks_4"]["bits_per_voxel"], info["bits_per_voxel"]);
    assert_eq!(rows[1]["bricks_4"]["sha256"], sha256(&folder.read("a.bwv")));
    let paper = &rows[1]["guthe2016"];
    let hashes = [&rows[1]["bricks_4"], &rows[1]["bricks_8"], paper].map(|file| &file["sha256"]);
    let hashes = [hashes[0], hashes[1], hashes[2], &paper["second_level_sha256"]];
    assert!(hashes.iter().enumerate().all(|(i, hash)| !hashes[..i].contains(hash)), "{hashes:?}");
    let ran = folder.run(&["bench", "papers", "--volumes", "a.bwv"]);
    let note = "brickwork: note: only the CPU is measured: no GPU was found: ";
    let is_noted = ran.stderr.starts_with(note) && ran.stderr.lines().count() == 1;
    assert_eq!((ran.exit, ran.stderr.is_empty(), is_noted), (Some(0), has_gpu, !has_gpu), "{ran:?}");
    assert!(ran.text().contains("Bunny") && ran.text().contains("a.bwv  20×10×9 u8"), "{ran:?}");
    let ran = folder.run(&["bench", "papers", "--volumes", "a.raw"]);
    assert!(ran.exit == Some(1) && ran.stderr.contains("brickwork: error: a.raw: "), "{ran:?}");
}

#[test]
fn volumes_are_as_documented() {
    let folder = Folder::new();
    folder.write("a.raw", &[7; 6 * 5 * 4]);
    for (name, arguments) in [
        ("volume encode", "encode a.raw --dims 6x5x4 --type u8"),
        ("volume extract", "extract a.bwv --region 1..3,..,2 -o b.raw"),
        ("volume extract", "decode a.bwv -o c.raw"),
        ("volume slice", "slice a.bwv --channel 0:#ffffff -o d.png"),
        ("volume render", "render a.bwv --channel 0:#ffffff -o p.png --mode mip"),
        ("volume verify", "verify a.bwv"),
        ("volume verify several", "verify a.bwv a.bwv"),
        ("volume info", "info a.bwv"),
        ("volume info statistics", "info a.bwv --statistics"),
        ("volume convert", "convert a.bwv -o e.nrrd"),
        ("volume convert", "convert a.bwv -o e.vti"),
        ("volume info other", "info e.vti"),
        ("volume compare", "compare a.bwv e.nrrd"),
        ("volume stats", "stats a.bwv --labels a.bwv --histogram 4"),
    ] {
        let mut words = vec!["volume"];
        words.extend(arguments.split(' '));
        words.push("--json");
        let ran = folder.run(&words);
        assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{name}");
        let mut example = documented(name);
        if name == "volume info statistics" {
            example = documented("volume info");
            example["statistics"] = documented(name)["statistics"].clone();
        }
        has_keys_of(&ran.json(), &example);
    }
}
