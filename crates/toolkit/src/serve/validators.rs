//! Conditional requests (RFC 9110, 13): validators of a file, and the preconditions of a request.

use super::{
    date::{http_date, now, parse_http_date, seconds},
    request::Request,
};
use std::{fs::Metadata, time::UNIX_EPOCH};

/// Validators of a file: they change if its contents do.
#[derive(Clone, Debug)]
pub(super) struct Validators {
    /// Entity tag: time of the last change in nanoseconds, and length.
    pub tag: String,
    /// Time of the last change in seconds since 1970.
    modified: Option<u64>,
}

/// Outcome of the preconditions of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precondition {
    /// The request is fulfilled.
    Holds,
    /// The client has this version of the file.
    NotModified,
    /// The client requires another version.
    Failed,
}

impl Validators {
    /// Returns the validators of an open file.
    pub fn new(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let nanoseconds = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let tag = format!("\"{:x}-{:x}\"", nanoseconds.as_nanos(), metadata.len());
        Self { tag, modified: modified.map(seconds) }
    }

    /// Returns the date of the last change.
    pub fn last_modified(&self) -> Option<String> {
        // A date in the future is not sent (RFC 9110, 8.8.2.1).
        self.modified.map(|time| http_date(time.min(now())))
    }

    /// Evaluates the preconditions in the order of RFC 9110, 13.2.2, without `If-Range`.
    pub fn precondition(&self, request: &Request) -> Precondition {
        let date = |name| request.field(name).and_then(parse_http_date).zip(self.modified);
        if let Some(tags) = request.list("if-match") {
            // Only strong tags match, so the prefix `W/` stays.
            if !self.matches(&tags, |tag| tag) {
                return Precondition::Failed;
            }
        } else if date("if-unmodified-since").is_some_and(|(date, modified)| modified > date) {
            return Precondition::Failed;
        }
        let is_known = match request.list("if-none-match") {
            Some(tags) => self.matches(&tags, |tag| tag.strip_prefix("W/").unwrap_or(tag)),
            None => date("if-modified-since").is_some_and(|(date, modified)| modified <= date),
        };
        if is_known { Precondition::NotModified } else { Precondition::Holds }
    }

    /// True if the range of a request is of this version of the file. A date counts only if the file was not
    /// changed again in that second: it is at least one second old.
    pub fn allow_range(&self, request: &Request) -> bool {
        match request.list("if-range") {
            None => true,
            Some(value) if value.starts_with('"') => value == self.tag,
            Some(value) => {
                parse_http_date(&value).is_some_and(|date| self.modified == Some(date) && date < now())
            }
        }
    }

    /// True if a list of tags, each as `tag_of` returns it, contains the tag of this file or is `*`.
    fn matches(&self, tags: &str, tag_of: fn(&str) -> &str) -> bool {
        // The tag contains no comma, so a list with other tags may be split anywhere.
        tags.split(',').map(str::trim).any(|tag| tag == "*" || tag_of(tag) == self.tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::request::parse;
    use std::{fs, time::Duration};

    #[test]
    fn preconditions_of_every_kind() {
        use Precondition::{Failed, Holds, NotModified};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"text").unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(784_111_777)).unwrap();
        let validators = Validators::new(&file.metadata().unwrap());
        let request = |field: &str| {
            let field = field.replace("TAG", &validators.tag);
            parse(format!("GET / HTTP/1.1\r\nHost: localhost\r\n{field}\r\n\r\n").as_bytes(), true).unwrap()
        };
        let (at, before) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT");
        assert_eq!(validators.last_modified().as_deref(), Some(at));
        for (field, expected) in [
            ("A: b", Holds),
            ("If-None-Match: TAG", NotModified),
            ("If-None-Match: \"x\", W/TAG", NotModified),
            ("If-None-Match: \"x\"\r\nIf-None-Match: TAG", NotModified),
            ("If-None-Match: *", NotModified),
            ("If-None-Match: \"x\"", Holds),
            (&*format!("If-None-Match: \"x\"\r\nIf-Modified-Since: {at}"), Holds),
            (&*format!("If-Modified-Since: {at}"), NotModified),
            (&*format!("If-Modified-Since: {before}"), Holds),
            ("If-Modified-Since: yesterday", Holds),
            ("If-Match: TAG", Holds),
            ("If-Match: *", Holds),
            ("If-Match: W/TAG", Failed),
            ("If-Match: \"x\"", Failed),
            (&*format!("If-Unmodified-Since: {at}"), Holds),
            (&*format!("If-Unmodified-Since: {before}"), Failed),
        ] {
            assert_eq!(validators.precondition(&request(field)), expected, "{field}");
        }
        for (field, expected) in [
            ("A: b", true),
            ("If-Range: TAG", true),
            ("If-Range: W/TAG", false),
            ("If-Range: \"x\"", false),
            ("If-Range: \"x\", TAG", false),
            (&*format!("If-Range: {at}"), true),
            (&*format!("If-Range: {before}"), false),
        ] {
            assert_eq!(validators.allow_range(&request(field)), expected, "{field}");
        }
        file.set_modified(UNIX_EPOCH + Duration::from_secs(now())).unwrap();
        let fresh = Validators::new(&file.metadata().unwrap());
        let date = format!("If-Range: {}", fresh.last_modified().unwrap());
        assert!(!fresh.allow_range(&request(&date)), "a file that may change again within the second");
    }
}
