//! `brickwork serve`: the web site and a folder of files, for browsers on this machine.

use crate::{
    exit::Exit,
    failure::{Failure, HINT_OF_SITE},
    output,
    report::{detail, note, printable},
    values,
};
use brickwork_toolkit::{
    report::path_text,
    serve::{ServeOptions, Server, installed_site},
};
use std::{net::IpAddr, path::PathBuf, time::Duration};

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
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = values::host,
        help_heading = "Network")]
    host: IpAddr,

    /// Port; 0 is any free one. By default, the first free one from 8474 to 8573
    #[arg(long, value_name = "PORT", help_heading = "Network")]
    port: Option<u16>,

    /// Seconds in which a request must arrive, and each 64 KiB of a response must be received. A connection
    /// without requests is closed after three times as long
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = values::timeout,
        help_heading = "Network")]
    timeout: Duration,

    /// Largest number of connections. A new one then replaces the one that has waited longest for a request
    #[arg(long, value_name = "N", default_value = "64", value_parser = values::connections,
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
    let options = ServeOptions::new()
        .with_site(site)
        .with_files(args.files.clone())
        .with_hidden(args.hidden)
        .with_host(args.host)
        .with_port(args.port)
        .with_timeout(args.timeout)
        .with_max_connections(args.connections);
    let server = Server::bind(&options)?;
    if !has_site {
        note(&format!("only the files are served: the web site is not installed ({HINT_OF_SITE})"));
    }
    if !server.is_loopback() {
        let address = server.address();
        note(&format!("all who can reach {address} can read the files: there is no password or encryption"));
    }
    let what = args.files.as_deref().map_or_else(|| "the web site".to_owned(), path_text);
    let text = format!("Serving {} at {} (Ctrl-C ends it)\n", printable(&what), server.url());
    output::print(&text, false)?;
    server.run(|request| detail(&format!("{} {}", request.status, request.line)))
}
