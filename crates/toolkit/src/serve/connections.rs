//! Open connections, of which there is a largest number.
//!
//! Clients that send nothing must not keep others out. At the limit, a new connection replaces the one that
//! has waited longest for a request. Connections with a request being answered are never replaced.

use std::{
    net::{Shutdown, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

/// All open connections.
#[derive(Debug)]
pub(super) struct Connections {
    max_count: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of all connections so far.
    admitted: u64,
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    id: u64,
    stream: Arc<TcpStream>,
    /// Time since which the connection has waited for a request; `None` while one is answered.
    waiting_since: Option<Instant>,
}

/// An open connection. It leaves the list when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    id: u64,
    stream: Arc<TcpStream>,
    connections: Arc<Connections>,
}

impl Connections {
    /// Returns an empty list for up to `max_count` connections.
    pub fn new(max_count: usize) -> Arc<Self> {
        Arc::new(Self { max_count, state: Mutex::default() })
    }

    /// Adds a connection. At the limit, it closes the one that has waited longest for a request.
    ///
    /// # Errors
    /// The connection, if all others are being answered.
    pub fn admit(self: &Arc<Self>, stream: TcpStream) -> Result<Admitted, TcpStream> {
        let mut state = self.state();
        if state.open.len() >= self.max_count {
            let waiting = state.open.iter().enumerate();
            let waiting = waiting.filter_map(|(index, open)| open.waiting_since.map(|since| (since, index)));
            let Some((_, longest)) = waiting.min() else { return Err(stream) };
            // Its thread reads the end of the stream, and ends.
            let _ = state.open.swap_remove(longest).stream.shutdown(Shutdown::Both);
        }
        state.admitted += 1;
        let (id, stream) = (state.admitted, Arc::new(stream));
        state.open.push(Open { id, stream: Arc::clone(&stream), waiting_since: Some(Instant::now()) });
        Ok(Admitted { id, stream, connections: Arc::clone(self) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted {
    /// The connection.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Records whether the connection waits for a request.
    pub fn set_waiting(&self, is_waiting: bool) {
        let mut state = self.connections.state();
        if let Some(open) = state.open.iter_mut().find(|open| open.id == self.id) {
            open.waiting_since = is_waiting.then(Instant::now);
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.connections.state().open.retain(|open| open.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Read as _, net::TcpListener, time::Duration};

    #[test]
    fn the_connection_that_has_waited_longest_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connect = || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            (client, listener.accept().unwrap().0)
        };
        let is_closed = |client: &mut TcpStream| {
            client.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
            matches!(client.read(&mut [0]), Ok(0))
        };
        let connections = Connections::new(2);
        let [(mut a, a_stream), (mut b, b_stream), (mut c, c_stream), (_d, d_stream)] =
            [(); 4].map(|()| connect());
        let a_admitted = connections.admit(a_stream).unwrap();
        let b_admitted = connections.admit(b_stream).unwrap();
        a_admitted.set_waiting(false);
        let c_admitted = connections.admit(c_stream).unwrap();
        assert!(!is_closed(&mut a) && is_closed(&mut b) && !is_closed(&mut c));
        c_admitted.set_waiting(false);
        let d_stream = connections.admit(d_stream).unwrap_err();
        drop(b_admitted);
        drop(a_admitted);
        let _d_admitted = connections.admit(d_stream).unwrap();
        assert!(!is_closed(&mut c));
        assert_eq!(connections.state().open.len(), 2);
    }
}
