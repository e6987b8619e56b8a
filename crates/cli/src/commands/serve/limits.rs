//! Limits of a server.

use std::time::Duration;

/// Times and numbers that clients cannot exceed.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Time in which a request must arrive, and 64 KiB of a response must be accepted.
    pub timeout: Duration,
    /// Largest number of connections.
    pub connections: usize,
    /// True if requests must name a host of the loopback interface.
    pub is_loopback: bool,
}
