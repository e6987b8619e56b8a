//! Lists of the options in other languages, which `UPDATE=1 cargo test -p brickwork-toolkit --lib lists`
//! writes. Otherwise, the test compares them with the table.

use super::{OptionRow, Syntax, Values};
use std::{env, fmt::Write as _, fs, path::Path};

/// First line of each list, after the sign of a comment.
const WRITTEN: &str = "Written by `UPDATE=1 cargo test -p brickwork-toolkit --lib lists`. Do not edit.";

#[test]
fn lists_are_those_of_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lists = [
        ("web/src/native/options.ts", typescript()),
        ("bindings/python/python/brickwork/_options.py", python()),
    ];
    for (path, list) in lists {
        let file = root.join(path);
        if env::var_os("UPDATE").is_some() {
            fs::write(&file, &list).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(found == list, "{path} differs: run UPDATE=1 cargo test -p brickwork-toolkit --lib lists");
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Returns names as a union of literals.
fn union(names: &[&str], literal: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| literal(name)).collect::<Vec<_>>().join(" | ")
}

/// Returns the names of values, without those of the feature `papers`.
fn public(names: fn() -> Vec<&'static str>) -> Vec<&'static str> {
    names().into_iter().filter(|name| *name != "lsdxt").collect()
}

/// Returns text in lines of at most `width` characters, each after `start`.
fn wrapped(text: &str, start: &str, width: usize) -> String {
    let mut lines = vec![start.to_owned()];
    for word in text.split_whitespace() {
        let is_long = lines.last().is_some_and(|line| {
            line.len() > start.len() && line.chars().count() + 1 + word.chars().count() > width
        });
        if is_long {
            lines.push(start.to_owned());
        }
        let Some(line) = lines.last_mut() else { continue };
        line.push_str(if line.len() > start.len() { " " } else { "" });
        line.push_str(word);
    }
    lines.join("\n")
}

/// Returns a help with the options as arguments: `mip_wrap` for `--mip-wrap`.
fn in_python(help: &str) -> String {
    let mut parts = help.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
        let _ = write!(text, "`{}`{}", part[..end].replace('-', "_"), &part[end..]);
    }
    text
}

/// True for options that take paths of other files.
fn takes_files(row: &OptionRow) -> bool {
    matches!(row.syntax, Syntax::Repeated(..) | Syntax::Value(_, Values::Path))
}

/// The options that the native program takes from the web package.
fn typescript() -> String {
    let rows: Vec<_> = OptionRow::all().filter(|row| row.is_of_program() && !takes_files(row)).collect();
    let literal = |name: &str| if name.parse::<u8>().is_ok() { name.to_owned() } else { quoted(name) };
    let values = |values: Values| match values {
        Values::Names(names) => union(&public(names), literal),
        Values::Known(names) => union(names, quoted),
        Values::Integer(..) | Values::Number | Values::Signed => "number".to_owned(),
        Values::NumberOr(names) => format!("number | {}", union(names, quoted)),
        Values::NumberOrText => "number | string".to_owned(),
        _ => "string".to_owned(),
    };
    let mut code = format!("// {WRITTEN}\n\n/** Options of textures, by their long names. */\n");
    code += "export interface TextureOptions {\n";
    for row in &rows {
        let _ = writeln!(code, "    /**\n{}\n     */", wrapped(&format!("{}.", row.help), "     * ", 110));
        let of_value = row.syntax.values().map(values);
        let kind = match (row.syntax, of_value) {
            (Syntax::Optional(..), Some(values)) => format!("{values} | boolean"),
            (_, Some(values)) => values,
            (_, None) => "boolean".to_owned(),
        };
        let name = if row.name.contains('-') { quoted(row.name) } else { row.name.to_owned() };
        let _ = writeln!(code, "    readonly {name}?: {kind} | undefined;");
    }
    code += "}\n\n/** Names of these options. */\nexport const NAMES: readonly string[] = [\n";
    rows.iter().for_each(|row| code += &format!("    \"{}\",\n", row.name));
    code += "];\n\n/** Options whose value is optional, and therefore follows `=`. */\n";
    let optional = rows.iter().filter(|row| matches!(row.syntax, Syntax::Optional(..)));
    let optional: Vec<_> = optional.map(|row| quoted(row.name)).collect();
    code + &format!("export const OPTIONAL_VALUE: readonly string[] = [{}];\n", optional.join(", "))
}

/// The keyword arguments of `encode` in Python that are options of the table. Those of its signature, and
/// those that state the images, are left out.
fn python() -> String {
    let is_there = |row: &&OptionRow| {
        let is_of_signature = ["format", "quality", "color-space", "mips"].contains(&row.name);
        let is_of_images = ["layout", "levels", "channels", "roughness-from-normals"].contains(&row.name);
        row.is_of_bindings() && !is_of_signature && !is_of_images
    };
    let literal = |name: &&str| if name.parse::<u8>().is_ok() { (*name).to_owned() } else { quoted(name) };
    let one_of =
        |names: &[&str]| format!("Literal[{}]", names.iter().map(literal).collect::<Vec<_>>().join(", "));
    let values = |values: Values| match values {
        Values::Names(names) => one_of(&public(names)),
        Values::Known(names) => one_of(names),
        Values::Pair(names) => format!("{} | tuple[str, str]", one_of(names)),
        Values::Integer(..) => "int".to_owned(),
        Values::Number | Values::Signed => "float".to_owned(),
        Values::NumberOr(_) => "bool | int".to_owned(),
        Values::ListOr([]) => "Sequence[int] | str".to_owned(),
        Values::ListOr(names) => format!("{} | Sequence[int] | str", one_of(names)),
        Values::NumberOrText => "int | str".to_owned(),
        Values::Size => "tuple[int, int] | str".to_owned(),
        Values::Text | Values::Path => "str".to_owned(),
    };
    let mut code =
        format!("# {WRITTEN}\n# fmt: off\n# ruff: noqa: E501\n\"\"\"Options of textures.\"\"\"\n\n");
    code += "from __future__ import annotations\n\nfrom collections.abc import Sequence\n";
    code += "from typing import Literal, TypedDict\n\n__all__ = [\"EncodeOptions\"]\n\n\n";
    code += "class EncodeOptions(TypedDict, total=False):\n    \"\"\"Keyword arguments of `encode`.\"\"\"\n";
    for row in OptionRow::all().filter(is_there) {
        let kind = row.syntax.values().map_or_else(|| "bool".to_owned(), |of| values(of) + " | None");
        let (name, help) = (row.name.replace('-', "_"), in_python(&format!("{}.", row.help)));
        let help = wrapped(&help, "    # ", 99);
        let line = format!("    {name}: {kind}");
        let line = match line.len() {
            ..=110 => line,
            _ => format!("    {name}: (\n        {}\n    )", kind.replace(" | ", "\n        | ")),
        };
        let _ = writeln!(code, "\n{help}\n{line}");
    }
    code
}
