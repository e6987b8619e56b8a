//! Faces of cubes according to the names of their files.

use brickwork_toolkit::{batch::Input, texture::OptionsError};
use std::{collections::BTreeMap, path::Path};

/// Last words of the names of +X, −X, +Y, −Y, +Z, −Z.
const WORDS: [&[&str]; 6] = [
    &["px", "xp", "right", "rt"],
    &["nx", "xn", "left", "lf"],
    &["py", "yp", "top", "up"],
    &["ny", "yn", "bottom", "down", "dn"],
    &["pz", "zp", "front", "ft"],
    &["nz", "zn", "back", "bk"],
];

/// Last words of one letter. They count only if all inputs name a face, because other files end in letters,
/// too: those of krpano, Pano2VR and Marzipano.
const LETTERS: [&str; 6] = ["r", "l", "u", "d", "f", "b"];

/// Words after a face, or the end of one: `right_face`, `RightFace`.
const FACE_WORDS: [&str; 2] = ["face", "side"];

/// More words after a face, besides sizes and versions.
const DETAILS: [&str; 6] = ["hdr", "ldr", "tex", "texture", "copy", "final"];

/// Signs before or after an axis, as in `pos_x`, `-y` and `xneg`, and 1 if they are negative. A point,
/// hyphen, space or underscore may separate words from the axis.
const SIGNS: [(&str, usize); 8] =
    [("positive", 0), ("negative", 1), ("pos", 0), ("neg", 1), ("plus", 0), ("minus", 1), ("+", 0), ("-", 1)];

const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

/// Faces with the usual last words of names.
const NAMES: [&str; 6] = ["+X (px)", "-X (nx)", "+Y (py)", "-Y (ny)", "+Z (pz)", "-Z (nz)"];

/// Source of the order of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaceOrder {
    /// The names of the files.
    Names,
    /// The order of the inputs.
    Given,
}

/// Returns inputs in the order of a cube's faces, +X, −X, +Y, −Y, +Z, −Z, cube by cube. The names of the
/// files determine the order if each ends in the name of a face and each cube has all six: `sky_px.png`,
/// `sky-negx.png`, `top.png`, `sky_+X.png`, `sky_xpos.png`, `skyRight.png`, `sky_u.png`, `skyU.png`. A size
/// or version may follow, as in `right_2k.png`, or the place of the face, as in `right1.png`. The words
/// around the face name the cube. Otherwise the order stays.
///
/// # Errors
/// The name of the first file that names no face, and [`OptionsError::FaceName`], if another names one.
pub fn order_faces(inputs: Vec<Input>) -> Result<(Vec<Input>, FaceOrder), (String, OptionsError)> {
    let face_of = face_finder(&inputs);
    let is_named = |input: &&Input| face_of(input).is_some();
    if let Some(named) = inputs.iter().find(is_named)
        && let Some(other) = inputs.iter().find(|input| !is_named(input))
    {
        return Err((other.name(), OptionsError::FaceName { named: named.name() }));
    }
    let mut cubes: Vec<(String, [Option<Input>; 6])> = Vec::new();
    for input in &inputs {
        let Some((cube, face)) = face_of(input) else {
            return Ok((inputs, FaceOrder::Given));
        };
        // A file that is given twice belongs to two cubes.
        let is_next = |(name, faces): &(String, [Option<Input>; 6])| *name == cube && faces[face].is_none();
        let index = cubes.iter().position(is_next).unwrap_or(cubes.len());
        if index == cubes.len() {
            cubes.push((cube, Default::default()));
        }
        cubes[index].1[face] = Some(input.clone());
    }
    if cubes.iter().any(|(_, faces)| faces.iter().any(Option::is_none)) {
        return Ok((inputs, FaceOrder::Given));
    }
    Ok((cubes.into_iter().flat_map(|(_, faces)| faces).flatten().collect(), FaceOrder::Names))
}

/// Returns the number of the face that a word of file names states, in any case: `px`, `posx`, `+x`, `right`
/// and so on. Faces are +X, −X, +Y, −Y, +Z, −Z.
pub fn face_of_word(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let without_face = FACE_WORDS.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(&word);
    let signed = signed_axis(&word).filter(|(start, _)| *start == 0).map(|(_, face)| face);
    let named = |word: &str| WORDS.iter().position(|words| words.contains(&word));
    // `right1` to `back6`.
    let numbered = || {
        let (face, number) = without_face.split_at_checked(without_face.len().checked_sub(1)?)?;
        named(face).filter(|face| number == (face + 1).to_string())
    };
    let face = signed.or_else(|| named(without_face)).or_else(numbered);
    face.map(|face| face as u32)
}

/// Returns the files of each cube whose six faces are among `inputs`, in the order +X, −X, +Y, −Y, +Z, −Z.
/// Encoded one by one, they are no cube.
pub fn cubes_among<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Vec<[String; 6]> {
    let mut cubes: BTreeMap<String, [Option<String>; 6]> = BTreeMap::new();
    for input in inputs {
        if let Some((cube, face)) = input.path().and_then(|path| face_of(path, true)) {
            cubes.entry(cube).or_default()[face].get_or_insert_with(|| input.name());
        }
    }
    let complete = |faces: [Option<String>; 6]| {
        let is_complete = faces.iter().all(Option::is_some);
        is_complete.then(|| faces.map(Option::unwrap_or_default))
    };
    cubes.into_values().filter_map(complete).collect()
}

/// Returns the faces that are missing if each input names a different face of the same cube.
pub fn missing_faces(inputs: &[Input]) -> Vec<&'static str> {
    let face_of = face_finder(inputs);
    let mut cube = None;
    let mut is_given = [false; 6];
    for input in inputs {
        let Some((name, face)) = face_of(input) else { return Vec::new() };
        if is_given[face] || *cube.get_or_insert_with(|| name.clone()) != name {
            return Vec::new();
        }
        is_given[face] = true;
    }
    NAMES.into_iter().zip(is_given).filter(|(_, is_given)| !is_given).map(|(name, _)| name).collect()
}

/// Returns the function that yields the words around the name of a face, with the folder, and the face.
fn face_finder(inputs: &[Input]) -> impl Fn(&Input) -> Option<(String, usize)> + use<> {
    let has_letters = inputs.iter().all(|input| input.path().and_then(|path| face_of(path, true)).is_some());
    move |input| face_of(input.path()?, has_letters)
}

/// Returns the words around the name of a face, with the folder, and the face. `has_letters` is true if it
/// may be one letter at the end.
fn face_of(path: &Path, has_letters: bool) -> Option<(String, usize)> {
    let stem = path.file_stem()?.to_str()?;
    let mut end = stem.len();
    let (start, face) = loop {
        let has_letters = has_letters && end == stem.len();
        if let Some(found) = face_at_end(&stem[..end], has_letters) {
            break found;
        }
        let separator = stem[..end].rfind(SEPARATORS)?;
        if !is_detail(&stem[separator + 1..end]) {
            return None;
        }
        end = separator;
    };
    let cube = [&stem[..start], &stem[end..]].concat();
    Some((path.with_file_name(cube).display().to_string(), face))
}

/// Returns the position of the name of a face at the end of a name, and the face. It is a word, or begins
/// with a capital after a small letter.
fn face_at_end(stem: &str, has_letters: bool) -> Option<(usize, usize)> {
    signed_axis(&stem.to_ascii_lowercase()).or_else(|| {
        let start = stem.rfind(SEPARATORS).map_or(0, |separator| separator + 1);
        let word = &stem[start..];
        let letter_of = |word: &str| LETTERS.iter().position(|letter| letter.eq_ignore_ascii_case(word));
        let letter = || {
            let capital = stem.strip_suffix(|c: char| c.is_ascii_uppercase());
            let capital = capital.filter(|before| before.ends_with(|c: char| c.is_ascii_lowercase()));
            let start = if letter_of(word).is_some() { start } else { capital?.len() };
            Some((start, letter_of(&stem[start..])?))
        };
        let pairs = word.char_indices().zip(word.chars().skip(1));
        let capitals =
            pairs.filter(|((_, before), this)| before.is_ascii_lowercase() && this.is_ascii_uppercase());
        let mut starts = [start].into_iter().chain(capitals.map(|((at, _), _)| start + at + 1));
        let named = starts.find_map(|start| Some((start, face_of_word(&stem[start..])? as usize)));
        named.or_else(|| letter().filter(|_| has_letters))
    })
}

/// True for a size, a version, one of [`FACE_WORDS`] or one of [`DETAILS`].
fn is_detail(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let number = word.strip_prefix("lod").or_else(|| word.strip_prefix('v')).unwrap_or(&word);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || "kxp".contains(c));
    is_number || FACE_WORDS.contains(&word.as_str()) || DETAILS.contains(&word.as_str())
}

/// Returns the face of a sign and an axis, or of an axis and a sign, at the end of a name in lower case, and
/// the position of the first.
fn signed_axis(stem: &str) -> Option<(usize, usize)> {
    sign_and_axis(stem).or_else(|| axis_and_sign(stem))
}

/// Returns the face of an axis and a sign at the end of a name in lower case, and the position of the axis.
fn axis_and_sign(stem: &str) -> Option<(usize, usize)> {
    SIGNS.iter().find_map(|&(sign, is_negative)| {
        let before = stem.strip_suffix(sign)?;
        let before = before.strip_suffix(SEPARATORS).filter(|_| sign.len() > 1).unwrap_or(before);
        let (axis, rest) = ["x", "y", "z"]
            .iter()
            .enumerate()
            .find_map(|(axis, name)| Some((axis, before.strip_suffix(name)?)))?;
        let is_whole = rest.is_empty() || rest.ends_with(SEPARATORS);
        is_whole.then_some((rest.len(), 2 * axis + is_negative))
    })
}

/// Returns the face of a sign and an axis at the end of a name in lower case, and the position of the sign.
fn sign_and_axis(stem: &str) -> Option<(usize, usize)> {
    let (axis, before) =
        ["x", "y", "z"].iter().enumerate().find_map(|(axis, name)| Some((axis, stem.strip_suffix(name)?)))?;
    SIGNS.iter().find_map(|&(sign, is_negative)| {
        let is_word = sign.len() > 1;
        let before = before.strip_suffix(SEPARATORS).filter(|_| is_word).unwrap_or(before);
        let rest = before.strip_suffix(sign)?;
        let is_whole = !is_word || rest.is_empty() || rest.ends_with(SEPARATORS);
        is_whole.then_some((rest.len(), 2 * axis + is_negative))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(names: &[&str]) -> (Vec<String>, FaceOrder) {
        let inputs = names.iter().map(|name| Input::of(Path::new(name))).collect();
        let (inputs, order) = order_faces(inputs).unwrap();
        (inputs.iter().map(Input::name).collect(), order)
    }

    #[test]
    fn missing_faces_of_one_cube_are_named() {
        let missing = |names: &[&str]| {
            missing_faces(&names.iter().map(|name| Input::of(Path::new(name))).collect::<Vec<_>>())
        };
        assert_eq!(missing(&["a_px.png", "a_nx.png", "a_py.png", "a_ny.png", "a_pz.png"]), ["-Z (nz)"]);
        assert_eq!(missing(&["top.png", "left.png"]), ["+X (px)", "-Y (ny)", "+Z (pz)", "-Z (nz)"]);
        for other in [&["a_px.png", "b_nx.png"][..], &["a_px.png", "a_right.png"], &["a_px.png", "a.png"]] {
            assert!(missing(other).is_empty(), "{other:?}");
        }
        let faces = ["PX", "top", "negz", "x", "b"].map(face_of_word);
        assert_eq!(faces, [Some(0), Some(2), Some(5), None, None]);
        assert_eq!(["+X", "-z", "neg_y", "a-z"].map(face_of_word), [Some(0), Some(5), Some(3), None]);
        assert_eq!(missing(&["r.png", "l.png", "u.png", "d.png", "f.png"]), ["-Z (nz)"]);
        assert!(missing(&["b.png", "c.png", "d.png"]).is_empty());
    }

    #[test]
    fn signs_and_letters_are_names_of_faces() {
        for names in [
            ["sky_+X.png", "sky_-X.png", "sky_+Y.png", "sky_-Y.png", "sky_+Z.png", "sky_-Z.png"],
            ["+x.png", "-x.png", "+y.png", "-y.png", "+z.png", "-z.png"],
            ["sky+X.png", "sky-X.png", "sky+Y.png", "sky-Y.png", "sky+Z.png", "sky-Z.png"],
            ["a_pos_x.png", "a_neg_x.png", "a_pos_y.png", "a_neg_y.png", "a_pos_z.png", "a_neg_z.png"],
            ["a-pos-x.png", "a-neg-x.png", "a-pos-y.png", "a-neg-y.png", "a-pos-z.png", "a-neg-z.png"],
            ["positivex.png", "negativex.png", "plus y.png", "minus y.png", "posz.png", "negz.png"],
            ["sky_r.png", "sky_l.png", "sky_u.png", "sky_d.png", "sky_f.png", "sky_b.png"],
            ["R.png", "L.png", "U.png", "D.png", "F.png", "B.png"],
        ] {
            let mut sorted = names;
            sorted.sort_unstable();
            assert_eq!(ordered(&sorted), (names.map(str::to_owned).to_vec(), FaceOrder::Names));
        }
        // Letters of other meanings, and a part of a word.
        for given in [
            ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"],
            ["lamppos_x.png", "ant.png", "bee.png", "cat.png", "dog.png", "elk.png"],
        ] {
            assert_eq!(ordered(&given), (given.map(str::to_owned).to_vec(), FaceOrder::Given));
        }
    }

    #[test]
    fn words_after_and_around_the_face_are_left_out() {
        for names in [
            ["sky_xpos.png", "sky_xneg.png", "sky_ypos.png", "sky_yneg.png", "sky_zpos.png", "sky_zneg.png"],
            ["sky_xp.png", "sky_xn.png", "sky_yp.png", "sky_yn.png", "sky_zp.png", "sky_zn.png"],
            ["sky_X+.png", "sky_X-.png", "sky_Y+.png", "sky_Y-.png", "sky_Z+.png", "sky_Z-.png"],
            ["x_pos.png", "x_neg.png", "y_pos.png", "y_neg.png", "z_pos.png", "z_neg.png"],
            ["Right_2k.png", "Left_2k.png", "Top_2k.png", "Bottom_2k.png", "Front_2k.png", "Back_2k.png"],
            ["s_px_512.png", "s_nx_512.png", "s_py_512.png", "s_ny_512.png", "s_pz_512.png", "s_nz_512.png"],
            ["RightFace.png", "LeftFace.png", "UpFace.png", "DownFace.png", "FrontFace.png", "BackFace.png"],
            [
                "right_face.png",
                "left_face.png",
                "up_face.png",
                "down_face.png",
                "front_face.png",
                "back_face.png",
            ],
            ["skyRight.png", "skyLeft.png", "skyTop.png", "skyBottom.png", "skyFront.png", "skyBack.png"],
            ["skyR.png", "skyL.png", "skyU.png", "skyD.png", "skyF.png", "skyB.png"],
            ["right1.png", "left2.png", "top3.png", "bottom4.png", "front5.png", "back6.png"],
            ["SkyPosX.png", "SkyNegX.png", "SkyPosY.png", "SkyNegY.png", "SkyPosZ.png", "SkyNegZ.png"],
            [
                "PositiveX.png",
                "NegativeX.png",
                "PositiveY.png",
                "NegativeY.png",
                "PositiveZ.png",
                "NegativeZ.png",
            ],
        ] {
            let mut sorted = names;
            sorted.sort_unstable();
            assert_eq!(ordered(&sorted), (names.map(str::to_owned).to_vec(), FaceOrder::Names));
        }
        // Sizes make other cubes.
        let faces = ["right", "left", "top", "bottom", "front", "back"];
        let two: Vec<String> =
            faces.iter().flat_map(|face| [format!("{face}_1k.png"), format!("{face}_2k.png")]).collect();
        let (names, order) = ordered(&two.iter().map(String::as_str).collect::<Vec<_>>());
        let first = |names: &[String]| [names[0].clone(), names[6].clone()];
        assert_eq!(
            (order, first(&names)),
            (FaceOrder::Names, ["right_1k.png", "right_2k.png"].map(str::to_owned))
        );
        let faces = ["xpos", "X-", "zn", "upright", "bright", "maxp", "Faceoff"].map(face_of_word);
        assert_eq!(faces, [Some(0), Some(1), Some(5), None, None, None, None]);
        // Parts of words, other numbers, and names without all six letters.
        for given in [
            ["right2.png", "left1.png", "top4.png", "bottom3.png", "front6.png", "back5.png"],
            ["planA.png", "planB.png", "planC.png", "planD.png", "planE.png", "planF.png"],
            ["upright.png", "bright.png", "laptop.png", "paperback.png", "seafront.png", "meltdown.png"],
            ["a_r_1.png", "b_l_2.png", "c_u_3.png", "d_d_4.png", "e_f_5.png", "f_b_6.png"],
        ] {
            assert_eq!(ordered(&given), (given.map(str::to_owned).to_vec(), FaceOrder::Given));
        }
    }

    #[test]
    fn whole_cubes_are_found_among_other_files() {
        let found = |names: &[&str]| {
            let inputs: Vec<_> = names.iter().map(|name| Input::of(Path::new(name))).collect();
            cubes_among(&inputs)
        };
        let sky = ["sky_px.png", "sky_nx.png", "sky_py.png", "sky_ny.png", "sky_pz.png", "sky_nz.png"];
        assert_eq!(
            found(&[&sky[2..], &["rock.png", "day_px.png"], &sky[..2]].concat()),
            [sky.map(str::to_owned)]
        );
        assert!(found(&sky[1..]).is_empty() && found(&[]).is_empty());
    }

    #[test]
    fn names_of_faces_count_if_each_cube_has_six() {
        let (names, order) =
            ordered(&["sky_nx.png", "sky_ny.png", "sky_nz.png", "sky_px.png", "sky_py.png", "sky_pz.png"]);
        assert_eq!(order, FaceOrder::Names);
        let expected = ["sky_px.png", "sky_nx.png", "sky_py.png", "sky_ny.png", "sky_pz.png", "sky_nz.png"];
        assert_eq!(names, expected);
        let long = ["back.png", "Bottom.png", "front.png", "left.png", "right.png", "top.png"];
        let (names, order) = ordered(&long);
        assert_eq!(order, FaceOrder::Names);
        assert_eq!(names, ["right.png", "left.png", "top.png", "Bottom.png", "front.png", "back.png"]);
        let words = ["sky_rt.tga", "sky_lf.tga", "sky_up.tga", "sky_dn.tga", "sky_ft.tga", "sky_bk.tga"];
        let reversed: Vec<_> = words.iter().rev().copied().collect();
        let (names, order) = ordered(&reversed);
        assert_eq!((order, names.as_slice()), (FaceOrder::Names, &words.map(str::to_owned)[..]));
        let mixed = ["a_px.png", "a_oben.png"].map(|name| Input::of(Path::new(name)));
        let (file, error) = order_faces(mixed.to_vec()).unwrap_err();
        assert_eq!(
            (file.as_str(), error),
            ("a_oben.png", OptionsError::FaceName { named: "a_px.png".into() })
        );
        // Two cubes whose files alternate.
        let two: Vec<String> = ["nx", "ny", "nz", "px", "py", "pz"]
            .iter()
            .flat_map(|face| [format!("a-{face}.dds"), format!("b-{face}.dds")])
            .collect();
        let (names, order) = ordered(&two.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((order, names[0].as_str(), names[6].as_str()), (FaceOrder::Names, "a-px.dds", "b-px.dds"));
        let twice = [&long[..], &long].concat();
        let (names, order) = ordered(&twice);
        assert_eq!(
            (order, names[0].as_str(), names[6].as_str()),
            (FaceOrder::Names, "right.png", "right.png")
        );
        for given in [
            &["sky_nx.png", "sky_ny.png", "sky_nz.png", "sky_px.png", "sky_py.png"][..],
            &["1.png", "2.png", "3.png", "4.png", "5.png", "6.png"],
            &["a_nx.png", "b_ny.png", "a_nz.png", "a_px.png", "a_py.png", "a_pz.png"],
            &["a_nx.png", "a_left.png", "a_nz.png", "a_px.png", "a_py.png", "a_pz.png"],
        ] {
            let (names, order) = ordered(given);
            assert_eq!(
                (names.as_slice(), order),
                (&*given.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), FaceOrder::Given)
            );
        }
    }
}
