//! Head of a request: request line and fields (RFC 9112).

use super::{host, response::Refusal};

/// Largest number of bytes of a head.
pub(super) const MAX_HEAD_BYTES: usize = 16 << 10;

/// Largest number of bytes of a target, which is the path and the query of a URL.
const MAX_TARGET_BYTES: usize = 8 << 10;

/// Largest number of fields.
const MAX_FIELDS: usize = 100;

/// A request for reading.
#[derive(Debug)]
pub(super) struct Request {
    /// True for HEAD: only the head of the response is sent.
    pub is_head: bool,
    /// Path and query, which start with a slash.
    pub target: String,
    /// True if the client may send another request on the connection.
    pub is_kept: bool,
    fields: Vec<(String, String)>,
}

impl Request {
    /// Returns the value of a field, or `None` if it is missing or not unique. `name` has lower-case letters.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.values(name);
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns the values of all fields with a name, joined by commas, or `None` if there is none.
    pub fn list(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self.values(name).collect();
        (!values.is_empty()).then(|| values.join(","))
    }

    fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// True for the characters of methods and of field names.
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
}

/// Returns the length of the head at the start of `bytes`, including its empty line. The search starts at the
/// position `from`. Line ends without a carriage return also end the head; [`parse`] refuses them.
pub(super) fn head_length(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find_map(|at| match &bytes[at..] {
        [b'\n', b'\n', ..] => Some(at + 2),
        [b'\n', b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Parses a head. `is_loopback` requires a host name of the loopback interface.
///
/// # Errors
/// [`Refusal`] if the head is malformed or too large, or the request is not one for reading.
pub(super) fn parse(head: &[u8], is_loopback: bool) -> Result<Request, Refusal> {
    let mut rest = head;
    let (is_head, target, is_1_1) = request_line(line(&mut rest)?)?;
    let mut fields = Vec::new();
    loop {
        let line = line(&mut rest)?;
        if line.is_empty() {
            break;
        }
        if fields.len() == MAX_FIELDS {
            return Err(Refusal { status: 431, reason: "the request has too many fields" });
        }
        fields.push(field(line)?);
    }
    let mut request = Request { is_head, target, is_kept: is_1_1, fields };
    let Some(name) = request.field("host") else {
        return Err(Refusal::bad("a request must have one field Host"));
    };
    if is_loopback && !host::is_loopback(name) {
        let reason =
            "this server answers only requests for localhost, because it listens on a loopback address";
        return Err(Refusal { status: 421, reason });
    }
    let lengths = request.list("content-length").unwrap_or_default();
    if request.list("transfer-encoding").is_some() || !lengths.bytes().all(|digit| digit == b'0') {
        return Err(Refusal::bad("a request must not have a body"));
    }
    let connection = request.list("connection").unwrap_or_default();
    if connection.split(',').any(|option| option.trim().eq_ignore_ascii_case("close")) {
        request.is_kept = false;
    }
    Ok(request)
}

/// Takes the next line, without its end.
fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Refusal> {
    const REFUSAL: Refusal = Refusal::bad("lines must end with a carriage return and a line feed");
    let bytes = *rest;
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(REFUSAL)?;
    *rest = &bytes[end + 1..];
    let line = bytes[..end].strip_suffix(b"\r").ok_or(REFUSAL)?;
    if line.contains(&b'\r') { Err(REFUSAL) } else { Ok(line) }
}

/// Returns whether the method is HEAD, the target, and whether the version is HTTP/1.1.
fn request_line(line: &[u8]) -> Result<(bool, String, bool), Refusal> {
    const REFUSAL: Refusal = Refusal::bad("the first line must be like \"GET /index.html HTTP/1.1\"");
    let mut words = line.split(|byte| *byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(REFUSAL);
    };
    if method.is_empty() || !method.iter().copied().all(is_token) {
        return Err(REFUSAL);
    }
    let is_1_1 = match version {
        b"HTTP/1.1" => true,
        b"HTTP/1.0" => false,
        _ if version.starts_with(b"HTTP/") => {
            return Err(Refusal { status: 505, reason: "this server uses HTTP/1.1" });
        }
        _ => return Err(REFUSAL),
    };
    let is_head = match method {
        b"GET" => false,
        b"HEAD" => true,
        _ => return Err(Refusal { status: 405, reason: "files can only be read, by GET and HEAD" }),
    };
    if target.len() > MAX_TARGET_BYTES {
        return Err(Refusal { status: 414, reason: "the URL is too long" });
    }
    // `http://host/path`, the form for proxies, and `*` are refused, too.
    if !target.starts_with(b"/") || !target.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'#') {
        return Err(Refusal::bad("the target must be a path in ASCII, which starts with a slash"));
    }
    Ok((is_head, String::from_utf8_lossy(target).into_owned(), is_1_1))
}

/// Returns name and value of a field. Lines that continue a field start with a space, which is no name.
fn field(line: &[u8]) -> Result<(String, String), Refusal> {
    const REFUSAL: Refusal = Refusal::bad("a field must be like \"Name: value\"");
    let colon = line.iter().position(|byte| *byte == b':').ok_or(REFUSAL)?;
    let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
    let is_value = |byte: &u8| *byte == b'\t' || !byte.is_ascii_control();
    if name.is_empty() || !name.iter().copied().all(is_token) || !value.iter().all(is_value) {
        return Err(REFUSAL);
    }
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    Ok((name, String::from_utf8_lossy(value).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        parse(head.as_bytes(), true).map_or_else(|refusal| refusal.status, |_| 200)
    }

    #[test]
    fn well_formed_requests_pass() {
        let head = "HEAD /a?b HTTP/1.1\r\nHost: localhost\r\nX-Y:\t1 \r\nRange: bytes=0-\r\n\r\n";
        let request = parse(head.as_bytes(), true).unwrap();
        assert_eq!((request.is_head, request.target.as_str(), request.is_kept), (true, "/a?b", true));
        assert_eq!((request.field("x-y"), request.field("range")), (Some("1"), Some("bytes=0-")));
        let closing = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: x, Close\r\n\r\n";
        assert!(!parse(closing.as_bytes(), true).unwrap().is_kept);
        assert!(!parse(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", true).unwrap().is_kept);
        assert_eq!(status("GET / HTTP/1.1\r\nHost: [::1]:1\r\nContent-Length: 0\r\n\r\n"), 200);
    }

    #[test]
    fn other_requests_are_refused() {
        for (expected, head) in [
            (400, "GET / HTTP/1.1\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
            (421, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
            (400, "GET / HTTP/1.1\nHost: localhost\n\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: \x01\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n"),
            (400, "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (400, "GET /\r\nHost: localhost\r\n\r\n"),
            (400, "GET / FTP/1.1\r\nHost: localhost\r\n\r\n"),
            (505, "PRI * HTTP/2.0\r\n\r\n"),
            (405, "DELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (405, "FROB /a HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (405, "get /a HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (400, "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (400, "GET /a#b HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (400, "GET /ä HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ] {
            assert_eq!(status(head), expected, "{head:?}");
        }
        let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(MAX_TARGET_BYTES));
        assert_eq!(status(&long), 414);
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "Host: localhost\r\n".repeat(MAX_FIELDS + 1));
        assert_eq!(status(&many), 431);
    }

    #[test]
    fn the_end_of_a_head_is_found_wherever_the_search_starts() {
        for text in ["GET / HTTP/1.1\r\nA: b\r\n\r\nGET", "GET / HTTP/1.1\nA: b\n\nGET"] {
            let length = head_length(text.as_bytes(), 0).unwrap();
            assert_eq!(&text[length..], "GET");
            for end in 0..text.len() {
                let seen = head_length(&text.as_bytes()[..end], 0);
                assert_eq!(seen, (end >= length).then_some(length));
                // The search continues up to two bytes before those that are new.
                let later = head_length(text.as_bytes(), end.saturating_sub(2));
                assert!(end >= length || later == Some(length), "{end}");
            }
        }
    }
}
