//! `brickwork report`: pages, and the errors beforehand. Browsers open pages in `.ci/pages`.

use crate::common::{Folder, png_rgba};

#[test]
fn a_page_compares_several_textures() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "--mips", "--quiet"]).ok();
    let json = folder.run(&["encode", "photo.png", "-f", "bc7", "-q", "fast", "-o", "b.ktx2", "--json"]);
    folder.write("b.json", json.ok().as_bytes());
    let arguments =
        ["report", "photo.png", "photo.dds", "b.ktx2", "-o", "a page.html", "--encode-report", "b.json"];
    let ran = folder.run(&arguments);
    let lines: Vec<_> = ran.ok().lines().collect();
    assert!(lines[0].starts_with("photo.dds  bc1  ") && lines[0].contains("PSNR "), "{lines:?}");
    assert!(lines[2].starts_with("photo.png → a page.html  "), "{lines:?}");
    let page = String::from_utf8(folder.read("a page.html")).unwrap();
    let command =
        "brickwork report photo.png photo.dds b.ktx2 -o &#39;a page.html&#39; --encode-report b.json";
    assert!(page.contains(command));
    assert!(page.contains("<th scope=\"row\">Encoder</th><td>–</td><td>quality fast</td>"));
    folder.run(&arguments).fails(2, &["a page.html: already exists", "--force"]);
    // The same page again: it has neither a date nor random numbers.
    folder.run(&[&arguments[..], &["--force"]].concat()).ok();
    let again = String::from_utf8(folder.read("a page.html")).unwrap();
    assert_eq!(again.replace(" --force</code>", "</code>"), page);
    let to_stdout = folder.run(&["report", "photo.png", "photo.dds", "-o", "-"]);
    assert!(
        to_stdout.stdout.starts_with(b"<!doctype html>") && to_stdout.stderr.contains("→ standard output")
    );
}

#[test]
fn what_cannot_be_compared_makes_no_page() {
    let folder = Folder::with_photo();
    folder.write("small.png", &png_rgba(8, 8, |x, y| [x as u8, y as u8, 0, 255]));
    let report = |words: &[&str]| folder.run(&[&["report", "photo.png"], words].concat());
    report(&["small.png", "-o", "a.html"]).fails(7, &["photo.png, small.png: ", "8×8"]);
    report(&["gone.dds", "-o", "a.html"]).fails(2, &["gone.dds"]);
    report(&["photo.png", "-o", "a.png"]).fails(1, &["the page is HTML", ".html"]);
    report(&["photo.png", "-o", "a.html", "--max-page-size", "1K"])
        .fails(1, &["a.html: the page has", "--max-page"]);
    report(&["photo.png", "-o", "a.html", "--max-memory", "100K"]).fails(4, &["photo.png", "--max-memory"]);
    report(&["photo.png", "-o", "a.html", "--encode-report", "photo.png"])
        .fails(3, &["photo.png: not a report of encode --json"]);
    assert_eq!(folder.names(), ["photo.png", "small.png"]);
}
