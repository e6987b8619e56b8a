//! Folders, address and limits of a server.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    time::Duration,
};

/// Folders, address and limits of a [`Server`](super::Server).
#[derive(Clone, Debug)]
pub struct ServeOptions {
    pub(super) site: Option<PathBuf>,
    pub(super) files: Option<PathBuf>,
    pub(super) host: IpAddr,
    pub(super) port: Option<u16>,
    pub(super) shows_hidden: bool,
    pub(super) timeout: Duration,
    pub(super) max_connections: usize,
}

impl ServeOptions {
    /// Port that is tried first if none is requested: 8474.
    pub const DEFAULT_PORT: u16 = 8474;
    /// Default time-out: 10 s.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
    /// Default number of connections: 64. A browser opens at most six to one server.
    pub const DEFAULT_MAX_CONNECTIONS: usize = 64;

    /// Returns the defaults: no folder, the address 127.0.0.1.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            site: None,
            files: None,
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            shows_hidden: false,
            timeout: Self::DEFAULT_TIMEOUT,
            max_connections: Self::DEFAULT_MAX_CONNECTIONS,
        }
    }

    /// Sets the folder of the built web site, which has an `index.html`. Without it, `/` leads to the files.
    #[must_use]
    pub fn with_site(self, folder: Option<PathBuf>) -> Self {
        Self { site: folder, ..self }
    }

    /// Sets the folder of the user's files, which are at `/files/`.
    #[must_use]
    pub fn with_files(self, folder: Option<PathBuf>) -> Self {
        Self { files: folder, ..self }
    }

    /// Sets the address of this machine that the server listens on. The default is 127.0.0.1, which other
    /// machines cannot reach. On loopback addresses, requests for other host names are refused.
    #[must_use]
    pub fn with_host(self, host: IpAddr) -> Self {
        Self { host, ..self }
    }

    /// Sets the port; 0 is any free one. By default, the server uses the first free port of the hundred from
    /// [`DEFAULT_PORT`](Self::DEFAULT_PORT).
    #[must_use]
    pub fn with_port(self, port: Option<u16>) -> Self {
        Self { port, ..self }
    }

    /// Also serves hidden files and folders: those whose names start with a dot, with the contents of such
    /// folders, and those with Windows's attribute for hidden files. The default is false.
    #[must_use]
    pub fn with_hidden(self, shows_hidden: bool) -> Self {
        Self { shows_hidden, ..self }
    }

    /// Sets the time in which a request must arrive, and 64 KiB of a response must be accepted. A connection
    /// without a request is closed after three times as long. The default is 10 s, the minimum 1 ms.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout: timeout.max(Duration::from_millis(1)), ..self }
    }

    /// Sets the largest number of connections, at least 1. At this number, a new connection replaces the one
    /// that has waited longest for a request. The default is 64.
    #[must_use]
    pub fn with_max_connections(self, count: usize) -> Self {
        Self { max_connections: count.max(1), ..self }
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::new()
    }
}
