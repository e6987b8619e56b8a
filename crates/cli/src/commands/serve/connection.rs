//! Bytes of requests and responses on a connection, with a deadline for each.
//!
//! If each call had a time-out, a byte now and then would keep a connection forever. Here a deadline is that
//! of a whole head, or of 64 KiB of a response.

use super::{
    content::Content,
    host,
    limits::Limits,
    response::{Data, refusal},
};
use crate::report::detail;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body as _, Bytes, Frame, Incoming, SizeHint},
    header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
    rt::{Read, ReadBufCursor, Write},
    server::conn::http1,
    service::service_fn,
};
use std::{
    cell::Cell,
    convert::Infallible,
    future::{Future as _, poll_fn},
    io, mem,
    pin::{Pin, pin},
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead as _, AsyncWrite as _, ReadBuf},
    net::TcpStream,
    task::spawn_blocking,
    time::{Instant, sleep_until, timeout},
};

/// Number of bytes of a response that share a deadline.
const CHUNK_BYTES: usize = 64 << 10;

/// Largest number of bytes of a request's head.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// Largest number of bytes of a target, which is the path and the query of a URL.
const MAX_TARGET_BYTES: usize = 8 << 10;

/// Most time that a closing connection discards what its client still sends.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Phase of a connection, and its deadline.
pub struct State {
    timeout: Duration,
    phase: Cell<Phase>,
    /// Time since which the connection has waited for a request.
    since: Cell<Instant>,
    deadline: Cell<Option<Instant>>,
    /// Number of bytes that were written since the deadline was set.
    written: Cell<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing of the next request has arrived.
    Idle,
    /// A part of a request's head has arrived.
    Head,
    /// A request is being answered.
    Answer,
    /// hyper has the end of a response, but the client does not.
    End,
    /// The last response was sent.
    Closing,
}

impl State {
    /// Returns the state of a new connection. A browser opens one to use it at once, and keeps it for later.
    pub fn new(timeout: Duration) -> Self {
        let now = Instant::now();
        Self {
            timeout,
            phase: Cell::new(Phase::Idle),
            since: Cell::new(now),
            deadline: Cell::new(Some(now + timeout)),
            written: Cell::new(0),
        }
    }

    /// Returns the time since which the connection has waited for a request, unless it answers one.
    pub fn waiting_since(&self) -> Option<Instant> {
        (!matches!(self.phase.get(), Phase::Answer | Phase::End)).then(|| self.since.get())
    }

    fn enter(&self, phase: Phase, patience: Option<Duration>) {
        self.phase.set(phase);
        self.deadline.set(patience.map(|patience| Instant::now() + patience));
    }

    /// Records that the client accepted a number of bytes, or none yet.
    fn wrote(&self, count: Option<usize>) {
        self.written.set(self.written.get() + count.unwrap_or_default());
        if self.deadline.get().is_none() && count.is_none() {
            self.deadline.set(Some(Instant::now() + self.timeout));
            self.written.set(0);
        } else if self.waiting_since().is_none() && self.written.get() >= CHUNK_BYTES {
            self.deadline.set(None);
        }
    }

    /// Records that the client, or the system for it, has accepted all bytes so far.
    fn flushed(&self) {
        match self.phase.get() {
            Phase::Answer => self.deadline.set(None),
            Phase::End => {
                self.since.set(Instant::now());
                self.enter(Phase::Idle, Some(self.timeout.saturating_mul(3)));
            }
            Phase::Idle | Phase::Head | Phase::Closing => {}
        }
    }
}

/// Answers the requests of a connection, until either side closes it or a deadline has passed.
pub async fn answer_all(stream: TcpStream, state: Rc<State>, content: Arc<Content>, limits: Limits) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| answer(request, Rc::clone(&state), Arc::clone(&content), limits));
    let mut connection = http1::Builder::new()
        .half_close(true)
        .title_case_headers(true)
        .max_header_size(MAX_HEAD_BYTES)
        .serve_connection(Io { stream, state: Rc::clone(&state) }, service);
    let mut alarm = pin!(sleep_until(Instant::now()));
    let is_late = poll_fn(|context| {
        if Pin::new(&mut connection).poll(context).is_ready() {
            return Poll::Ready(false);
        }
        let Some(deadline) = state.deadline.get() else { return Poll::Pending };
        if alarm.deadline() != deadline {
            alarm.as_mut().reset(deadline);
        }
        alarm.as_mut().poll(context).map(|()| true)
    });
    if is_late.await && state.phase.get() == Phase::Head {
        let stream = connection.into_parts().io.stream;
        refuse(stream, "408 Request Timeout", "the request did not arrive in time").await;
    }
}

/// Answers a connection whose request is not read, and closes it.
pub async fn refuse(stream: TcpStream, status: &str, reason: &str) {
    let length = reason.len() + 1;
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    let answered = async {
        stream.writable().await?;
        // The buffer has room for that; if not, the client gets nothing.
        stream.try_write(format!("{head}{reason}\n").as_bytes())?;
        let mut io = Io { stream, state: Rc::new(State::new(CLOSING_TIME)) };
        poll_fn(|context| Pin::new(&mut io).poll_shutdown(context)).await
    };
    let _: Result<io::Result<()>, _> = timeout(CLOSING_TIME, answered).await;
}

/// Answers a request.
async fn answer(
    request: Request<Incoming>,
    state: Rc<State>,
    content: Arc<Content>,
    limits: Limits,
) -> Result<Response<Body>, Infallible> {
    state.enter(Phase::Answer, None);
    let line = format!("{} {} {:?}", request.method(), request.uri(), request.version());
    let is_head = request.method() == Method::HEAD;
    let mut response = match fault(&request, limits.is_loopback) {
        Some((status, reason)) => {
            let mut response = refusal(status, reason);
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
        None => {
            let request = request.map(|_| ());
            let response = spawn_blocking(move || content.response(&request)).await;
            response.unwrap_or_else(|_| refusal(StatusCode::INTERNAL_SERVER_ERROR, "a bug in Brickwork"))
        }
    };
    if is_head {
        let length = response.body().length();
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
        *response.body_mut() = Data::Bytes(Bytes::new());
    }
    // Browsers do not guess types, and give nothing to pages of other sites.
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (hyper::header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    detail(&format!("{} {line}", response.status().as_u16()));
    Ok(response.map(|data| Body { data, state }))
}

/// Returns the reason to refuse a request, except for the path that it names.
fn fault(request: &Request<Incoming>, is_loopback: bool) -> Option<(StatusCode, &'static str)> {
    let (uri, mut hosts) = (request.uri(), request.headers().get_all(HOST).iter());
    let (host, other) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next());
    Some(if !matches!(*request.method(), Method::GET | Method::HEAD) {
        (StatusCode::METHOD_NOT_ALLOWED, "files can only be read, by GET and HEAD")
    } else if uri.path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
        (StatusCode::URI_TOO_LONG, "the URL is too long")
    } else if uri.authority().is_some() || !uri.path().starts_with('/') {
        // `http://host/path` is the form for proxies.
        (StatusCode::BAD_REQUEST, "the target must be a path, which starts with a slash")
    } else if host.is_none() || other.is_some() {
        (StatusCode::BAD_REQUEST, "a request must have one field Host")
    } else if is_loopback && !host.is_some_and(host::is_loopback) {
        let reason =
            "this server answers only requests for localhost, because it listens on a loopback address";
        (StatusCode::MISDIRECTED_REQUEST, reason)
    } else if !request.body().is_end_stream() {
        (StatusCode::BAD_REQUEST, "a request must not have a body")
    } else {
        return None;
    })
}

/// A connection for hyper.
struct Io {
    stream: TcpStream,
    state: Rc<State>,
}

impl Io {
    /// Reads some bytes; none at the end.
    fn read<'a>(&mut self, context: &mut Context<'_>, bytes: &'a mut [u8]) -> Poll<io::Result<&'a [u8]>> {
        let mut buffer = ReadBuf::new(bytes);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
        let count = buffer.filled().len();
        Poll::Ready(Ok(&bytes[..count]))
    }
}

impl Read for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; 4096];
        let size = buffer.remaining().min(bytes.len());
        let read = ready!(self.read(context, &mut bytes[..size]))?;
        buffer.put_slice(read);
        if !read.is_empty() && self.state.phase.get() == Phase::Idle {
            self.state.enter(Phase::Head, Some(self.state.timeout));
        }
        Poll::Ready(Ok(()))
    }
}

impl Write for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // At most a chunk at once, so that a deadline is that of one chunk.
        let bytes = &bytes[..bytes.len().min(CHUNK_BYTES)];
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.state.wrote(match &result {
            Poll::Ready(result) => result.as_ref().ok().copied(),
            Poll::Pending => None,
        });
        result
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.state.flushed();
        Poll::Ready(Ok(()))
    }

    /// Discards what the client still sends. Otherwise, the system would reset the connection, and the
    /// response could be lost.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.state.phase.get() != Phase::Closing {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.state.enter(Phase::Closing, Some(self.state.timeout.min(CLOSING_TIME)));
        }
        while !ready!(self.read(context, &mut [0; 4096]))?.is_empty() {}
        Poll::Ready(Ok(()))
    }
}

/// Body of a response. When hyper has all of it, the connection's state changes.
struct Body {
    data: Data,
    state: Rc<State>,
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let bytes = match &mut self.data {
            Data::Bytes(bytes) => mem::take(bytes),
            Data::File(_, 0) => Bytes::new(),
            Data::File(file, left) => {
                let mut bytes = vec![0; CHUNK_BYTES.min(usize::try_from(*left).unwrap_or(CHUNK_BYTES))];
                let mut buffer = ReadBuf::new(&mut bytes);
                ready!(Pin::new(file).poll_read(context, &mut buffer))?;
                let count = buffer.filled().len();
                if count == 0 {
                    // The file has become shorter.
                    return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
                }
                bytes.truncate(count);
                *left -= count as u64;
                bytes.into()
            }
        };
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.data.length() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.length())
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if self.state.phase.get() == Phase::Answer {
            self.state.phase.set(Phase::End);
        }
    }
}
