//! Bodies and fields of responses.

use hyper::{
    Response, StatusCode,
    body::Bytes,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION},
};
use tokio::fs::File;

/// Body of a response.
pub enum Data {
    /// Bytes in memory.
    Bytes(Bytes),
    /// A file, and the number of bytes that are left.
    File(File, u64),
}

impl Data {
    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }
}

/// Returns a text. `media_type` includes the character set.
pub fn text(status: StatusCode, media_type: &str, text: String) -> Response<Data> {
    let mut response = Response::new(Data::Bytes(text.into()));
    *response.status_mut() = status;
    with(with(response, CONTENT_TYPE, media_type), CACHE_CONTROL, "no-cache")
}

/// Returns the refusal of a request.
pub fn refusal(status: StatusCode, reason: &str) -> Response<Data> {
    let response = text(status, "text/plain; charset=utf-8", format!("{reason}\n"));
    let is_method = status == StatusCode::METHOD_NOT_ALLOWED;
    if is_method { with(response, ALLOW, "GET, HEAD") } else { response }
}

/// Returns a redirection to a path of this server.
pub fn redirection(status: StatusCode, location: &str) -> Response<Data> {
    let response = text(status, "text/plain; charset=utf-8", format!("see {location}\n"));
    with(response, LOCATION, location)
}

/// Adds a field. Its value has only visible characters of ASCII.
pub fn with(mut response: Response<Data>, name: HeaderName, value: &str) -> Response<Data> {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}
