//! Several channels in colours.

use crate::{common::Folder, volume_overlay::pixels};
use serde_json::{Value, json};
use std::fs;

/// Two channels of 4×1×1 u8 as `a.raw`: 0, 100, 200, 250, and 40, 30, 20, 10.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &[0, 40, 100, 30, 200, 20, 250, 10]);
    folder
}

const RAW: &str = "--dims 4x1x1 --type u8 --channels 2";

#[test]
fn chosen_channels_are_added_in_every_format() {
    let folder = folder();
    folder.line(&format!("volume encode a.raw {RAW}")).ok();
    folder.line(&format!("volume convert a.raw {RAW} -o a.tif")).ok();
    // Shares of 0..200: 0, ½, 1, 1; of 0..40: 1, ¾, ½, ¼.
    let want = [[0, 255, 128], [128, 191, 96], [255, 128, 64], [255, 64, 32]];
    let channels = "--channel 0:#ff0000:0..200,1:0..40:#00ff80";
    for (number, input) in [format!("a.raw {RAW}"), "a.bwv".to_owned(), "a.tif".to_owned()].iter().enumerate()
    {
        let report = folder.line(&format!("volume slice {input} {channels} -o {number}.png --json")).json();
        let added = json!([
            { "channel": 0, "name": "", "color": "#ff0000", "window": [0.0, 200.0], "inverted": false },
            { "channel": 1, "name": "", "color": "#00ff80", "window": [0.0, 40.0], "inverted": false },
        ]);
        assert_eq!((&report["added_channels"], &report["window"]), (&added, &Value::Null));
        assert_eq!(pixels(&folder, &format!("{number}.png")), want, "{input}");
    }
    let said = folder.line(&format!("volume slice a.bwv {channels} -o t.png"));
    assert!(said.ok().contains("4×1, channels 0 #ff0000 0 to 200, 1 #00ff80 0 to 40  "), "{said:?}");
    for input in ["a.bwv", "a.tif"] {
        let name = input.replace('.', "-") + ".png";
        let words = format!(
            "volume render {input} --mode mip --camera 0,0 --up=-y --size 40x40 {channels} -o {name} --json"
        );
        let report = folder.line(&words).json();
        assert_eq!(report["added_channels"][1]["color"], json!("#00ff80"));
    }
    // From above, a pixel has one voxel or a mixture of two.
    let rendered = pixels(&folder, "a-bwv.png");
    // The report has the first channel of several, and windows that suit the values.
    let report = folder.line("volume render a.bwv --channel 1,0 --size 9x9 -o r.png --json").json();
    assert_eq!(report["channel"], json!(1));
    let [first, second] = [0, 1].map(|place| &report["added_channels"][place]);
    assert_eq!((&first["channel"], &second["channel"]), (&json!(1), &json!(0)));
    assert!(first["window"][0].as_f64() < first["window"][1].as_f64(), "{report}");
    assert!(rendered == pixels(&folder, "a-tif.png"));
    assert!(rendered.contains(&[255, 64, 32]) && rendered.contains(&[0, 255, 128]), "{rendered:?}");
    for (words, said) in [
        ("--channel 0,0", "channel 0 occurs twice"),
        ("--channel 0,2", "channel 2"),
        ("--channel GFP", "no channel is named \"GFP\"; the channels have no names"),
        ("--channel 0,1 --iso 3", "several channels"),
        ("--channel 0,1 --transfer grey", "without transfer"),
        ("--channel all --labels", "labels are not added up"),
        ("--channel=-1", "there is no channel -1; they are counted from 0 to 1"),
    ] {
        folder.line(&format!("volume render a.bwv {words} -o x.png")).fails(1, &[said]);
    }
}

#[test]
fn active_channels_of_omero_are_shown() {
    let folder = folder();
    folder.line(&format!("volume convert a.raw {RAW} -o a.zarr")).ok();
    let path = folder.path("a.zarr/zarr.json");
    let mut group: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut set = |active: bool| {
        group["attributes"]["ome"]["omero"] = json!({ "channels": [
            { "label": "DAPI", "color": "0000FF", "window": { "start": 0, "end": 200 }, "active": true },
            { "label": "GFP", "color": "00FF00", "window": { "start": 20, "end": 40 }, "active": active },
        ] });
        fs::write(&path, group.to_string()).unwrap();
    };
    set(true);
    let slice = |input: &str, more: &str| {
        folder.line(format!("volume slice {input} -o a.png --force --quiet {more}").trim()).ok();
        pixels(&folder, "a.png")
    };
    // Shares of 20..40: 1, ½, 0, 0.
    let both = [[0, 255, 0], [0, 128, 128], [0, 0, 255], [0, 0, 255]];
    assert_eq!(slice("a.zarr", ""), both);
    folder.line("volume encode a.zarr -o a.bwv").ok();
    assert_eq!(slice("a.bwv", ""), both);
    let said = folder.line("volume render a.bwv -o b.png --size 16x16 --mode mip");
    assert!(
        said.ok().contains(", channels 0 DAPI #0000ff 0 to 200, 1 GFP #00ff00 20 to 40, mip"),
        "{said:?}"
    );
    // Another colour, by the name; the window stays.
    assert_eq!(slice("a.bwv", "--channel GFP:#ff0000")[..3], [[255, 0, 0], [128, 0, 0], [0, 0, 0]]);
    // Inverted.
    let text =
        fs::read_to_string(&path).unwrap().replace(r#""active":true"#, r#""active":true,"inverted":true"#);
    fs::write(&path, text).unwrap();
    assert_eq!(slice("a.zarr", ""), [[0, 0, 255], [0, 128, 128], [0, 255, 0], [0, 255, 0]]);
    let said = folder.line("volume slice a.zarr -o a.png --force");
    assert!(said.ok().contains(", channels 0 DAPI #0000ff 0 to 200 inverted, 1 GFP"), "{said:?}");
    set(false);
    assert_eq!(slice("a.zarr", ""), [[0; 3], [0, 0, 128], [0, 0, 255], [0, 0, 255]]);
}
