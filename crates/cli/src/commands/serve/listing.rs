//! Folders as JSON and HTML.

use super::{
    content_type::content_type,
    file::last_modified,
    root::{Entry, Root},
    url_path::encode,
};
use crate::report::{Bytes, printable};
use serde::Serialize;
use std::{io, path::Path};

/// Largest number of entries of a folder that are listed.
const MAX_ENTRIES: usize = 10_000;

/// A folder for the pages of the site.
#[derive(Serialize)]
pub struct Listing {
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
#[derive(Serialize)]
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
    /// Returns the listing of the folder that `names` lead to from the root of the files. `path` is its path.
    ///
    /// # Errors
    /// [`io::Error`] if the folder cannot be read.
    pub fn of(root: &Root, names: &[String], path: &Path) -> io::Result<Self> {
        let (entries, is_truncated) = root.entries(names, path, MAX_ENTRIES)?;
        Ok(Self::new(names, entries, is_truncated))
    }

    fn new(names: &[String], entries: Vec<Entry>, is_truncated: bool) -> Self {
        let folder = encode(names);
        let listed = |(name, metadata): Entry| {
            let path = format!("{folder}{}", encode(std::slice::from_ref(&name)));
            if metadata.is_dir() {
                let [url, list] = ["/files", "/api/files"].map(|start| format!("{start}{path}/"));
                return ListedEntry::Folder { name, url, list };
            }
            ListedEntry::File {
                url: format!("/files{path}"),
                media_type: content_type(&name),
                bytes: metadata.len(),
                modified: last_modified(&metadata).map(|date| date.to_string()),
                name,
            }
        };
        Self {
            url: format!("/files{folder}/"),
            parent: names.split_last().map(|(_, around)| format!("/api/files{}/", encode(around))),
            is_truncated,
            entries: entries.into_iter().map(listed).collect(),
        }
    }

    /// Returns the listing as a page. `names` lead to the folder.
    pub fn html(&self, names: &[String]) -> String {
        let title: String = names.iter().map(|name| format!("{name}/")).collect();
        let title = escaped(if title.is_empty() { "Files" } else { &title });
        let rows = self.rows();
        format!(
            "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
td {{ padding: 0.2rem 0; overflow-wrap: anywhere; }}
td + td {{ text-align: right; white-space: nowrap; padding-left: 1rem; }}
</style>
</head>
<body>
<h1><bdi>{title}</bdi></h1>
<table>
{rows}</table>
</body>
</html>
"
        )
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

/// Returns `text` for HTML, between tags and in attributes with quotation marks. Control characters become
/// visible.
fn escaped(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Folders, whose names end with a slash, and files of three bytes.
    fn entries(names: &[&str]) -> Vec<Entry> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x"), b"123").unwrap();
        let metadata = |name: &str| {
            fs::metadata(if name.ends_with('/') { folder.path().into() } else { folder.path().join("x") })
        };
        names.iter().map(|name| (name.trim_end_matches('/').to_owned(), metadata(name).unwrap())).collect()
    }

    #[test]
    fn entries_have_addresses() {
        let names = ["a b".to_owned()];
        let listing = Listing::new(&names, entries(&["c/", "z/", "A.dds", "b.png"]), false);
        let json: serde_json::Value = serde_json::to_value(&listing).unwrap();
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
        let listing = Listing::new(&[], entries(&["\"><script>.png", "a&b'", "{{rows}}"]), true);
        let page = listing.html(&[]);
        assert!(!page.contains("<script>") && page.contains("more than 10000"), "{page}");
        assert!(
            page.contains("<a href=\"/files/%22%3E%3Cscript%3E.png\"><bdi>&quot;&gt;&lt;script"),
            "{page}"
        );
        assert!(!page.contains("../"), "the root has no folder around it");
    }
}
