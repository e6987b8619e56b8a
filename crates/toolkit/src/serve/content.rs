//! The response to a request: the site, the files, and the listings of their folders.
//!
//! | path | response |
//! |---|---|
//! | `/files/…` | a file of the user's folder, or a page that lists a folder |
//! | `/api/files.json`, `/api/files/…/` | listings of the user's folder and of the folders in it, as JSON |
//! | all others | the web site |
//!
//! Without a user's folder, all paths are those of the site; without a site, `/` leads to `/files/`.

use super::{
    content_type::content_type,
    listing::{Listing, MAX_ENTRIES},
    range::{Selection, selection},
    request::Request,
    response::{Body, Refusal, Response},
    root::{Found, Root},
    url_path::{UrlPath, encode},
    validators::{Precondition, Validators},
};
use std::{
    ffi::{OsStr, OsString},
    fs::{File, Metadata},
};

const SECURITY_POLICY: &str = "Content-Security-Policy";

/// Policy of the user's files. A page among them runs without access to the other files and to the site.
const FILE_POLICY: &str = "sandbox allow-scripts allow-downloads";

/// Policy of the pages that list folders.
const LISTING_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// Everything that a server serves.
#[derive(Debug)]
pub(super) struct Content {
    pub site: Option<Root>,
    pub files: Option<Root>,
}

impl Content {
    /// Returns the response to a request.
    pub fn response(&self, request: &Request) -> Response {
        self.respond(request).unwrap_or_else(Response::from)
    }

    fn respond(&self, request: &Request) -> Result<Response, Refusal> {
        let path = UrlPath::decode(&request.target)?;
        if let (Some(files), Some((first, names))) = (&self.files, path.names.split_first()) {
            if first == "files" {
                return of_files(files, names, path.is_folder, request);
            }
            if first == "api" {
                return listing(files, names, path.is_folder);
            }
        }
        match &self.site {
            Some(site) => of_site(site, path, request),
            None if path.names.is_empty() => Ok(Response::redirection(302, "/files/")),
            None => Err(Refusal::NOT_FOUND),
        }
    }
}

/// Returns a file of the site. That of a folder is `index.html`.
fn of_site(site: &Root, path: UrlPath, request: &Request) -> Result<Response, Refusal> {
    let UrlPath { mut names, is_folder } = path;
    match site.find(&names) {
        Some(Found::File(file, metadata)) if !is_folder => Ok(of_file(file, &metadata, &names, request)),
        Some(Found::Folder(_)) if !is_folder => Ok(with_slash(&names)),
        Some(Found::Folder(_)) => {
            names.push("index.html".into());
            match site.find(&names) {
                Some(Found::File(file, metadata)) => Ok(of_file(file, &metadata, &names, request)),
                _ => Err(Refusal::NOT_FOUND),
            }
        }
        _ => Err(Refusal::NOT_FOUND),
    }
}

/// Returns a file of the user's folder, or the page of a folder. `names` lead there.
fn of_files(
    root: &Root,
    names: &[OsString],
    is_folder: bool,
    request: &Request,
) -> Result<Response, Refusal> {
    match root.find(names) {
        Some(Found::File(file, metadata)) if !is_folder => {
            let response = of_file(file, &metadata, names, request);
            Ok(response.with(SECURITY_POLICY, FILE_POLICY))
        }
        Some(Found::Folder(_)) if !is_folder => {
            let names: Vec<_> = std::iter::once("files".into()).chain(names.iter().cloned()).collect();
            Ok(with_slash(&names))
        }
        Some(Found::Folder(_)) => {
            let page = list(root, names)?.html(names);
            let response = Response::text(200, "text/html; charset=utf-8", page);
            Ok(response.with(SECURITY_POLICY, LISTING_POLICY))
        }
        _ => Err(Refusal::NOT_FOUND),
    }
}

/// Returns the JSON at `/api/` and `names`.
fn listing(root: &Root, names: &[OsString], is_folder: bool) -> Result<Response, Refusal> {
    let names: &[OsString] = match names.split_first() {
        Some((first, [])) if first == "files.json" && !is_folder => &[],
        Some((first, names)) if first == "files" && is_folder => names,
        _ => return Err(Refusal::NOT_FOUND),
    };
    let json = list(root, names)?.json();
    let json = json.ok_or(Refusal { status: 500, reason: "the folder cannot be listed" })?;
    Ok(Response::text(200, "application/json", json))
}

/// Lists the folder that `names` lead to.
fn list(root: &Root, names: &[OsString]) -> Result<Listing, Refusal> {
    let Some(Found::Folder(path)) = root.find(names) else { return Err(Refusal::NOT_FOUND) };
    // A folder that may not be read is like one that does not exist.
    let entries = root.entries(names, &path, MAX_ENTRIES);
    let (entries, has_more) = entries.map_err(|_| Refusal::NOT_FOUND)?;
    Ok(Listing::new(names, &entries, has_more))
}

/// Returns the redirection to the same path with a slash, so that relative links in the folder's page work.
fn with_slash(names: &[OsString]) -> Response {
    Response::redirection(301, &format!("{}/", encode(names)))
}

/// Returns the file that `names` lead to, a part of it, or nothing if the client has it.
fn of_file(file: File, metadata: &Metadata, names: &[OsString], request: &Request) -> Response {
    let name = names.last().map_or(OsStr::new(""), OsString::as_os_str);
    let validators = Validators::new(metadata);
    let length = metadata.len();
    let response = match validators.precondition(request) {
        Precondition::Failed => {
            let refusal = Refusal { status: 412, reason: "the file has changed" };
            return Response::from(refusal);
        }
        Precondition::NotModified => Response::new(304, Body::None),
        Precondition::Holds => {
            let range =
                request.field("range").filter(|_| !request.is_head && validators.allow_range(request));
            let response = match range.map_or(Selection::Whole, |range| selection(range, length)) {
                Selection::Whole => Response::new(200, Body::File { file, start: 0, length }),
                Selection::Part(part) => {
                    let range = format!("bytes {}-{}/{length}", part.start, part.end - 1);
                    let body = Body::File { file, start: part.start, length: part.end - part.start };
                    Response::new(206, body).with("Content-Range", range)
                }
                Selection::Unsatisfiable => {
                    let refusal =
                        Refusal { status: 416, reason: "the range starts after the end of the file" };
                    return Response::from(refusal).with("Content-Range", format!("bytes */{length}"));
                }
            };
            response.with("Content-Type", content_type(name)).with("Accept-Ranges", "bytes")
        }
    };
    let response = response.with("ETag", &*validators.tag).with("Cache-Control", "no-cache");
    match validators.last_modified() {
        Some(date) => response.with("Last-Modified", date),
        None => response,
    }
}
