//! The listening socket, and a thread for each connection.

use super::{
    connection::{Connection, Next},
    connections::{Admitted, Connections},
    content::Content,
    error::ServeError,
    options::ServeOptions,
    request,
    response::{Refusal, Response},
    root::Root,
};
use std::{
    io::{self, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

/// Number of ports that are tried if none is requested.
const PORT_COUNT: u16 = 100;

/// A server that listens, but answers nothing yet.
///
/// ```no_run
/// use brickwork_toolkit::serve::{ServeOptions, Server};
///
/// let options = ServeOptions::new().with_files(Some("textures".into()));
/// let server = Server::bind(&options)?;
/// println!("{}", server.url());
/// server.run(|request| println!("{} {}", request.status, request.line));
/// # Ok::<(), brickwork_toolkit::serve::ServeError>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    content: Arc<Content>,
    connections: Arc<Connections>,
    timeout: Duration,
}

/// A request that was answered.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ServedRequest<'a> {
    /// First line of the request, as the client sent it; empty if it was not received. It comes from outside:
    /// use [`printable`](crate::report::printable) before printing it.
    pub line: &'a str,
    /// Status code of the response.
    pub status: u16,
}

impl Server {
    /// Opens the folders, and listens on the address.
    ///
    /// # Errors
    /// [`ServeError`] if a folder cannot be opened, or no port is free.
    pub fn bind(options: &ServeOptions) -> Result<Self, ServeError> {
        if options.site.is_none() && options.files.is_none() {
            return Err(ServeError::Nothing);
        }
        let open = |folder: &Option<PathBuf>, shows_hidden| {
            folder.as_deref().map(|folder| Root::open(folder, shows_hidden)).transpose()
        };
        let site = open(&options.site, false)?;
        if let Some(path) = &options.site
            && !path.join("index.html").is_file()
        {
            return Err(ServeError::NoPage { path: path.clone() });
        }
        let files = open(&options.files, options.shows_hidden)?;
        let listener = listen(options)?;
        let failed = |error| ServeError::Listen {
            address: SocketAddr::new(options.host, options.port.unwrap_or(0)),
            error: Arc::new(error),
        };
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            address,
            content: Arc::new(Content { site, files }),
            connections: Connections::new(options.max_connections),
            timeout: options.timeout,
        })
    }

    /// Returns the address, with the port that the server listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// True if only this machine can reach the server.
    #[must_use]
    pub const fn is_loopback(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// Returns the URL for browsers on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Answers requests until the process ends. `on_request` is called after each, on any thread.
    pub fn run(&self, on_request: impl Fn(&ServedRequest<'_>) + Send + Sync + 'static) -> ! {
        let on_request = Arc::new(on_request);
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // The client has gone, or the process has too many open files.
                    if error.kind() != io::ErrorKind::ConnectionAborted {
                        thread::sleep(Duration::from_millis(20));
                    }
                    continue;
                }
            };
            match self.connections.admit(stream) {
                Ok(admitted) => {
                    let (content, on_request) = (Arc::clone(&self.content), Arc::clone(&on_request));
                    let (timeout, is_loopback) = (self.timeout, self.is_loopback());
                    let answer_all = move || answer(&admitted, &content, timeout, is_loopback, &*on_request);
                    // Without a thread, the connection is closed.
                    let _ = thread::Builder::new().name("connection".to_owned()).spawn(answer_all);
                }
                Err(stream) => refuse(&stream),
            }
        }
    }
}

/// Listens on the requested port, or on the first free one from the default.
fn listen(options: &ServeOptions) -> Result<TcpListener, ServeError> {
    let address = |port| SocketAddr::new(options.host, port);
    let failed = |port, error: io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortInUse { address: address(port) },
        _ => ServeError::Listen { address: address(port), error: Arc::new(error) },
    };
    if let Some(port) = options.port {
        return TcpListener::bind(address(port)).map_err(|error| failed(port, error));
    }
    let first = ServeOptions::DEFAULT_PORT;
    let last = first + PORT_COUNT - 1;
    for port in first..=last {
        match TcpListener::bind(address(port)) {
            Ok(listener) => return Ok(listener),
            // Windows denies access to ports that it reserves.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied) => {}
            Err(error) => return Err(failed(port, error)),
        }
    }
    Err(ServeError::PortsInUse { host: options.host, first, last })
}

/// Answers the requests of a connection, until either side closes it.
fn answer(
    admitted: &Admitted,
    content: &Content,
    timeout: Duration,
    is_loopback: bool,
    on_request: &(impl Fn(&ServedRequest<'_>) + ?Sized),
) {
    let mut connection = Connection::new(admitted.stream(), timeout);
    // Responses are written in large parts, so that there is nothing to gather.
    let _ = admitted.stream().set_nodelay(true);
    // A browser opens a connection to use it at once, and keeps it for later.
    let mut patience = timeout;
    loop {
        let (head, parsed) = match connection.next_head(patience) {
            Next::Head(head) => {
                let parsed = request::parse(&head, is_loopback);
                (head, parsed)
            }
            Next::Refused(refusal) => (Vec::new(), Err(refusal)),
            Next::Closed => return,
        };
        admitted.set_waiting(false);
        let is_kept = parsed.as_ref().is_ok_and(|request| request.is_kept);
        let response = match parsed {
            Ok(request) => content.response(&request),
            Err(refusal) => Response::from(refusal),
        };
        let status = response.status;
        let result = connection.send(response, head.starts_with(b"HEAD "), is_kept);
        let line = head.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
        on_request(&ServedRequest { line: &String::from_utf8_lossy(line), status });
        if result.is_err() {
            return;
        }
        admitted.set_waiting(true);
        if !is_kept {
            connection.finish();
            return;
        }
        patience = timeout.saturating_mul(3);
    }
}

/// Answers a connection for which there is no room.
fn refuse(mut stream: &TcpStream) {
    let refusal = Refusal { status: 503, reason: "the server has too many connections" };
    let mut response = Response::from(refusal).head(false);
    response += refusal.reason;
    response.push('\n');
    // The buffer of a new connection has room for it. If not, the client gets nothing.
    let _ = stream.set_nonblocking(true).and_then(|()| stream.write_all(response.as_bytes()));
}
