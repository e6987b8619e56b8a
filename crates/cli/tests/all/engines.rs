//! `init`: rule files of engines, and what they make of folders with the engines' names.

use crate::common::{Folder, png_rgb};
use brickwork_texture::ImageIndex;
use std::fs;

/// Contents of a picture of 16×16 texels.
#[derive(Clone, Copy)]
enum Contents {
    /// Shades of one colour.
    Color,
    /// The normal (0, 0.47, 0.88): green is 188, or 67 if it is mirrored.
    Normals,
    /// A channel, the same number in all.
    Grey(u8),
    /// Three unrelated channels.
    Packed,
}
use Contents::{Color, Grey, Normals, Packed};

fn write(folder: &Folder, name: &str, contents: Contents) {
    let path = folder.path(&format!("in/{name}.png"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let texel = |x: u32, y: u32| match contents {
        Color => [100 + x * 8, 40 + x * 4, 20 + x * 2].map(|v| v as u8),
        Normals => [128, 188, 240],
        Grey(value) => [value; 3],
        Packed => [x * 16, (x * 37 + y * 91) % 256, if (x / 4 + y / 3).is_multiple_of(2) { 255 } else { 0 }]
            .map(|v| v as u8),
    };
    fs::write(path, png_rgb(16, 16, texel)).unwrap();
}

/// Name of an image, its contents, the format, the colour space and the mip levels of its texture, and the
/// green of normals.
type Case = (&'static str, Contents, &'static str, &'static str, u64, Option<u8>);

fn color(name: &'static str) -> Case {
    (name, Color, "bc1", "sRGB", 5, None)
}

fn normals(name: &'static str) -> Case {
    (name, Normals, "bc5", "linear", 5, Some(188))
}

fn mirrored(name: &'static str) -> Case {
    (name, Normals, "bc5", "linear", 5, Some(67))
}

fn packed(name: &'static str) -> Case {
    (name, Packed, "bc7", "linear", 5, None)
}

fn channel(name: &'static str) -> Case {
    (name, Grey(90), "bc4", "linear", 5, None)
}

fn interface(name: &'static str) -> Case {
    (name, Color, "bc1", "sRGB", 1, None)
}

/// Asserts what the rules of an engine make of these images.
fn assert_textures(engine: &str, container: &str, cases: &[Case]) {
    let folder = Folder::new();
    for (name, contents, ..) in cases {
        write(&folder, name, *contents);
    }
    folder.run(&["init", engine, "in"]).ok();
    let json = folder.line("encode in -r -o out/ --json").json();
    let files = json["files"].as_array().unwrap();
    assert_eq!(files.len(), cases.len());
    for (name, _, format, color_space, levels, green) in cases {
        let output = format!("out/{name}.{container}");
        let file = files.iter().find(|file| file["output"] == output);
        let file = file.unwrap_or_else(|| panic!("{engine}: no {output}: {json}"));
        let found = (file["format"].as_str(), file["color_space"].as_str(), file["levels"].as_u64());
        assert_eq!(found, (Some(*format), Some(*color_space), Some(*levels)), "{engine}: {name}: {file}");
        if let Some(green) = green {
            let texels = folder.texels(&output, ImageIndex::default());
            assert!(texels.iter().all(|texel| texel[1].abs_diff(*green) <= 1), "{engine}: {name}");
        }
    }
}

#[test]
fn names_of_unreal_engine() {
    let cases = [
        color("T_Rock_D"),
        color("T_Rock_BC"),
        color("Walls/T_Brick_C"),
        color("T_Lamp_E"),
        normals("T_Rock_N"),
        normals("T_Rock_Normal"),
        mirrored("T_Rock_NormalGL"),
        packed("T_Rock_ORM"),
        packed("T_Rock_OcclusionRoughnessMetallic"),
        channel("T_Rock_R"),
        channel("T_Rock_MT"),
        channel("T_Rock_AO"),
        channel("T_Rock_A"),
        channel("T_Rock_H"),
        channel("T_Rock_M"),
        interface("T_UI_Button"),
        interface("UI/Icon_D"),
    ];
    assert_textures("unreal", "dds", &cases);
}

#[test]
fn names_of_unity() {
    let cases = [
        color("Rock_BaseMap"),
        color("Rock_Albedo"),
        color("Rock_MainTex"),
        color("Lamp_Emission"),
        normals("Rock_Normal"),
        normals("Rock_BumpMap"),
        normals("Rock_NormalGL"),
        mirrored("Rock_NormalDX"),
        packed("Rock_MaskMap"),
        packed("Rock_DetailMap"),
        packed("Rock_MetallicSmoothness"),
        channel("Rock_Occlusion"),
        channel("Rock_HeightMap"),
        channel("Rock_Roughness"),
        interface("Sprites/Coin"),
    ];
    assert_textures("unity", "dds", &cases);
}

#[test]
fn names_of_godot() {
    let cases = [
        color("rock_albedo"),
        color("lamp_emission"),
        normals("rock_normal"),
        normals("walls/brick_n"),
        mirrored("rock_normal_dx"),
        packed("rock_orm"),
        channel("rock_roughness"),
        channel("rock_ao"),
        channel("rock_heightmap"),
        interface("gui/button"),
    ];
    assert_textures("godot", "dds", &cases);
}

#[test]
fn names_of_bevy() {
    let cases = [
        color("rock_base_color"),
        color("lamp_emissive"),
        normals("rock_normal"),
        mirrored("rock_normal_dx"),
        packed("rock_metallic_roughness"),
        packed("rock_orm"),
        channel("rock_occlusion"),
        channel("rock_depth"),
        interface("ui/icon"),
    ];
    assert_textures("bevy", "ktx2", &cases);
}

/// The packing in comments works once its signs are removed.
#[test]
fn commented_rules_pack_channels() {
    let of_numbers = [200, 100, 50, 255];
    for (engine, [occlusion, roughness, metalness], output, expected) in [
        ("unreal", ["T_Rock_AO", "T_Rock_Roughness", "T_Rock_Metallic"], "T_Rock_ORM.dds", of_numbers),
        ("godot", ["rock_ao", "rock_roughness", "rock_metallic"], "rock_orm.dds", of_numbers),
        ("bevy", ["rock_ao", "rock_roughness", "rock_metallic"], "rock_orm.ktx2", of_numbers),
        ("unity", ["Rock_AO", "Rock_Roughness", "Rock_Metallic"], "Rock_MaskMap.dds", [50, 200, 255, 155]),
    ] {
        let folder = Folder::new();
        for (name, value) in [(occlusion, 200), (roughness, 100), (metalness, 50)] {
            write(&folder, name, Grey(value));
        }
        folder.run(&["init", engine, "in"]).ok();
        let rules = String::from_utf8(folder.read("in/brickwork.toml")).unwrap();
        let line = |line: &str| match line.strip_prefix('#') {
            Some(rule) if !rule.starts_with(' ') => format!("{rule}\n"),
            _ => format!("{line}\n"),
        };
        folder.write("in/brickwork.toml", rules.lines().map(line).collect::<String>().as_bytes());
        let ran = folder.line("encode in -o out/ --json");
        assert_eq!(ran.exit, Some(0), "{engine}: {ran:?}");
        let texels = folder.texels(&format!("out/{output}"), ImageIndex::default());
        let is_near = |texel: &[u8; 4]| texel.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(texels.iter().all(is_near), "{engine}: {:?}", texels[0]);
    }
}

#[test]
fn rule_files_are_kept() {
    let folder = Folder::new();
    assert_eq!(folder.line("init godot").ok(), "./brickwork.toml  rules for godot\n");
    folder.write("brickwork.toml", b"# mine\n");
    folder.line("init unity").fails(2, &["brickwork.toml: already exists", "--force"]);
    assert_eq!(folder.read("brickwork.toml"), b"# mine\n");
    folder.line("init unity --force").ok();
    assert!(folder.read("brickwork.toml").starts_with(b"# Textures for Unity"));
    folder.line("init unity nowhere").fails(2, &["nowhere: no such folder"]);
    let ran = folder.line("init quake");
    assert!(
        ran.exit == Some(1) && ran.stderr.contains("[possible values: unreal, unity, godot, bevy]"),
        "{ran:?}"
    );
}
