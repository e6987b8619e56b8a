//! Tests of the table of options.

use super::{Exclusion, Need, OptionRow, Syntax, TextureOptions, Value, Values};
use std::collections::HashSet;

#[test]
fn rows_name_other_rows() {
    let mut names = HashSet::new();
    for row in OptionRow::all() {
        let name = row.name;
        assert!(names.insert(name), "{name}");
        assert!(name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-')), "{name}");
        assert!(!row.help.is_empty() && !row.help.ends_with('.') && !row.heading.is_empty(), "{name}");
        assert!(row.more.is_empty() || row.more.ends_with(['.', ']']), "{name}");
        let named = |name: &str| OptionRow::named(name).is_some();
        assert!(row.exclusions.iter().all(|exclusion| named(exclusion.name())), "{name}");
        let is_there = |need: &Need| if let Need::Option(name) = need { named(name) } else { true };
        assert!(row.needs.iter().all(is_there), "{name}");
        // What a flag means is a value of a key.
        if let Some((key, value)) = row.means {
            let key = OptionRow::named(key).filter(|row| row.is_key());
            assert!(key.is_some_and(|key| key.check(value).is_ok()), "{name}");
        }
        let is_set = row.set.is_some() || row.means.is_some();
        assert!(is_set, "{name} has no effect");
        for excluded in row.exclusions.iter().map(|exclusion| exclusion.name()) {
            let other = OptionRow::named(excluded).unwrap();
            let is_twice = other.exclusions.iter().any(|exclusion| exclusion.name() == name);
            assert!(!is_twice, "{name} and {excluded} are in the table twice");
        }
        if let Some(json) = row.json {
            assert!(serde_json::from_str::<serde_json::Value>(json.schema).is_ok(), "{name}");
        }
    }
}

/// A value that is not the default.
fn sample(row: &OptionRow) -> Value {
    let text = match (row.name, row.syntax) {
        (_, Syntax::Flag) => return Value::Flag(true),
        ("format", _) => "bc7",
        ("kind", _) => "data",
        ("channel", _) => "g=a.png",
        ("level", _) => "1=a.png",
        ("swizzle", _) => "bgr1",
        ("exr-layer", _) => "diffuse",
        ("channels", _) => "g,a:b",
        ("roughness-channel", _) => "g",
        ("weights", _) => "1,2,3",
        ("modes", _) => "1,6",
        ("resize", _) => "50%",
        ("target-size", _) => "70%",
        ("flip", _) => "xy",
        ("mip-wrap", _) => "repeat,mirror",
        ("assign-oetf", _) => "gamma:2.2",
        ("convert-oetf", _) => "linear",
        (_, Syntax::Optional(_, _, bare)) => bare,
        (_, Syntax::Value(_, Values::Names(names))) => *names().last().unwrap(),
        (_, Syntax::Value(_, Values::Integer(least, _))) => return Value::Number((least + 3).to_string()),
        (_, Syntax::Value(_, Values::Number | Values::Signed)) => return Value::Number("2.5".to_owned()),
        _ => panic!("{} needs a value here", row.name),
    };
    Value::Text(text.to_owned())
}

#[test]
fn values_are_returned_as_they_were_set() {
    for row in OptionRow::all().filter(|row| row.set.is_some()) {
        let name = row.name;
        let mut options = TextureOptions::default();
        assert_eq!(row.get(&options), None, "{name}");
        row.set(&mut options, &sample(row)).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        // The jobs have the files of these, and other rows return the rest.
        if ["channel", "level", "levels", "channels", "roughness-from-normals"].contains(&name) {
            continue;
        }
        let Some(value) = row.get(&options) else { panic!("{name} is not returned") };
        let (mut again, debug) =
            (TextureOptions::default(), |options: &TextureOptions| format!("{options:?}"));
        row.set(&mut again, &value).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert_eq!(debug(&again), debug(&options), "{name}");
        assert_ne!(debug(&again), debug(&TextureOptions::default()), "{name}");
        let used: Vec<_> = options.used().map(|(row, _)| row.name).collect();
        assert!(used.contains(&name), "{used:?}");
    }
}

#[test]
fn all_references_of_alpha_tests_are_returned() {
    let row = OptionRow::named("keep-coverage").unwrap();
    for reference in 1..=255 {
        let mut options = TextureOptions::default();
        let reference = std::num::NonZeroU8::new(reference);
        options.encode.keep_coverage = reference;
        let mut again = TextureOptions::default();
        row.set(&mut again, &row.get(&options).unwrap()).unwrap();
        assert_eq!(again.encode.keep_coverage, reference);
    }
}

#[test]
fn exclusions_are_seen_from_both_sides() {
    let mut options = TextureOptions::default();
    for (name, value) in [("modes", "1,6"), ("real-time", "1"), ("format", "bc7")] {
        OptionRow::named(name).unwrap().set(&mut options, &Value::Text(value.to_owned())).unwrap();
    }
    assert_eq!(options.check().unwrap_err().to_string(), "real-time and modes exclude each other");
    let real_time = OptionRow::named("real-time").unwrap();
    assert!(matches!(real_time.exclusions[1], Exclusion::Always("modes")));
}
