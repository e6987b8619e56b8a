//! Faces of cubes according to the names of their files.

use brickwork_toolkit::{batch::Input, texture::OptionsError};
use std::{collections::BTreeMap, path::Path};

/// Last words of the names of +X, −X, +Y, −Y, +Z, −Z.
const WORDS: [&[&str]; 6] = [
    &["px", "posx", "right", "rt"],
    &["nx", "negx", "left", "lf"],
    &["py", "posy", "top", "up"],
    &["ny", "negy", "bottom", "down", "dn"],
    &["pz", "posz", "front", "ft"],
    &["nz", "negz", "back", "bk"],
];

/// Last words of one letter. They count only if all inputs name a face, because other files end in letters,
/// too: those of krpano, Pano2VR and Marzipano.
const LETTERS: [&str; 6] = ["r", "l", "u", "d", "f", "b"];

/// Signs before an axis, as in `pos_x` and `-y`, and 1 if they are negative. A point, hyphen, space or
/// underscore may follow words.
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
/// `sky-negx.png`, `top.png`, `sky_+X.png`, `sky_u.png`. The words before them name the cube. Otherwise the
/// order stays.
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
    let signed = signed_axis(&word).filter(|(start, _)| *start == 0).map(|(_, face)| face);
    let face = signed.or_else(|| WORDS.iter().position(|words| words.contains(&word.as_str())));
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

/// Returns the function that yields the words before the name of a face, with the folder, and the face.
fn face_finder(inputs: &[Input]) -> impl Fn(&Input) -> Option<(String, usize)> + use<> {
    let has_letters = inputs.iter().all(|input| input.path().and_then(|path| face_of(path, true)).is_some());
    move |input| face_of(input.path()?, has_letters)
}

/// Returns the words before the name of a face, with the folder, and the face. `has_letters` is true if it
/// may be one letter.
fn face_of(path: &Path, has_letters: bool) -> Option<(String, usize)> {
    let stem = path.file_stem()?.to_str()?;
    let (start, face) = signed_axis(&stem.to_ascii_lowercase()).or_else(|| {
        let start = stem.rfind(SEPARATORS).map_or(0, |separator| separator + 1);
        let word = &stem[start..];
        let letter = || LETTERS.iter().position(|letter| letter.eq_ignore_ascii_case(word));
        let face = face_of_word(word).map(|face| face as usize);
        Some((start, face.or_else(|| if has_letters { letter() } else { None })?))
    })?;
    Some((path.with_file_name(&stem[..start]).display().to_string(), face))
}

/// Returns the face of a sign and an axis at the end of a name in lower case, and the position of the sign.
fn signed_axis(stem: &str) -> Option<(usize, usize)> {
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
