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

/// A record is not shared by files of two folders with the same name.
#[test]
fn an_encoding_is_that_of_the_texture() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "old/", "-q", "ultrafast", "--quiet"]).ok();
    let json = folder.run(&["encode", "photo.png", "-o", "new/", "-q", "fast", "--json"]);
    folder.write("new.json", json.ok().as_bytes());
    let textures = ["report", "photo.png", "./old/photo.dds", "./new/photo.dds", "-o", "a.html"];
    let ran = folder.run(&[&textures[..], &["--encode-report", "new.json", "--json"]].concat());
    let seconds = [0, 1].map(|index| ran.json()["textures"][index]["encode_seconds"].is_number());
    assert_eq!(seconds, [false, true]);
    let page = String::from_utf8(folder.read("a.html")).unwrap();
    assert!(page.contains("<th scope=\"row\">Encoder</th><td>–</td><td>quality fast</td>"));
}

/// A file of another folder has the same name, or the file was written again.
#[test]
fn an_encoding_of_another_file_is_not_used() {
    let folder = Folder::with_photo();
    let encode = |words: &[&str]| {
        folder.run(&[&["encode", "photo.png", "-q", "ultrafast", "--json"], words].concat()).ok().to_owned()
    };
    encode(&["-o", "old/"]);
    folder.write("new.json", encode(&["-o", "new/", "-f", "bc7"]).as_bytes());
    let report = |texture: &str, json: &str| {
        let arguments = ["report", "photo.png", texture, "-o", "a.html", "--force", "--encode-report", json];
        let ran = folder.run(&arguments);
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let page = String::from_utf8(folder.read("a.html")).unwrap();
        (
            ran.stderr.matches("note: the encode reports have no record").count(),
            page.contains(">Encoder</th>"),
        )
    };
    assert_eq!(report("new/photo.dds", "new.json"), (0, true));
    assert_eq!(report("old/photo.dds", "new.json"), (1, false));
    encode(&["-o", "new/", "-f", "bc1", "--force"]);
    assert_eq!(report("new/photo.dds", "new.json"), (1, false));
    // What is up to date was not encoded, so nothing is known of it.
    folder.write("same.json", encode(&["-o", "old/", "--update"]).as_bytes());
    assert!(folder.read("same.json").windows(10).any(|bytes| bytes == b"up-to-date"));
    assert_eq!(report("old/photo.dds", "same.json"), (1, false));
}

#[test]
fn lost_alpha_is_not_called_equal() {
    let folder = Folder::new();
    let color = |x: u32, y: u32, alpha: u8| [x as u8 * 9, y as u8 * 7, 90, alpha];
    folder.write("soft.png", &png_rgba(16, 16, |x, y| color(x, y, x as u8 * 16)));
    folder.write("opaque.png", &png_rgba(16, 16, |x, y| color(x, y, 255)));
    for (name, text, tab) in [
        ("opaque.png", "PSNR ∞ dB RGB · alpha ", "png · RGB equal, alpha "),
        ("soft.png", "PSNR ∞ dB\n", "png · equal<"),
    ] {
        let ran = folder.run(&["report", "soft.png", name, "-o", "a.html", "--force"]);
        assert!(ran.text().contains(text), "{ran:?}");
        let page = String::from_utf8(folder.read("a.html")).unwrap();
        assert!(page.contains(tab), "{name}");
    }
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
        .fails(1, &["a.html: the page is ", "the limit is 1 KiB", "--max-page"]);
    report(&["photo.png", "-o", "a.html", "--max-memory", "100K"]).fails(4, &["photo.png", "--max-memory"]);
    report(&["photo.png", "-o", "a.html", "--encode-report", "photo.png"])
        .fails(3, &["photo.png: not a report of encode --json"]);
    assert_eq!(folder.names(), ["photo.png", "small.png"]);
}

#[test]
fn compare_draws_a_heat_map_and_both_images() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "--quiet"]).ok();
    let compare =
        |words: &[&str]| folder.run(&[&["compare", "photo.png", "photo.dds", "--quiet"], words].concat());
    compare(&["--heat-map", "heat.png", "--side-by-side", "both.png"]).ok();
    let size = |name: &str| {
        let json = folder.run(&["info", name, "--json"]).json();
        ["width", "height"].map(|key| json["files"][0][key].as_u64().unwrap())
    };
    assert_eq!((size("heat.png"), size("both.png")), ([96 + 8 + 10 + 1 + 16, 64], [200, 64]));
    compare(&["--heat-map", "heat.png"]).fails(2, &["heat.png: already exists"]);
    let heat = folder.read("heat.png");
    compare(&["--heat-map", "heat.png", "--heat-end", "255", "--force"]).ok();
    assert_ne!(folder.read("heat.png"), heat);
    compare(&["--heat-map", "x.png", "--diff", "x.png"]).fails(1, &["x.png: two pictures have this name"]);
    let to_stdout = compare(&["--heat-map", "-"]);
    assert!(to_stdout.stdout.starts_with(b"\x89PNG"), "{to_stdout:?}");
    assert_eq!(compare(&["--force"]).exit, Some(1));
}

#[test]
fn decode_shows_all_mip_levels_in_one_picture() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "--mips", "--quiet"]).ok();
    let ran = folder.run(&["decode", "photo.dds", "--level", "all", "-o", "all.png", "--json"]);
    let file = &ran.json()["files"][0];
    assert_eq!(
        (&file["level"], &file["levels"], &file["width"], &file["height"]),
        (&serde_json::Value::Null, &7.into(), &(96 + 48).into(), &64.into())
    );
    folder.run(&["decode", "photo.dds", "--level", "1", "-o", "1.png", "--quiet"]).ok();
    let texels = |name: &str| {
        let file = std::fs::File::open(folder.path(name)).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (bytes, info.width as usize)
    };
    let ((strip, _), (level, _)) = (texels("all.png"), texels("1.png"));
    // Level 1 is right of level 0, and level 6 of 1×1 is the last one in the column.
    let texel = |x: usize, y: usize| &strip[(y * 144 + x) * 4..][..4];
    assert_eq!(texel(96, 0)[..3], level[..3]);
    assert_eq!(texel(143, 31)[..3], level[(31 * 48 + 47) * 3..][..3]);
    assert_eq!((texel(96, 62)[3], texel(97, 62)[3], texel(96, 63)[3]), (255, 0, 0));
    let text = folder.run(&["decode", "photo.dds", "--level", "all", "-o", "b.png"]);
    assert!(text.ok().contains("144×64  7 levels  bc1"), "{text:?}");
    folder
        .run(&["decode", "photo.dds", "--level", "all", "-o", "c.exr"])
        .fails(1, &["c.exr: all mip levels become a PNG"]);
    folder
        .run(&["decode", "photo.dds", "--level", "all", "--layer", "1", "-o", "c.png"])
        .fails(1, &["photo.dds: "]);
}
