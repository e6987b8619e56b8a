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
    file,
    listing::Listing,
    response::{Data, redirection, refusal, text, with},
    root::{Found, Root},
    url_path::{decode, encode},
};
use hyper::{Request, Response, StatusCode, header::CONTENT_SECURITY_POLICY};

/// Policy of the user's files. A page among them runs without access to the other files and to the site.
const FILE_POLICY: &str = "sandbox allow-scripts allow-downloads";

/// Policy of the pages that list folders.
const LISTING_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// Everything that a server serves.
pub struct Content {
    /// The built web site.
    pub site: Option<Root>,
    /// The user's files.
    pub files: Option<Root>,
}

impl Content {
    /// Returns the response to a request. It waits for the disk.
    pub fn response(&self, request: &Request<()>) -> Response<Data> {
        // Hidden files and files outside of the folder give the same as those that do not exist.
        let response = decode(request.uri().path()).and_then(|(names, is_folder)| {
            match (&self.files, &self.site, names.split_first()) {
                (Some(root), _, Some((first, names))) if first == "files" => {
                    of_files(root, names, is_folder, request)
                }
                (Some(root), _, Some((first, names))) if first == "api" => listing(root, names, is_folder),
                (_, Some(site), _) => of_site(site, names, is_folder, request),
                (_, None, None) => Some(redirection(StatusCode::FOUND, "/files/")),
                (_, None, Some(_)) => None,
            }
        });
        response.unwrap_or_else(|| refusal(StatusCode::NOT_FOUND, "there is no such file"))
    }
}

/// Returns a file of the site. That of a folder is `index.html`.
fn of_site(
    site: &Root,
    mut names: Vec<String>,
    is_folder: bool,
    request: &Request<()>,
) -> Option<Response<Data>> {
    if let Found::Folder(_) = site.find(&names)? {
        if !is_folder {
            return Some(redirection(StatusCode::MOVED_PERMANENTLY, &format!("{}/", encode(&names))));
        }
        names.push("index.html".to_owned());
    } else if is_folder {
        return None;
    }
    match site.find(&names)? {
        Found::File(file, metadata) => Some(file::response(file, &metadata, names.last()?, request)),
        Found::Folder(_) => None,
    }
}

/// Returns a file of the user's folder, or the page of a folder. `names` lead there.
fn of_files(root: &Root, names: &[String], is_folder: bool, request: &Request<()>) -> Option<Response<Data>> {
    match root.find(names)? {
        Found::File(file, metadata) if !is_folder => {
            let response = file::response(file, &metadata, names.last()?, request);
            Some(with(response, CONTENT_SECURITY_POLICY, FILE_POLICY))
        }
        Found::Folder(_) if !is_folder => {
            Some(redirection(StatusCode::MOVED_PERMANENTLY, &format!("/files{}/", encode(names))))
        }
        Found::Folder(path) => {
            let page = Listing::of(root, names, &path).ok()?.html(names);
            let response = text(StatusCode::OK, "text/html; charset=utf-8", page);
            Some(with(response, CONTENT_SECURITY_POLICY, LISTING_POLICY))
        }
        Found::File(..) => None,
    }
}

/// Returns the JSON at `/api/` and `names`.
fn listing(root: &Root, names: &[String], is_folder: bool) -> Option<Response<Data>> {
    let names = match names.split_first()? {
        (first, []) if first == "files.json" && !is_folder => &[],
        (first, names) if first == "files" && is_folder => names,
        _ => return None,
    };
    let Found::Folder(path) = root.find(names)? else { return None };
    // A folder that may not be read is like one that does not exist.
    let listing = Listing::of(root, names, &path).ok()?;
    let json = serde_json::to_string_pretty(&listing).ok()?;
    Some(text(StatusCode::OK, "application/json", json + "\n"))
}
