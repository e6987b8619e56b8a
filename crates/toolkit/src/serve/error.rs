//! Errors of starting a server.

use crate::report::path_text;
use brickwork_base::ErrorKind;
use std::{
    io,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

/// Reason why a server cannot be started, displayed in one line that names the folder or address.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// There is neither a site nor a folder of files.
    #[error("there is neither a web site nor a folder of files to serve")]
    Nothing,
    /// A folder cannot be opened.
    #[error("{}: {error}", path_text(path))]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the operating system.
        error: Arc<io::Error>,
    },
    /// A path is not that of a folder.
    #[error("{}: is a file; expected a folder", path_text(path))]
    File {
        /// Path of the file.
        path: PathBuf,
    },
    /// The folder of the site has no first page.
    #[error("{}: has no index.html; expected the folder of the built web site", path_text(path))]
    NoPage {
        /// Path of the folder.
        path: PathBuf,
    },
    /// Another program listens on the requested port.
    #[error("port {} of {} is in use", address.port(), address.ip())]
    PortInUse {
        /// Requested address.
        address: SocketAddr,
    },
    /// Other programs listen on all ports that are tried if none is requested.
    #[error("the ports {first} to {last} of {host} are in use")]
    PortsInUse {
        /// Address without its port.
        host: IpAddr,
        /// First port that was tried.
        first: u16,
        /// Last port that was tried.
        last: u16,
    },
    /// The system does not let the program listen on the address.
    #[error("{address}: {error}")]
    Listen {
        /// Requested address.
        address: SocketAddr,
        /// Error of the operating system.
        error: Arc<io::Error>,
    },
}

impl ServeError {
    /// Returns the error's kind: who can act on it.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Nothing => ErrorKind::Argument,
            Self::Folder { .. }
            | Self::File { .. }
            | Self::NoPage { .. }
            | Self::PortInUse { .. }
            | Self::PortsInUse { .. }
            | Self::Listen { .. } => ErrorKind::Io,
        }
    }
}
