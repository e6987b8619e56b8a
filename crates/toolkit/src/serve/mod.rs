//! A web server for the site and a folder of the user's files: `brickwork serve`.
//!
//! It reads files and changes nothing. HTTP/1.1 on `std::net`, one thread per connection; `notes.md` has the
//! reasons. The stages of a request:
//!
//! | file | stage |
//! |---|---|
//! | `server.rs`, `options.rs`, `error.rs` | the listening socket; a thread per connection |
//! | `connections.rs` | number of connections; which of them is closed for a new one |
//! | `connection.rs` | bytes of requests and responses, with deadlines |
//! | `request.rs`, `host.rs` | head of a request; names that the field `Host` may have |
//! | `url_path.rs`, `root.rs` | names of a URL's path; the file beneath a root that they name |
//! | `content.rs` | the response to a request |
//! | `validators.rs`, `date.rs`, `range.rs` | conditional requests; parts of files |
//! | `listing.rs`, `content_type.rs` | folders as JSON and HTML; media types |
//! | `response.rs` | status codes, fields, body |
//!
//! Specifications: RFC 9110 (semantics), RFC 9112 (HTTP/1.1), RFC 3986 (URLs).

mod connection;
mod connections;
mod content;
mod content_type;
mod date;
mod error;
mod host;
mod listing;
mod options;
mod range;
mod request;
mod response;
mod root;
mod server;
mod site;
#[cfg(test)]
mod tests;
mod url_path;
mod validators;

pub use error::ServeError;
pub use options::ServeOptions;
pub use server::{ServedRequest, Server};
pub use site::installed_site;
