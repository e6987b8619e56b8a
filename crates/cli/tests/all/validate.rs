//! `brickwork validate`: verdicts, exit codes, text.

use crate::common::{Folder, photo};
use brickwork_texture::container::validation_rules;

/// A folder with a correct file, one with an error, and one with a warning.
fn fixture() -> Folder {
    let folder = Folder::with_photo();
    for name in ["good.dds", "error.ktx2", "warning.ktx2"] {
        folder.run(&["encode", "photo.png", "-o", name, "-q", "ultrafast", "--no-metrics"]).ok();
    }
    let mut file = folder.read("error.ktx2");
    file[16] = 9;
    folder.write("error.ktx2", &file);
    let file = [folder.read("warning.ktx2"), vec![7; 3]].concat();
    folder.write("warning.ktx2", &file);
    folder
}

#[test]
fn rules_are_listed() {
    let folder = Folder::new();
    let ran = folder.run(&["validate", "--list-rules"]);
    let text = ran.ok();
    assert_eq!(text.lines().count(), validation_rules().count());
    let line = "KTX-7121  warning  KTXswizzle is for formats with colours (KTXswizzle)\n";
    assert!(text.contains(line) && text.contains("\nDDS-103   error    dwSize is 124 ("), "{text}");
    for arguments in [&["validate", "--list-rules", "a.dds"][..], &["validate"]] {
        assert_eq!(folder.run(arguments).exit, Some(1));
    }
}

#[test]
fn verdicts_are_printed_and_determine_the_exit_code() {
    let folder = fixture();
    let ran = folder.run(&["validate", "good.dds", "warning.ktx2"]);
    let text = ran.ok();
    assert!(
        text.starts_with("good.dds  valid\nwarning.ktx2  valid, 1 warning\n  warning KTX-9002  byte "),
        "{text}"
    );
    assert_eq!(ran.stderr, "");
    assert!(text.ends_with("\n2 files: 2 valid (1 with warnings)\n"), "{text}");
    assert_eq!(folder.run(&["validate", "good.dds"]).ok(), "good.dds  valid\n");
    assert_eq!(folder.run(&["validate", "good.dds", "warning.ktx2", "--quiet"]).ok(), "");
    let ran = folder.run(&["validate", ".", "-r", "--quiet"]);
    ran.fails(3, &["error: ./error.ktx2: 1 error\n"]);
    assert_eq!(ran.text(), "");
    let strict = ["validate", "good.dds", "warning.ktx2", "--warnings-as-errors"];
    let ran = folder.run(&strict);
    ran.fails(3, &["error: warning.ktx2: 1 warning\n"]);
    assert!(ran.text().starts_with("good.dds  valid\nwarning.ktx2  1 warning\n"), "{ran:?}");
    let ran = folder.run(&["validate", ".", "-r"]);
    assert!(
        ran.text().contains("error.ktx2  1 error\n  error   KTX-3005  byte 16: typeSize is 9"),
        "{ran:?}"
    );
    ran.fails(3, &["error: ./error.ktx2: 1 error\n"]);
    assert!(ran.text().ends_with("\n3 files: 2 valid (1 with warnings), 1 not valid\n"), "{ran:?}");
}

#[test]
fn other_files_are_refused() {
    let folder = Folder::new();
    folder.write("photo.png", &photo());
    folder.write("photo.ktx2", &photo());
    folder.run(&["validate", "photo.png"]).fails(3, &["photo.png: not a DDS, KTX2 or .astc file"]);
    let ran = folder.run(&["validate", "photo.ktx2"]);
    assert!(ran.text().contains("KTX-2001  byte 0: the file starts with 89 50 4e 47"), "{ran:?}");
    folder.run(&["validate", "lost.ktx2"]).fails(2, &["lost.ktx2: no such file"]);
}
