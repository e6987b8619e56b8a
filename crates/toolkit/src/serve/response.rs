//! Responses: status codes, fields, body.

use super::date::{http_date, now};
use std::{fmt::Write as _, fs::File};

/// Refusal of a request: the status and the reason as plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub status: u16,
    pub reason: &'static str,
}

impl Refusal {
    /// The path names no file that is served. Hidden files and files outside of the folder give the same.
    pub const NOT_FOUND: Self = Self { status: 404, reason: "there is no such file" };

    /// Returns the refusal of a malformed request.
    pub const fn bad(reason: &'static str) -> Self {
        Self { status: 400, reason }
    }
}

/// Body of a response.
#[derive(Debug)]
pub(super) enum Body {
    /// No body and no length, for status 304.
    None,
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A part of a file.
    File {
        file: File,
        /// Position of the first byte.
        start: u64,
        /// Number of bytes.
        length: u64,
    },
}

/// A response, without the fields that all responses have.
#[derive(Debug)]
pub(super) struct Response {
    pub status: u16,
    pub fields: Vec<(&'static str, String)>,
    pub body: Body,
}

impl Response {
    /// Returns a response without fields.
    pub const fn new(status: u16, body: Body) -> Self {
        Self { status, fields: Vec::new(), body }
    }

    /// Returns a text in memory. `media_type` includes the character set.
    pub fn text(status: u16, media_type: &str, text: String) -> Self {
        let response = Self::new(status, Body::Bytes(text.into_bytes()));
        response.with("Content-Type", media_type).with("Cache-Control", "no-cache")
    }

    /// Returns a redirection to a path of this server.
    pub fn redirection(status: u16, location: &str) -> Self {
        let text = format!("see {location}\n");
        Self::text(status, "text/plain; charset=utf-8", text).with("Location", location)
    }

    /// Adds a field.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    /// Returns the head. `is_kept` is false if the server closes the connection afterwards.
    pub fn head(&self, is_kept: bool) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, phrase(self.status));
        let mut add = |name: &str, value: &str| {
            let _ = write!(head, "{name}: {value}\r\n");
        };
        add("Date", &http_date(now()));
        match &self.body {
            Body::None => {}
            Body::Bytes(bytes) => add("Content-Length", &bytes.len().to_string()),
            Body::File { length, .. } => add("Content-Length", &length.to_string()),
        }
        for (name, value) in &self.fields {
            add(name, value);
        }
        // Browsers do not guess types, and give nothing to pages of other sites.
        add("X-Content-Type-Options", "nosniff");
        add("Cross-Origin-Resource-Policy", "same-origin");
        add("Referrer-Policy", "no-referrer");
        if !is_kept {
            add("Connection", "close");
        }
        head + "\r\n"
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        let text = format!("{}\n", refusal.reason);
        let response = Self::text(refusal.status, "text/plain; charset=utf-8", text);
        match refusal.status {
            405 => response.with("Allow", "GET, HEAD"),
            503 => response.with("Retry-After", "1"),
            _ => response,
        }
    }
}

/// Returns the phrase of a status code. The list has all codes of this server.
const fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        412 => "Precondition Failed",
        414 => "URI Too Long",
        416 => "Range Not Satisfiable",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_the_fields_of_all_responses() {
        let head = Response::from(Refusal { status: 405, reason: "no" }).head(false);
        assert!(head.starts_with("HTTP/1.1 405 Method Not Allowed\r\nDate: "), "{head}");
        assert!(head.ends_with("Connection: close\r\n\r\n"), "{head}");
        for field in ["Content-Length: 3", "Allow: GET, HEAD", "X-Content-Type-Options: nosniff"] {
            assert!(head.contains(&format!("\r\n{field}\r\n")), "{head}");
        }
        let head = Response::new(304, Body::None).head(true);
        assert!(!head.contains("Content-Length") && !head.contains("Connection"), "{head}");
    }
}
