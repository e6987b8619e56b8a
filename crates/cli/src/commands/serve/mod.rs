//! `brickwork serve`: the web site and a folder of files, for browsers on this machine.
//!
//! HTTP is hyper's, on tokio; `notes.md` has the reasons. The stages of a request:
//!
//! | file | stage |
//! |---|---|
//! | `server.rs` | the listening socket; number of connections, and which of them is closed for a new one |
//! | `connection.rs` | bytes of requests and responses, with deadlines |
//! | `host.rs` | names that the field `Host` may have |
//! | `url_path.rs`, `root.rs` | names of a URL's path; the file beneath a root that they name |
//! | `content.rs` | the response to a request: the site, the files, the lists |
//! | `file.rs`, `content_type.rs` | a file: conditional requests, parts, media types (RFC 9110) |
//! | `listing.rs` | folders as JSON and HTML |

mod connection;
mod content;
mod content_type;
mod file;
mod host;
mod limits;
mod listing;
mod response;
mod root;
mod server;
mod url_path;

use crate::{
    exit::Exit,
    failure::Failure,
    output,
    report::{note, printable},
    values,
};
use brickwork_toolkit::report::path_text;
use content::Content;
use limits::Limits;
use root::Root;
use std::{
    env, fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// Way to get the web site.
const HINT_OF_SITE: &str =
    "build it in the repository: cd web && npm ci && npm run build:site; then use --site web/dist-site";

/// Serve the web site and a folder of files to browsers on this machine
///
/// The site compresses textures in the browser, on WebGPU, and compares them with their images. The files are
/// at /files/ and on the site's list of images; /api/files.json is that list for scripts. The server only
/// reads. It serves no file outside of the folder: symbolic links are followed if they lead to a file in it.
/// It ends at Ctrl-C, with the exit code 130.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork serve textures/                             prints the URL
  brickwork serve textures/ --port 8080
  brickwork serve textures/ --site web/dist-site        the site, as built from the repository
  brickwork serve textures/ --host 0.0.0.0 --port 8080  other machines can read the files

By default, only this machine can connect. There is no password and no encryption: with --host, all who can
reach the address can read the files. Browsers then show the site, but allow WebGPU only on the machine itself
(as localhost) and through a proxy with https.")]
pub struct Args {
    /// Folder of files; without it, only the site is served
    #[arg(value_name = "FOLDER")]
    files: Option<PathBuf>,

    /// Folder of the built site. By default, share/brickwork/site beside the folder bin of this program, if
    /// it exists. Without a site, pages list the files
    #[arg(long, value_name = "FOLDER")]
    site: Option<PathBuf>,

    /// Also serve files and folders that are hidden or in hidden folders
    #[arg(long)]
    hidden: bool,

    /// Address of this machine on which the server listens: an IP address or localhost
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = host_address,
        help_heading = "Network")]
    host: IpAddr,

    /// Port; 0 is any free one. By default, the first free one from 8474 to 8573
    #[arg(long, value_name = "PORT", help_heading = "Network")]
    port: Option<u16>,

    /// Seconds in which a request must arrive, and each 64 KiB of a response must be received. A connection
    /// without requests is closed after three times as long
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds,
        help_heading = "Network")]
    timeout: Duration,

    /// Largest number of connections. A new one then replaces the one that has waited longest for a request
    #[arg(long, value_name = "N", default_value = "64", value_parser = values::threads,
        help_heading = "Network")]
    connections: usize,
}

/// Serves until the program is interrupted.
///
/// # Errors
/// [`Failure`] if a folder cannot be opened, or the port is in use.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let site = args.site.clone().or_else(installed_site);
    let has_site = site.is_some();
    if !has_site && args.files.is_none() {
        let reason = "the web site is not installed, and no folder of files is given";
        return Err(Failure::usage(reason).hint(HINT_OF_SITE));
    }
    let content = Content {
        site: site.as_deref().map(|folder| Root::open(folder, false)).transpose()?,
        files: args.files.as_deref().map(|folder| Root::open(folder, args.hidden)).transpose()?,
    };
    if let Some(site) = site.filter(|site| !site.join("index.html").is_file()) {
        let reason = "has no index.html; expected the folder of the built web site";
        return Err(Failure::new(Exit::Io, reason).of_path(&site).hint(HINT_OF_SITE));
    }
    let (listener, address) = server::listen(args.host, args.port)?;
    if !has_site {
        note(&format!("only the files are served: the web site is not installed ({HINT_OF_SITE})"));
    }
    if !address.ip().is_loopback() {
        note(&format!("all who can reach {address} can read the files: there is no password or encryption"));
    }
    let what = args.files.as_deref().map_or_else(|| "the web site".to_owned(), path_text);
    let text = format!("Serving {} at {} (Ctrl-C ends it)\n", printable(&what), url(address));
    output::print(&text, false)?;
    let limits = Limits {
        timeout: args.timeout,
        connections: args.connections,
        is_loopback: address.ip().is_loopback(),
    };
    match server::run(listener, Arc::new(content), limits) {
        Ok(never) => match never {},
        Err(error) => Err(Failure::io(&error).of(address)),
    }
}

/// Returns the URL for browsers on this machine.
fn url(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, address.port()))
}

/// Returns the folder of the web site that belongs to this program: `share/brickwork/site` beside the folder
/// of the executable, which is usually `bin`. Returns `None` if no such folder has an `index.html`.
fn installed_site() -> Option<PathBuf> {
    let program = env::current_exe().and_then(fs::canonicalize).ok()?;
    let folder = program.parent()?.parent()?.join("share/brickwork/site");
    folder.join("index.html").is_file().then_some(folder)
}

/// Parses an address of this machine.
fn host_address(text: &str) -> Result<IpAddr, String> {
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    text.parse()
        .map_err(|_| "expected an IP address of this machine, such as 0.0.0.0 for all, or localhost".into())
}

/// Parses a time-out in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| (0.05..=3600.0).contains(seconds));
    let seconds = seconds.ok_or("expected a number of seconds from 0.05 to 3600")?;
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_times() {
        assert_eq!(host_address("localhost"), Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(host_address("::1").map(|host| host.is_loopback()), Ok(true));
        assert_eq!(host_address("0.0.0.0").map(|host| host.is_unspecified()), Ok(true));
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for bad in ["", "0", "-1", "nan", "inf", "3601", "10s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        for bad in ["", "example.com", "127.0.0.1:80", "256.0.0.1"] {
            assert!(host_address(bad).is_err(), "{bad}");
        }
    }
}
