use super::*;
use brickwork_volume::{Dims, VoxelType};

fn header(looks: &[ChannelLook], names: &[&str]) -> Header {
    let header = Header::new(VoxelType::U16, Dims::new(1, 1, 1));
    let header = header.with(|header| header.channels = looks.len().max(names.len()));
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    header.with_channels("zarr", &names, looks)
}

fn shown(text: &str, header: &Header) -> Result<Vec<ShownChannel>, String> {
    let set: ChannelSet = text.parse()?;
    shown_channels(Some(&set), header, None, false).map_err(|error| error.to_string())
}

#[test]
fn chosen_channels_have_the_looks_of_the_choice_and_of_the_file() {
    let look = ChannelLook::default().with(|look| {
        (look.color, look.window) = (Some([9, 8, 7]), Some([10.0, 20.0]));
    });
    let looks = [ChannelLook::default(), look, look.with(|look| look.is_inverted = true)];
    let header = header(&looks, &["DAPI", "488", "c"]);
    let found = shown("2,DAPI:#0000ff:-5..7,488:1..2", &header).expect("channels");
    let of = |index, name: &str, color, window: [f64; 2], is_inverted| ShownChannel {
        index,
        name: name.to_owned(),
        color,
        window: Some(window),
        is_inverted,
    };
    let want = [
        of(2, "c", [9, 8, 7], [10.0, 20.0], true),
        of(0, "DAPI", [0, 0, 255], [-5.0, 7.0], false),
        of(1, "488", [9, 8, 7], [1.0, 2.0], false),
    ];
    assert_eq!(found, want);
    let set = Some(ChannelSet::All);
    let all = shown_channels(set.as_ref(), &header, Some([3.0, 4.0]), false).expect("channels");
    assert_eq!(all.iter().map(|shown| shown.window).collect::<Vec<_>>(), [Some([3.0, 4.0]); 3]);
    assert_eq!(all[0].color, [255, 0, 0]);
    for (text, word) in [
        ("0,0", "channel 0 occurs twice"),
        ("0,3", "channel 3"),
        ("3", "channel 3"),
        ("GFP", "no channel is named \"GFP\"; there are \"DAPI\", \"488\", \"c\""),
        ("0:#00ff0080", "no alpha"),
        ("0:red", "expected black"),
        ("0:5..1", "lower one first"),
        ("0:#000000:#ffffff", "expected all"),
        ("0,", "expected all"),
    ] {
        let said = shown(text, &header).expect_err(text);
        assert!(said.contains(word), "{text}: {said}");
    }
    assert_eq!(shown("488", &header).expect("one"), []);
    let many = header.clone().with(|header| header.channels = 9);
    assert!(shown("all", &many).expect_err("too many").contains("9 channels; an image shows at most 8"));
    let labels = header.with(|header| header.kind = VoxelKind::Labels);
    assert!(shown("0,1", &labels).expect_err("labels").contains("labels are not added up"));
}

#[test]
fn active_channels_of_the_file_are_shown() {
    let indices = |header: &Header| -> Vec<usize> {
        let shown = shown_channels(None, header, None, false).expect("no choice");
        shown.iter().map(|shown| shown.index).collect()
    };
    let look = |is_active| ChannelLook::default().with(|look| look.is_active = is_active);
    assert_eq!(indices(&header(&[look(true), look(false), look(true)], &[])), [0, 2]);
    assert_eq!(indices(&header(&[look(false); 2], &[])), [0; 0]);
    // Names alone, and a single channel without a look, are shown in grey.
    assert_eq!(indices(&header(&[], &["a", "b"])), [0; 0]);
    assert_eq!(indices(&header(&[look(true)], &[])), [0; 0]);
    let many = header(&[look(true); 10], &[]);
    let shown = shown_channels(None, &many, None, false).expect("channels");
    assert_eq!(shown.len(), 8);
    let note = "10 channels are active; the first 8 are shown";
    assert_eq!(channel_notes(&many, &shown, true), [note]);
    assert_eq!(channel_notes(&many, &[], true), [""; 0]);
    assert_eq!(channel_notes(&many, &shown, false), [""; 0]);
    let none = header(&[look(false); 2], &[]);
    assert_eq!(channel_notes(&none, &[], true), ["no channel is active; channel 0 is shown"]);
    // Windows of OMERO are stored numbers.
    let windowed = header(&[look(true).with(|look| look.window = Some([10.0, 20.0])); 2], &[]);
    let rescaled = windowed.with(|header| {
        header.metadata = header.metadata.replacen('{', r#"{"nifti":{"scl_slope":2,"scl_inter":1},"#, 1);
    });
    assert!(rescaled.rescaling().is_some());
    let window = |are_stored| shown_channels(None, &rescaled, None, are_stored).expect("channels")[0].window;
    assert_eq!((window(false), window(true)), (Some([21.0, 41.0]), Some([10.0, 20.0])));
}

#[test]
fn a_single_channel_has_its_look() {
    let look = ChannelLook::default().with(|look| {
        (look.color, look.window, look.is_inverted) = (Some([0, 255, 0]), Some([100.0, 4000.0]), true);
    });
    let found = shown_channels(None, &header(&[look], &["GFP"]), None, false).expect("a channel");
    let want = ShownChannel {
        index: 0,
        name: "GFP".to_owned(),
        color: [0, 255, 0],
        window: Some([100.0, 4000.0]),
        is_inverted: true,
    };
    assert_eq!(found, [want]);
    let inactive = look.with(|look| look.is_active = false);
    assert_eq!(shown_channels(None, &header(&[inactive], &[]), None, false).expect("none"), []);
    // Its index alone means grey.
    assert_eq!(shown("0", &header(&[look], &["GFP"])), Ok(Vec::new()));
}

/// With the slope −1, black at the number 0 and bright at 100 is black at the value 0, bright at −100.
#[test]
fn negative_slopes_turn_windows_round() {
    let look = |is_inverted| {
        ChannelLook::default().with(|look| {
            (look.window, look.is_inverted) = (Some([0.0, 100.0]), is_inverted);
        })
    };
    let header = header(&[look(false), look(true)], &[]).with(|header| {
        header.metadata = header.metadata.replacen('{', r#"{"nifti":{"scl_slope":-1,"scl_inter":0},"#, 1);
    });
    let found = |window, are_stored| {
        let found = shown_channels(None, &header, window, are_stored).expect("channels");
        found.iter().map(|shown| (shown.window.unwrap(), shown.is_inverted)).collect::<Vec<_>>()
    };
    assert_eq!(found(None, false), [([-100.0, 0.0], true), ([-100.0, 0.0], false)]);
    assert_eq!(found(None, true), [([0.0, 100.0], false), ([0.0, 100.0], true)]);
    // A window of physical values is what it says.
    let window = [-50.0, -10.0];
    assert_eq!(found(Some(window), false), [(window, false), (window, true)]);
}

#[test]
fn names_that_cannot_be_chosen_are_told() {
    let looks = [ChannelLook::default(); 4];
    let header = header(&looks, &["DAPI", " CD8 ", "DAPI", "a: b, c"]);
    assert_eq!(shown("CD8:0..1", &header).expect("a channel")[0].index, 1);
    for (text, word) in [
        ("DAPI:0..1", "channels 0 and 2 are named \"DAPI\"; use an index"),
        ("DAPI", "channels 0 and 2 are named"),
        ("a: b", "expected black"),
        ("a: b", "a channel whose name has : or , is chosen by its index"),
        ("c,0", "\"a: b, c\"; a channel whose name has : or , is chosen by its index"),
        ("-1", "there is no channel -1; they are counted from 0 to 3"),
    ] {
        let said = shown(text, &header).expect_err(text);
        assert!(said.contains(word), "{text}: {said}");
    }
}

/// The colours are those that OME-Zarr gets, unless two would be the same.
#[test]
fn default_colours_belong_to_the_index() {
    let colors = |text: &str, count: usize| -> Vec<[u8; 3]> {
        let header = header(&vec![ChannelLook::default(); count], &[]);
        shown(text, &header).expect(text).iter().map(|shown| shown.color).collect()
    };
    let [red, blue, cyan, magenta] = [[255, 0, 0], [0, 0, 255], [0, 255, 255], [255, 0, 255]];
    assert_eq!(colors("0,2", 3), [red, blue]);
    assert_eq!(colors("2,0", 3), [blue, red]);
    // The indices 6 and 12 both have the first of six colours.
    assert_eq!(colors("6,12", 40), [cyan, magenta]);
    assert_eq!(colors("1:0..5", 3), [[255; 3]]);
    // Stated colours are taken, also those of later channels.
    assert_eq!(colors("0,1:#ff00ff", 2), [[0, 255, 0], magenta]);
}
