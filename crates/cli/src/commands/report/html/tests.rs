//! Pages of small pictures.

use super::{pixels::Pixels, *};
use crate::{
    batch::Output,
    commands::info::BlockEndpoints,
    folder_pairs::pair_folders,
    report::{FileError, HtmlReport},
};
use brickwork_base::{CancelToken, ErrorKind, Progress, Task, whole_file::Existing};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, Encoder, ImageView, Quality, TextureDesc,
    container::{ContainerFormat, TextureWriteOptions},
    encode_texture,
};
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, read_if_texture},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Returns noise of a width and height, with alpha.
fn noise(width: u32, height: u32) -> Vec<[u8; 4]> {
    let number = |i: u32, c: u32| (i.wrapping_mul(7919) ^ (c * 977)).wrapping_mul(2_654_435_761) >> 24;
    (0..width * height)
        .map(|i| [0, 1, 2, 3].map(|c| number(i, c) as u8 | if c == 3 { 0x80 } else { 0 }))
        .collect()
}

/// Writes a PNG and textures of it, and returns their inputs.
fn files(folder: &Path, size: [u32; 2], textures: &[(&str, BlockFormat)]) -> (Input, Vec<Input>) {
    let [width, height] = size;
    let texels = noise(width, height);
    let mut png = Vec::new();
    let rgba = PngTexels::Rgba8(&texels);
    write_png(&mut png, width, height, rgba, ColorSpace::Srgb, &Task::new()).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("a.png"), png).unwrap();
    let image = ImageView::new(&texels, width, height).unwrap();
    let inputs = textures.iter().map(|&(name, format)| {
        let desc = TextureDesc::of_image(&image, format).with_full_mips();
        let options = EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast);
        let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new()).unwrap();
        let mut file = Vec::new();
        let write = TextureWriteOptions::default();
        texture.write(&mut file, ContainerFormat::Dds, &write, &Task::new()).unwrap();
        fs::write(path(name), file).unwrap();
        Input::File(path(name))
    });
    (Input::File(path("a.png")), inputs.collect())
}

/// Makes a page and returns it with its report.
fn page(
    folder: &Path,
    inputs: &(Input, Vec<Input>),
    options: &HtmlReportOptions,
    max_memory: u64,
) -> Result<(String, HtmlReport), HtmlReportError> {
    let path: PathBuf = folder.join("page.html");
    let (original, textures) = inputs;
    let output = Output::File(path.clone());
    let task = Task::new();
    let report =
        write_html_report(original, textures, &output, options, Existing::Replace, max_memory, &task)?;
    Ok((fs::read_to_string(path).unwrap(), report))
}

#[test]
fn a_page_contains_all_and_requests_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let textures =
        [("a.dds", BlockFormat::Bc1), ("grey.dds", BlockFormat::Bc4Unorm), ("b.dds", BlockFormat::Bc7)];
    let inputs = files(folder.path(), [24, 12], &textures);
    let options = HtmlReportOptions {
        command: Some("brickwork report 'a & b'".to_owned()),
        ..HtmlReportOptions::default()
    };
    let (html, report) = page(folder.path(), &inputs, &options, 1 << 30).unwrap();
    assert_eq!((report.reduction, report.textures.len()), (1, 3));
    assert_eq!(report.file_bytes, html.len() as u64);
    let page = html.replace("default-src 'none'", "");
    for word in ["http:", "https:", "url(", "import", "src=\"/", "{{"] {
        assert!(!page.contains(word), "{word}");
    }
    let count = |word: &str| html.matches(word).count();
    // Level 0, the endpoints and four more levels of each texture, and the modes of BC7.
    assert_eq!((count("class=\"view\""), count("class=\"error\"")), (3 * 6 + 1, 3));
    // Pictures of the original: all channels, and red.
    assert_eq!((count("id=\"original-"), count("data-original=\"1\"")), (2, 6));
    assert_eq!(count("role=\"tab\""), 3);
    // BC4 keeps no alpha; BC1 keeps it as one bit.
    assert_eq!(count("class=\"original-alpha\""), 1);
    assert!(html.contains("brickwork report &#39;a &amp; b&#39;"));
    assert!(html.contains("only red is stored and compared"));
    assert!(html.contains("<th scope=\"row\">Bits per texel</th><td>4</td><td>4</td><td>8</td>"));
    assert_eq!(
        html.matches("alt=\"\"").count() + html.matches("alt=\"").count() - count("alt=\"\""),
        count("<img")
    );
}

/// The picture of endpoints is that of `info --endpoints-image`.
#[test]
fn endpoints_are_among_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let formats = [
        ("1.dds", BlockFormat::Bc1),
        ("2.dds", BlockFormat::Bc2),
        ("3.dds", BlockFormat::Bc3),
        ("4.dds", BlockFormat::Bc4Unorm),
        ("5.dds", BlockFormat::Bc5Unorm),
        ("7.dds", BlockFormat::Bc7),
    ];
    let inputs = files(folder.path(), [10, 6], &formats);
    let (html, _) = page(folder.path(), &inputs, &HtmlReportOptions::default(), 1 << 30).unwrap();
    assert_eq!(html.matches("Endpoints of blocks</span>").count(), formats.len());
    for input in &inputs.1 {
        let texture = read_if_texture(input, 1 << 30, &Task::new()).unwrap().unwrap();
        let blocks = BlockEndpoints::of_texture(texture).unwrap();
        let picture = blocks.picture("a", &Task::new()).unwrap();
        let texels = picture.texels.iter().map(|&[red, green, blue]| [red, green, blue, 255]).collect();
        let (uri, alpha) =
            Pixels::new(picture.width, picture.height, texels).data_uris(&Task::new()).unwrap();
        assert!(alpha.is_none() && html.contains(&uri), "{}", input.name());
    }
    // A PNG has no blocks.
    let (html, _) =
        page(folder.path(), &(inputs.0.clone(), vec![inputs.0]), &HtmlReportOptions::default(), 1 << 30)
            .unwrap();
    assert!(!html.contains("Endpoints of blocks"));
}

/// A mean of both endpoints is neither of them.
#[test]
fn endpoints_of_much_reduced_pictures_are_cut_out() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = files(folder.path(), [320, 300], &[("a.dds", BlockFormat::Bc1)]);
    let mut limit = 1 << 30;
    // Numbers of whole and cut pictures of endpoints, until the others are reduced by more than 2.
    let counts = loop {
        let options = HtmlReportOptions { max_page_bytes: limit, ..HtmlReportOptions::default() };
        let (html, report) = page(folder.path(), &inputs, &options, 1 << 30).unwrap();
        let counts = ["Endpoints of blocks</span>", "Endpoints of blocks · "].map(|text| {
            // Each picture also has an alternative text.
            html.matches(text).count() / if text.ends_with('>') { 1 } else { 2 }
        });
        if report.reduction > 2 {
            break counts;
        }
        assert_eq!(counts, [1, 0], "{}", report.reduction);
        limit = html.len() as u64 * 3 / 4;
    };
    assert_eq!(counts, [0, 1]);
}

#[test]
fn names_of_files_cannot_inject_markup() {
    if cfg!(windows) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let name = "\"'><img src=x onerror=alert(1)><script>alert(2)<{{js}}\u{202e}.dds";
    let inputs = files(folder.path(), [8, 4], &[(name, BlockFormat::Bc1)]);
    let (html, report) = page(folder.path(), &inputs, &HtmlReportOptions::default(), 1 << 30).unwrap();
    assert!(report.textures[0].image.file.contains(name));
    for markup in ["<script>alert", "<img src=x", "\"'>", "\u{202e}"] {
        assert!(!html.contains(markup), "{markup}");
    }
    assert_eq!(html.matches("<script").count(), 1);
    assert!(html.contains("&lt;script&gt;alert(2)&lt;{{js}}\\u{202e}.dds"));
}

#[test]
fn pictures_are_reduced_to_the_page_s_limit() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = files(folder.path(), [640, 600], &[("a.dds", BlockFormat::Bc3)]);
    let full = HtmlReportOptions::default();
    let (html, _) = page(folder.path(), &inputs, &full, 1 << 30).unwrap();
    let limit = html.len() as u64 * 4 / 5;
    let limited = HtmlReportOptions { max_page_bytes: limit, ..HtmlReportOptions::default() };
    let refused = page(
        folder.path(),
        &inputs,
        &HtmlReportOptions { max_page_bytes: 20_000, ..HtmlReportOptions::default() },
        1 << 30,
    );
    let error = refused.unwrap_err().to_string();
    assert!(
        error.contains("page.html: the page is ")
            && error.ends_with("smallest pictures; the limit is 19.6 KiB"),
        "{error}"
    );
    // The reduced picture has 320×300 texels.
    match page(folder.path(), &inputs, &limited, 1 << 30) {
        Ok((html, report)) => {
            assert!(report.reduction > 1 && html.len() as u64 <= limit);
            assert!(html.contains("Largest errors · 320×320") && html.contains("shows 2×2 texels"));
        }
        Err(error) => panic!("{error}"),
    }
    let error = page(folder.path(), &inputs, &full, 1 << 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
}

/// A cancelled pair is not a refused one.
#[test]
fn cancelled_pages_of_folders_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    for path in &paths {
        fs::create_dir(path).unwrap();
        files(path, [8, 4], &[]);
    }
    let found = pair_folders(paths.each_ref().map(PathBuf::as_path), &["png"], false, &Task::new()).unwrap();
    let page = folder.path().join("page.html");
    let output = Output::File(page.clone());
    // Returns the result of a task that is cancelled at a report, and the number of reports.
    let run = |cancel_at: usize| {
        let (token, count) = (CancelToken::new(), AtomicUsize::new(0));
        let report = |_: Progress| {
            if count.fetch_add(1, Ordering::Relaxed) == cancel_at {
                token.cancel();
            }
        };
        let task = Task::new().with_progress(&report).with_cancel(&token);
        let (options, existing) = (HtmlReportOptions::default(), Existing::Replace);
        let mut failed = |error: TextureJobError| -> FileError { panic!("{error}") };
        let made =
            write_html_folders_report(&found, &output, &options, existing, 1 << 30, &mut failed, &task);
        (made.map(drop).map_err(|error| error.kind()), count.load(Ordering::Relaxed))
    };
    let (made, count) = run(usize::MAX);
    assert!(made.is_ok() && count > 2, "{made:?}, {count} reports");
    for cancel_at in 0..count {
        fs::write(&page, "before").unwrap();
        let (made, _) = run(cancel_at);
        // There may be no check after the last report.
        let is_last = cancel_at + 1 == count;
        assert!(made.is_ok() && is_last || made == Err(ErrorKind::Cancelled), "{cancel_at}: {made:?}");
        let is_written = fs::read(&page).unwrap() != b"before";
        assert_eq!(is_written, made.is_ok(), "{cancel_at}");
    }
}
