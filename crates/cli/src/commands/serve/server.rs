//! The listening socket, and a task for each connection. All tasks share a thread; files are read by others.

use super::{
    connection::{State, answer_all, refuse},
    content::Content,
    limits::Limits,
};
use crate::{exit::Exit, failure::Failure};
use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr, TcpListener},
    rc::Rc,
    sync::Arc,
    time::Duration,
};
use tokio::{
    runtime,
    task::{AbortHandle, LocalSet, spawn_local},
    time::sleep,
};

/// Listens on the requested port, or on the first free one from 8474 to 8573.
///
/// # Errors
/// [`Failure`] if the port is in use, or the system does not allow it.
pub fn listen(host: IpAddr, port: Option<u16>) -> Result<(TcpListener, SocketAddr), Failure> {
    let bind = |port| {
        let listener = TcpListener::bind((host, port))?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    let failed = |port, error: io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::new(Exit::Io, format!("port {port} of {host} is in use"))
            .hint("leave out --port to use a free one"),
        _ => Failure::io(&error).of(SocketAddr::new(host, port)),
    };
    if let Some(port) = port {
        return bind(port).map_err(|error| failed(port, error));
    }
    for port in 8474..=8573 {
        match bind(port) {
            // Windows denies access to ports that it reserves.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied) => {}
            result => return result.map_err(|error| failed(port, error)),
        }
    }
    let reason = format!("the ports 8474 to 8573 of {host} are in use");
    Err(Failure::new(Exit::Io, reason).hint("use another one: --port 0 takes any that is free"))
}

/// Answers requests until the process ends.
///
/// Clients that send nothing must not keep others out. At the limit of connections, a new one replaces the
/// one that has waited longest for a request. Connections with a request being answered are never replaced.
/// As many connections as the limit may be waiting for the end of a refusal.
///
/// # Errors
/// [`io::Error`] if the system has no more resources at the start.
pub fn run(listener: TcpListener, content: Arc<Content>, limits: Limits) -> io::Result<Infallible> {
    listener.set_nonblocking(true)?;
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    LocalSet::new().block_on(&runtime, async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut open: Vec<(Rc<State>, AbortHandle)> = Vec::new();
        let mut refused: Vec<AbortHandle> = Vec::new();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // The client has gone, or the process has too many open files.
                sleep(Duration::from_millis(20)).await;
                continue;
            };
            open.retain(|(_, task)| !task.is_finished());
            if open.len() >= limits.connections {
                let waiting = open.iter().enumerate();
                let waiting = waiting.filter_map(|(index, (state, _))| Some((state.waiting_since()?, index)));
                let Some((_, longest)) = waiting.min() else {
                    refused.retain(|task| !task.is_finished());
                    if refused.len() >= limits.connections {
                        refused.remove(0).abort();
                    }
                    let task =
                        refuse(stream, "503 Service Unavailable", "the server has too many connections");
                    refused.push(spawn_local(task).abort_handle());
                    continue;
                };
                open.swap_remove(longest).1.abort();
            }
            let state = Rc::new(State::new(limits.timeout));
            let task = spawn_local(answer_all(stream, Rc::clone(&state), Arc::clone(&content), limits));
            open.push((state, task.abort_handle()));
        }
    })
}
