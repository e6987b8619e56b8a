//! The JSON reports obey the schemas that `brickwork schema` prints.

use crate::common::{Folder, png_rgba};
use brickwork_base::testing;

/// The command of a report, and the arguments that print it.
const REPORTS: [(&str, &str); 38] = [
    ("encode", "encode photo.png"),
    ("encode", "encode photo.png leaf.png lost.png -o out/ -f bc1"),
    ("encode", "encode photo.png leaf.png -o out/ --update"),
    ("encode", "encode leaf.png -o dry/ -f bc1 --mips --dry-run"),
    ("encode", "encode leaf.png -o cached/ -f bc1 --cache cache"),
    ("encode", "encode leaf.png -o cached/ -f bc1 --cache cache"),
    ("encode", "encode photo.png -f rgba8 -o plain.ktx2 --mips"),
    ("encode", "encode photo.png --level 1=half.png -o levels.dds"),
    ("encode", "encode photo.png --channel g=photo.png:b -o packed.dds"),
    ("decode", "decode photo.dds -o back.png"),
    ("decode", "decode plain.ktx2 --level 1 -o level.png"),
    ("convert", "convert photo.dds lost.dds -o ktx/"),
    ("assemble", "assemble --array photo.png photo.png -o array.dds"),
    ("assemble", "assemble --array photo.dds photo.dds -o joined.dds"),
    ("extract", "extract photo.dds -o levels/ --level all"),
    ("info", "info photo.dds photo.png leaf.dds lost.png --modes"),
    ("info", "info plain.ktx2"),
    ("validate", "validate photo.dds lost.dds"),
    ("compare", "compare photo.png photo.dds"),
    ("compare", "compare leaf.png out/leaf.dds"),
    ("report", "report photo.png photo.dds photo.png -o page.html"),
    ("report", "report out out -o folders.html"),
    ("audit", "audit . -o audit.html"),
    ("compare", "compare out out --level all --flip --fail-under psnr=20"),
    ("compare", "compare photo.dds photo.dds --level all"),
    ("volume-encode", "volume encode a.raw --dims 6x5x4 --type u8"),
    ("volume-extract", "volume extract a.bwv --region 1..3,..,2 -o b.raw"),
    ("volume-decode", "volume decode a.bwv -o c.raw"),
    ("volume-slice", "volume slice a.bwv -o d.png"),
    ("volume-render", "volume render a.bwv -o p.png --mode mip"),
    ("volume-verify", "volume verify a.bwv"),
    ("volume-verify", "volume verify a.bwv lost.bwv"),
    ("volume-info", "volume info a.bwv"),
    ("volume-info", "volume info a.bwv --statistics"),
    ("volume-convert", "volume convert a.bwv -o e.vti"),
    ("volume-info", "volume info e.vti"),
    ("volume-compare", "volume compare a.bwv e.vti"),
    ("volume-stats", "volume stats a.bwv --labels a.bwv --histogram 4"),
];

#[test]
fn reports_obey_their_schemas() {
    let Some(python) = testing::python("jsonschema") else { return };
    let folder = Folder::with_photo();
    folder.write("leaf.png", &png_rgba(16, 16, |x, _| [200, 100, 50, (x * 17) as u8]));
    folder.write("half.png", &png_rgba(48, 32, |x, _| [x as u8, 100, 50, 255]));
    folder.write("a.raw", &[7; 6 * 5 * 4]);
    folder.run(&["encode", "leaf.png", "-f", "bc7", "--quiet"]).ok();
    let reports = Folder::new();
    reports.write("schemas.json", &folder.run(&["schema"]).stdout);
    let gpu: &[_] = if cfg!(feature = "gpu") { &[("devices", "devices")] } else { &[] };
    for (number, (command, arguments)) in REPORTS.iter().chain(gpu).enumerate() {
        let mut words: Vec<_> = arguments.split(' ').collect();
        words.push("--json");
        let ran = folder.run(&words);
        assert!(!ran.stdout.is_empty(), "{arguments}: {ran:?}");
        reports.write(&format!("{command}.{number}.json"), &ran.stdout);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/json_schemas.py");
    let path = reports.path("");
    // Measuring takes minutes, and tilings need a GPU.
    let mut words = vec![script, path.to_str().unwrap(), "bench papers"];
    words.extend(if cfg!(feature = "gpu") { &["tiling"][..] } else { &["devices", "tiling"] });
    let output = python(&words);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{said}");
}

#[test]
fn the_schema_of_a_command_is_printed_alone() {
    let folder = Folder::new();
    let schema = folder.run(&["schema", "volume", "info"]).json();
    assert_eq!(schema["title"], "brickwork volume info --json");
    let schemas = folder.run(&["schema"]).json();
    assert_eq!(schemas["volume info"], schema);
    assert_eq!(schemas.as_object().unwrap().len(), 23);
    folder.run(&["schema", "completions"]).fails(1, &["completions has no JSON report", "volume render"]);
}
