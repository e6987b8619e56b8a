//! TypeScript of the emitted files.

use std::fmt::Write as _;

/// Columns that a list or an object on one line may end at.
const COLUMNS: usize = 100;

/// A value in TypeScript.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Number(f64),
    Text(String),
    /// Name of an import.
    Name(String),
    List(Vec<Data>),
    Object(Vec<(String, Data)>),
}

impl Data {
    /// Returns an object with these keys.
    pub fn object<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Returns a list of texts.
    pub fn texts(texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::List(texts.into_iter().map(|text| Self::Text(text.into())).collect())
    }

    fn inline(&self) -> String {
        match self {
            Self::Number(value) => value.to_string(),
            Self::Text(text) => quoted(text),
            Self::Name(name) => name.clone(),
            Self::List(values) => {
                let values: Vec<_> = values.iter().map(Self::inline).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Object(entries) if entries.is_empty() => "{}".to_owned(),
            Self::Object(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("{}: {}", key_of(key), value.inline()))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    fn write(&self, code: &mut String, indent: usize) {
        let inline = self.inline();
        let fits = indent + inline.len() <= COLUMNS;
        match self {
            Self::List(values)
                if !fits && values.iter().all(|value| matches!(value, Self::Number(_) | Self::Text(_))) =>
            {
                write_filled(code, values, indent + 4);
                let _ = write!(code, "\n{:indent$}]", "");
            }
            Self::List(values) if !fits => {
                code.push('[');
                for value in values {
                    let _ = write!(code, "\n{:width$}", "", width = indent + 4);
                    value.write(code, indent + 4);
                    code.push(',');
                }
                let _ = write!(code, "\n{:indent$}]", "");
            }
            Self::Object(entries) if !fits => {
                code.push('{');
                for (key, value) in entries {
                    let _ = write!(code, "\n{:width$}{}: ", "", key_of(key), width = indent + 4);
                    value.write(code, indent + 4);
                    code.push(',');
                }
                let _ = write!(code, "\n{:indent$}}}", "");
            }
            _ => code.push_str(&inline),
        }
    }
}

impl From<u32> for Data {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

/// Writes the start of a list and its short values, as many to a line as fit.
fn write_filled(code: &mut String, values: &[Data], indent: usize) {
    code.push('[');
    let mut column = usize::MAX;
    for value in values {
        let value = value.inline();
        if column.saturating_add(value.len() + 2) > COLUMNS {
            let _ = write!(code, "\n{:indent$}", "");
            column = indent;
        } else {
            code.push(' ');
            column += 1;
        }
        let _ = write!(code, "{value},");
        column += value.len() + 1;
    }
}

fn key_of(key: &str) -> String {
    let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { key.to_owned() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(quoted, "\\u{unit:04x}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Returns a module whose default export is `data` of type `of`. Each import is a name and a path, or a type
/// and a path: `type Parts`.
pub(crate) fn module(imports: &[(String, String)], of: &str, data: &Data) -> String {
    let mut code = String::from("// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.\n");
    for (name, path) in imports {
        let name = match name.strip_prefix("type ") {
            Some(name) => format!("type {{ {name} }}"),
            None => name.clone(),
        };
        let _ = writeln!(code, "import {name} from \"{path}\";");
    }
    let _ = write!(code, "\nconst data: {of} = ");
    data.write(&mut code, 0);
    code.push_str(";\n\nexport default data;\n");
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_typescript() {
        let data = Data::object([
            ("a", Data::Number(4_294_967_295.0)),
            ("b c", Data::texts(["x\"y\n", "é"])),
            ("d", Data::List(vec![Data::Name("e".to_owned())])),
        ]);
        assert_eq!(data.inline(), r#"{ a: 4294967295, "b c": ["x\"y\n", "\u00e9"], d: [e] }"#);
    }

    #[test]
    fn long_values_are_broken_into_lines() {
        let numbers = Data::List(vec![Data::Number(1000.0); 30]);
        let data = Data::object([("numbers", numbers)]);
        let mut code = String::new();
        data.write(&mut code, 0);
        assert!(code.lines().all(|line| line.len() <= COLUMNS), "{code}");
        assert!(code.starts_with("{\n    numbers: [\n        1000, 1000,"), "{code}");
        assert!(code.ends_with("1000,\n    ],\n}"), "{code}");
    }

    #[test]
    fn modules_import_and_export() {
        let imports =
            [("type Parts".to_owned(), "../data.js".to_owned()), ("a".to_owned(), "./a.js".to_owned())];
        let code = module(&imports, "Parts", &Data::Name("a".to_owned()));
        let lines: Vec<_> = code.lines().skip(1).collect();
        let expected = [
            "import type { Parts } from \"../data.js\";",
            "import a from \"./a.js\";",
            "",
            "const data: Parts = a;",
            "",
            "export default data;",
        ];
        assert_eq!(lines, expected);
    }
}
