//! Uses of pictures that nothing states: decisions by names and texels, and what is said of them.

use super::{surprise_tests::encoded, *};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadOptions, Picture, PictureUse};
use brickwork_texture::{
    AlphaMode,
    BlockFormat::{self, Bc1, Bc4Unorm, Bc5Unorm, Bc7},
    ColorSpace::{self, Linear, Srgb},
    PlainFormat, RoundingRule,
    container::DdsHeader,
    pictures::read,
};
use std::{fs::File, io::BufReader, io::Cursor, path::Path};

fn file(name: &str) -> Picture {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/trouble").join(name);
    let file = BufReader::new(File::open(path).unwrap());
    read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Returns a picture of 1, 3 or 4 channels, read from PAM.
fn picture<const CHANNELS: usize>(
    [width, height]: [u32; 2],
    texel: impl Fn(u32, u32) -> [u8; CHANNELS],
) -> Picture {
    let name = ["GRAYSCALE", "", "RGB", "RGB_ALPHA"][CHANNELS - 1];
    let size = format!("WIDTH {width}\nHEIGHT {height}\nDEPTH {CHANNELS}\nMAXVAL 255\n");
    let mut file = format!("P7\n{size}TUPLTYPE {name}\nENDHDR\n").into_bytes();
    file.extend((0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Returns noise from 0 to 255 in squares, another one for each seed.
fn noise(x: u32, y: u32, side: u32, seed: u32) -> u8 {
    let (x, y) = (x / side + 1, y / side + 1);
    let mut hash = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca6b) ^ seed.wrapping_mul(0xc2b2_ae35);
    for _ in 0..3 {
        hash ^= hash << 13;
        hash ^= hash >> 17;
        hash ^= hash << 5;
    }
    (hash >> 8) as u8
}

/// Occlusion, roughness and metalness.
fn packed() -> Picture {
    let metal = |x, y| if noise(x, y, 9, 3) > 99 { 255 } else { 0 };
    picture([64, 64], |x, y| [255 - noise(x, y, 2, 1) / 3, noise(x, y, 3, 2) / 2 + 60, metal(x, y)])
}

fn auto() -> TextureOptions {
    TextureOptions { format: FormatChoice::AUTO, mip_levels: MipLevels::Full, ..TextureOptions::default() }
}

fn in_format(format: BlockFormat) -> TextureOptions {
    TextureOptions { format: FormatChoice::of(format), ..auto() }
}

/// Returns format, colour space and notes.
fn decided(
    picture: &Picture,
    name: &str,
    options: &TextureOptions,
) -> (BlockFormat, ColorSpace, Vec<String>) {
    let EncodedTexture { plan, notes, .. } = encoded(picture, name, options).unwrap();
    let notes = notes.iter().map(ToString::to_string).collect();
    (plan.desc.format.block().unwrap(), plan.desc.color_space, notes)
}

/// Names of metal are those of masks and of materials.
#[test]
fn metal_with_colors_is_no_mask() {
    let rust = picture([32, 32], |x, y| [1, 2, 3].map(|c| 60 + noise(x, y, 2, 1) / (c + 1)));
    let grey = picture([32, 32], |x, y| [60 + noise(x, y, 2, 1) / 2 + noise(x, y, 1, 2) % 3; 3]);
    let like_grey = picture([32, 32], |x, y| [0, 3, 5].map(|c| 60 + c + noise(x, y, 2, 1) / 2));
    for name in ["rusty_metal.png", "corrugated_metal_2k.png", "car_metallic.png"] {
        let (_, color_space, notes) = decided(&rust, name, &auto());
        assert_eq!((color_space, notes), (Srgb, Vec::new()), "{name}");
        let plan = encoded(&rust, name, &auto()).unwrap().plan;
        assert!(!plan.format_reason.unwrap().contains("name"), "{name}");
        let (format, color_space, _) = decided(&grey, name, &auto());
        assert_eq!((format, color_space), (Bc4Unorm, Linear), "{name}");
        assert_eq!(decided(&like_grey, name, &auto()).1, Linear, "{name}");
    }
    assert_eq!(decided(&rust, "rock_metalness.png", &auto()).1, Linear);
}

#[test]
fn normals_in_object_space_keep_z() {
    let picture = file("t17_body_msn.png");
    for name in ["body_msn.png", "body.png", "rock_world_normal.png", "rock_n.png"] {
        let (format, color_space, _) = decided(&picture, name, &auto());
        assert_eq!((format, color_space), (Bc7, Linear), "{name}");
        let legacy = decided(&picture, name, &TextureOptions { dds_header: DdsHeader::Legacy, ..auto() });
        assert_eq!((legacy.0, legacy.1), (Bc1, Linear), "{name}");
        let plan = encoded(&picture, name, &auto()).unwrap().plan;
        assert!(plan.options.normals, "{name}");
        let reason = plan.format_reason.unwrap();
        assert!(reason.contains("% of which face away"), "{name}: {reason}");
    }
    let (.., notes) = decided(&picture, "body.png", &auto());
    assert_eq!(notes, ["body.png: looks like normals in the space of an object: encoded as linear data"]);
    // A chosen format stays, with a note.
    for options in [in_format(Bc5Unorm), TextureOptions { usage: PictureUse::Normals, ..in_format(Bc5Unorm) }]
    {
        let (.., notes) = decided(&picture, "a.png", &options);
        let is_said = |note: &String| note.ends_with("% of the normals face away, and bc5 does not store z");
        assert!(notes.iter().any(is_said), "{notes:?}");
    }
    let (_, color_space, notes) = decided(&picture, "a.png", &in_format(Bc7));
    let note = "a.png: looks like normals in the space of an object, but is encoded as sRGB colours";
    assert_eq!((color_space, &notes[..]), (Srgb, &[note.to_owned()][..]));
    assert!(
        decided(&picture, "a.png", &TextureOptions { color_space: Some(Srgb), ..in_format(Bc7) })
            .2
            .is_empty()
    );
}

#[test]
fn pictures_that_are_no_normals_are_said() {
    let photo = picture([32, 32], |x, y| [150, 110, 80].map(|color| color + noise(x, y, 2, 1) / 9));
    let (format, _, notes) = decided(&photo, "street_n.png", &auto());
    assert_eq!(format, Bc5Unorm);
    let note =
        "street_n.png: is used as a normal map, but 100.0 % of texels are far from length 1 or face away";
    assert_eq!(notes, [note]);
}

#[test]
fn alpha_of_normal_maps_is_data() {
    let rock = file("t19_rock_n.png");
    for name in ["t19_rock_n.png", "rock.png"] {
        let plan = encoded(&rock, name, &auto()).unwrap().plan;
        assert_eq!((plan.desc.format.block(), plan.desc.color_space), (Some(Bc7), Linear), "{name}");
        assert_eq!(plan.desc.alpha_mode, AlphaMode::Straight, "{name}");
        assert_eq!(plan.mips.unwrap().alpha_mode, AlphaMode::Opaque, "{name}");
        assert!(plan.options.normals && plan.format_reason.unwrap().contains("data in alpha"), "{name}");
    }
}

#[test]
fn packed_masks_are_data_by_name() {
    let metal = file("t20_rock_MetallicSmoothness.png");
    let plan = encoded(&metal, "t20_rock_MetallicSmoothness.png", &auto()).unwrap().plan;
    assert_eq!((plan.desc.color_space, plan.mips.unwrap().alpha_mode), (Linear, AlphaMode::Opaque));
    assert_eq!(plan.color_space_reason, ColorSpaceReason::FileName);
    let packed = packed();
    for name in ["MRAO", "AORM", "ARME", "RMSE", "MADS", "mads", "MetallicRoughness"] {
        let (_, color_space, notes) = decided(&packed, &format!("rock_{name}.png"), &auto());
        assert_eq!((color_space, &notes[..]), (Linear, &[][..]), "{name}");
    }
    for name in ["rock_HARM.png", "rock_MR.png", "rock_Splat.png"] {
        let (_, color_space, notes) = decided(&packed, name, &auto());
        let note =
            format!("{name}: the file's name seems to say packed channels: it is encoded as linear data");
        assert_eq!((color_space, &notes[..]), (Linear, &[note][..]));
    }
    // Colours with data in alpha stay colours, which alpha does not weight.
    let smooth = picture([32, 32], |x, y| [150 + noise(x, y, 2, 1) / 9, 110, 80, noise(x, y, 1, 2)]);
    let plan = encoded(&smooth, "rock_SpecularSmoothness.png", &auto()).unwrap();
    assert_eq!(plan.plan.desc.color_space, Srgb);
    assert_eq!(plan.plan.mips.unwrap().alpha_mode, AlphaMode::Opaque);
    let note = "the file's name says that alpha is data: it does not weight colours";
    assert!(plan.notes.iter().any(|found| found.to_string().contains(note)), "{:?}", plan.notes);
}

#[test]
fn packed_masks_are_data_by_their_texels() {
    let packed = packed();
    let (_, color_space, notes) = decided(&packed, "rock_xyz.png", &auto());
    let note = "rock_xyz.png: looks like packed data (red, green and blue are unrelated): encoded as linear \
                data, not as colours";
    assert_eq!((color_space, &notes[..]), (Linear, &[note.to_owned()][..]));
    let reason = encoded(&packed, "rock_xyz.png", &auto()).unwrap().plan.color_space_reason;
    assert_eq!(reason, ColorSpaceReason::Texels);
    // Options and names count more, and a chosen format stays, with a note.
    assert_eq!(
        decided(&packed, "rock_xyz.png", &TextureOptions { color_space: Some(Srgb), ..auto() }).1,
        Srgb
    );
    assert_eq!(decided(&packed, "rock_albedo.png", &auto()).1, Srgb);
    let (_, color_space, notes) = decided(&packed, "rock_xyz.png", &in_format(Bc7));
    assert!(color_space == Srgb && notes[0].contains("looks like packed data (red"), "{notes:?}");
    // Alpha is a channel, too.
    let with_alpha = file("t20_rock_MetallicSmoothness.png");
    let encoded = encoded(&with_alpha, "rock_xyz.png", &auto()).unwrap();
    let plan = encoded.plan;
    let said: Vec<_> = encoded.notes.iter().map(ToString::to_string).collect();
    assert!(plan.desc.color_space == Linear && said[0].contains("looks like packed data"), "{said:?}");
    assert_eq!(plan.mips.unwrap().alpha_mode, AlphaMode::Opaque);
    let dense = picture([32, 32], |x, y| [150 + noise(x, y, 2, 1) / 9, 110, 80, noise(x, y, 1, 2) / 2 + 9]);
    let (_, color_space, notes) = decided(&dense, "rock.png", &auto());
    let note = "rock.png: alpha is nowhere 0 and may be data; it weights the colours of mip levels";
    assert_eq!((color_space, &notes[..]), (Srgb, &[note.to_owned()][..]));
}

#[test]
fn grey_colors_are_colors() {
    let grey = picture([32, 32], |x, y| [noise(x, y, 2, 1); 3]);
    for name in ["rock_D.png", "rock_AlbedoTransparency.png", "rock_BaseColor.png", "rock_BC.png"] {
        let (format, color_space, notes) = decided(&grey, name, &auto());
        assert_eq!((format, color_space, &notes[..]), (Bc1, Srgb, &[][..]), "{name}");
    }
    let srgb = decided(&grey, "rock.png", &TextureOptions { color_space: Some(Srgb), ..auto() });
    assert_eq!((srgb.0, srgb.1), (Bc1, Srgb));
    let (format, color_space, notes) = decided(&grey, "rock.png", &auto());
    assert_eq!((format, color_space), (Bc4Unorm, Linear));
    assert_eq!(notes, ["rock.png: grey of unknown use is encoded as one linear channel, not as colours"]);
    assert!(decided(&grey, "rock_rough.png", &auto()).2.is_empty());
}

#[test]
fn lookup_tables_have_no_mip_levels() {
    let table = picture([256, 16], |x, y| [x % 16 * 17, y * 17, x / 16 * 17].map(|value| value as u8));
    let other = picture([64, 64], |x, y| [150 + noise(x, y, 2, 1) / 9, 110, 80]);
    for (picture, name) in [(&table, "warm.png"), (&table, "warm_LUT.png"), (&other, "LUT_64.png")] {
        let encoded = encoded(picture, name, &auto()).unwrap();
        let desc = encoded.plan.desc;
        assert_eq!((desc.mip_levels, desc.color_space), (1, Linear), "{name}");
        let note = "a lookup table of colours is encoded as linear data without mip levels";
        assert!(encoded.notes.iter().any(|found| found.to_string().contains(note)), "{:?}", encoded.notes);
    }
    let (_, color_space, notes) = decided(&table, "warm.png", &in_format(Bc7));
    assert_eq!(color_space, Srgb);
    assert_eq!(notes, ["warm.png: looks like a lookup table, but is encoded as sRGB colours"]);
}

#[test]
fn heights_of_16_bits_lose_bits_aloud() {
    let mut file = b"P5 32 32 65535\n".to_vec();
    file.extend((0..1024u32).flat_map(|i| ((i * 61) as u16).to_be_bytes()));
    let height = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    // BC4 keeps more than 8 bits, unless values are rounded.
    let bc4 = encoded(&height, "cliff_height.png", &auto()).unwrap();
    assert_eq!((bc4.texture.desc().format, bc4.notes.len()), (Bc4Unorm.into(), 0));
    let mut rounded = auto();
    rounded.encode.rounding_rule = RoundingRule::Exact;
    for (options, precision) in [
        (rounded, "8 bits"),
        (TextureOptions { color_space: Some(Linear), ..in_format(Bc7) }, "8 bits"),
        (TextureOptions { format: FormatChoice::of(PlainFormat::R8Unorm), ..auto() }, "the precision of r8"),
    ] {
        let notes = encoded(&height, "cliff_height.png", &options).unwrap().notes;
        let note = format!("cliff_height.png: 16-bit channels are rounded to {precision}");
        assert_eq!(notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [note]);
    }
    // 8 bits twice lose nothing.
    let mut file = b"P5 16 16 65535\n".to_vec();
    file.extend((0..256u32).flat_map(|i| ((i * 257) as u16).to_be_bytes()));
    let bytes = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    assert!(encoded(&bytes, "cliff_height.png", &auto()).unwrap().notes.is_empty());
}
