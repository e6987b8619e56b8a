//! Uses of many names of files.

use super::*;

#[test]
fn the_last_word_of_a_name_counts() {
    for name in [
        "rock_n.png",
        "a/b/Wall_Normal.tga",
        "door-nrm.png",
        "x.y_NormalGL.jpg",
        "rock_n_02.png",
        "rock_nor_gl_4k.png",
        "Rock_4K_Normal-DX.png",
        "body_msn.dds",
        "Rock_NormalMap.png",
        "rock_ddna.tif",
        "world_normal.png",
    ] {
        assert_eq!(use_of_name(name), Some(PictureUse::Normals), "{name}");
    }
    for name in [
        "rock_orm.png",
        "helmet_metallicRoughness.png",
        "ao/wall_ao.png",
        "rock_mask1.png",
        "rock_arm_2k.png",
        "Rock_1K-JPG_AmbientOcclusion.jpg",
        "rock_MetallicSmoothness.png",
        "rock_metallic_smoothness.png",
        "rock_MRAO.png",
        "rock_aorm.png",
        "terrain_splatmap.png",
        "rock_OcclusionRoughnessMetallic.png",
        "rock_RoughnessMap.png",
        "Helmet_MetallicRoughnessTexture.png",
    ] {
        assert_eq!(named_use(name), Some(NamedUse::of(PictureUse::Data)), "{name}");
    }
    for name in [
        "rock_albedo.png",
        "rock_normal_albedo.png",
        "Rock BaseColor.png",
        "rock_D.png",
        "rock_AlbedoTransparency.png",
        "rock_BC.tga",
        "Rock_BaseColorMap.png",
        "lamp_Emission.png",
    ] {
        assert_eq!(named_use(name), Some(NamedUse::of(PictureUse::Color)), "{name}");
    }
    assert_eq!(
        ["rock_rough", "a-b_Rough_02", "rough", "x 1", "a_rough_4k", "a_2k", "2k"].map(base_of),
        ["rock", "a-b", "rough", "x 1", "a", "a", "2k"]
    );
    for name in [
        "n.png",
        "man.png",
        "_n/a.png",
        "-",
        "rock_north.png",
        "n_1.png",
        "n_2k.png",
        "flower_rose.png",
        "sky_HDR.png",
        "house_door.png",
        "Knight_Head.png",
        "ROCK_ROSE.png",
        "castle_base.png",
        "rock_map.png",
    ] {
        assert_eq!(named_use(name), None, "{name}");
    }
}

#[test]
fn words_after_the_use_are_left_out() {
    for end in [
        "_LOD0",
        "_lod02",
        "_final",
        "_v2",
        "_v1.2",
        "_copy",
        " - Copy",
        " - Copy (2)",
        " (1)",
        "(1)",
        "_low",
        "_high",
        "_tga",
        "_u1_v2",
        "_2048x2048",
        "_512px",
        "_16bit",
        "-copy",
        "_2",
        "_2048",
        ".1001",
        "_1002",
        "_4k",
        "_1k_png",
        "_8k-jpg",
        "_original",
        "_LOD1_v3_final (2)",
    ] {
        for (word, usage) in [
            ("orm", PictureUse::Data),
            ("ORM", PictureUse::Data),
            ("Roughness", PictureUse::Data),
            ("Mask_Map", PictureUse::Data),
            ("Normal", PictureUse::Normals),
            ("Normal_Map", PictureUse::Normals),
            ("BaseColor", PictureUse::Color),
        ] {
            let name = format!("rock_{word}{end}.png");
            assert_eq!(named_use(&name), Some(NamedUse::of(usage)), "{name}");
            let name = format!("{word}{end}.png");
            assert_eq!(named_use(&name), Some(NamedUse::of(usage)), "{name}");
        }
        for word in ["rock", "form", "Storm", "Panorama", "castle_base", "n", "d", "right_map"] {
            let name = format!("{word}{end}.png");
            assert_eq!(named_use(&name), None, "{name}");
        }
    }
    for only in
        ["final.png", "v2.png", "low_2k.png", "(1).png", "Copy.png", "lod0.png", "map.png", "1001.png"]
    {
        assert_eq!(named_use(only), None, "{only}");
    }
}

#[test]
fn a_name_may_be_one_word_or_have_glued_words() {
    for (usage, names) in [
        (
            PictureUse::Data,
            &[
                "ORM",
                "orm",
                "Roughness",
                "metallicRoughness",
                "RockORM",
                "RockMaskMap",
                "RockAO",
                "ao",
                "rockMetallicRoughness",
                "Rock02ORM",
                "RockORM2K",
                "RockORMLod0",
                "RockRoughnessV2",
                "rockAmbientOcclusion",
                "T_RockORM",
                "RockHeightMapTexture",
                "wall_RockARM",
            ][..],
        ),
        (
            PictureUse::Normals,
            &["normal", "Normals", "RockNormal", "rockNormalMap", "RockNormalGL", "WallNRM"],
        ),
        (
            PictureUse::Color,
            &["rockAlbedo", "RockBaseColor", "Rock_diffuseOriginal", "T_Rock_C", "albedo", "RockDiffuse"],
        ),
    ] {
        for name in names {
            let named = named_use(&format!("{name}.png")).map(|named| named.usage);
            assert_eq!(named, Some(usage), "{name}");
        }
    }
    for likely in ["GasMask", "mask", "ARM", "wall_RockARM", "RoughMetal"] {
        assert!(named_use(&format!("{likely}.png")).is_some_and(|named| named.is_guess), "{likely}");
    }
    for none in [
        "form",
        "Form",
        "Storm",
        "STORM",
        "Panorama",
        "Platform",
        "Armor",
        "armchair",
        "maskedman",
        "Normandy",
        "RightArm",
        "arm",
        "RustyMetal",
        "metal",
        "metal_02",
        "TypeN",
        "VitaminD",
        "BloodSplat",
        "Rock_C",
        "RockForm",
        "WorldMap",
        "iPhoneSE",
        "rockorm",
        "rocknormal",
        "Mr",
        "Maple",
        "GrassLow",
    ] {
        assert_eq!(named_use(&format!("{none}.png")), None, "{none}");
    }
    let named = named_use("RockAlbedoSmoothness.png").unwrap();
    assert!(named.has_data_in_alpha && named.usage == PictureUse::Color);
}

#[test]
fn some_names_are_guesses() {
    for name in [
        "Rock_ARHM.png",
        "T_Wall_SRAO.png",
        "Rock_HRAOM.tga",
        "rock_MDA.png",
        "rock_MR.png",
        "terrain_Splat.png",
    ] {
        let guess = NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) };
        assert_eq!(named_use(name), Some(guess), "{name}");
    }
    for name in ["Rock_HOUSE.png", "Rock_MOOR.png", "Rock_AO_EDC.png", "Rock_M.png"] {
        assert_eq!(named_use(name), None, "{name}");
    }
}

#[test]
fn metal_is_also_a_material() {
    let is_material = |name: &str| named_use(name).unwrap().is_material;
    for name in ["rusty_metal.png", "corrugated_metal_2k.png", "scratched-metal.png", "car_metallic.png"] {
        assert!(is_material(name), "{name}");
    }
    for name in ["rock_metalness.png", "rock_metallicRoughness.png", "rock_MetallicSmoothness.png"] {
        assert!(!is_material(name), "{name}");
    }
}

#[test]
fn alpha_of_colors_may_be_data() {
    for name in ["rock_AlbedoSmoothness.png", "rock_SpecularSmoothness.png", "rock_DiffuseHeight.png"] {
        let expected = NamedUse { has_data_in_alpha: true, ..NamedUse::of(PictureUse::Color) };
        assert_eq!(named_use(name), Some(expected), "{name}");
    }
}

#[test]
fn lookup_tables_are_named_anywhere() {
    for name in ["lut.png", "LUT_warm.png", "film-lut16.png", "a/Warm.LUT.png", "hald_clut_8.png"] {
        assert!(is_lookup_table(name), "{name}");
    }
    assert!(!is_lookup_table("absolute.png") && !is_lookup_table("lutes/a.png"));
}

/// The table of names in the guide, which `UPDATE=1 cargo test -p brickwork-toolkit --lib lists` writes.
#[test]
fn lists_are_those_of_the_guide() {
    const MARKS: [&str; 2] = ["<!-- names:begin, by UPDATE=1 -->\n", "<!-- names:end -->"];
    let code = |words: &[&str]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    };
    fn with(words: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
        [words, more].concat()
    }
    let rows = [
        ("normals", "the last word", code(&with(&NORMALS, &OTHER_NORMALS))),
        ("linear data", "the last word", code(&DATA)),
        ("linear data", "the last word, possibly of several of these: `MetallicSmoothness`", code(&NUMBERS)),
        ("linear data", "the same, if the picture has no colours", code(&MATERIALS)),
        ("linear data (noted)", "the last word", code(&LIKELY_DATA)),
        (
            "linear data (noted)",
            "two to five of these capitals, each once, as in `Rock_ARHM`",
            code(&CHANNEL_LETTERS.split("").filter(|letter| !letter.is_empty()).collect::<Vec<_>>()),
        ),
        ("colours", "the last word; `C` after `T_`", code(&COLORS)),
        (
            "colours, alpha is data",
            "one of these, then a word of the third row: `AlbedoSmoothness`",
            code(&COLORS_WITH_NUMBERS),
        ),
        (
            "colours, alpha is transparency",
            "a word of the row above, then one of these: `AlbedoTransparency`",
            code(&TRANSPARENCIES),
        ),
        ("lookup table", "a word anywhere", code(&LOOKUP_TABLES)),
        ("none", "the end of a word, as in `NormalMap`", code(&FILLERS)),
        ("none", "after the use, also with digits, as in `rock_n_4k`", code(&with(&DETAILS, &STATES))),
        ("none", "after digits, as in `512px`", code(&UNITS)),
        ("none", "the only word of a name, or a part of a word, as in `RockN`", code(&NEEDS_WORDS)),
        (
            "the use stated above, only in capitals",
            "the only word of a name, or a part of a word, as in `RockARM`",
            code(&NEEDS_CAPITALS),
        ),
        (
            "the use stated above (noted)",
            "the only word of a name, or a part of a word, as in `RockMask`",
            code(&MAYBE_THINGS),
        ),
        ("none", "capitals that are not channels", code(&OTHER_CAPITALS)),
    ];
    let mut table = "| use | place in the name | words |\n|---|---|---|\n".to_owned();
    rows.iter().for_each(|(usage, place, words)| table += &format!("| {usage} | {place} | {words} |\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/textures.md");
    let page = std::fs::read_to_string(path).unwrap();
    let [start, end] = MARKS.map(|mark| page.find(mark).unwrap_or_else(|| panic!("no {mark}")));
    let start = start + MARKS[0].len();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, [&page[..start], &table, &page[end..]].concat()).unwrap();
        return;
    }
    let fault = "docs/textures.md differs: run UPDATE=1 cargo test -p brickwork-toolkit --lib lists";
    assert!(page[start..end] == table, "{fault}");
}
