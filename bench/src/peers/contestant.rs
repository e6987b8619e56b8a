//! One encoder behind a closure.

use anyhow::Result;

/// Encodes the picture of an index into blocks.
pub type Encode<'a> = Box<dyn Fn(usize, &mut [u8]) -> Result<()> + 'a>;

/// One encoder with its settings.
pub struct Contestant<'a> {
    pub name: String,
    pub role: Role,
    pub encode: Encode<'a>,
}

/// The role of a contestant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Brickwork.
    Ours,
    /// The peer that speeds are multiples of.
    Base,
    /// Another peer.
    Peer,
}

/// Returns the name and version of a peer's crate, from Cargo.lock.
pub fn package(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let entry = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    format!("{name} {}", version.unwrap_or("of unknown version"))
}
