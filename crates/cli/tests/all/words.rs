//! Errors for odd command lines and files: the reason in words, none of Rust's debug output.

use crate::common::Folder;

/// Command lines that fail, and the exit code.
const ODD: &[(i32, &str)] = &[
    (1, "encode a.png --mips=x"),
    (1, "encode a.png --weights 99999999999,1,1"),
    (1, "encode a.png --modes 1,,2 -f bc7"),
    (1, "encode a.png --threads x"),
    (1, "encode a.png --max-memory 1Q"),
    (1, "encode a.png --alpha-threshold -1"),
    (1, "encode a.png --rdo nan -f bc7"),
    (1, "encode -1"),
    (2, "encode gone.png"),
    (2, "encode a.png -o gone/a.dds"),
    (3, "encode text.png"),
    (1, "decode a.dds --level x"),
    (1, "decode a.dds --face +w"),
    (3, "decode text.png"),
    (5, "info text"),
    (1, "compare a.png a.png --fail-under psnr=x"),
    (1, "compare a.png a.png --scale 0 --diff d.png"),
    (1, "volume encode a.raw"),
    (1, "volume encode a.raw --dims 9x8 --type u16"),
    (1, "volume encode a.raw --dims 9x8x0 --type u16"),
    (1, "volume encode a.raw --dims 99999999999999999999x8x7 --type u16"),
    (1, "volume encode a.raw --dims 9x8x7 --type u17"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --channels x"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --offset -1"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --spacing a,b,c"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --spacing 0,1,1"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --spacing nan,1,1"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --spacing 1,inf,1"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 --spacing 1,1,-1"),
    (1, "volume encode a.raw --dims 9x8x7 --type u16 -o part.mha"),
    (3, "volume encode a.raw --dims 9x8x8 --type u16 -o e.bwv"),
    (3, "volume encode a.raw --dims 9x8x6 --type u16 -o e.bwv"),
    (2, "volume encode gone"),
    (1, "volume encode a.png"),
    (3, "volume info text.nrrd"),
    (3, "volume verify text.nrrd"),
    (1, "volume decode a.bwv --frames x"),
    (1, "volume extract a.bwv --region -1,0,0 -o z.raw"),
    (1, "volume extract a.bwv --region 0..1,0..1,0..99 -o z.raw"),
    (1, "volume slice a.bwv --window 3,1 -o s.png"),
    (1, "volume slice a.bwv --level 1 -o s.png"),
    (1, "volume slice a.bwv -o s.jpg"),
    (1, "volume render a.bwv -o r.png --size 0x0"),
    (2, "volume render gone -o r.png"),
    (5, "volume convert a.bwv -o a.dcm"),
];

/// Words that only programmers use.
const DEBUG_OUTPUT: &[&str] = &[
    "Some(",
    "None",
    "Err(",
    "Ok(",
    "Error {",
    "kind:",
    "failed to fill",
    "invalid digit",
    "invalid float",
    "target type",
    "..=",
    "panicked",
    "subcommand",
    "use '-- ",
    "make sense",
];

#[test]
fn reasons_are_in_words() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "a.dds"]).ok();
    std::fs::rename(folder.path("photo.png"), folder.path("a.png")).unwrap();
    folder.write("text.png", b"hello");
    folder.write("text.nrrd", b"hello");
    folder.write("text", b"hello");
    folder.write("a.raw", &[7; 2 * 9 * 8 * 7]);
    folder.run(&["volume", "encode", "a.raw", "--dims", "9,8,7", "--type", "uint16"]).ok();
    let files = folder.names();
    for (exit, line) in ODD {
        let words: Vec<_> = line.split(' ').collect();
        let ran = folder.run(&words);
        assert_eq!((ran.exit, ran.text()), (Some(*exit), ""), "{line}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("brickwork: error: "), "{line}: {}", ran.stderr);
        for debug in DEBUG_OUTPUT {
            assert!(!ran.stderr.contains(debug), "{line}: {debug}: {}", ran.stderr);
        }
    }
    assert_eq!(folder.names(), files);
    folder.run(&["volume", "encode", "a.png"]).fails(1, &["a.png: a single picture is not a volume (name"]);
    folder.run(&["volume", "encode", "gone"]).fails(2, &["gone: ", "o such file"]);
}
