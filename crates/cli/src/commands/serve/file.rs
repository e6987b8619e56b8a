//! A file as a response: conditional requests and ranges of bytes (RFC 9110, 13 and 14).

use super::{
    content_type::content_type,
    response::{Data, refusal, with},
};
use httpdate::HttpDate;
use hyper::{
    HeaderMap, Request, Response, StatusCode,
    body::Bytes,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderName, IF_MATCH,
        IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, LAST_MODIFIED, RANGE,
    },
};
use std::{
    fs::{File, Metadata},
    io::{Seek as _, SeekFrom},
    ops::Range,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Returns the file with a name, a part of it, or nothing if the client has it.
pub fn response(mut file: File, metadata: &Metadata, name: &str, request: &Request<()>) -> Response<Data> {
    let (version, headers, length) = (Version::of(metadata), request.headers(), metadata.len());
    let mut response = Response::new(Data::Bytes(Bytes::new()));
    *response.status_mut() = version.status(headers);
    match response.status() {
        StatusCode::PRECONDITION_FAILED => return refusal(response.status(), "the file has changed"),
        StatusCode::NOT_MODIFIED => {}
        _ => {
            let range = field(headers, RANGE).filter(|_| version.allows_range(headers));
            let part = range.and_then(|range| selected(range, length));
            let Range { start, end } = part.clone().unwrap_or(0..length);
            if part.is_some() {
                if start == end {
                    let reason = "the range starts after the end of the file";
                    let response = refusal(StatusCode::RANGE_NOT_SATISFIABLE, reason);
                    return with(response, CONTENT_RANGE, &format!("bytes */{length}"));
                }
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                response = with(response, CONTENT_RANGE, &format!("bytes {start}-{}/{length}", end - 1));
            }
            if file.seek(SeekFrom::Start(start)).is_err() {
                return refusal(StatusCode::INTERNAL_SERVER_ERROR, "the file cannot be read");
            }
            *response.body_mut() = Data::File(file.into(), end - start);
            response = with(response, CONTENT_TYPE, content_type(name));
            response = with(response, ACCEPT_RANGES, "bytes");
        }
    }
    if let Some(modified) = version.modified {
        response = with(response, LAST_MODIFIED, &modified.to_string());
    }
    with(with(response, ETAG, &version.tag), CACHE_CONTROL, "no-cache")
}

/// Returns the date of the last change. A date in the future is not sent (RFC 9110, 8.8.2.1).
pub fn last_modified(metadata: &Metadata) -> Option<HttpDate> {
    let time = metadata.modified().ok()?.min(SystemTime::now());
    time.duration_since(UNIX_EPOCH).ok().map(|_| time.into())
}

/// Validators of a file: they change if its contents do.
struct Version {
    /// Entity tag: time of the last change in nanoseconds, and length.
    tag: String,
    modified: Option<HttpDate>,
}

impl Version {
    fn of(metadata: &Metadata) -> Self {
        let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let tag = format!("\"{:x}-{:x}\"", time.unwrap_or_default().as_nanos(), metadata.len());
        Self { tag, modified: last_modified(metadata) }
    }

    /// Evaluates the preconditions in the order of RFC 9110, 13.2.2, without `If-Range`. Returns 200, 304 or
    /// 412.
    fn status(&self, headers: &HeaderMap) -> StatusCode {
        let date = |name| field(headers, name)?.parse::<HttpDate>().ok().zip(self.modified);
        let is_changed = match list(headers, IF_MATCH) {
            // Only strong tags match, so the prefix `W/` stays.
            Some(tags) => !self.matches(&tags),
            None => date(IF_UNMODIFIED_SINCE).is_some_and(|(date, modified)| modified > date),
        };
        let is_known = match list(headers, IF_NONE_MATCH) {
            Some(tags) => self.matches(&tags.replace("W/", "")),
            None => date(IF_MODIFIED_SINCE).is_some_and(|(date, modified)| modified <= date),
        };
        match (is_changed, is_known) {
            (true, _) => StatusCode::PRECONDITION_FAILED,
            (false, true) => StatusCode::NOT_MODIFIED,
            (false, false) => StatusCode::OK,
        }
    }

    /// True if a list of tags contains that of this file or is `*`.
    fn matches(&self, tags: &str) -> bool {
        // The tag contains no comma, so a list with other tags may be split anywhere.
        tags.split(',').map(str::trim).any(|tag| tag == "*" || tag == self.tag)
    }

    /// True if the range of a request is of this version of the file. A date counts only if the file was not
    /// changed again in that second: it is at least one second old.
    fn allows_range(&self, headers: &HeaderMap) -> bool {
        let Some(value) = list(headers, IF_RANGE) else { return true };
        let second_ago = SystemTime::now() - Duration::from_secs(1);
        let is_date =
            |modified: HttpDate| value == modified.to_string() && SystemTime::from(modified) <= second_ago;
        value == self.tag || self.modified.is_some_and(is_date)
    }
}

/// Returns the value of a field, or `None` if it is missing or not unique.
fn field(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

/// Returns the values of all fields with a name, joined by commas, or `None` if there is none.
fn list(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
    let values: Vec<_> = values.collect();
    (!values.is_empty()).then(|| values.join(","))
}

/// Returns the part of a file of `length` bytes that the field `Range` selects, which is empty if it starts
/// after the end. Several ranges, other units and malformed ranges give `None`: RFC 9110, 14.2, lets servers
/// ignore them.
fn selected(range: &str, length: u64) -> Option<Range<u64>> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.trim_matches([' ', '\t']).split_once('-')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    if first.is_empty() {
        // The last bytes. An empty file has no range, and is sent as a whole.
        let count = number(last)?;
        return (length > 0).then(|| length.saturating_sub(count)..length);
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    (first <= last).then(|| first.min(length)..last.saturating_add(1).min(length))
}

/// Parses decimal digits. Numbers above 2⁶⁴ − 1 become that number.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_every_form() {
        for (range, expected) in [
            ("bytes=0-0", Some(0..1)),
            ("bytes=2-5", Some(2..6)),
            ("bytes=9-", Some(9..10)),
            ("bytes=5-99999999999999999999999", Some(5..10)),
            ("Bytes= 2-5\t", Some(2..6)),
            ("bytes=-1", Some(9..10)),
            ("bytes=-99999999999999999999999", Some(0..10)),
            ("bytes=10-", Some(10..10)),
            ("bytes=18446744073709551615-18446744073709551615", Some(10..10)),
            ("bytes=-0", Some(10..10)),
            ("bytes=5-2", None),
            ("bytes=-", None),
            ("bytes=--1", None),
            ("bytes=1", None),
            ("bytes=0x1-2", None),
            ("bytes=+1-2", None),
            ("bytes=1 - 2", None),
            ("bytes=0-1,3-4", None),
            ("texels=0-1", None),
            ("0-1", None),
        ] {
            assert_eq!(selected(range, 10), expected, "{range}");
        }
        assert_eq!(selected("bytes=0-", 0), Some(0..0));
        assert_eq!(selected("bytes=-1", 0), None);
    }

    #[test]
    fn preconditions_of_every_kind() {
        let (at, before) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT");
        let tag = "\"1-2\"".to_owned();
        let version = Version { tag, modified: Some(at.parse().unwrap()) };
        let headers = |fields: &[(HeaderName, &str)]| {
            let fields = fields.iter();
            fields.map(|(name, value)| (name.clone(), value.parse().unwrap())).collect::<HeaderMap>()
        };
        for (fields, expected) in [
            (&[] as &[_], 200),
            (&[(IF_NONE_MATCH, "\"1-2\"")], 304),
            (&[(IF_NONE_MATCH, "\"x\", W/\"1-2\"")], 304),
            (&[(IF_NONE_MATCH, "*")], 304),
            (&[(IF_NONE_MATCH, "\"x\"")], 200),
            (&[(IF_NONE_MATCH, "\"x\""), (IF_MODIFIED_SINCE, at)], 200),
            (&[(IF_MODIFIED_SINCE, at)], 304),
            (&[(IF_MODIFIED_SINCE, before)], 200),
            (&[(IF_MODIFIED_SINCE, "yesterday")], 200),
            (&[(IF_MATCH, "\"1-2\"")], 200),
            (&[(IF_MATCH, "*")], 200),
            (&[(IF_MATCH, "W/\"1-2\"")], 412),
            (&[(IF_UNMODIFIED_SINCE, at)], 200),
            (&[(IF_UNMODIFIED_SINCE, before)], 412),
        ] {
            assert_eq!(version.status(&headers(fields)).as_u16(), expected, "{fields:?}");
        }
        for (value, expected) in
            [("\"1-2\"", true), ("W/\"1-2\"", false), ("\"x\", \"1-2\"", false), (at, true), (before, false)]
        {
            assert_eq!(version.allows_range(&headers(&[(IF_RANGE, value)])), expected, "{value}");
        }
        let date = HttpDate::from(SystemTime::now());
        let fresh = Version { modified: Some(date), ..version };
        assert!(!fresh.allows_range(&headers(&[(IF_RANGE, &date.to_string())])), "it may change again");
    }
}
