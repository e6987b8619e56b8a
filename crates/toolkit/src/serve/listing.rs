//! Folders as JSON and HTML.

use super::{content_type::content_type, root::Entry, url_path::encode, validators::Validators};
use crate::report::{Bytes, escaped, filled, path_text};
use serde::Serialize;
use std::{ffi::OsString, path::Path};

/// Largest number of entries of a folder that are listed.
pub(super) const MAX_ENTRIES: usize = 10_000;

/// A folder for the pages of the site.
#[derive(Debug, Serialize)]
pub(super) struct Listing {
    /// URL of the folder.
    url: String,
    /// URL of the listing of the folder around it; null for the root.
    parent: Option<String>,
    /// True if the folder has more than 10,000 entries, of which only so many are listed.
    is_truncated: bool,
    /// Folders, then files, by name.
    entries: Vec<ListedEntry>,
}

/// A folder or file in a folder.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ListedEntry {
    Folder {
        name: String,
        url: String,
        /// URL of the listing of this folder.
        list: String,
    },
    File {
        name: String,
        url: String,
        #[serde(rename = "type")]
        media_type: &'static str,
        bytes: u64,
        modified: Option<String>,
    },
}

impl Listing {
    /// Returns the listing of the folder that `names` lead to from the root of the files. Entries are sorted.
    pub fn new(names: &[OsString], entries: &[Entry], is_truncated: bool) -> Self {
        let folder = encode(names);
        let listed = entries.iter().map(|entry| {
            let name = path_text(Path::new(&entry.name));
            let path = format!("{folder}{}", encode(std::slice::from_ref(&entry.name)));
            if entry.metadata.is_dir() {
                let [url, list] = ["/files", "/api/files"].map(|start| format!("{start}{path}/"));
                return ListedEntry::Folder { name, url, list };
            }
            ListedEntry::File {
                name,
                url: format!("/files{path}"),
                media_type: content_type(&entry.name),
                bytes: entry.metadata.len(),
                modified: Validators::new(&entry.metadata).last_modified(),
            }
        });
        let around = names.split_last().map(|(_, around)| format!("/api/files{}/", encode(around)));
        let entries = listed.collect();
        Self { url: format!("/files{folder}/"), parent: around, is_truncated, entries }
    }

    /// Returns the listing as JSON.
    pub fn json(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok().map(|text| text + "\n")
    }

    /// Returns the listing as a page. `names` lead to the folder.
    pub fn html(&self, names: &[OsString]) -> String {
        let title: String = names.iter().map(|name| path_text(Path::new(name)) + "/").collect();
        let title = if title.is_empty() { "Files" } else { title.as_str() };
        filled(PAGE, |field| match field {
            "title" => escaped(title),
            "rows" => self.rows(),
            _ => String::new(),
        })
    }

    fn rows(&self) -> String {
        let mut rows = String::new();
        if self.parent.is_some() {
            rows += "<tr><td><a href=\"../\">../</a></td><td></td></tr>\n";
        }
        for entry in &self.entries {
            let (name, url, size) = match entry {
                ListedEntry::Folder { name, url, .. } => (format!("{name}/"), url, String::new()),
                ListedEntry::File { name, url, bytes, .. } => (name.clone(), url, Bytes(*bytes).to_string()),
            };
            let name = escaped(&name);
            rows += &format!("<tr><td><a href=\"{url}\"><bdi>{name}</bdi></a></td><td>{size}</td></tr>\n");
        }
        if self.is_truncated {
            rows += &format!("<tr><td>The folder has more than {MAX_ENTRIES} entries.</td><td></td></tr>\n");
        }
        rows
    }
}

const PAGE: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{{title}}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0.2rem 0; overflow-wrap: anywhere; }
td + td { text-align: right; white-space: nowrap; padding-left: 1rem; }
</style>
</head>
<body>
<h1><bdi>{{title}}</bdi></h1>
<table>
{{rows}}</table>
</body>
</html>
";

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn entries(names: &[&str]) -> Vec<Entry> {
        let folder = tempfile::tempdir().unwrap();
        let metadata = |name: &str| {
            let path = folder.path().join("x");
            if name.ends_with('/') {
                fs::create_dir(&path).unwrap()
            } else {
                fs::write(&path, b"123").unwrap()
            }
            let metadata = fs::metadata(&path).unwrap();
            if metadata.is_dir() {
                fs::remove_dir(&path).unwrap()
            } else {
                fs::remove_file(&path).unwrap()
            }
            metadata
        };
        let entry = |name: &&str| Entry {
            name: OsString::from(name.trim_end_matches('/')),
            metadata: metadata(name),
        };
        names.iter().map(entry).collect()
    }

    #[test]
    fn entries_have_addresses() {
        let names = [OsString::from("a b")];
        let listing = Listing::new(&names, &entries(&["c/", "z/", "A.dds", "b.png"]), false);
        let json: serde_json::Value = serde_json::from_str(&listing.json().unwrap()).unwrap();
        let entry = |index: usize, key: &str| json["entries"][index][key].clone();
        let listed: Vec<_> = (0..4).map(|index| entry(index, "name")).collect();
        assert_eq!(listed, ["c", "z", "A.dds", "b.png"]);
        assert_eq!((&json["url"], &json["parent"]), (&"/files/a%20b/".into(), &"/api/files/".into()));
        assert_eq!(entry(0, "list"), "/api/files/a%20b/c/");
        assert_eq!(
            (entry(2, "url"), entry(2, "type")),
            ("/files/a%20b/A.dds".into(), "image/vnd-ms.dds".into())
        );
        assert_eq!((entry(3, "kind"), entry(3, "bytes")), ("file".into(), 3.into()));
    }

    #[test]
    fn names_are_not_markup() {
        let listing = Listing::new(&[], &entries(&["\"><script>.png", "a&b'"]), true);
        let page = listing.html(&[]);
        assert!(!page.contains("<script>") && page.contains("more than 10000"), "{page}");
        assert!(
            page.contains("<a href=\"/files/%22%3E%3Cscript%3E.png\"><bdi>&quot;&gt;&lt;script"),
            "{page}"
        );
        assert!(!page.contains("../"), "the root has no folder around it");
    }
}
